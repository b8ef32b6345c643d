"""The runner's calls: lease, upload, result, and waiting for a job."""
import hashlib
import json
import signal
import threading
import unittest

import moowatch
from http_case import JSON, CSV, ZSTD, Served


class Runner(Served):
    def call(self, job, what, body):
        return self.ask(f"/api/v1/runner/jobs/{job}/{what}", "POST", body, token=self.runner)

    def lease(self, wait=0, node="n1"):
        return self.ask("/api/v1/runner/lease", "POST",
                        {"node": node, "version": "0.1", "labels": [], "wait_seconds": wait}, token=self.runner)

    def upload(self, job, lease, data, sha256=None):
        sha256 = sha256 or hashlib.sha256(data).hexdigest()
        return self.ask(f"/api/v1/runner/jobs/{job}/raw/{sha256}", "PUT", data, {"X-Moowatch-Lease": lease}, self.runner)

    def result(self, job):
        summary = {"n": 2, "mean_ns": 100.0, "sd_ns": 1.0, "min_ns": 99, "q1_ns": 99.5, "median_ns": 100,
                   "q3_ns": 100, "max_ns": 200}
        raw = {"sha256": hashlib.sha256(ZSTD).hexdigest(), "bytes": len(ZSTD), "uncompressed_bytes": len(CSV)}
        parameters = {"method_time_ns": 0, "recursion_depth": 10, "threads": 1,
                      "total_calls": {"none": 4000, "probe": 4000}}
        loops = [{"configuration": configuration, "loop": loop, "position": loop * 2 + place, "started_ms": 1, "seconds": 1.0,
                  "failed": None, "disturbed": False, "calls": 4000, "warmup_calls": 2000,
                  "summary": {**summary, "n": 2000, "mean_ns": mean + loop / 10, "max_ns": 200}, "calls_per_second": [2000],
                  "readings": {}, "raw": raw}
                 for loop in (1, 2) for place, (configuration, mean) in enumerate([("none", 100.0), ("probe", 150.0)])]
        return {"lease": job["lease"], "node": "n1", "started_ms": 1, "finished_ms": 2,
                "environment": {"node": "n1", "cpu": "c", "cores": 2, "kernel": "k", "governor": "performance",
                                "runtime": "r", "harness": "h 1", "parameters": parameters},
                "loops": loops}

    def test_whole_protocol(self):
        status, _, body = self.lease()
        self.assertEqual(status, 200, body)
        leased = json.loads(body)
        job, lease = leased["job"]["id"], leased["lease"]
        night = leased["job"]["night"]
        self.assertEqual(self.service.get(f"/api/v1/jobs/{job}")["state"], "leased")

        status, _, body = self.call(job, "resume", {"node": "n1", "lease": lease})
        self.assertEqual(status, 200, body)
        lease = leased["lease"] = json.loads(body)["lease"]
        progress = {"lease": lease, "phase": "measure", "configuration": "none", "loop": 1, "loops": 2, "done": 1,
                    "total": 4, "eta_seconds": 3, "message": ""}
        for _ in range(2):
            status, _, body = self.call(job, "progress", progress)
            self.assertEqual((status, "expires_seconds" in json.loads(body)), (200, True), body)
        self.problem(self.call(job, "progress", {**progress, "lease": "other"}), 409)
        shown = lambda: json.loads(self.ask(f"/api/v1/jobs/{job}", token=self.run_token)[2])["progress"]["log"]
        self.assertIsNone(shown())
        built = "built\n\u001b[31m"
        for log, kept in ((built, built), (None, built), ("y" * 9000, "y" * 4096), ("", "")):
            self.assertEqual(self.call(job, "progress", {**progress, "log": log})[0], 200)
            self.assertEqual(shown(), kept)
            self.assertIsNone(self.service.get(f"/api/v1/jobs/{job}")["progress"]["log"])

        self.problem(self.upload(job, lease, ZSTD, "0" * 64), 400)
        self.problem(self.upload(job, lease, b"this is not zstd"), 400)
        self.problem(self.upload(job, lease, ZSTD[:-3]), 400)
        self.problem(self.upload(job, "other", ZSTD), 409)
        self.problem(self.upload(job, lease, ZSTD, "../../../etc/passwd"), 400)
        self.problem(self.upload(job, lease, ZSTD, "zz"), 400)
        self.assertEqual(self.upload(job, lease, ZSTD)[0], 201)
        self.assertEqual(self.upload(job, lease, ZSTD)[0], 200)

        self.problem(self.call(job, "result", {"lease": lease}), 400)
        first = self.call(job, "result", self.result(leased))
        self.assertEqual(first[0], 201, first[2])
        second = self.call(job, "result", self.result(leased))
        self.assertEqual(second[0], 200, second[2])
        self.assertEqual(json.loads(first[2]), json.loads(second[2]))
        experiment = json.loads(first[2])["experiment"]

        [measured] = [n for n in self.service.nights("demo") if n["night"] == night]
        self.assertEqual((measured["experiment"], measured["state"]), (experiment, "measured"), measured)
        status, headers, body = self.ask(f"/api/v1/experiments/{experiment}/raw/none/1")
        self.assertEqual((status, body), (200, ZSTD))
        status, headers, body = self.ask(f"/api/v1/experiments/{experiment}/raw/none/1?format=csv")
        self.assertEqual((status, body), (200, CSV))
        self.assertIn("attachment", headers["Content-Disposition"])
        self.assertEqual(self.ask(f"/api/v1/experiments/{experiment}")[0], 200)
        self.assertIn(b"<svg", self.ask("/charts/demo.svg")[2])

    def test_failure_is_shown_and_repeatable(self):
        leased = json.loads(self.lease()[2])
        job = leased["job"]["id"]
        failure = {"lease": leased["lease"], "phase": "prepare", "reason": "mvn: not found", "log": "line\n", "retry": False}
        self.assertEqual(self.call(job, "failure", failure)[0], 200)
        self.assertEqual(self.call(job, "failure", failure)[0], 200)
        shown = self.service.get(f"/api/v1/jobs/{job}")
        self.assertEqual(shown["state"], "failed")
        self.assertIn("mvn: not found", shown["error"])
        self.assertIsNone(shown["log"])
        self.assertEqual(json.loads(self.ask(f"/api/v1/jobs/{job}", token=self.run_token)[2])["log"], "line\n")

    def test_bad_lease_requests(self):
        for body in [{}, {"node": ""}, {"node": 5}, {"node": "x" * 101}, {"node": "n", "labels": "x"},
                     {"node": "n", "wait_seconds": "soon"}]:
            self.problem(self.ask("/api/v1/runner/lease", "POST", body, token=self.runner), 400)
        self.problem(self.ask("/api/v1/runner/jobs/0/progress", "POST", {}, token=self.runner), 400)
        self.problem(self.call(99999, "progress", {"lease": "x", "phase": "measure"}), 404)


