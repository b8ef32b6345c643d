"""A small real HTTP server that speaks the runner protocol, and a runner to talk to it."""
import hashlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = "integration-token"
DEADLINE_S = 120


def wait_until(condition, what, seconds=DEADLINE_S):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("timed out: " + what)
        time.sleep(0.02)


class Peer:
    """jobs: to be leased; what comes in is kept in order. `away` drops every connection."""

    def __init__(self):
        self.jobs = []
        self.leased = {}
        self.trials = set()
        self.calls = []
        self.progress = []
        self.resumes = []
        self.raw = {}
        self.raw_puts = 0
        self.results = {}
        self.failures = {}
        self.lost = set()
        self.away = False
        self.raw_status = []
        self.result_status = []
        self.drop_first_answers = False
        self.dropped = set()
        self.artifacts = {}
        self.cut_downloads = 0
        self.cut_uploads = 0
        self.away_after_cuts = False
        self.problems = []
        self.expires_s = 6
        self.on_progress = None
        self.lock = threading.Condition()
        peer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_one_request(self):
                if peer.away:
                    self.close_connection = True
                    return
                super().handle_one_request()

            def do_POST(self):
                self.serve()

            def do_PUT(self):
                if peer.cut_uploads and "/raw/" in self.path:
                    # gone in the middle of it
                    self.rfile.read(int(self.headers["Content-Length"]) // 2)
                    with peer.lock:
                        peer.cut_uploads -= 1
                        peer.away = peer.away or (peer.away_after_cuts and not peer.cut_uploads)
                    self.connection.shutdown(socket.SHUT_RDWR)
                    self.close_connection = True
                    return
                self.serve()

            def do_GET(self):
                with peer.lock:
                    peer.calls.append(("GET", self.path))
                    data = peer.artifacts.get(self.path)
                    sent = data[:len(data) // 2] if data and peer.cut_downloads else data
                    peer.cut_downloads -= 1 if peer.cut_downloads else 0
                known = data is not None and self.headers.get("Authorization") == "Bearer " + TOKEN
                self.send_response(200 if known else 404)
                self.send_header("Content-Length", str(len(data) if known else 0))
                self.end_headers()
                if known:
                    self.wfile.write(sent)
                    self.close_connection = len(sent) < len(data)

            def serve(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                with peer.lock:
                    status, answer = peer.answer(self.command, self.path, self.headers, body)
                    peer.lock.notify_all()
                    drop = peer.away
                    if peer.drop_first_answers and not self.path.endswith("/lease"):
                        drop = drop or self.path not in peer.dropped
                        peer.dropped.add(self.path)
                if drop:
                    self.close_connection = True
                    return
                data = json.dumps(answer).encode() if answer is not None else b""
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                try:
                    self.wfile.write(data)
                except OSError:  # the runner was killed, or told to stop, while it waited
                    self.close_connection = True

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]
        # a short interval: closing waits for it
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, method, path, headers, body):
        self.calls.append((method, path))
        if headers.get("Authorization") != "Bearer " + TOKEN:
            return 401, {"status": 401, "detail": "who are you?"}
        if path == "/api/v1/runner/lease":
            return self.lease(json.loads(body))
        parts = path.split("/")
        job, call = int(parts[5]), parts[6]
        if call == "raw":
            return self.take_raw(parts[7], headers, body)
        return getattr(self, "take_" + call)(job, json.loads(body))

    def lease(self, body):
        for key in ("node", "version", "labels", "wait_seconds"):
            if key not in body:
                self.problems.append("lease without " + key)
        self.check_can("lease", body)
        own = body.get("beside")
        fits = [job for job in self.jobs if not own or own["room"] or not job.get("beside")]
        if not fits:
            return 204, None
        job = fits[0]
        self.jobs.remove(job)
        self.leased[job["id"]] = "lease-%d" % job["id"]
        if "before" in job:
            self.trials.add(job["id"])
        return 200, {"job": job, "lease": self.leased[job["id"]], "expires_seconds": self.expires_s}

    def holds(self, job, lease):
        return job not in self.lost and self.leased.get(job) == lease

    def check_can(self, call, body):
        if body.get("can") != ["confirmation", "artifact", "explain"]:
            self.problems.append(call + " says the node can %r" % body.get("can"))

    def take_resume(self, job, body):
        self.check_can("resume", body)
        self.resumes.append(job)
        if job in self.lost or job not in self.leased:
            return 409, {"status": 409, "detail": "gone"}
        self.leased[job] = "again-%d-%d" % (job, len(self.resumes))
        return 200, {"lease": self.leased[job], "expires_seconds": self.expires_s}

    def take_progress(self, job, body):
        if not self.holds(job, body["lease"]):
            return 409, {"status": 409, "detail": "lease lost"}
        self.progress.append(body)
        if self.on_progress:
            self.on_progress(body)
        return 200, {"expires_seconds": self.expires_s}

    def take_raw(self, sha256, headers, body):
        self.raw_puts += 1
        if self.raw_status:
            return self.raw_status.pop(0), {"detail": "not now"}
        if headers.get("X-Moowatch-Lease") not in self.leased.values():
            return 409, {"detail": "lease lost"}
        if hashlib.sha256(body).hexdigest() != sha256:
            self.problems.append("wrong hash")
            return 400, {"detail": "wrong hash"}
        known = sha256 in self.raw
        self.raw[sha256] = body
        return (200 if known else 201), {}

    def take_result(self, job, body):
        if self.result_status:
            return self.result_status.pop(0), {"detail": "suspect"}
        if not self.holds(job, body["lease"]):
            return 409, {"detail": "lease lost"}
        for loop in body["loops"]:
            for key in ("configuration", "loop", "position", "started_ms", "seconds", "disturbed"):
                if loop.get(key) is None:
                    self.problems.append("loop without " + key)
            if ("commit" in loop) != (job in self.trials):
                self.problems.append("commit in a loop of no trial, or none in a trial's")
            if not loop["failed"] and loop["raw"]["sha256"] not in self.raw:
                self.problems.append("result before its raw file")
        known = job in self.results
        self.results[job] = body
        return (200 if known else 201), {"experiment": 1}

    def take_failure(self, job, body):
        if not self.holds(job, body["lease"]):
            return 409, {"detail": "lease lost"}
        self.failures[job] = body
        return 200, {}


class Runner:
    """The real program, its log in a file."""

    def __init__(self, program, harness, peer, folder, once=True, settings=None, environment=None, words=()):
        self.folder = folder
        self.work = os.path.join(folder, "work")
        token = os.path.join(folder, "token")
        with open(token, "w", encoding="ascii") as file:
            file.write(TOKEN + "\n")
        os.chmod(token, 0o600)
        config = os.path.join(folder, "runner.yaml")
        values = {"server": peer.url, "node": "testnode", "token_file": token, "work_dir": self.work,
                  "harness_dir": harness, "poll_wait_seconds": 1, "disk_reserve_bytes": 1048576,
                  "disturbed_repeats": 0}  # else others on this machine decide how many loops there are
        values.update(settings or {})
        with open(config, "w", encoding="utf-8") as file:
            for key, value in values.items():
                file.write("%s: %s\n" % (key, json.dumps(value)))
        self.log_path = os.path.join(folder, "log")
        self.log = open(self.log_path, "ab")
        argv = [program, "--config", config] + (["--once"] if once else []) + list(words)
        self.process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=self.log, env={**os.environ, **(environment or {})})

    def text(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def wait(self, seconds=DEADLINE_S):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError("the runner does not end:\n" + self.text()) from None

    def spool(self):
        path = os.path.join(self.work, "spool")
        return sorted(os.path.join(at, name) for at, _, names in os.walk(path) for name in names)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.log.close()


def make_seen(folder):
    """Where processes of another user may write, and the test reads: below work_dir, the one place of /tmp and /dev/shm that
    they see as it is."""
    seen = os.path.join(folder, "work", "seen")
    os.makedirs(seen)
    os.chmod(seen, 0o777)
    return seen


class RunnerTest(unittest.TestCase):
    """A folder with a repository of `files`, a peer, and runners that are ended with the test."""
    files = {}

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="moowatch-runner-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.repository = os.path.join(self.folder, "repository")
        self.commit = make_repository(self.repository, self.files)
        self.peer = Peer()
        self.addCleanup(lambda: self.assertEqual(self.peer.problems, []))
        self.addCleanup(self.peer.close)

    def run_it(self, program, harness, **more):
        runner = Runner(program, harness, self.peer, self.folder, **more)
        self.addCleanup(runner.close)
        return runner


def git(*words, cwd):
    environment = dict(os.environ, GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL="/dev/null",
                       GIT_AUTHOR_NAME="t", GIT_AUTHOR_EMAIL="t@example.org",
                       GIT_COMMITTER_NAME="t", GIT_COMMITTER_EMAIL="t@example.org")
    return subprocess.run(["git", *words], cwd=cwd, env=environment, check=True,
                          stdout=subprocess.PIPE).stdout.decode().strip()


def make_repository(path, files):
    os.makedirs(path)
    git("init", "-q", "-b", "main", cwd=path)
    return commit_files(path, files)


def commit_files(path, files):
    for name, text in files.items():
        whole = os.path.join(path, name)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(whole, 0o755)
    git("add", "-A", cwd=path)
    git("commit", "-q", "-m", "state", cwd=path)
    return git("rev-parse", "HEAD", cwd=path)


def make_configuration(name, parent=None, **more):
    made = {"name": name, "label": name, "portion": name.upper(), "parent": parent, "command": [],
            "options": [], "environment": {}, "verify": [], "total_calls": 2000,
            "warmup_calls": 1000}
    made.update(more)
    return made


def make_job(number, url, commit, configurations, **more):
    benchmark = {"driver": "native", "prepare": [], "prepare_timeout_seconds": 30, "loops": 3,
                 "total_calls": 2000, "warmup_calls": 1000, "method_time_ns": 0,
                 "recursion_depth": 5, "threads": 1, "loop_timeout_seconds": 30,
                 "rest_seconds": 0, "classpath": [], "confidence": 0.95,
                 "configurations": configurations}
    benchmark.update(more)
    return {"id": number, "project": "p", "kind": "nightly", "night": "2024-05-01",
            "commit": commit, "repository": {"url": url, "branch": "main"}, "seed": 42,
            "benchmark": benchmark}


def add_artifact(peer, job, name, data, key="artifact", commit="commit"):
    """What CI handed in of the job's commit."""
    url = "/api/v1/projects/p/artifacts/%s/%s" % (job[commit], name)
    peer.artifacts[url] = data
    job["benchmark"]["artifact"] = name
    job[key] = {"name": name, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), "url": url}
    return job


def make_trial(number, url, commit, before, configurations, **more):
    """Two commits in turn."""
    return {**make_job(number, url, commit, configurations, **more), "kind": "confirmation",
            "before": before}
