"""Takes jobs and runs them until it is told to stop."""

import logging
import signal
import threading

from client import Client, LeaseLost
from tasks import TASKS

POLL_SECONDS = 2


class Worker:
    def __init__(self, client):
        self.client = client
        self.stopping = threading.Event()

    def stop(self, *_):
        """Lets the running job end and takes no other."""
        self.stopping.set()

    def loop(self):
        while not self.stopping.is_set():
            job = self.client.take()
            if job is None:
                self.stopping.wait(POLL_SECONDS)
            else:
                self.run(job)

    def run(self, job):
        try:
            TASKS[job["kind"]](job["payload"])
            self.client.done(job)
        except LeaseLost:
            logging.warning("job %s took too long", job["id"])
        except Exception:
            logging.exception("job %s failed", job["id"])
            self.client.fail(job)


def main():
    worker = Worker(Client("http://127.0.0.1:8400", "worker-1"))
    signal.signal(signal.SIGTERM, worker.stop)
    worker.loop()


if __name__ == "__main__":
    main()
