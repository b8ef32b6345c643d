"""The GitHub action's shell as GitHub runs it: bash, its environment variables, its files; a real daemon behind it."""
import datetime
import hashlib
import http.server
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest
import urllib.parse

import yaml

import made_up
import moowatch
import test_cli

MEASURE = moowatch.SOURCE / "ci" / "github" / "measure"


class Install(unittest.TestCase):
    """The step before: the released command by its sum, which is kept for the next job."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="moowatch-action-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.file = self.folder / "moowatch-released"
        self.file.write_text("#!/bin/sh\necho moowatch 9\n")

    def install(self, total, expect):
        """Returns what it printed, and the folder that it put on the PATH."""
        released, path = self.folder / "released", self.folder / "path"
        released.write_text(f"# a comment\nnone-such {'0' * 64} file:///x\n{os.uname().machine} {total} file://{self.file}\n")
        path.write_text("")
        done = subprocess.run(["bash", MEASURE.parent / "install"], capture_output=True, text=True, timeout=60, env={
            "PATH": "/usr/bin:/bin", "RUNNER_TOOL_CACHE": str(self.folder / "tools"), "GITHUB_PATH": str(path),
            "MOOWATCH_RELEASED": str(released)})
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout, path.read_text().strip()

    def test_the_released_command_is_fetched_once(self):
        if any((pathlib.Path(place) / "moowatch").exists() for place in ("/usr/bin", "/bin")):
            self.skipTest("moowatch is installed on this machine")
        total = hashlib.sha256(self.file.read_bytes()).hexdigest()
        _, place = self.install(total, 0)
        self.assertEqual(subprocess.check_output([place + "/moowatch"], text=True), "moowatch 9\n")
        self.file.rename(self.folder / "away")
        self.assertEqual(self.install(total, 0)[1], place)
        pathlib.Path(place, "moowatch").write_text("echo changed by an earlier job\n")
        (self.folder / "away").rename(self.file)
        self.install(total, 0)
        self.assertEqual(subprocess.check_output([place + "/moowatch"], text=True), "moowatch 9\n")

    def test_another_file_is_refused(self):
        if any((pathlib.Path(place) / "moowatch").exists() for place in ("/usr/bin", "/bin")):
            self.skipTest("moowatch is installed on this machine")
        said, place = self.install("0" * 64, 1)
        self.assertIn("::error title=moowatch::", said)
        self.assertIn("is not what was released", said)
        self.assertEqual(place, "")


class Forge(http.server.BaseHTTPRequestHandler):
    """GitHub's address for a job's token, and moowatchd's that takes it: what both were asked."""

    def answer(self, status, **said):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(said).encode())

    def do_GET(self):
        self.server.asked.append((self.path, self.headers["Authorization"]))
        self.answer(200, count=1, value="signed.by.forge")

    def do_POST(self):
        said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, said["token"]))
        if self.server.refuses:
            self.answer(403, detail="the token is of repository fork/lib, not of own/lib")
        else:
            self.answer(201, token="mwt_0123", scope="runner", expires_ms=5)

    def log_message(self, *_):
        pass


class Identity(unittest.TestCase):
    """A job without a secret."""

    def identity(self, refuses=False, **environment):
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Forge) as server:
            server.asked, server.refuses = [], refuses
            threading.Thread(target=server.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{server.server_port}"
            given = {key: value.replace("URL", url) for key, value in environment.items()}
            done = subprocess.run(["bash", MEASURE.parent / "identity", url + "/"], capture_output=True, text=True, timeout=60,
                                  env={"PATH": os.environ["PATH"], **given})
            server.shutdown()
        return done, server.asked, url

    def test_githubs_token_is_exchanged(self):
        done, asked, url = self.identity(ACTIONS_ID_TOKEN_REQUEST_URL="URL/oidc?api=2", ACTIONS_ID_TOKEN_REQUEST_TOKEN="secret")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "mwt_0123\n", ""))
        wanted = "/oidc?api=2&audience=" + urllib.parse.quote(url, safe="")
        self.assertEqual(asked[0][0].lower(), wanted.lower())
        self.assertEqual(asked[0][1], "Bearer secret")
        self.assertEqual(asked[1], ("/api/v1/job-tokens", "signed.by.forge"))

    def test_gitlabs_token_is_exchanged(self):
        done, asked, _ = self.identity(MOOWATCH_ID_TOKEN="signed.by.gitlab")
        self.assertEqual((done.returncode, done.stdout), (0, "mwt_0123\n"))
        self.assertEqual(asked, [("/api/v1/job-tokens", "signed.by.gitlab")])

    def test_what_is_refused_is_told(self):
        done, _, _ = self.identity(refuses=True, MOOWATCH_ID_TOKEN="signed.by.gitlab")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("not of own/lib", done.stderr)
        done, asked, _ = self.identity()
        self.assertEqual((done.returncode, asked), (1, []))
        self.assertIn("permissions: id-token: write", done.stderr)
        self.assertIn("Gitea 1.26, give it a secret", done.stderr)


