import unittest

from run import TASKS, Worker


class Recorder:
    def __init__(self):
        self.calls = []

    def done(self, job):
        self.calls.append("done")

    def fail(self, job):
        self.calls.append("fail")


class RunsJobs(unittest.TestCase):
    def test_a_task_that_raises_fails_its_job(self):
        TASKS["broken"] = lambda payload: 1 / 0
        client = Recorder()
        Worker(client).run({"id": 1, "kind": "broken", "payload": ""})
        self.assertEqual(client.calls, ["fail"])
