"""What the integration tests share: real programs, real repositories, an address on this machine.

Every wait has a deadline and asks the API; nothing sleeps for luck.
"""
import contextlib
import datetime
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MOOWATCH_BUILD", SOURCE / "build" / "release"))
HARNESS = BUILD / "runner" / "moobench"


# Only a machine that hangs takes so long: no limit here says how fast anything is.
DEADLINE_S = 240
REQUEST_S = 120
# How a program ends that has a fault; no test ends one so.
FAULTS = {-number for number in (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGSYS, signal.SIGTRAP)}


def today():
    """The day that the service's nights are counted by."""
    return datetime.datetime.now(datetime.timezone.utc).date()


def come_first():
    """Where it is allowed: others on this machine shall disturb less what is measured."""
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, -10)


class Port:
    """A port of 127.0.0.1 that nobody else is given until it is closed: a program that is told the number can
    listen there, end, and listen again. The socket is bound and never listens."""

    def __init__(self):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("127.0.0.1", 0))
        self.number = self.socket.getsockname()[1]

    def close(self):
        self.socket.close()


class Repository:
    """A local git repository, one commit a night."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.path.mkdir(parents=True)
        self._git("init", "-q", "-b", "main")

    def _git(self, *args, env=None):
        base = {"PATH": os.environ["PATH"], "HOME": str(self.path), "GIT_CONFIG_NOSYSTEM": "1"}
        return subprocess.run(
            ["git", "-C", str(self.path), "-c", "user.name=Nora", "-c", "user.email=nora@example.org", *args],
            check=True, capture_output=True, text=True, env={**base, **(env or {})}).stdout.strip()

    def commit(self, subject, date, files, hour=1):
        """files: name -> text; a text beginning with #! is made executable. Returns the commit's id."""
        for name, text in files.items():
            file = self.path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            file.chmod(0o755 if text.startswith("#!") else 0o644)
        self._git("add", "-A")
        when = f"{date}T{hour:02}:00:00+00:00"
        self._git("commit", "-q", "--allow-empty", "-m", subject,
                  env={"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when})
        return self._git("rev-parse", "HEAD")


class Service:
    """moowatchd in a folder of its own, with the runner beside it when asked."""

    def __init__(self, settings=None, runner=None):
        """settings: keys of moowatchd.yaml; runner: keys of moowatch-runner.yaml, or None for none"""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-test-"))
        (self.folder / "projects.d").mkdir()
        self.settings = {"listen": "127.0.0.1", "port": 0, "data_dir": "data", "poll_seconds": 1, **(settings or {})}
        self.runner_settings = runner
        self.processes = []
        self.url = None

    def project(self, name, text):
        (self.folder / "projects.d" / f"{name}.yaml").write_text(text)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.stop()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, with_runner=True):
        config = self.folder / "moowatchd.yaml"
        config.write_text("".join(f"{key}: {json.dumps(value)}\n" for key, value in self.settings.items()))
        address = self.folder / self.settings["data_dir"] / "moowatchd.url"
        address.unlink(missing_ok=True)  # else that of a killed one is read
        self.daemon = self._spawn("moowatchd", [BUILD / "server" / "moowatchd", "--config", config])
        self.wait(lambda: address.exists() and address.read_text().strip(), "the daemon's address")
        self.url = address.read_text().strip().rstrip("/")
        if with_runner and self.runner_settings is not None:
            self.start_runner()
        return self

    def token(self, scope):
        return subprocess.run(
            [BUILD / "server" / "moowatchd", "token", "add", "--config", self.folder / "moowatchd.yaml",
             "--name", f"{scope}-{time.monotonic_ns()}", "--scope", scope],
            check=True, capture_output=True, text=True).stdout.strip().splitlines()[-1].split()[-1]

    def start_runner(self):
        token_file = self.folder / "runner.token"
        token_file.write_text(self.token("runner"))
        token_file.chmod(0o600)
        config = self.folder / "runner.yaml"
        settings = {"server": self.url, "node": "testnode", "token_file": str(token_file), "work_dir": "work",
                    "harness_dir": str(HARNESS), **self.runner_settings}
        config.write_text("".join(f"{key}: {json.dumps(value)}\n" for key, value in settings.items()))
        self.runner = self._spawn("runner", [BUILD / "runner" / "moowatch-runner", "--config", config])

    def _spawn(self, name, command):
        with open(self.folder / f"{name}.log", "ab") as log:
            process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=log, start_new_session=True)
        self.processes.append(process)
        return process

    def log(self, name="moowatchd"):
        file = self.folder / f"{name}.log"
        return file.read_text(errors="replace") if file.exists() else ""

    def kill(self, process, how=signal.SIGKILL):
        process.send_signal(how)
        process.wait(timeout=DEADLINE_S)

    def stop(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=DEADLINE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        crashed = [f"{process.args[0]}: {signal.Signals(-process.returncode).name}"
                   for process in self.processes if process.returncode in FAULTS]
        self.processes = []
        assert not crashed, f"{crashed}\n{self._logs()}"

    def _logs(self):
        return f"--- daemon\n{self.log()[-6000:]}\n--- runner\n{self.log('runner')[-6000:]}"

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=REQUEST_S) as answer:
            return json.load(answer)

    def status(self, path, method="GET", body=None, headers=None):
        """(status, headers, bytes) of any request, errors included."""
        request = urllib.request.Request(self.url + path, data=body, method=method, headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=REQUEST_S) as answer:
                return answer.status, dict(answer.headers), answer.read()
        except urllib.error.HTTPError as error:
            return error.code, dict(error.headers), error.read()

    def nights(self, project):
        """Oldest first."""
        return self.get(f"/api/v1/projects/{project}/nights?limit=5000")["items"][::-1]

    def alerts(self, project):
        return self.get(f"/api/v1/projects/{project}/alerts?limit=5000")["items"][::-1]

    def wait(self, condition, what, seconds=DEADLINE_S):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = condition()
            if value:
                return value
            time.sleep(0.05)
        raise AssertionError(f"waited {seconds} s for {what}\n{self._logs()}")

    def wait_for_nights(self, project, count, seconds=DEADLINE_S):
        return self.wait(lambda: (lambda n: n if len(n) >= count else None)(self.nights(project)),
                         f"{count} nights of {project}", seconds)
