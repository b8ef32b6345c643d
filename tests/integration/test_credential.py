"""A repository with a password: git gets it, nobody else on the machine does; and what git may take is bounded.

Usage: test_credential.py <moowatch-runner> <harness directory> <moowatch> [unittest arguments]
"""
import base64
import functools
import glob
import http.server
import os
import re
import subprocess
import sys
import threading
import unittest

from runner_peer import RunnerTest, git, make_configuration, make_job

PROGRAM = HARNESS = COMMAND = ""
USER, PASSWORD, IN_ADDRESS = "someone", "s3cret@%:word", "s3cret%40%25%3aword"
PROJECT = """name: p
repository: {url}
benchmark:
  driver: native
  loops: 2
  total_calls: 2000
  warmup_calls: 1000
  configurations:
    - {{name: none, label: None, portion: T}}
"""


class Private(http.server.SimpleHTTPRequestHandler):
    """Files for who has the password. While it serves, somebody looks at all processes of the machine."""
    let_in = 0
    told = []  # what named the password
    limits = []  # of git's processes

    def do_GET(self):
        self.look()
        wanted = "Basic " + base64.b64encode((USER + ":" + PASSWORD).encode()).decode()
        if self.headers.get("Authorization") != wanted:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="git"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        type(self).let_in += 1
        super().do_GET()

    def look(self):
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(path, "rb") as file:
                    words = file.read()
                with open(path.replace("cmdline", "limits"), encoding="ascii") as file:
                    limits = file.read()
            except OSError:
                continue
            if b"s3cret" in words:
                self.told.append(words)
            if re.match(rb"(\S*/)?git-remote-http\0", words) and b"%d" % self.server.server_address[1] in words:
                self.limits.append(limits)

    def log_message(self, *_):
        pass


class CredentialTest(RunnerTest):
    files = {"README": "hello\n"}

    def setUp(self):
        super().setUp()
        git("update-server-info", cwd=self.repository)
        Private.let_in, Private.told, Private.limits = 0, [], []
        served = functools.partial(Private, directory=os.path.join(self.repository, ".git"))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), served)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def url(self, password=IN_ADDRESS):
        return "http://%s:%s@127.0.0.1:%d/" % (USER, password, self.server.server_address[1])

    def run_job(self, url):
        self.peer.jobs.append(make_job(1, url, self.commit, [make_configuration("none")], loops=1))
        runner = self.run_it(PROGRAM, HARNESS)
        runner.wait()
        return runner

    def test_git_is_let_in_and_nobody_sees_how(self):
        runner = self.run_job(self.url())
        self.assertIn(1, self.peer.results, str(self.peer.failures) + runner.text())
        self.assertGreater(Private.let_in, 0)
        self.assertEqual(Private.told, [])
        for root, _, names in os.walk(os.path.join(self.folder, "work")):
            for name in names:
                with open(os.path.join(root, name), "rb") as file:
                    self.assertNotIn(b"s3cret", file.read(), name)

    def test_git_is_held_to_limits(self):
        self.run_job(self.url())
        self.assertGreater(len(Private.limits), 0)
        for limits in Private.limits:
            self.assertRegex(limits, r"Max address space +%d " % (4 << 30))
            self.assertRegex(limits, r"Max cpu time +1800 ")
            self.assertRegex(limits, r"Max file size +%d " % (16 << 30))

    def test_wrong_password_is_said_without_it(self):
        self.run_job(self.url("s3cret-wrong"))
        reason = str(self.peer.failures[1])
        self.assertRegex(reason, "cannot fetch from")
        self.assertNotIn("s3cret", reason)
        self.assertEqual((Private.let_in, Private.told), (0, []))

    def test_moowatch_run_tells_nobody_either(self):
        project = os.path.join(self.folder, "p.yaml")
        with open(project, "w", encoding="utf-8") as file:
            file.write(PROJECT.format(url=self.url()))
        done = subprocess.run([COMMAND, "run", project, "--commit", "main", "--dir", os.path.join(self.folder, "night")],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreater(Private.let_in, 0)
        self.assertEqual(Private.told, [])


if __name__ == "__main__":
    PROGRAM, HARNESS, COMMAND = map(os.path.abspath, sys.argv[1:4])
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2)
