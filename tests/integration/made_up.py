"""Nights a runner might have found: the real daemon, the real protocol, means of the test's choice."""
import hashlib
import json
import subprocess
import unittest

import moowatch

CSV = b"0;100\n0;101\n0;99\n0;100\n" * 50  # as many calls as the projects' loops make


def zstd_of(csv):
    return subprocess.run(["zstd", "-q", "-c", f"--stream-size={len(csv)}"], input=csv, capture_output=True, check=True).stdout


ZSTD = zstd_of(CSV)
NAMES = ("none", "deactivated", "collecting", "writing")
BENCHMARK = """
benchmark:
  driver: native
  loops: 5
  total_calls: 200
  rest_seconds: 0
  configurations:
    - {name: none, portion: T}
    - {name: deactivated, portion: I, parent: none}
    - {name: collecting, portion: C, parent: deactivated}
    - {name: writing, portion: W, parent: collecting}
"""


class Nights(unittest.TestCase):
    """A test whose class has a running `service` and the secret of a `runner` token."""

    @classmethod
    def token(cls, scope):
        return subprocess.run([moowatch.BUILD / "server" / "moowatchd", "token", "add", "--config",
                               cls.service.folder / "moowatchd.yaml", "--name", scope, "--scope", scope,
                               *(["--node", "*"] if scope == "runner" else [])],
                              check=True, capture_output=True, text=True).stdout.strip()

    @classmethod
    def ask(cls, path, body, method="POST", headers=None):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        status, _, answer = cls.service.status(path, method, data, {
            "Authorization": f"Bearer {cls.runner}", "Content-Type": "application/json", **(headers or {})})
        assert status in (200, 201, 204), (path, status, answer)
        return json.loads(answer) if answer else {}

    @classmethod
    def measure(cls, means, csv=CSV, readings=None):
        """One night, as a runner that found these means, or those that this function of the commit gives; waits for the job.
        csv: the calls of each loop, 200. Returns the hash under which they are kept."""
        leased = cls.service.wait(lambda: cls.ask("/api/v1/runner/lease", {
            "node": "n", "version": "0.1", "labels": [], "wait_seconds": 20}), "a job")
        job, lease = leased["job"]["id"], leased["lease"]
        means = means(leased["job"]["commit"]) if callable(means) else means
        packed = ZSTD if csv == CSV else zstd_of(csv)
        sha = hashlib.sha256(packed).hexdigest()
        cls.ask(f"/api/v1/runner/jobs/{job}/raw/{sha}", packed, "PUT", {"X-Moowatch-Lease": lease})
        loops = [{"configuration": name, "loop": loop, "position": loop * 4 + place, "started_ms": 1, "seconds": 1.0,
                  "failed": None, "disturbed": False, "calls": 200, "warmup_calls": 100,
                  "summary": {"n": 100, "mean_ns": mean * (1 + ((loop * 7 + place + job) % 5 - 2) / 300), "sd_ns": 1.0,
                              "min_ns": mean / 2, "q1_ns": mean * .9, "median_ns": mean, "q3_ns": mean * 1.1,
                              "max_ns": mean * 2},
                  "calls_per_second": [], "readings": readings or {},
                  "raw": {"sha256": sha, "bytes": len(packed), "uncompressed_bytes": len(csv)}}
                 for loop in range(1, 6) for place, (name, mean) in enumerate(zip(NAMES, means))]
        cls.ask(f"/api/v1/runner/jobs/{job}/result", {
            "lease": lease, "node": "n", "started_ms": 1, "finished_ms": 2,
            "environment": {"node": "n", "cpu": "c", "kernel": "k"}, "loops": loops})
        return sha
