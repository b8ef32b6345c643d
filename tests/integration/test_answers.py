"""Answers are packed for those who take it, kept while nothing changes, and never older than what was committed."""
import concurrent.futures
import gzip
import json
import signal
import subprocess
import unittest

import made_up
import moowatch

PROJECT = """
name: {name}
title: {title}
repository: "{repository}"
since: 2024-01-01
"""
MEANS = (70.0, 470.0, 1600.0, 3200.0)
NIGHTS = 3


class Answers(made_up.Nights):
    settings = {"poll_seconds": 3600}

    @classmethod
    def setUpClass(cls):
        cls.service = moowatch.Service(settings=cls.settings)
        cls.addClassCleanup(cls.service.__exit__)
        cls.repository = moowatch.Repository(cls.service.folder / "repository")
        for day in range(1, NIGHTS + 1):
            cls.repository.commit(f"night {day}", f"2024-01-{day:02}", {"a": str(day)})
        cls.configure("The title")
        cls.service.start()
        cls.service.wait(lambda: cls.service.get("/api/v1/projects/p")["polled_ms"], "the end of the first poll")
        cls.runner = cls.token("runner")
        for _ in range(NIGHTS):
            cls.measure(MEANS)

    @classmethod
    def configure(cls, title):
        cls.service.project("p", PROJECT.format(name="p", title=title, repository=cls.repository.path) + made_up.BENCHMARK)

    def read(self, path, **headers):
        return self.service.status(path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def fresh(self, path):
        return json.loads(self.read(path)[2])

    def test_packed_is_the_same_and_has_its_own_etag(self):
        for path in ("/", "/projects/p", "/static/style.css", "/static/project.js", "/api/v1/projects",
                     "/api/v1/projects/p", "/api/v1/projects/p/nights", "/api/v1/experiments/1", "/charts/p.svg",
                     "/api/v1/jobs", "/metrics"):
            with self.subTest(path):
                status, plain, body = self.read(path)
                self.assertEqual((status, plain.get("Content-Encoding")), (200, None))
                self.assertEqual(plain["Vary"], "Accept-Encoding")
                _, packed, bytes_ = self.read(path, Accept_Encoding="br;q=1, gzip;q=0.5")
                self.assertEqual(packed["Content-Encoding"], "gzip")
                self.assertLess(len(bytes_), len(body))
                if path != "/metrics":  # its numbers go on
                    self.assertEqual(gzip.decompress(bytes_), body)
                    self.assertNotEqual(packed["ETag"], plain["ETag"])
                    for encoding, tag, status in (("gzip", packed["ETag"], 304), ("gzip", plain["ETag"], 200),
                                                  ("", plain["ETag"], 304), ("", packed["ETag"], 200)):
                        self.assertEqual(self.read(path, Accept_Encoding=encoding, If_None_Match=tag)[0], status)
                for refusal in ("gzip;q=0", "br", "identity", "gzipped", ";;,=", "gzip; q=0.000, *;q=1"):
                    self.assertIsNone(self.read(path, Accept_Encoding=refusal)[1].get("Content-Encoding"), refusal)

    def test_unknown_parameters_make_no_new_answers(self):
        for path in ("/api/v1/alerts", "/api/v1/projects", "/api/v1/jobs", "/charts/p.svg", "/embed/p", "/feed.atom", "/healthz"):
            status, headers, body = self.read(path + "?padding=" + "a" * 8000)
            self.assertEqual((status, headers["Content-Type"]), (400, "application/problem+json"), path)
            self.assertIn('"padding"', json.loads(body)["detail"])
            self.assertLess(len(body), 1000)
        self.assertIn("this address takes project, state, limit, cursor", json.loads(self.read("/api/v1/jobs?stat=")[2])["detail"])
        self.assertEqual(self.read("/projects/p?from=a-mail")[0], 200)  # a page's are the browser's
        one, other = self.read("/api/v1/alerts?state=open&limit=7"), self.read("/api/v1/alerts?limit=7&state=%6Fpen&limit=9")
        self.assertEqual((one[0], one[2]), (200, other[2]))

    def test_what_is_packed_already_is_left_alone(self):
        _, headers, body = self.read("/charts/p.png", Accept_Encoding="gzip")
        self.assertIsNone(headers.get("Content-Encoding"))
        self.assertEqual(body[:4], b"\x89PNG")
        raw = "/api/v1/experiments/1/raw/none/1"
        self.assertIsNone(self.read(raw, Accept_Encoding="gzip")[1].get("Content-Encoding"))

    def test_a_result_and_a_command_beside_are_seen_at_once(self):
        seen = []
        watched = ["/api/v1/projects/p/nights", "/api/v1/projects", "/charts/p.svg", "/api/v1/projects/p", "/embed/p"]

        def look():
            seen.append([self.read(path)[2] for path in watched])

        def changed():
            look()
            return [old != new for old, new in zip(seen[-2], seen[-1])]
        look()
        self.assertEqual(changed(), [False] * 5)
        for day in range(NIGHTS + 1, NIGHTS + 4):  # each is shown as soon as it is acknowledged
            self.repository.commit(f"night {day}", f"2024-01-{day:02}", {"a": str(day)})
            self.poll()
            self.service.wait(lambda: self.fresh("/api/v1/projects/p")["queued"] == 1, "the job")
            look()
            self.measure(MEANS)
            self.assertEqual(changed(), [True] * 5)
            self.assertEqual(len(self.fresh("/api/v1/projects/p/nights")["items"]), day)
        lines = subprocess.run([moowatch.BUILD / "server" / "moowatchd", "export", "--project", "p", "--config",
                                self.service.folder / "moowatchd.yaml"], check=True, capture_output=True).stdout
        self.assertEqual(self.read("/api/v1/projects/copy/nights")[0], 404)
        subprocess.run([moowatch.BUILD / "server" / "moowatchd", "import", "--project", "copy", "--config",
                        self.service.folder / "moowatchd.yaml"], input=lines, check=True, capture_output=True)
        self.assertEqual(len(self.fresh("/api/v1/projects/copy/nights")["items"]), NIGHTS + 3)
        self.assertEqual([p["name"] for p in self.fresh("/api/v1/projects")["items"]], ["copy", "p"])

    def poll(self):
        secret = self.token("submit")
        status, _, answer = self.service.status("/api/v1/projects/p/poll", "POST", b"{}", {
            "Authorization": f"Bearer {secret}", "Content-Type": "application/json"})
        self.assertLess(status, 300, answer)
        subprocess.run([moowatch.BUILD / "server" / "moowatchd", "token", "revoke", "--config",
                        self.service.folder / "moowatchd.yaml", "--name", "submit"], check=True, capture_output=True)

    def test_a_heartbeat_leaves_the_nights_alone(self):
        before = [self.read("/charts/p.svg")[1]["ETag"], self.read("/api/v1/projects/p/nights")[1]["ETag"]]
        self.assertEqual(self.ask("/api/v1/runner/lease", {"node": "other", "version": "0.1", "labels": [],
                                                           "wait_seconds": 0}), {})
        self.assertEqual([self.read("/charts/p.svg")[1]["ETag"], self.read("/api/v1/projects/p/nights")[1]["ETag"]],
                         before)
        self.assertIn("other", [node["name"] for node in self.fresh("/api/v1/status")["nodes"]])

    def test_what_concerns_one_project_is_shown_at_once(self):
        """Polls, leases and progress make the answers of their project old, and of no other one."""
        self.service.project("q", PROJECT.format(name="q", title="Another", repository=self.service.folder / "gone") +
                             made_up.BENCHMARK)
        self.service.daemon.send_signal(signal.SIGHUP)
        self.service.wait(lambda: self.read("/api/v1/projects/q")[0] == 200 and self.fresh("/api/v1/projects/q")["problem"],
                          "the problem of the other one")
        self.service.wait(lambda: self.fresh("/api/v1/projects/p")["polled_ms"], "the poll after it")
        self.repository.commit("to be leased", "2024-02-01", {"a": "leased"})
        self.poll()
        self.service.wait(lambda: self.fresh("/api/v1/projects/p")["queued"] == 1, "the job")
        self.assertIsNone(self.fresh("/api/v1/projects/p")["running"])
        leased = self.ask("/api/v1/runner/lease", {"node": "blade1", "version": "0.1", "labels": [], "wait_seconds": 0})
        running = self.fresh("/api/v1/projects/p")["running"]
        self.assertEqual((running["id"], running["progress"]), (leased["job"]["id"], None))
        for done in (1, 2, 3):
            self.ask(f"/api/v1/runner/jobs/{running['id']}/progress", {
                "lease": leased["lease"], "phase": "measure", "configuration": "none", "loop": 1, "loops": 2, "done": done,
                "total": 8, "message": ""})
            self.assertEqual(self.fresh("/api/v1/projects/p")["running"]["progress"]["done"], done)
            self.assertEqual([p["running"] and p["running"]["progress"]["done"] for p in self.fresh("/api/v1/projects")["items"]
                              if p["name"] in "pq"], [done, None])
        self.ask(f"/api/v1/runner/jobs/{running['id']}/failure", {
            "lease": leased["lease"], "phase": "checkout", "reason": "given up by the test", "log": "", "retry": False})
        self.assertIsNone(self.fresh("/api/v1/projects/p")["running"])

    def test_many_at_once_get_the_same(self):
        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            for path in ("/charts/p.svg?width=700&nights=3", "/api/v1/projects/p/nights?limit=2", "/charts/nobody.svg"):
                answers = list(pool.map(lambda _, path=path: self.read(path), range(64)))
                self.assertEqual(len({(status, body) for status, _, body in answers}), 1)
                self.assertEqual(answers[0][0], 404 if "nobody" in path else 200)

    def test_errors_are_not_kept(self):
        for path in ("/charts/p.svg?nights=0", "/api/v1/projects/nobody", "/api/v1/experiments/4711"):
            for _ in range(2):
                status, headers, _ = self.read(path)
                self.assertIn(status, (400, 404))
                self.assertEqual(headers["Cache-Control"], "no-store")


class NothingKept(Answers):
    settings = {"poll_seconds": 3600, "answer_cache_bytes": 0, "history_cache_bytes": 0}


if __name__ == "__main__":
    unittest.main(verbosity=2)
