"""Talks to the server."""

import json
import urllib.error
import urllib.request


class LeaseLost(Exception):
    """Somebody else has the job by now."""


class Client:
    def __init__(self, address, name):
        self.address = address
        self.name = name

    def take(self):
        """The next job, or None where none is ready."""
        answer = self._post("/take")
        return json.loads(answer) if answer else None

    def done(self, job):
        self._post(f"/jobs/{job['id']}/done")

    def fail(self, job):
        self._post(f"/jobs/{job['id']}/fail")

    def _post(self, path):
        request = urllib.request.Request(
            self.address + path, method="POST", headers={"X-Worker": self.name}
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            if error.code == 409:
                raise LeaseLost(path) from error
            raise
