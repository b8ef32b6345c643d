"""What CI hands in: from its upload, over whatever can go wrong, to the measured night."""
import base64
import contextlib
import hashlib
import http.client
import io
import json
import os
import pathlib
import re
import socket
import subprocess
import tarfile
import tempfile
import unittest

import moowatch
import http_case

PROJECT = http_case.PROJECT.replace("  driver: native\n", "  driver: native\n  artifact: agent.tar.gz\n"
                                                          "  artifact_wait_seconds: {wait}\n")
MIB = 1 << 20


def digest(data):
    return {"Content-Digest": f"sha-256=:{base64.b64encode(hashlib.sha256(data).digest()).decode()}:"}


class Served(http_case.Served):
    settings = {"poll_seconds": 3600, "artifact_limit_bytes": 400 * MIB, "artifact_quota_bytes": 500 * MIB,
                "disk_reserve_bytes": MIB}

    @classmethod
    def setUpClass(cls):
        cls.service = moowatch.Service(settings=cls.settings)
        cls.repository = moowatch.Repository(cls.service.folder / "repository")
        cls.commit = cls.repository.commit("night 1", "2024-01-01", {"a": "1"})
        cls.service.project("demo", PROJECT.format(repository=cls.repository.path, wait=86400))
        cls.service.start()
        cls.service.wait(lambda: cls.service.get("/api/v1/status")["queue"]["queued"] == 1, "a job")
        cls.runner = cls.token("runner", "runner")
        cls.submit = cls.token("upload", "submit")
        cls.run_token = cls.token("ci", "run")

    def path(self, name, commit=None):
        return f"/api/v1/projects/demo/artifacts/{commit or self.commit}/{name}"

    def put(self, name, data, headers=None, token=None, commit=None):
        return self.ask(self.path(name, commit), "PUT", data, {**digest(data), **(headers or {})}, token or self.submit)

    def files(self):
        folder = self.service.folder / "data" / "artifacts"
        return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())

    def begin(self, name, length, chunked=False):
        """A connection that has sent an upload's headers."""
        host, port = self.service.url.removeprefix("http://").split(":")
        connection = socket.create_connection((host, int(port)), timeout=moowatch.REQUEST_S)
        size = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {length}"
        connection.sendall((f"PUT {self.path(name)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.submit}\r\n"
                            f"Content-Digest: {digest(b'x' * length)['Content-Digest']}\r\n{size}\r\n\r\n").encode())
        return connection

    def names(self):
        return {item["name"] for item in self.service.get("/api/v1/projects/demo/artifacts")["items"]}


