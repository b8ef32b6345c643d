"""Raw files and artifacts in a bucket: what is acknowledged is in it, whatever it does; and what it does is said."""
import base64
import concurrent.futures
import hashlib
import hmac
import http.server
import json
import pathlib
import shutil
import socket
import subprocess
import threading
import time
import unittest
import urllib.error
import urllib.request

import made_up
import moowatch
import peers_npm

BUCKET = "raw-files"
KEY = "S3RVER"  # its id and its secret


def signature_of(method, path, headers, secret):
    """SigV4's, of the headers that are said to be signed; s3rver looks at none."""
    scheme, _, rest = headers["Authorization"].partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    scope = parts["Credential"].split("/")[1:]
    signed = parts["SignedHeaders"].split(";")
    canonical = "\n".join([method, path, "", *(f"{name}:{' '.join(headers[name].split())}" for name in signed), "",
                           parts["SignedHeaders"], headers["x-amz-content-sha256"]])
    text = "\n".join([scheme, headers["X-Amz-Date"], "/".join(scope), hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + secret).encode()
    for word in (*scope, text):
        key = hmac.new(key, word.encode(), hashlib.sha256).digest()
    return key.hex(), parts["Signature"]


def wrong_with(method, path, headers, body):
    """What S3 would refuse it for, or None."""
    ours, theirs = signature_of(method, path, headers, KEY)
    if ours != theirs:
        return 403, "SignatureDoesNotMatch"
    if hashlib.sha256(body).hexdigest() != headers["x-amz-content-sha256"]:
        return 400, "XAmzContentSHA256Mismatch"
    md5 = base64.b64encode(hashlib.md5(body).digest()).decode()
    return (400, "BadDigest") if headers.get("Content-MD5", md5) != md5 else None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Bucket:
    """An S3 server, and before it what a network or an overloaded one does: `refuse` answers that come first,
    `spoil` bodies of which a bit is lost on the way, `cut` requests whose connection breaks when they have been
    passed on. What is got waits until `free` is set, or comes byte by byte without an end (`drip`). It checks signature and hashes."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.refuse, self.cut, self.spoil, self.seen, self.process = [], 0, 0, [], None
        self.drip = threading.Event()
        self.free = threading.Event()
        self.free.set()
        bucket = self

        class Front(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def pass_on(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                bucket.seen.append((self.command, self.path))
                if self.command == "GET" and bucket.drip.is_set():
                    self.send_response(200)
                    self.end_headers()
                    self.close_connection = True
                    while bucket.drip.is_set():
                        try:
                            self.wfile.write(b"x")
                        except OSError:
                            return None
                        time.sleep(0.2)
                    return None
                if self.command == "GET":
                    bucket.free.wait(20)
                if bucket.refuse:
                    return self.refuse(bucket.refuse.pop(0), "SlowDown")
                if bucket.spoil and body:
                    bucket.spoil -= 1
                    body = bytes([body[0] ^ 1]) + body[1:]
                wrong = wrong_with(self.command, self.path, self.headers, body)
                if wrong:
                    return self.refuse(*wrong)
                # with the name that was signed
                request = urllib.request.Request(f"http://127.0.0.1:{bucket.port}{self.path}", body or None,
                                                 dict(self.headers), method=self.command)
                try:
                    with urllib.request.urlopen(request, timeout=20) as answer:
                        status, data = answer.status, answer.read()
                except urllib.error.HTTPError as error:
                    status, data = error.code, error.read()
                except OSError:  # it is away
                    self.close_connection = True
                    return self.connection.close()
                if bucket.cut:
                    bucket.cut -= 1
                    self.close_connection = True
                    return self.connection.close()
                return self.reply(status, data)

            def refuse(self, status, code):
                return self.reply(status, f"<Error><Code>{code}</Code></Error>".encode())

            def reply(self, status, data):
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_PUT = do_DELETE = pass_on

        self.front = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Front)
        self.url = f"http://127.0.0.1:{self.front.server_port}/{BUCKET}"
        threading.Thread(target=self.front.serve_forever, daemon=True).start()

    def start(self, ahead_s=0):
        self.process = subprocess.Popen(["node", "s3.mjs", str(self.port), str(self.folder), BUCKET, str(ahead_s)],
                                        cwd=peers_npm.folder(), stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "listening\n"

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def end(self):
        self.kill()
        self.front.shutdown()
        self.front.server_close()

    def object(self, key):
        return self.folder / BUCKET / f"{key}._S3rver_object"


def key_of(sha256):
    return f"raw/{sha256[:2]}/{sha256[2:]}.csv.zst"


class Remote(made_up.Nights):
    @classmethod
    def setUpClass(cls):
        cls.service = moowatch.Service(settings={"poll_seconds": 3600, "lease_seconds": 3600})
        folder = cls.service.folder
        cls.bucket = Bucket(folder / "s3")
        cls.bucket.start()
        key = folder / "bucket.key"
        key.write_text(f"{KEY}\n{KEY}\n")
        key.chmod(0o600)
        cls.service.settings["bucket"] = {"url": cls.bucket.url, "credentials_file": str(key)}
        repository = moowatch.Repository(folder / "repository")
        for day in ("2013-04-01", "2013-04-02"):
            repository.commit(f"night {day}", day, {"a": day})
        cls.service.project("demo", f"name: demo\nrepository: {repository.path}\nsince: 2013-04-01\n" + made_up.BENCHMARK)
        cls.service.start()
        cls.service.wait(lambda: cls.service.get("/api/v1/status")["queue"]["queued"] == 2, "two jobs")
        cls.runner = cls.token("runner")
        cls.config = folder / "moowatchd.yaml"

    @classmethod
    def tearDownClass(cls):
        cls.bucket.end()
        cls.service.__exit__()

    def program(self, *arguments, expect=0):
        done = subprocess.run([moowatch.BUILD / "server" / "moowatchd", *map(str, arguments)], capture_output=True,
                              text=True, timeout=120)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def check(self, expect=0):
        return self.program("--config", self.config, "--check-bucket", expect=expect)

    def put(self, leased, text):
        """(status, problem) of a raw file that is sent, and its hash."""
        data = subprocess.run(["zstd", "-q", "-c", f"--stream-size={len(text)}"], input=text, capture_output=True, check=True).stdout
        sha = hashlib.sha256(data).hexdigest()
        status, headers, answer = self.service.status(
            f"/api/v1/runner/jobs/{leased['job']['id']}/raw/{sha}", "PUT", data,
            {"Authorization": f"Bearer {self.runner}", "X-Moowatch-Lease": leased["lease"]})
        return status, headers, json.loads(answer), sha, data

    def test_1_a_night_is_in_the_bucket_alone(self):
        self.assertIn("returns them unchanged", self.check())
        self.measure((100, 300, 1000, 2500))
        sha = hashlib.sha256(made_up.ZSTD).hexdigest()
        self.assertEqual(self.bucket.object(key_of(sha)).read_bytes(), made_up.ZSTD)
        self.assertEqual([file for file in (self.service.folder / "data" / "raw").rglob("*") if file.is_file()], [])
        night = self.service.nights("demo")[0]["experiment"]
        raw = f"/api/v1/experiments/{night}/raw/none/1"
        self.assertEqual(self.service.status(raw + "?format=csv")[2], made_up.CSV)
        self.assertEqual(self.service.status(raw)[2], made_up.ZSTD)
        calls = self.service.get(f"/api/v1/experiments/{night}/calls/none/1")
        self.assertEqual(calls["course"]["calls"], 200)
        self.only_who_asks_waits(night)
        self.back_up_and_restore(sha, raw)
        self.damage(sha, raw)

    def only_who_asks_waits(self, night):
        """While the bucket takes its time, what else is much work is answered."""
        self.bucket.free.clear()
        before = len(self.bucket.seen)
        path = f"/api/v1/experiments/{night}/calls/writing/1"
        with concurrent.futures.ThreadPoolExecutor() as pool:
            calls = pool.submit(self.service.status, path)
            self.service.wait(lambda: len(self.bucket.seen) > before, "the bucket is asked")
            other = pool.submit(self.service.status, "/api/v1/jobs?limit=5000")
            try:
                self.assertEqual(other.result(timeout=10)[0], 200)
                self.assertFalse(calls.done())
            finally:
                self.bucket.free.set()
            self.assertEqual(calls.result(timeout=20)[0], 200)

    def back_up_and_restore(self, sha, raw):
        copy, elsewhere = self.service.folder / "copy", self.service.folder / "elsewhere"
        self.assertIn("1 raw results (1 of them new)", self.program("backup", "--config", self.config, "--to", copy))
        self.assertIn("(0 of them new)", self.program("backup", "--config", self.config, "--to", copy))
        self.assertEqual((copy / key_of(sha)).read_bytes(), made_up.ZSTD)
        elsewhere.mkdir()
        (elsewhere / "moowatchd.yaml").write_text("data_dir: data\nport: 0\n")
        self.program("restore", "--config", elsewhere / "moowatchd.yaml", "--from", copy)
        self.assertEqual((elsewhere / "data" / key_of(sha)).read_bytes(), made_up.ZSTD)
        shutil.rmtree(copy)

    def damage(self, sha, raw):
        """Other bytes under the name: nobody is shown them, no backup takes them."""
        stored = self.bucket.object(key_of(sha))
        stored.write_bytes(made_up.ZSTD[:-1] + b"x")
        self.assertEqual(self.service.status(raw + "?format=csv")[0], 500)
        self.assertIn("has other bytes under", self.service.log())
        copy = self.service.folder / "copy"
        self.assertIn("has other bytes under", self.program("backup", "--config", self.config, "--to", copy, expect=3))
        stored.write_bytes(made_up.ZSTD)
        self.assertEqual(self.service.status(raw + "?format=csv")[0], 200)

    def test_2_nothing_is_acknowledged_before_the_bucket_has_it(self):
        leased = self.ask("/api/v1/runner/lease", {"node": "n", "version": "0.1", "labels": [], "wait_seconds": 20})
        acknowledged = {}
        for i in range(6):  # answers 503, as for an hour: who sends comes again
            self.bucket.refuse = [503] * i
            while True:
                status, headers, answer, sha, data = self.put(leased, b"1;%d\n" % i)
                if status == 201:
                    break
                self.assertEqual(status, 503)
                self.assertIn("answers 503, SlowDown; uploads stay unconfirmed", answer["detail"])
                self.assertIn("Retry-After", headers)
            acknowledged[sha] = data
        self.assertIn("not_kept", self.service.log())
        # the connection breaks when it has the file: not known, so not acknowledged; the same again is fine
        self.bucket.cut = 1
        status, _, answer, sha, data = self.put(leased, b"1;77\n")
        self.assertEqual(status, 503)
        self.assertIn("cannot be reached", answer["detail"])
        self.assertEqual(self.put(leased, b"1;77\n")[0], 201)
        acknowledged[sha] = data
        self.bucket.spoil = 1
        status, _, answer, sha, data = self.put(leased, b"1;78\n")
        self.assertEqual(status, 503)
        self.assertIn("received other bytes than were sent (XAmzContentSHA256Mismatch)", answer["detail"])
        self.assertFalse(self.bucket.object(key_of(sha)).exists())
        acknowledged |= self.killed_meanwhile(leased)
        for sha, data in acknowledged.items():
            self.assertEqual(self.bucket.object(key_of(sha)).read_bytes(), data)

    def test_2_an_artifact_is_in_the_bucket_alone(self):
        data = b"what CI built"
        sha = hashlib.sha256(data).digest()
        path = f"/api/v1/projects/demo/artifacts/{'a' * 40}/agent.jar"
        headers = {"Authorization": f"Bearer {self.token('run')}",
                   "Content-Digest": f"sha-256=:{base64.b64encode(sha).decode()}:"}
        self.bucket.refuse = [503]
        status, told, answer = self.service.status(path, "PUT", data, headers)
        self.assertEqual((status, "Retry-After" in told), (503, True))
        self.assertIn("uploads stay unconfirmed", json.loads(answer)["detail"])
        self.assertEqual(self.service.status(path, "GET", None, headers)[0], 404)
        self.assertEqual(self.service.status(path, "PUT", data, headers)[0], 201)
        stored = self.bucket.object(f"artifacts/{sha.hex()[:2]}/{sha.hex()[2:]}")
        self.assertEqual(stored.read_bytes(), data)
        self.assertEqual([f for f in (self.service.folder / "data" / "artifacts").rglob("*") if f.is_file()], [])
        self.assertEqual(self.service.status(path, "GET", None, headers)[::2], (200, data))
        self.assertEqual(self.service.status(path, "DELETE", None, headers)[0], 204)
        self.assertEqual(self.service.status(path, "GET", None, headers)[0], 404)
        self.assertTrue(stored.exists())  # for an hour

    def killed_meanwhile(self, leased):
        """The server behind it is killed and started again while files are sent, each until it is taken."""
        acknowledged, stop = {}, threading.Event()

        def send(first):
            for i in range(first, first + 10):
                while not stop.is_set():
                    status, _, _, sha, data = self.put(leased, b"1;%d\n" % i * 1000)
                    if status in (200, 201):
                        acknowledged[sha] = data
                        break
        senders = [threading.Thread(target=send, args=(1000 * n,)) for n in range(3)]
        self.addCleanup(stop.set)
        for sender in senders:
            sender.start()
        for _ in range(4):
            before = len(self.bucket.seen)
            self.service.wait(lambda: len(self.bucket.seen) > before or not any(s.is_alive() for s in senders), "a file")
            self.bucket.kill()
            self.bucket.start()
        for sender in senders:
            sender.join()
        self.assertEqual(len(acknowledged), 30)
        return acknowledged

    def test_3_what_is_wrong_is_said(self):
        key = pathlib.Path(self.service.settings["bucket"]["credentials_file"])
        key.write_text(f"{KEY}\nanother\n")
        self.assertIn("(403, SignatureDoesNotMatch)", self.check(expect=1))
        key.write_text(f"{KEY}\n{KEY}\n")
        self.bucket.kill()
        self.assertIn("cannot be reached", self.check(expect=1))
        for ahead_s in (86400, -86400):
            self.bucket.start(ahead_s)
            self.assertIn("clock", self.check(expect=1))
            self.bucket.kill()
        self.bucket.start()
        self.assertIn("returns them unchanged", self.check())

    def test_4_a_server_that_ends_waits_for_no_bucket(self):
        night = self.service.nights("demo")[0]["experiment"]
        self.bucket.drip.set()
        self.addCleanup(self.bucket.drip.clear)
        before = len(self.bucket.seen)
        asked = threading.Thread(target=self.service.status, args=(f"/api/v1/experiments/{night}/raw/none/1?format=csv",))
        asked.start()
        self.service.wait(lambda: len(self.bucket.seen) > before, "the bucket is asked")
        self.service.daemon.terminate()
        self.assertEqual(self.service.daemon.wait(timeout=moowatch.DEADLINE_S), 0)
        asked.join()


if __name__ == "__main__":
    unittest.main(verbosity=2)
