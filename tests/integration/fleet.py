"""Nodes that speak the runner's protocol and measure nothing: what they say of themselves is the test's choice."""
import http.client
import json
import random
import time
import urllib.parse

import made_up

MEANS = (70., 470., 1600., 3200.)


def loops_of(names, seed, means=MEANS):
    """Five rounds, without raw calls."""
    return [{"configuration": name, "loop": loop, "position": loop * len(names) + place, "started_ms": 1, "seconds": 1.0,
             "failed": None, "disturbed": False, "calls": 200, "warmup_calls": 100,
             "summary": {"n": 100, "mean_ns": mean * (1 + ((loop * 7 + place + seed) % 5 - 2) / 300), "sd_ns": 1.0,
                         "min_ns": mean / 2, "q1_ns": mean * .9, "median_ns": mean, "q3_ns": mean * 1.1, "max_ns": mean * 2},
             "calls_per_second": [], "readings": {}}
            for loop in range(1, 6) for place, (name, mean) in enumerate(zip(names, means))]


class Node:
    """One node of a server at url; clock_ms: how far its clock is off."""

    def __init__(self, url, token, name, labels=(), version="0.1", can=None, clock_ms=0):
        self.address = urllib.parse.urlsplit(url)
        self.token, self.name, self.labels = token, name, list(labels)
        self.version, self.can, self.clock_ms = version, can, clock_ms
        self.connection = None
        self.call_ms = []  # how long each answer took; a lease may be waited for, and is not among them

    def send(self, path, body, method):
        if not self.connection:
            self.connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=120)
        self.connection.request(method, path, json.dumps(body), {
            "Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        return self.connection.getresponse()

    def ask(self, path, body, method="POST"):
        """(status, JSON); once more where the server has closed a connection that was silent."""
        begun = time.monotonic()
        try:
            answer = self.send(path, body, method)
        except (http.client.RemoteDisconnected, ConnectionError):
            self.close()
            answer = self.send(path, body, method)
        data = answer.read()
        if not path.endswith("/lease"):
            self.call_ms.append((time.monotonic() - begun) * 1000)
        return answer.status, json.loads(data) if data else {}

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def now_ms(self):
        return int(time.time() * 1000) + self.clock_ms

    def lease(self, wait_seconds=0):
        """What the server answers, or None."""
        body = {"node": self.name, "version": self.version, "labels": self.labels, "wait_seconds": wait_seconds}
        if self.can is not None:
            body["can"] = self.can
        status, leased = self.ask("/api/v1/runner/lease", body)
        if status not in (200, 204):
            raise AssertionError(f"{self.name}: lease: {status} {leased}")
        return leased if status == 200 else None

    def progress(self, leased, eta_seconds, **more):
        return self.ask(f"/api/v1/runner/jobs/{leased['job']['id']}/progress", {
            "lease": leased["lease"], "phase": "measure", "configuration": "none", "loop": 1, "loops": 5, "done": 1,
            "total": 20, "eta_seconds": eta_seconds, "message": "", **more})

    def result(self, leased, **more):
        job = leased["job"]["id"]
        return self.ask(f"/api/v1/runner/jobs/{job}/result", {
            "lease": leased["lease"], "node": self.name, "started_ms": self.now_ms() - 1000, "finished_ms": self.now_ms(),
            "environment": {"node": self.name, "cpu": "c", "kernel": "k"}, "loops": loops_of(made_up.NAMES, job), **more})

    def work(self, ended, taken, die=lambda leased: False, pause_s=0.0):
        """Jobs until ended is set; taken(node, leased) for each one that it is given."""
        draw = random.Random(self.name)
        while not ended.is_set():
            leased = self.lease(1)
            if not leased:
                continue
            taken(self, leased)
            if die(leased):
                return leased
            self.progress(leased, 1)
            ended.wait(draw.random() * pause_s)
            status, answer = self.result(leased)
            if status not in (200, 201, 409):
                raise AssertionError(f"{self.name}: result: {status} {answer}")
        return None
