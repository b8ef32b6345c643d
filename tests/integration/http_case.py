"""A daemon with one project, and requests to it."""
import json
import signal
import socket
import subprocess
import unittest

import moowatch


PROJECT = """
name: demo
title: Demo
repository: {repository}
since: 2024-01-01
pull_requests: {{minutes: 5}}
benchmark:
  driver: native
  loops: 2
  total_calls: 4000
  rest_seconds: 0
  sweep: {{recursion_depth: [1, 2]}}
  configurations:
    - {{name: none, portion: T}}
    - {{name: probe, portion: I, parent: none}}
"""

JSON = {"Content-Type": "application/json"}
CSV = b"0;100\n0;101\n0;99\n0;100\n" * 1000  # as many calls as the project's loops make
ZSTD = subprocess.run(["zstd", "-q", "-c", f"--stream-size={len(CSV)}"], input=CSV, capture_output=True, check=True).stdout


def daemon():
    return moowatch.BUILD / "server" / "moowatchd"


class Served(unittest.TestCase):
    """One daemon with a four-night project for all tests of a class."""

    settings = {"poll_seconds": 3600, "body_limit_bytes": 65536}

    @classmethod
    def setUpClass(cls):
        cls.service = moowatch.Service(settings=cls.settings)
        cls.repository = moowatch.Repository(cls.service.folder / "repository")
        for day in range(1, 5):
            cls.repository.commit(f"night {day}", f"2024-01-{day:02}", {"a": str(day)})
        cls.service.project("demo", PROJECT.format(repository=cls.repository.path))
        cls.service.project("broken", "name: broken\nrepositori: x\n")
        cls.service.start()
        cls.service.wait(lambda: cls.service.get("/api/v1/status")["queue"]["queued"] == 4, "four jobs")
        cls.runner = cls.token("runner", "runner")
        cls.run_token = cls.token("ci", "run")

    @classmethod
    def tearDownClass(cls):
        cls.service.daemon.send_signal(signal.SIGTERM)
        status = cls.service.daemon.wait(timeout=moowatch.DEADLINE_S)
        log = cls.service.log()
        cls.service.__exit__()
        # sanitizers speak through the log and the exit status
        assert status == 0 and "Sanitizer" not in log, log[-8000:]

    @classmethod
    def token(cls, name, scope):
        return subprocess.run(
            [daemon(), "token", "add", "--config", cls.service.folder / "moowatchd.yaml", "--name", name,
             "--scope", scope, *(["--node", "*"] if scope == "runner" else [])], check=True, capture_output=True, text=True).stdout.strip()

    def ask(self, path, method="GET", body=None, headers=None, token=None):
        headers = dict(headers or {})
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if isinstance(body, dict):
            body = json.dumps(body).encode()
            headers.setdefault("Content-Type", "application/json")
        return self.service.status(path, method, body, headers)

    def connect(self):
        host, port = self.service.url.removeprefix("http://").split(":")
        return socket.create_connection((host, int(port)), timeout=moowatch.REQUEST_S)

    def raw(self, data):
        """Bytes to the socket, all bytes of the answer back."""
        with self.connect() as connection:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            answer = b""
            while block := connection.recv(65536):
                answer += block
        return answer

    def problem(self, answer, status, *words):
        code, headers, body = answer
        self.assertEqual(code, status, body)
        self.assertEqual(headers["Content-Type"], "application/problem+json")
        problem = json.loads(body)
        self.assertEqual(problem["status"], status)
        for word in words:
            self.assertIn(word, problem["detail"])
        return headers
