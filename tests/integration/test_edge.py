"""What strangers do to the daemon's edge, each as it was found: slow heads and bodies, bodies without proof, guesses,
made-up addresses."""
import concurrent.futures
import hashlib
import hmac
import http.client
import itertools
import json
import pathlib
import re
import signal
import socket
import subprocess
import threading
import unittest

import moowatch
from http_case import PROJECT

SECRET = "twelve bytes"


def add_token(service, *arguments):
    return subprocess.run([moowatch.BUILD / "server" / "moowatchd", "token", "add", "--config", service.folder / "moowatchd.yaml",
                           *arguments], check=True, capture_output=True, text=True).stdout.strip()


class Edge(unittest.TestCase):
    settings = {"poll_seconds": 3600, "webhook_secret_file": "secret"}

    @classmethod
    def setUpClass(cls):
        cls.service = moowatch.Service(settings=cls.settings)
        cls.addClassCleanup(cls.service.__exit__)
        (cls.service.folder / "secret").write_text(SECRET + "\n")
        cls.service.start()

    def connect(self):
        host, port = self.service.url.removeprefix("http://").split(":")
        connection = socket.create_connection((host, int(port)), timeout=moowatch.REQUEST_S)
        self.addCleanup(connection.close)
        return connection

    def hook(self, body=b"{}", secret=SECRET, **headers):
        sent = {"X-GitHub-Event": "ping", "Content-Type": "application/json",
                "X-Hub-Signature-256": "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}
        return self.service.status("/api/v1/hooks/github", "POST", body,
                                   {**sent, **{name.replace("_", "-"): value for name, value in headers.items()}})


class Identity(Edge):
    settings = {**Edge.settings, "public_read": False}

    def lease(self, token, node):
        body = json.dumps({"node": node, "version": "x", "labels": [], "can": [], "wait_seconds": 0}).encode()
        return self.service.status("/api/v1/runner/lease", "POST", body,
                                   {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})

    def test_a_token_speaks_for_its_node_alone(self):
        token = add_token(self.service, "--name", "blade1", "--scope", "runner", "--node", "blade1")
        self.assertEqual(self.lease(token, "blade1")[0], 204)
        status, _, body = self.lease(token, "blade2")
        self.assertEqual(status, 403, body)
        status, _, body = self.service.status("/api/v1/runner/jobs/1/resume", "POST", b'{"node": "blade2", "lease": "x"}',
                                              {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        self.assertEqual(status, 403, body)

    def test_a_token_without_a_node_is_the_first_ones(self):
        token = add_token(self.service, "--name", "stray", "--scope", "runner")
        self.assertEqual(self.lease(token, "blade1")[0], 204)
        self.assertEqual(self.lease(token, "blade2")[0], 403)
        self.assertEqual(self.lease(token, "blade1")[0], 204)
        self.assertIn("token_bound token=stray node=blade1", self.service.log())
        self.command("bind", "--name", "stray", "--node", "blade2")
        self.assertEqual((self.lease(token, "blade1")[0], self.lease(token, "blade2")[0]), (403, 204))
        self.command("bind", "--name", "stray", "--node", "*")
        self.assertEqual((self.lease(token, "blade1")[0], self.lease(token, "blade2")[0]), (204, 204))
        self.assertRegex(self.command("list"), r"stray +runner .* \*\n")

    def command(self, *arguments):
        return subprocess.run([moowatch.BUILD / "server" / "moowatchd", "token", arguments[0], "--config",
                               self.service.folder / "moowatchd.yaml", *arguments[1:]],
                              check=True, capture_output=True, text=True).stdout

    def test_an_answer_is_its_tokens(self):
        token = add_token(self.service, "--name", "ada", "--scope", "run")
        body = json.dumps({"state": "accepted", "reason": "r", "author": "somebody else"}).encode()
        status, _, text = self.service.status("/api/v1/alerts/1/state", "POST", body,
                                              {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        self.assertEqual(status, 400)
        self.assertIn("author", json.loads(text)["detail"])

    def test_a_name_that_was_made_to_point_here_is_refused(self):
        token = add_token(self.service, "--name", "reader", "--scope", "read")
        port = self.service.url.rsplit(":", 1)[1]
        for host, status in (("evil.example", 403), (f"evil.example:{port}", 403), ("localhost.evil.example", 403),
                             ("127.evil.example", 403), (f"localhost:{port}", 200), ("LOCALHOST", 200), (f"127.0.0.1:{port}", 200),
                             ("[::1]:80", 200)):
            self.assertEqual(self.service.status("/api/v1/status", headers={
                "Authorization": f"Bearer {token}", "Host": host})[0], status, host)

    def test_a_stream_ends_with_its_token(self):
        token = add_token(self.service, "--name", "watcher", "--scope", "read")
        stream = self.connect()
        stream.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        self.assertIn(b"200 OK", stream.recv(4096))
        subprocess.run([moowatch.BUILD / "server" / "moowatchd", "token", "revoke", "--config",
                        self.service.folder / "moowatchd.yaml", "--name", "watcher"], check=True)
        while not (last := stream.recv(4096)).endswith(b"0\r\n\r\n"):
            self.assertTrue(last)


class Slow(Edge):
    settings = {**Edge.settings, "head_timeout_seconds": 1, "body_timeout_seconds": 1}

    def drip(self, beginning):
        """Sends a byte ten times a second until the daemon has had enough, which it says in no answer but a refusal."""
        connection, enough = self.connect(), threading.Event()
        connection.sendall(beginning)

        def send():
            try:
                while not enough.wait(0.1):
                    connection.sendall(b"a")
            except OSError:
                pass
        sender = threading.Thread(target=send)
        sender.start()
        answer = b""
        try:
            while some := connection.recv(4096):
                answer += some
        except ConnectionError:
            pass
        finally:
            enough.set()
            sender.join()
        self.assertRegex(answer, rb"\A(HTTP/1\.1 4\d\d |\Z)")

    def test_a_head_that_trickles_ends(self):
        self.drip(b"")
        self.drip(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")

    def test_a_body_that_trickles_ends(self):
        self.drip(b"POST /api/v1/hooks/github HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n")

    def test_a_connection_serves_on_and_a_stream_goes_on(self):
        host, port = self.service.url.removeprefix("http://").split(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=moowatch.REQUEST_S)
        stream = self.connect()
        stream.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertIn(b"200 OK", stream.recv(4096))
        self.drip(b"")  # takes longer than the deadlines above
        self.drip(b"")
        for _ in range(3):
            connection.request("GET", "/healthz")
            self.assertEqual(connection.getresponse().read(), b'{"status":"alive"}')
        stream.settimeout(0.05)
        with self.assertRaises(TimeoutError):
            while stream.recv(4096):
                pass


class Bodies(Edge):
    settings = {**Edge.settings, "body_limit_bytes": 1 << 20, "body_buffer_bytes": 4 << 20}

    def test_bodies_without_proof_have_one_budget(self):
        size = 1 << 20
        head = b"POST /api/v1/hooks/github HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % size
        held = [self.connect() for _ in range(12)]
        for connection in held:
            connection.sendall(head + b" " * (size - 1))
        # one who has a token still has the other half
        run = add_token(self.service, "--name", "run", "--scope", "run")
        status, _, _ = self.service.status("/api/v1/projects/none/jobs", "POST", b" " * (size - 2) + b"{}",
                                           {"Authorization": f"Bearer {run}", "Content-Type": "application/json"})
        self.assertEqual(status, 404)
        answers = []
        for connection in held:
            connection.sendall(b" ")
        for connection in held:
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            answers.append((answer.status, answer.headers["Retry-After"]))
        self.assertIn((503, "2"), answers)
        self.assertLessEqual(set(answers), {(503, "2"), (401, None)})
        for connection in held:
            connection.close()
        self.service.wait(lambda: self.hook(b" " * (size - 2) + b"{}")[0] == 200, "room")


class Expensive(Edge):
    """What costs much is answered one after the other, few at once for one client; what is cheap does not wait for it."""
    settings = {**Edge.settings, "behind_proxy": True}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        repository = moowatch.Repository(cls.service.folder / "repository")
        cls.first, cls.last = [repository.commit(f"night {day}", f"2024-01-{day:02}", {"a": str(day)}) for day in (1, 2)]
        cls.service.project("demo", PROJECT.format(repository=repository.path))
        cls.service.daemon.send_signal(signal.SIGHUP)
        cls.service.wait(lambda: cls.service.get("/api/v1/jobs")["items"], "the nights")

    def ask(self, path, client):
        status, headers, _ = self.service.status(path, headers={"X-Forwarded-For": client})
        return status, headers.get("Retry-After")

    def test_one_client_does_not_hold_up_others(self):
        commits = f"/api/v1/projects/demo/commits?after={self.first}&until={self.last}&limit="  # each starts git
        calls, answers = itertools.count(1), set()
        with concurrent.futures.ThreadPoolExecutor(21) as pool:
            def round_of_many():
                many = [pool.submit(self.ask, f"{commits}{next(calls) % 1000 + 1}", "10.0.0.1") for _ in range(40)]
                cheap = self.ask("/api/v1/jobs", "10.0.0.1"), self.ask("/api/v1/jobs", "10.0.0.2")
                self.assertEqual(cheap, ((200, None), (200, None)))
                self.assertEqual(self.ask(f"{commits}7", "10.0.0.2")[0], 200)  # four are the one's, twelve are left
                answers.update(each.result() for each in many)
                return (503, "2") in answers
            self.service.wait(round_of_many, "a refusal")
        self.assertEqual(answers, {(200, None), (503, "2")})
        for n in range(40):  # what was refused or done is not counted any more
            self.assertEqual(self.ask(f"{commits}{n + 1}", "10.0.0.1")[0], 200)


class Reading(Edge):
    """What long histories take while they are read is given back; with the bound of docs/security.md."""
    nights, charts, bound_kib = 1000, 80, (16 + 8 + 64) << 10  # both caches as they are by default, and 64 MiB

    def resident_kib(self):
        status = pathlib.Path(f"/proc/{self.service.daemon.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    def test_many_charts_of_a_long_history(self):
        self.service.daemon.send_signal(signal.SIGTERM)
        self.assertEqual(self.service.daemon.wait(), 0)
        database = self.service.folder / "data" / "moowatch.db"
        subprocess.run([moowatch.BUILD / "tests" / "bench" / "history" / "bench_history", "--fill", str(self.nights), database],
                       check=True)
        self.service.start()
        idle = most = self.resident_kib()
        for nights in range(self.nights - self.charts, self.nights):
            self.assertEqual(self.service.status(f"/charts/history.svg?nights={nights}")[0], 200)
            most = max(most, self.resident_kib())
        self.assertLess(most - idle, self.bound_kib)


class Guesses(Edge):
    settings = {**Edge.settings, "behind_proxy": True, "proxy_count": 2}

    def test_wrong_tokens_do_not_lock_out_a_good_one(self):
        good = add_token(self.service, "--name", "submit", "--scope", "submit")
        ask = lambda token: self.service.status("/api/v1/status", headers={
            "Authorization": f"Bearer {token}", "X-Forwarded-For": "10.0.0.1, 10.9.9.9"})[0]
        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            self.service.wait(lambda: 429 in pool.map(lambda n: ask(f"mwt_{n}"), range(60)), "a refusal")
        self.assertEqual(ask(good), 200)

    def test_a_guessed_secret_is_counted_before_it_is_looked_at(self):
        def guess(n, who="10.0.0.2"):
            return self.hook(secret=f"guess {n}", X_Forwarded_For=f"{who}, 10.9.9.9")
        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            refused = self.service.wait(lambda: [a for a in pool.map(guess, range(60)) if a[0] == 503], "a refusal")
            self.assertEqual(refused[0][1]["Retry-After"], "30")
            # even the right one among many: what comes after the limit is not looked at
            last = self.service.wait(lambda: [a[0] for a in [*pool.map(guess, range(60)),
                                              self.hook(X_Forwarded_For="10.0.0.2, 10.9.9.9")]][-1] == 503, "no answer to the right one")
        self.assertTrue(last)
        self.assertEqual(self.hook(X_Forwarded_For="10.0.0.3, 10.9.9.9")[0], 200)
        for _ in range(50):  # good ones cost nothing
            self.assertEqual(self.hook(X_Forwarded_For="10.0.0.4, 10.9.9.9")[0], 200)

    def guess_from(self, lines):
        host, port = self.service.url.removeprefix("http://").split(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=moowatch.REQUEST_S)
        connection.putrequest("POST", "/api/v1/runner/lease")
        for name, value in [("Authorization", "Bearer mwt_x"), ("Content-Length", "0"), *(("X-Forwarded-For", l) for l in lines)]:
            connection.putheader(name, value)
        connection.endheaders()
        status = connection.getresponse().status
        connection.close()
        return status

    def test_only_what_our_proxies_add_says_who_it_is(self):
        """A proxy that appends a line of its own, an address made up for each request, a network of 2^64 addresses."""
        for forged in (lambda n: [f"10.1.{n}.1", "10.0.0.5, 10.9.9.9"], lambda n: [f"10.2.{n}.1, 10.0.0.6", "10.9.9.9"],
                       lambda n: [f"2001:db8::{n:x}, 10.9.9.9"]):
            with concurrent.futures.ThreadPoolExecutor(20) as pool:
                self.service.wait(lambda f=forged: 429 in pool.map(lambda n: self.guess_from(f(n)), range(60)), "a refusal")
        self.assertEqual(self.guess_from(["10.0.0.7, 10.9.9.9"]), 401)


if __name__ == "__main__":
    unittest.main(verbosity=2)