class HandIn(Served):
    def test_bytes_come_back_and_again_is_fine(self):
        data = os.urandom(3 * MIB + 7)
        status, _, body = self.put("good.jar", data)
        self.assertEqual(status, 201, body)
        artifact = json.loads(body)
        self.assertEqual((artifact["sha256"], artifact["bytes"], artifact["author"]),
                         (hashlib.sha256(data).hexdigest(), len(data), "upload"))
        self.assertEqual(self.put("good.jar", data)[0], 200)
        status, headers, body = self.ask(artifact["url"], token=self.submit)
        self.assertEqual((status, body == data, headers["ETag"]), (200, True, f'"{artifact["sha256"]}"'))
        self.problem(self.ask(artifact["url"], token=self.runner), 403, "has not leased a job")
        self.problem(self.put("good.jar", b"other"), 409, artifact["sha256"])
        self.problem(self.ask(artifact["url"]), 401)
        self.problem(self.ask(artifact["url"], "DELETE", token=self.submit), 403)
        self.assertEqual(self.ask(artifact["url"], "DELETE", token=self.run_token)[0], 204)
        self.problem(self.ask(artifact["url"], token=self.submit), 404)
        self.assertEqual(self.put("good.jar", b"other")[0], 201)

    def test_who_may(self):
        self.problem(self.ask(self.path("x"), "PUT", b"x", digest(b"x")), 401)
        self.problem(self.put("x", b"x", token=self.runner), 403)
        self.problem(self.put("x", b"x", token=self.token("reader", "read")), 403)

    def test_what_is_refused(self):
        before = self.files()
        for commit in ("main", "HEAD", "abc", self.commit[:39], self.commit.upper(), "0" * 41, "%2e%2e"):
            with self.subTest(commit=commit):
                self.problem(self.put("x", b"x", commit=commit), 400)
        for name in ("..", ".", "%2e%2e", ".hidden", "..%2f..%2fmoowatch.db", "a%00b", "a%0ab", "a%5cb", "-rf",
                     "a%20b", "%c3%a4", "x" * 101):
            with self.subTest(name=name):
                self.problem(self.put(name, b"x"), 400)
        for name in ("a/b", "a%2fb", ""):
            self.problem(self.put(name, b"x"), 404)
        self.problem(self.put("../../x", b"x"), 400)
        self.problem(self.ask("/api/v1/projects/nope/artifacts/" + self.commit + "/x", "PUT", b"x", digest(b"x"),
                              self.submit), 404)
        self.problem(self.put("x", b""), 400, "no body")
        self.problem(self.put("x", b"x", digest(b"y")), 400, "damaged in transit")
        for wrong in ("", "sha-256=::", "sha-512=:AAAA:", hashlib.sha256(b"x").hexdigest()):
            self.problem(self.put("x", b"x", {"Content-Digest": wrong}), 400, "Content-Digest")
        self.assertEqual(self.files(), before)

    def test_cut_off_upload_leaves_nothing(self):
        before = self.files()
        with self.begin("cut", 100000) as connection:
            connection.sendall(b"x" * 50000)
            self.service.wait(lambda: len(self.files()) > len(before), "the half file")
        self.service.wait(lambda: self.files() == before, "its removal")
        with self.begin("cut", 100000, chunked=True) as connection:
            connection.sendall(b"7530\r\n" + b"x" * 30000 + b"\r\n")
        self.service.wait(lambda: self.files() == before, "its removal")
        self.assertNotIn("cut", self.names())

    def test_chunked_upload(self):
        with self.begin("chunked", 30000, chunked=True) as connection:
            connection.sendall(b"7530\r\n" + b"x" * 30000 + b"\r\n0\r\n\r\n")
            self.assertIn(b"201", connection.recv(4096).split(b"\r\n")[0])

    def test_too_large_is_refused_before_it_is_sent(self):
        for length in (400 * MIB + 1, 1 << 62):
            host, port = self.service.url.removeprefix("http://").split(":")
            connection = http.client.HTTPConnection(host, int(port), timeout=moowatch.REQUEST_S)
            connection.putrequest("PUT", self.path("huge"))
            for key, value in {**digest(b"x"), "Content-Length": str(length),
                               "Authorization": f"Bearer {self.submit}"}.items():
                connection.putheader(key, value)
            connection.endheaders()
            self.assertEqual(connection.getresponse().status, 413)
            connection.close()

    def test_uploads_are_streamed(self):
        """A large one costs the daemon no memory."""
        def peak_kib():
            status = pathlib.Path(f"/proc/{self.service.daemon.pid}/status").read_text()
            return int(re.search(r"VmHWM:\s+(\d+)", status)[1])
        data = bytes(200 * MIB)
        before = peak_kib()
        self.assertEqual(self.put("large", data)[0], 201)
        status, _, body = self.ask(self.path("large"), token=self.submit)
        self.assertTrue(status == 200 and body == data)
        if "Sanitizer" not in self.service.log() and not os.environ.get("ASAN_OPTIONS"):
            self.assertLess(peak_kib() - before, 64 * 1024)
        # the quota: the oldest makes room
        self.assertEqual(self.put("large2", b"1" * (200 * MIB))[0], 201)
        self.assertEqual(self.put("large3", b"2" * (200 * MIB))[0], 201)
        self.assertFalse({"large", "large2", "large3"} <= self.names())

    def test_documented_line_works(self):
        text = (moowatch.SOURCE / "docs" / "api.md").read_text()
        [line] = [block for block in re.findall(r"```sh\n(.*?)```", text, re.S) if "artifacts" in block]
        (self.service.folder / "agent.jar").write_bytes(b"built by curl")
        done = subprocess.run(["sh", "-ec", line.replace("PROJECT", "demo").replace("git ", f"git -C {self.repository.path} ")],
                              cwd=self.service.folder, capture_output=True, text=True,
                              env={**os.environ, "MOOWATCH_SERVER": self.service.url, "MOOWATCH_TOKEN": self.submit})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(json.loads(done.stdout)["bytes"], 13)

    def command(self, *words, expect=0):
        done = subprocess.run([moowatch.BUILD / "ci" / "moowatch", "submit", *map(str, words)], capture_output=True, text=True,
                              env={**os.environ, "MOOWATCH_SERVER": self.service.url, "MOOWATCH_TOKEN": self.run_token})
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stderr

    def test_command_hands_in_and_submits(self):
        file = self.service.folder / "cli.jar"
        file.write_bytes(b"cli" * 100000)
        self.command("demo", self.commit, "--artifact", file)
        self.command("demo", self.commit, "--artifact", file, "--name", "other+name.jar")
        self.assertLessEqual({"cli.jar", "other+name.jar"}, self.names())
        self.assertIn("full commit id", self.command("demo", self.commit[:12], "--artifact", file, expect=2))
        file.write_bytes(b"changed")
        self.assertIn("409", self.command("demo", self.commit, "--artifact", file, expect=4))
        self.assertIn("none.jar", self.command("demo", self.commit, "--artifact", file.parent / "none.jar", expect=3))
        file.write_bytes(b"")
        self.command("demo", self.commit, "--artifact", file, expect=3)