class LongPoll(Served):
    """The queue is emptied first; then runners wait without a thread."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for _ in range(4):
            body = json.dumps({"node": "drain", "wait_seconds": 0}).encode()
            leased = json.loads(cls.service.status("/api/v1/runner/lease", "POST", body,
                                                   {**JSON, "Authorization": f"Bearer {cls.runner}"})[2])
            body = json.dumps({"lease": leased["lease"], "phase": "checkout", "reason": "drained", "log": "",
                               "retry": False}).encode()
            cls.service.status(f"/api/v1/runner/jobs/{leased['job']['id']}/failure", "POST", body,
                               {**JSON, "Authorization": f"Bearer {cls.runner}"})

    settings = {**Served.settings, "lease_seconds": 5}

    def lease(self, wait, node="n1"):
        return self.ask("/api/v1/runner/lease", "POST", {"node": node, "wait_seconds": wait}, token=self.runner)

    def nodes(self):
        return {node["name"] for node in self.service.get("/api/v1/status")["nodes"]}

    def lease_and_give_up(self, wait, node):
        """Else the lease would run out, and the job go to the next who waits."""
        answer = self.lease(wait, node)
        if answer[0] == 200:
            leased = json.loads(answer[2])
            failed = self.ask(f"/api/v1/runner/jobs/{leased['job']['id']}/failure", "POST", {
                "lease": leased["lease"], "phase": "checkout", "reason": "test", "log": "", "retry": False}, token=self.runner)
            self.assertEqual(failed[0], 200, failed)
        return answer

    def test_nothing_within_the_wait_is_204(self):
        self.assertEqual(self.lease(0)[0], 204)
        self.assertEqual(self.lease(1)[0], 204)

    def test_waiting_runners_are_woken_by_a_new_job(self):
        answers = []
        names = {f"w{n}" for n in range(20)}
        waiting = [threading.Thread(target=lambda name=name: answers.append(self.lease_and_give_up(4, name))) for name in names]
        for thread in waiting:
            thread.start()
        self.service.wait(lambda: names <= self.nodes(), "all twenty to ask")
        head = self.repository._git("rev-parse", "HEAD~1")
        status, _, body = self.ask("/api/v1/projects/demo/jobs", "POST", {"commit": head}, token=self.run_token)
        self.assertEqual(status, 201, body)
        got = self.service.wait(lambda: [a for a in answers if a[0] == 200], "a woken runner")
        self.assertEqual(len(got), 1)
        self.assertEqual(json.loads(got[0][2])["job"]["commit"], head)
        for thread in waiting:
            thread.join(timeout=moowatch.DEADLINE_S)
        self.assertEqual(sorted(a[0] for a in answers), [200] + [204] * 19)

    def test_silent_runner_loses_its_job(self):
        head = self.repository._git("rev-parse", "HEAD~2")
        job = json.loads(self.ask("/api/v1/projects/demo/jobs", "POST", {"commit": head}, token=self.run_token)[2])["job"]
        self.service.wait(lambda: self.lease(0, "silent")[0] == 200, "the job")
        self.service.wait(lambda: self.service.get(f"/api/v1/jobs/{job}")["state"] == "queued", "the job to come back")
        # nor shall another test's runner get it
        self.assertEqual(self.ask(f"/api/v1/jobs/{job}/cancel", "POST", {"reason": "tested"}, token=self.run_token)[0], 200)

    def test_ending_answers_who_waits(self):
        service = self.service
        answers = []
        thread = threading.Thread(target=lambda: answers.append(self.lease(100, "last")))
        thread.start()
        service.wait(lambda: "last" in self.nodes(), "the runner to ask")
        service.daemon.send_signal(signal.SIGTERM)
        self.assertEqual(service.daemon.wait(timeout=moowatch.DEADLINE_S), 0, service.log()[-2000:])
        thread.join(timeout=moowatch.DEADLINE_S)
        self.assertEqual([a[0] for a in answers], [204])
        service.start()


if __name__ == "__main__":
    unittest.main()
