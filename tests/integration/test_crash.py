"""kill -9 of the server at random moments, while webhooks come in, runners lease, upload and deliver, and people read.

Whatever was acknowledged must be there afterwards, no commit may be measured twice without need, and the database must
be sound. MOOWATCH_KILLS says how often it is killed (default 40; tests/bench/crash does it 500 times).
"""
import hashlib
import hmac
import http.client
import json
import os
import random
import signal
import sqlite3
import subprocess
import threading
import time
import unittest
import urllib.error

import made_up
import moowatch

SECRET = "the storm's secret"
PROJECT = """
name: p
repository: "{repository}"
branch: main
webhook_secret_file: ../secret
detection:
  remeasure: false
"""
LIFE_SHORTEST_S, LIFE_LONGEST_S = 0.02, 0.6
COMMITS_PER_KILL = 8
HOOKS, RUNNERS = 2, 3
GONE = (OSError, http.client.HTTPException, urllib.error.URLError)


class Storm:
    """Load on one service; what it was told is kept to be compared with what is on disk."""
    later = (0, 503)  # no answer, or one that asks to come again

    def __init__(self, kills, seed=7):
        self.kills, self.random = kills, random.Random(seed)
        self.port = moowatch.Port()
        self.service = moowatch.Service(settings={
            "port": self.port.number, "poll_seconds": 3600, "lease_seconds": 5, "attempts": 100})
        self.repository = moowatch.Repository(self.service.folder / "repository")
        self.commits = self.make_commits(max(20, COMMITS_PER_KILL * kills))
        self.left = list(self.commits)  # not yet delivered, the newest first
        (self.service.folder / "secret").write_text(SECRET + "\n")
        self.service.project("p", PROJECT.format(repository=self.repository.path) + made_up.BENCHMARK)
        self.lock, self.stop, self.drained = threading.Lock(), threading.Event(), threading.Event()
        self.deliveries, self.uploads, self.results = set(), set(), {}  # acknowledged; results: job → experiment
        self.again, self.faults = 0, []  # jobs measured a second time by our runners; what must not happen

    def make_commits(self, number):
        """A commit a night, quickly: one stream into git."""
        lines = []
        for i in range(number):
            when = 1577880000 + i * 86400
            text = f"night {i}"
            lines.append(f"commit refs/heads/main\nmark :{i + 1}\ncommitter Nora <nora@example.org> {when} +0000\n"
                         f"data {len(text)}\n{text}\nM 100644 inline file\ndata {len(text)}\n{text}\n")
        subprocess.run(["git", "-C", self.repository.path, "fast-import", "--quiet"], input="".join(lines), text=True,
                       check=True)
        return subprocess.run(["git", "-C", self.repository.path, "rev-list", "main"], check=True, capture_output=True,
                              text=True).stdout.split()

    def ask(self, path, body, headers, method="POST"):
        """(status, JSON); (0, None) when there was no answer"""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            status, _, answer = self.server().status(path, method, data, {"Content-Type": "application/json", **headers})
        except GONE:
            time.sleep(0.01)
            return 0, None
        return status, json.loads(answer) if answer else {}

    def server(self):
        """Whom the next request goes to."""
        return self.service

    def fault(self, *what):
        with self.lock:
            self.faults.append(" ".join(map(str, what)))

    def hooks(self, name):
        """New commits, oldest first, each until it is acknowledged; between them old ones by another delivery."""
        draw, known, number = random.Random(name), [], 0
        while not self.stop.is_set() or self.left:
            with self.lock:
                new = self.left and (self.stop.is_set() or not known or draw.random() < .7)
                sha = self.left.pop() if new else None
            if not new:
                time.sleep(0.01)  # the server forgets all but 100,000 deliveries, and the verdict looks for all of ours
            number += 1
            if self.deliver(f"{name}-{number}", sha or draw.choice(known)):
                known.append(sha) if sha else None
            elif sha:
                with self.lock:
                    self.left.append(sha)

    def deliver(self, delivery, sha):
        body = json.dumps({"ref": "refs/heads/main", "after": sha, "deleted": False,
                           "repository": {"full_name": "o/p"}}).encode()
        sign = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        status, _ = self.ask("/api/v1/hooks/github/p", body, {
            "X-GitHub-Event": "push", "X-GitHub-Delivery": delivery, "X-Hub-Signature-256": f"sha256={sign}"})
        if status not in (*self.later, 200, 202):
            self.fault("webhook", status)
        if status in (200, 202):
            self.deliveries.add(delivery)
        return status in (200, 202)

    def reads(self):
        while not self.drained.is_set():
            for path in ("/api/v1/projects/p/nights?limit=20", "/charts/p.svg", "/api/v1/jobs?limit=10", "/projects/p"):
                try:
                    status = self.server().status(path)[0]
                except GONE:
                    time.sleep(0.01)
                    continue
                if status not in (200, 503):
                    self.fault(path, status)

    def runner(self, node):
        headers = {"Authorization": f"Bearer {self.token}"}
        draw = random.Random(node)
        while not self.drained.is_set():
            status, leased = self.ask("/api/v1/runner/lease", {"node": node, "version": "0.1", "labels": [],
                                                               "wait_seconds": 1}, headers)
            if status == 200:
                self.measure(leased, node, draw, headers)
            elif status not in (0, 204, 503):
                self.fault("lease", status, leased)

    def measure(self, leased, node, draw, headers):
        """As the runner does: everything is spooled, and sent until it is acknowledged or somebody else has the job."""
        job, lease = leased["job"]["id"], leased["lease"]
        with self.lock:
            if job in self.results:
                self.faults.append(f"job {job} was leased after its result had been acknowledged")
            self.begun[job] = self.begun.get(job, 0) + 1
            self.again += self.begun[job] > 1
        text = made_up.CSV + f"0;{draw.randrange(10**9)}\n".encode()
        data = subprocess.run(["zstd", "-q", "-c", f"--stream-size={len(text)}"], input=text, capture_output=True, check=True).stdout
        sha = hashlib.sha256(data).hexdigest()
        loops = [{"configuration": name, "loop": loop, "position": loop * 4 + place, "started_ms": 1, "seconds": 1.0,
                  "failed": None, "disturbed": False, "calls": 201, "warmup_calls": 100,
                  "summary": {"n": 101, "mean_ns": mean * (1 + ((loop * 7 + place + job) % 5 - 2) / 300), "sd_ns": 1.0,
                              "min_ns": mean / 2, "q1_ns": mean * .9, "median_ns": mean, "q3_ns": mean * 1.1,
                              "max_ns": mean * 2},
                  "calls_per_second": [], "readings": {},
                  "raw": {"sha256": sha, "bytes": len(data), "uncompressed_bytes": len(text)}}
                 for loop in range(1, 6) for place, (name, mean) in enumerate(zip(made_up.NAMES, (70., 470., 1600., 3200.)))]
        steps = [("PUT", f"raw/{sha}", lambda: data), ("POST", "result", lambda: {
            "lease": lease, "node": node, "started_ms": 1, "finished_ms": 2,
            "environment": {"node": "n", "cpu": "c", "kernel": "k"}, "loops": loops})]
        while steps:
            method, what, body = steps[0]
            status, answer = self.ask(f"/api/v1/runner/jobs/{job}/{what}", body(),
                                      {**headers, "X-Moowatch-Lease": lease}, method)
            if status in (200, 201, 204):
                steps.pop(0)
                if what == "result":
                    with self.lock:
                        self.results[job] = answer["experiment"]
                else:
                    self.uploads.add(sha)
            elif status in (404, 409):  # the lease ran out while the server was away too often
                return
            elif status not in (0, 503):
                self.fault(what, status, answer)
                return

    def run(self):
        service = self.service
        service.start()
        self.token = subprocess.run(
            [moowatch.BUILD / "server" / "moowatchd", "token", "add", "--config", service.folder / "moowatchd.yaml",
             "--name", "storm", "--scope", "runner", "--node", "*"], check=True, capture_output=True, text=True).stdout.strip()
        self.begun = {}
        threads = [threading.Thread(target=work, args=arguments, daemon=True) for work, arguments in
                   [*[(self.hooks, (f"hook{i}",)) for i in range(HOOKS)], (self.reads, ()),
                    *[(self.runner, (f"node{i}",)) for i in range(RUNNERS)]]]
        for thread in threads:
            thread.start()
        for _ in range(self.kills):
            time.sleep(self.random.uniform(LIFE_SHORTEST_S, LIFE_LONGEST_S))
            service.kill(service.daemon, signal.SIGKILL)
            service.processes.remove(service.daemon)
            service.start()
        self.stop.set()
        for thread in threads[:HOOKS]:
            thread.join(120)
        service.wait(self.all_done, "everything to be measured", 300 + 2 * self.kills)
        self.drained.set()
        for thread in threads:
            thread.join(60)
        service.kill(service.daemon, signal.SIGTERM)
        return self.verdict()

    def all_done(self):
        queue = self.service.get("/api/v1/status")["queue"]
        with sqlite3.connect(f"file:{self.service.folder}/data/moowatch.db?mode=ro", uri=True) as database:
            waiting = database.execute("SELECT count(*) FROM delivery WHERE state='waiting'").fetchone()[0]
        return not (queue["queued"] or queue["leased"] or waiting)

    def verdict(self):
        data = self.service.folder / "data"
        with sqlite3.connect(data / "moowatch.db") as database:
            def column(sql):
                return [row[0] for row in database.execute(sql)]
            sound = column("PRAGMA integrity_check") == ["ok"] and not column("PRAGMA foreign_key_check")
            experiments = dict(database.execute("SELECT id, job_id FROM experiment WHERE state='measured'"))
            stored = set(column("SELECT sha256 FROM raw"))
            lost = [("delivery", each) for each in self.deliveries - set(column("SELECT delivery FROM delivery"))]
            lost += [("raw", each) for each in self.uploads - stored]
            lost += [("result", job) for job, experiment in self.results.items() if experiments.get(experiment) != job]
            lost += [("commit", each) for each in column(
                "SELECT sha FROM revision r WHERE NOT EXISTS (SELECT 1 FROM experiment e WHERE e.revision_id=r.id)")
                if each in self.commits]
            measured = column("SELECT revision_id FROM experiment WHERE state='measured'")
            jobs = column("SELECT revision_id FROM job WHERE state<>'cancelled' AND kind NOT IN"
                          " ('confirmation','bisection','explain','sweep')")
            attempts = column("SELECT sum(attempts) FROM job")[0]
        for sha in stored:
            file = next((data / "raw" / sha[:2]).glob(f"{sha[2:]}.*"), None)  # packed calls, or lines as earlier agents sent
            if not file or hashlib.sha256(file.read_bytes()).hexdigest() != sha:
                lost.append(("file", sha))
        return {"kills": self.kills, "acknowledged": len(self.deliveries) + len(self.uploads) + len(self.results),
                "lost": len(lost), "doubled": len(measured) - len(set(measured)) + len(jobs) - len(set(jobs)),
                "corrupted": int(not sound), "nights": len(measured), "leases": attempts, "begun_again": self.again,
                "faults": self.faults[:5], "missing": lost[:5]}


class Crash(unittest.TestCase):
    def test_nothing_acknowledged_is_lost(self):
        storm = Storm(int(os.environ.get("MOOWATCH_KILLS", "40")))
        self.addCleanup(storm.service.__exit__)
        verdict = storm.run()
        print(json.dumps(verdict))
        self.assertEqual({key: verdict[key] for key in ("lost", "doubled", "corrupted")},
                         {"lost": 0, "doubled": 0, "corrupted": 0}, verdict)
        self.assertEqual(verdict["faults"], [])
        self.assertEqual(verdict["nights"], len(storm.commits))
        # Only a job whose lease was lost with the server's answer, or ran out, may be measured again.
        self.assertLessEqual(verdict["begun_again"], verdict["kills"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