class FullDisk(Served):
    settings = {**Served.settings, "disk_reserve_bytes": 0}

    @classmethod
    def setUpClass(cls):
        mount = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False)
        if os.geteuid() != 0 or mount.returncode != 0:
            raise unittest.SkipTest("no permission to mount a small disk")
        cls.small = tempfile.mkdtemp(prefix="moowatch-small-")
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", cls.small], check=True)
        cls.addClassCleanup(lambda: subprocess.run(["umount", "-l", cls.small], check=True))
        cls.settings = {**cls.settings, "data_dir": os.path.join(cls.small, "data")}
        super().setUpClass()

    def files(self):
        folder = pathlib.Path(self.small) / "data" / "artifacts"
        return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())

    def test_full_disk_is_said_and_leaves_nothing(self):
        before = self.files()
        with self.begin("full", 64 * MIB, chunked=True) as connection:  # no announced size to refuse at once
            block = b"%x\r\n" % MIB + b"x" * MIB + b"\r\n"
            with contextlib.suppress(OSError):  # it may have answered before all was sent
                for _ in range(26):
                    connection.sendall(block)
                connection.sendall(b"0\r\n\r\n")
            self.assertIn(b" 507 ", connection.recv(4096).split(b"\r\n")[0])
        self.assertEqual(self.files(), before)
        self.assertEqual(self.put("full", bytes(8 * MIB))[0], 201)