class Action(made_up.Nights):
    @classmethod
    def setUpClass(cls):
        cls.service = moowatch.Service(settings={"poll_seconds": 3600})
        repository = moowatch.Repository(cls.service.folder / "repository")
        today = moowatch.today()
        days = [today - datetime.timedelta(days=n) for n in range(8, 0, -1)]
        cls.commits = [repository.commit(f"night {day} `x`", str(day), {"a": str(day)}) for day in days]
        cls.slower = repository.commit("slower", str(today), {"a": "slower"}, hour=23)  # its night is not over
        cls.service.project("demo", f"name: demo\nrepository: {repository.path}\nsince: {days[0]}\n" + made_up.BENCHMARK)
        cls.service.start()
        cls.service.wait(lambda: cls.service.get("/api/v1/status")["queue"]["queued"] == 8, "eight jobs")
        cls.runner = cls.token("runner")
        cls.secret = cls.token("run")
        for _ in range(8):
            cls.measure((100, 300, 1000, 2500))

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="moowatch-action-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def step(self, expect, **inputs):
        """Runs the step; returns what it printed, its outputs, its summary."""
        files = {name: self.folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        environment = {"PATH": f"{moowatch.BUILD / 'ci'}:{os.environ['PATH']}", "GITHUB_ACTIONS": "true",
                       **{name: str(file) for name, file in files.items()}, **inputs}
        # as GitHub runs `shell: bash`
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", MEASURE], env=environment,
                              capture_output=True, text=True, timeout=120, cwd=self.folder)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        self.assertNotIn(self.secret, done.stdout + done.stderr)
        outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        return done.stdout, outputs, files["GITHUB_STEP_SUMMARY"].read_text()

    def on_server(self, expect, **inputs):
        return self.step(expect, MOOWATCH_SERVER=self.service.url, MOOWATCH_TOKEN=self.secret, INPUT_PROJECT="demo",
                         INPUT_WAIT="240", **inputs)

    def test_submit_wait_gate(self):
        runner = threading.Thread(target=lambda: self.measure((100, 300, 1000, 3400)))
        runner.start()
        out, outputs, summary = self.on_server(1, INPUT_COMMIT=self.slower, INPUT_GATE="true", INPUT_JUNIT="j.xml")
        runner.join()
        self.assertIn("::warning title=monitoring overhead::fail: demo: W", out)
        self.assertEqual(outputs["verdict"], "fail")
        self.assertTrue(int(outputs["job"]) > 0)
        self.assertIn(r"demo: fail: Writing \(W\) rose from 1.50 µs to 2.40 µs", summary)
        self.assertIn("| W |", summary)
        self.assertIn("/charts/demo.svg", summary)
        self.assertIn("<failure", (self.folder / "j.xml").read_text())

    def test_only_asked(self):
        _, outputs, _ = self.step(0, MOOWATCH_SERVER=self.service.url, MOOWATCH_TOKEN=self.secret,
                                  INPUT_PROJECT="demo", INPUT_COMMIT=self.commits[-1], INPUT_WAIT="0")
        self.assertEqual(outputs["verdict"], "unknown")
        self.measure((100, 300, 1000, 2500))

    def test_what_was_built_is_handed_in(self):
        (self.folder / "agent.jar").write_bytes(b"built")
        _, outputs, _ = self.step(0, MOOWATCH_SERVER=self.service.url, MOOWATCH_TOKEN=self.secret, INPUT_WAIT="0",
                                  INPUT_PROJECT="demo", INPUT_COMMIT=self.commits[-1], INPUT_ARTIFACT="agent.jar")
        self.measure((100, 300, 1000, 2500))
        [artifact] = self.service.get("/api/v1/projects/demo/artifacts")["items"]
        self.assertEqual((artifact["name"], artifact["bytes"]), ("agent.jar", 5))

    def test_what_is_missing_is_said(self):
        out, _, _ = self.step(1)
        self.assertIn("::error title=moowatch::measuring on a server needs MOOWATCH_SERVER", out)
        out, outputs, summary = self.on_server(1, INPUT_COMMIT="--help")
        self.assertIn("::error title=moowatch::moowatch submit:", out)
        self.assertIn("“--help” is neither", out)
        self.assertEqual((outputs["verdict"], "“--help” is neither" in summary), ("unknown", True))

    def test_a_server_that_is_away_is_told(self):
        out, outputs, summary = self.step(1, MOOWATCH_SERVER="http://127.0.0.1:9", MOOWATCH_TOKEN=self.secret,
                                          INPUT_PROJECT="demo", INPUT_COMMIT=self.commits[-1], INPUT_WAIT="60")
        self.assertIn("::error title=moowatch::moowatch submit: http://127.0.0.1:9/", out)
        self.assertEqual(outputs, {"verdict": "unknown"})
        self.assertRegex(summary, "Could(n't| not) connect")  # as libcurl says it, of Debian 12 and of 13
        out, _, _ = self.step(1, MOOWATCH_SERVER=self.service.url, MOOWATCH_TOKEN="wrong", INPUT_PROJECT="demo",
                              INPUT_COMMIT=self.commits[-1])
        self.assertIn("401", out)

    def test_inputs_are_no_commands(self):
        """Neither to the shell nor to GitHub: expressions only stand where the runner puts them into the environment."""
        action = yaml.safe_load((moowatch.SOURCE / "ci/github/action.yml").read_text())
        for step in action["runs"]["steps"]:
            self.assertNotIn("${{", step["run"])
            self.assertLessEqual(set(step), {"id", "shell", "run", "env"})  # no foreign action to pin
        handed = set(action["runs"]["steps"][-1]["env"].values())
        self.assertEqual(handed, {f"${{{{ inputs.{name} }}}}" for name in action["inputs"]})
        trap = f"$(touch {self.folder}/trap)`touch {self.folder}/trap`; touch {self.folder}/trap"
        for name in ("PROJECT", "COMMIT", "WAIT", "PORTIONS", "ALLOW", "JUNIT", "ARTIFACT", "RESULTS", "BASELINE"):
            self.step(1, **{"MOOWATCH_SERVER": self.service.url, "MOOWATCH_TOKEN": self.secret, "INPUT_PROJECT": "demo",
                            "INPUT_COMMIT": "0000000", f"INPUT_{name}": trap})
        self.assertFalse((self.folder / "trap").exists())
        result = test_cli.result(self.folder / "::error::not ours")
        out, _, _ = self.step(0, INPUT_RESULTS=str(result))
        lines = out.splitlines()
        self.assertTrue(lines[0].startswith("::stop-commands::"))
        self.assertEqual(lines[-1], f"::{lines[0].split('::')[2]}::")

    def test_results_without_a_server(self):
        before = test_cli.result(self.folder / "before")
        after = test_cli.result(self.folder / "after", levels=(70, 270, 1150, 3100))
        _, outputs, summary = self.step(0, INPUT_RESULTS=str(before))
        self.assertEqual((outputs["verdict"], "| W |" in summary), ("pass", True))
        inputs = {"INPUT_RESULTS": str(after), "INPUT_BASELINE": str(before)}
        out, outputs, _ = self.step(0, **inputs)
        self.assertEqual((outputs["verdict"], "::warning" in out), ("fail", True))
        self.step(1, INPUT_GATE="true", **inputs)
        out, _, _ = self.step(1, INPUT_RESULTS=str(self.folder / "none"))
        self.assertIn("no such file", out)


if __name__ == "__main__":
    unittest.main(verbosity=2)