class Killed(Served):
    def test_kill_at_any_moment_leaves_all_or_nothing(self):
        data = os.urandom(MIB)
        for part in (0, 1, MIB // 2, MIB - 1, MIB):
            with self.subTest(part=part):
                name = f"part{part}"
                host, port = self.service.url.removeprefix("http://").split(":")
                with socket.create_connection((host, int(port)), timeout=moowatch.REQUEST_S) as connection:
                    connection.sendall((f"PUT {self.path(name)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.submit}\r\n"
                                        f"Content-Digest: {digest(data)['Content-Digest']}\r\n"
                                        f"Content-Length: {MIB}\r\n\r\n").encode() + data[:part])
                    self.service.wait(lambda: any("incoming" in file for file in self.files()) or part == MIB, "the upload")
                    self.service.kill(self.service.daemon)
                self.service.start()
                self.assertEqual([file for file in self.files() if "incoming" in file], [])
                for item in self.service.get("/api/v1/projects/demo/artifacts")["items"]:
                    status, _, body = self.ask(item["url"], token=self.submit)
                    self.assertEqual((status, hashlib.sha256(body).hexdigest()), (200, item["sha256"]))
                self.assertEqual(self.put(name, data)[0] // 100, 2)


E2E = """
name: demo
title: Demo
repository: {repository}
since: 2024-01-01
benchmark:
  driver: native
  artifact: bench.tar.gz
  artifact_wait_seconds: {wait}
  prepare: [sh, -c, "cp {{artifact}}/bench built"]
  loops: 2
  total_calls: 4000
  rest_seconds: 0
  configurations:
    - {{name: none, portion: T, command: [./built]}}
    - {{name: probe, portion: I, parent: none, command: ["{{artifact}}/bench"]}}
"""


class Measured(unittest.TestCase):
    """From the build that CI hands in to the night on the page, with the real runner."""

    def setUp(self):
        self.service = moowatch.Service(settings={"lease_seconds": 5}, runner={"poll_wait_seconds": 1})
        self.addCleanup(self.service.__exit__)
        self.repository = moowatch.Repository(self.service.folder / "repository")

    def tarball(self, extra=b""):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:gz") as archive:
            archive.add(moowatch.HARNESS / "moobench", "bench")
            info = tarfile.TarInfo("extra")
            info.size = len(extra)
            archive.addfile(info, io.BytesIO(extra))
        return out.getvalue()

    def start(self, wait):
        self.service.project("demo", E2E.format(repository=self.repository.path, wait=wait))
        self.service.start()
        self.token = subprocess.run(
            [http_case.daemon(), "token", "add", "--config", self.service.folder / "moowatchd.yaml", "--name", "ci",
             "--scope", "submit"], check=True, capture_output=True, text=True).stdout.strip()

    def hand_in(self, commit, data):
        status, _, body = self.service.status(f"/api/v1/projects/demo/artifacts/{commit}/bench.tar.gz", "PUT", data,
                                              {**digest(data), "Authorization": f"Bearer {self.token}"})
        self.assertEqual(status, 201, body)

    def test_nights_wait_for_their_builds(self):
        commits = [self.repository.commit(f"night {day}", f"2024-01-{day:02}", {"a": str(day)}) for day in (1, 2)]
        self.start(86400)
        self.service.wait(lambda: self.service.get("/api/v1/status")["queue"]["queued"] == 2, "two jobs")
        self.service.wait(lambda: self.service.get("/api/v1/status")["nodes"], "the runner")
        for job in self.service.get("/api/v1/jobs?state=queued")["items"]:
            self.assertEqual(job["waiting"]["artifact"], "bench.tar.gz")
        # the second one's comes first; a waiting one holds nobody up
        data = self.tarball(b"2")
        self.hand_in(commits[1], data)
        [night] = self.service.wait_for_nights("demo", 1)
        self.assertEqual((night["commit"]["sha"], night["state"], night["reason"]), (commits[1], "measured", None))
        experiment = self.service.get(f"/api/v1/experiments/{night['experiment']}")
        [way] = experiment["preparation"]
        self.assertEqual((way["commit"], way["from"], way["artifact"]["name"]), (commits[1], "build", "bench.tar.gz"))
        self.assertEqual(way["artifact"]["sha256"], hashlib.sha256(data).hexdigest())
        self.assertNotIn("preparation", experiment["environment_detail"]["detail"])
        self.hand_in(commits[0], self.tarball(b"1"))
        nights = self.service.wait_for_nights("demo", 2)
        self.assertEqual([n["state"] for n in nights], ["measured"] * 2)
        self.assertEqual(nights[0]["environment"], nights[1]["environment"])

    def test_a_night_whose_build_never_came_says_so_until_it_comes(self):
        commit = self.repository.commit("night 1", "2024-01-01", {"a": "1"})
        self.start(1)
        [night] = self.service.wait_for_nights("demo", 1)
        self.assertEqual(night["state"], "failed")
        self.assertIn("no bench.tar.gz was uploaded for this commit", night["reason"])
        self.hand_in(commit, self.tarball())
        [night] = self.service.wait(lambda: [n for n in self.service.nights("demo") if n["state"] == "measured"],
                                    "the late night")
        self.assertEqual(night["night"], "2024-01-01")
        self.assertEqual(len(self.service.nights("demo")), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
