"""What the daemon answers to readers and to strangers."""
import base64
import contextlib
import http.client
import json
import signal
import socket
import subprocess
import unittest

import moowatch
from http_case import PROJECT, JSON, daemon, Served


class Reading(Served):
    def test_every_view_answers_and_is_hardened(self):
        for path in ["/api/v1/status", "/api/v1/projects", "/api/v1/projects/demo", "/api/v1/projects/demo/nights",
                     "/api/v1/projects/demo/alerts", "/api/v1/alerts", "/api/v1/jobs", "/api/v1/jobs/1",
                     "/api/v1/jobs?state=queued&project=demo&limit=2", "/charts/demo.svg", "/charts/demo.png?scale=2",
                     "/", "/jobs", "/projects/demo", "/experiments/1", "/healthz", "/static/style.css"]:
            with self.subTest(path):
                status, headers, body = self.ask(path)
                self.assertEqual(status, 200, body[:300])
                self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
                self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
                self.assertIn("ETag", headers)
                again, headers2, nothing = self.ask(path, headers={"If-None-Match": headers["ETag"]})
                # the status page's time goes on
                self.assertIn(again, (304, 200) if path.endswith("status") else (304,))
                head, headers3, nothing = self.ask(path, method="HEAD")
                self.assertEqual((head, nothing), (200, b""))
                self.assertEqual(headers3["Content-Type"], headers["Content-Type"])

    def test_only_an_embedded_page_may_be_framed(self):
        _, headers, body = self.ask("/embed/demo?nights=90&theme=dark")
        self.assertTrue(headers["Content-Security-Policy"].endswith("frame-ancestors *"))
        self.assertNotIn("script", headers["Content-Security-Policy"])
        self.assertNotIn("X-Frame-Options", headers)
        self.assertIn(b"/charts/demo.svg?nights=90&amp;", body)
        self.assertNotIn(b"<script", body)
        _, headers, _ = self.ask("/projects/demo")
        self.assertEqual(headers["X-Frame-Options"], "DENY")
        self.assertTrue(headers["Content-Security-Policy"].endswith("frame-ancestors 'none'"))

    def test_pictures_may_be_shown_elsewhere_and_nothing_else(self):
        for path, policy in {"/charts/demo.svg": "cross-origin", "/charts/demo.png": "cross-origin",
                             "/charts/demo.pdf": "cross-origin", "/projects/demo/badge.svg": "cross-origin",
                             "/projects/demo/badge.json": "cross-origin", "/": "same-site", "/static/icon.svg": "same-site",
                             "/projects/demo": "same-site", "/api/v1/projects": "same-site", "/embed/demo": "same-site"}.items():
            for headers in ({}, {"Accept-Encoding": "gzip"}):  # made, and kept
                status, told, _ = self.ask(path, headers=headers)
                self.assertEqual((status, told["Cross-Origin-Resource-Policy"]), (200, policy), path)
                again = self.ask(path, headers={**headers, "If-None-Match": told["ETag"]})
                self.assertEqual((again[0], again[1]["Cross-Origin-Resource-Policy"]), (304, policy), path)

    def test_broken_project_is_shown_and_the_other_goes_on(self):
        status = self.service.get("/api/v1/status")
        self.assertEqual(len(status["problems"]), 1)
        self.assertRegex(status["problems"][0], r"broken\.yaml:\d+: .*repositori")
        self.assertEqual([p["name"] for p in self.service.get("/api/v1/projects")["items"]], ["demo"])

    def test_nights_were_picked_oldest_first(self):
        jobs = self.service.get("/api/v1/jobs")["items"]
        self.assertEqual([j["night"] for j in jobs][::-1], [f"2024-01-{d:02}" for d in range(1, 5)])
        self.assertEqual(jobs[0]["commit"]["subject"], "night 4")

    def test_commits_between_two_are_read_from_the_mirror(self):
        shas = self.repository._git("rev-list", "--reverse", "HEAD").split()
        path = "/api/v1/projects/demo/commits?after={}&until={}".format
        told = self.service.get(path(shas[0], shas[3]))
        self.assertEqual(([c["sha"] for c in told["items"]], told["total"], told["reason"]), (shas[1:4], 3, None))
        self.assertEqual(sorted(told["items"][0]), ["author", "sha", "short", "subject", "time_ms"])
        newest = self.service.get(path(shas[0], shas[3]) + "&limit=1")
        self.assertEqual(([c["sha"] for c in newest["items"]], newest["total"]), (shas[3:4], 3))
        for after, until, words in [(shas[3], shas[0], "does not come after"), ("0" * 40, shas[0], "no longer has both")]:
            none = self.service.get(path(after, until))
            self.assertEqual((none["items"], none["total"]), ([], 0))
            self.assertIn(words, none["reason"])
        self.problem(self.ask(path(shas[0][:9], shas[3])), 400, "full commit ids")
        self.problem(self.ask("/api/v1/projects/demo/commits"), 400, "full commit ids")
        self.problem(self.ask(path(shas[0], shas[3]) + "&limit=1001"), 400, "limit")
        self.problem(self.ask(path(shas[0], shas[3]).replace("demo", "nope")), 404, "watches no repository")

    def test_unknown_things_are_404(self):
        for path in ["/api/v1/nope", "/api/v1/projects/nope", "/api/v1/projects/nope/nights", "/api/v1/jobs/99999",
                     "/api/v1/experiments/99999", "/api/v1/alerts/99999", "/charts/nope.svg", "/charts/demo.gif",
                     "/static/nope.js", "/api/v1/experiments/1/raw/none/1"]:
            with self.subTest(path):
                self.problem(self.ask(path), 404)

    def test_a_page_of_what_is_not_there_is_404_with_its_own_words(self):
        for path in ["/projects/nope", "/experiments/99999", "/alerts/1", "/jobs/x"]:
            with self.subTest(path):
                status, headers, body = self.ask(path)
                self.assertEqual((status, headers["Content-Type"]), (404, "text/html; charset=utf-8"))
                self.assertIn(b'<main id="main"', body)

    def test_a_mistyped_address_is_a_page_for_people(self):
        browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
        status, headers, body = self.ask("/nowhere", headers=browser)
        self.assertEqual((status, headers["Content-Type"]), (404, "text/html; charset=utf-8"))
        self.assertIn(b"nothing at this address", body)
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertEqual(headers["Cache-Control"], "no-store")
        for path in ("/api/v1/nope", "/projects/demo/feed.rss"):
            self.assertEqual(self.ask(path)[1]["Content-Type"], "application/problem+json")
        self.problem(self.ask("/api/v1/nope", headers=browser), 404)
        self.problem(self.ask("/nowhere", "POST", b"{}", {**browser, "Content-Type": "application/json"}), 404)

    def test_bad_parameters_are_400(self):
        for path in ["/api/v1/jobs?limit=0", "/api/v1/jobs?limit=5001", "/api/v1/jobs?limit=x", "/api/v1/jobs/x",
                     "/api/v1/jobs/-1", "/api/v1/jobs?cursor=zzz", "/api/v1/projects/demo/nights?since=2024-02-30",
                     "/api/v1/projects/demo/nights?until=x", "/api/v1/projects/demo/nights?portions=few", "/charts/demo.svg?nights=0",
                     "/charts/demo.svg?theme=pink", "/charts/demo.svg?until=2024-02-30", "/charts/demo.png?scale=9",
                     "/charts/demo.svg?width=99999", "/api/v1/projects/%ff", "/api/v1/projects/a%00b",
                     "/api/v1/jobs?state=%0a", "/api/v1/jobs?state=odd", "/api/v1/alerts?state=queued",
                     "/api/v1/projects/demo/alerts?state=odd", "/api/v1/incidents?state=odd",
                     "/static/../secret", "/static/%2e%2e/%2e%2e/etc/passwd"]:
            with self.subTest(path):
                status, headers, body = self.ask(path)
                self.assertEqual(status, 400, body[:300])
                self.assertEqual(headers["Content-Type"], "application/problem+json")

    def test_wrong_method_names_the_right_one(self):
        headers = self.problem(self.ask("/api/v1/status", "DELETE"), 405, "GET")
        self.assertEqual(headers["Allow"], "GET, HEAD")
        headers = self.problem(self.ask("/api/v1/runner/lease"), 405, "POST")

    def test_events_stream(self):
        host, port = self.service.url.removeprefix("http://").split(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=moowatch.REQUEST_S)
        connection.request("GET", "/api/v1/events")
        answer = connection.getresponse()
        self.assertEqual(answer.headers["Content-Type"], "text/event-stream")
        self.assertEqual(answer.readline(), b": moowatch\n")
        head = self.repository._git("rev-parse", "HEAD")
        self.assertEqual(self.ask("/api/v1/projects/demo/jobs", "POST", {"commit": head[:12], "night": "2024-02-01"},
                                  token=self.run_token)[0] // 100, 2)
        lease = self.lease()
        while not (line := answer.readline()).startswith(b"event: job"):
            self.assertNotEqual(line, b"")
        event = json.loads(answer.readline().removeprefix(b"data: "))
        self.assertEqual(event["project"], "demo")
        self.ask(f"/api/v1/runner/jobs/{lease['job']['id']}/failure", "POST",
                 {"lease": lease["lease"], "phase": "checkout", "reason": "test", "log": "", "retry": False},
                 token=self.runner)
        connection.close()

    def lease(self):
        status, _, body = self.ask("/api/v1/runner/lease", "POST",
                                   {"node": "n1", "version": "0", "labels": [], "wait_seconds": 0}, token=self.runner)
        self.assertEqual(status, 200, body)
        return json.loads(body)


class Strangers(Served):
    def test_tokens_decide(self):
        lease = {"node": "n", "wait_seconds": 0}
        self.problem(self.ask("/api/v1/runner/lease", "POST", lease), 401, "token")
        self.problem(self.ask("/api/v1/runner/lease", "POST", lease, token="mwt_wrong"), 401, "not known")
        self.problem(self.ask("/api/v1/runner/lease", "POST", lease, token=self.run_token), 403, "with the scope")
        self.problem(self.ask("/api/v1/projects/demo/jobs", "POST", {"commit": "abcdef1"}), 401)
        self.problem(self.ask("/api/v1/projects/demo/jobs", "POST", {"commit": "abcdef1"}, token=self.runner), 403)

    def test_other_sites_may_not_write(self):
        body = {"commit": "abcdef1"}
        for headers in [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
                        {"Origin": self.service.url + ".evil.example"}]:
            self.problem(self.ask("/api/v1/projects/demo/jobs", "POST", body, headers, self.run_token), 403, "another site")
        status = self.ask("/api/v1/projects/demo/jobs", "POST", body, {"Origin": self.service.url}, self.run_token)[0]
        self.assertNotEqual(status, 403)

    def test_bad_bodies(self):
        post = lambda body, headers=JSON: self.ask("/api/v1/projects/demo/jobs", "POST", body, headers, self.run_token)
        self.problem(post(b""), 400, "no body")
        self.problem(post(b"{\n\"commit\": }"), 400, "line 2, column")
        self.problem(post(b"[]"), 400, "object")
        self.problem(post(b"{\"commit\": \"\xff\xfe\"}"), 400, "not JSON")
        self.problem(post(b"[" * 3000), 400, "not JSON")
        self.problem(post(b"[" * 60000), 413, "more JSON values")
        self.problem(post(b"{}", {"Content-Type": "text/plain"}), 415, "application/json")
        self.problem(post(b"{\"a\":\"" + b"x" * 70000 + b"\"}"), 413, "65536")
        self.problem(post(b"{\"a\":\"" + b"x" * 5000000 + b"\"}"), 413, "65536")
        for body in [{}, {"commit": 5}, {"commit": "main"}, {"commit": "abc"}, {"commit": "../../x"},
                     {"commit": "abcdef1", "night": "yesterday"}, {"commit": "abcdef1", "night": 7}]:
            self.problem(self.ask("/api/v1/projects/demo/jobs", "POST", body, token=self.run_token), 400)
        self.problem(self.ask("/api/v1/projects/demo/jobs", "POST", {"commit": "abcdef1"}, token=self.run_token), 400,
                     "abcdef1")
        self.problem(self.ask("/api/v1/projects/nope/jobs", "POST", {"commit": "abcdef1"}, token=self.run_token), 404)

    def test_chunked_body_has_the_same_limit(self):
        head = (f"POST /api/v1/projects/demo/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.run_token}\r\n"
                "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n").encode()
        chunk = b"4000\r\n" + b"x" * 0x4000 + b"\r\n"
        self.assertIn(b" 413 ", self.raw(head + chunk * 8 + b"0\r\n\r\n").split(b"\r\n")[0])

    def test_a_body_without_end_is_refused_at_once(self):
        host, port = self.service.url.removeprefix("http://").split(":")
        chunk = b"4000\r\n" + b"x" * 0x4000 + b"\r\n"
        raw = "/api/v1/runner/jobs/1/raw/" + "0" * 64
        cases = [("POST /api/v1/projects/demo/jobs", self.run_token, JSON["Content-Type"], 413, "body_limit_bytes"),
                 ("POST /api/v1/projects/demo/jobs", "mwt_wrong", JSON["Content-Type"], 401, "not known"),
                 ("POST /api/v1/projects/demo/jobs", self.run_token, "text/plain", 415, "application/json"),
                 ("GET /api/v1/projects", self.run_token, "text/plain", 413, "no body"),
                 (f"PUT {raw}", self.runner, "text/plain", 400, "not a zstd frame"),
                 ("POST /api/v1/nothing", self.run_token, "text/plain", 404, "docs/api.md")]
        for line, token, kind, status, word in cases:
            with self.subTest(line), socket.create_connection((host, int(port)), timeout=moowatch.REQUEST_S) as connection:
                connection.sendall((f"{line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
                                    f"Content-Type: {kind}\r\nX-Moowatch-Lease: l\r\nTransfer-Encoding: chunked\r\n\r\n").encode())
                for _ in range(5):  # more than body_limit_bytes, and no last chunk ever
                    connection.sendall(chunk)
                answer = http.client.HTTPResponse(connection, method=line.split()[0])
                answer.begin()
                body = json.loads(answer.read())
                self.assertEqual((answer.status, body["status"], answer.getheader("Connection")), (status, status, "close"))
                self.assertIn(word, body["detail"])
                self.assertEqual(answer.getheader("X-Content-Type-Options"), "nosniff")
                self.assertEqual(connection.recv(1), b"")  # the end, too
                try:  # who goes on nevertheless is cut off
                    for _ in range(4096):
                        connection.sendall(chunk)
                    self.fail("64 MiB were read after the refusal")
                except OSError:
                    pass
        self.assertEqual(self.ask("/healthz")[0], 200)

    def test_nonsense_does_not_stop_the_service(self):
        for data in [b"", b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"GET / HTTP/9.9\r\n\r\n",
                     b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20000 + b"\r\n",
                     b"GET http://x/ HTTP/1.1\r\nHost: localhost\r\n\r\n", b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
                     b"POST /api/v1/runner/lease HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
                     b"POST /api/v1/runner/lease HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
                     b"GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic " + b"A" * 20000 + b"\r\n\r\n"]:
            # The server may answer, cut it off or wait for more; what it thinks of it is awaited by nobody.
            connection = self.connect()
            self.addCleanup(connection.close)
            with contextlib.suppress(OSError):
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
            self.assertEqual(self.ask("/healthz")[0], 200)

    def test_slow_clients_hold_nobody_up(self):
        host, port = self.service.url.removeprefix("http://").split(":")
        slow = [socket.create_connection((host, int(port))) for _ in range(50)]
        for connection in slow:
            connection.sendall(b"POST /api/v1/runner/lease HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
                               b"Content-Type: application/json\r\nAuthorization: Bearer "
                               + self.runner.encode() + b"\r\n\r\n{")
        for _ in range(20):
            self.assertEqual(self.ask("/api/v1/projects")[0], 200)
        for connection in slow:
            connection.close()

    def test_basic_password_is_the_token(self):
        pair = base64.b64encode(f"me:{self.run_token}".encode()).decode()
        status, _, body = self.ask("/api/v1/projects/demo/jobs", "POST", {"commit": "main"},
                                   {"Authorization": f"Basic {pair}"})
        self.assertEqual(status, 400, body)


class Private(Served):
    settings = {**Served.settings, "public_read": False}

    @classmethod
    def setUpClass(cls):
        # without a token nothing can be read, so the wait of the parent would never end
        cls.service = moowatch.Service(settings=cls.settings)
        cls.service.start()

    def test_reading_needs_a_token(self):
        for path in ["/", "/api/v1/projects", "/api/v1/events", "/charts/x.svg"]:
            headers = self.problem(self.ask(path), 401, "token")
            self.assertIn("WWW-Authenticate", headers)
        self.assertEqual(self.ask("/healthz")[0], 200)
        reader = self.token("reader", "read")
        self.assertEqual(self.ask("/api/v1/projects", token=reader)[0], 200)
        for path in ("/charts/x.svg", "/projects/x/badge.svg"):
            status, headers, _ = self.ask(path, token=reader)
            self.assertEqual((status, headers["Cross-Origin-Resource-Policy"]), (404, "same-site"))
        listed = subprocess.run([daemon(), "token", "list", "--config", self.service.folder / "moowatchd.yaml"],
                                check=True, capture_output=True, text=True).stdout
        self.assertIn("reader", listed)
        self.assertNotIn(reader, listed + self.service.log())
        subprocess.run([daemon(), "token", "revoke", "--config", self.service.folder / "moowatchd.yaml", "--name", "reader"],
                       check=True)
        self.problem(self.ask("/api/v1/projects", token=reader), 401)

    def command(self, *words):
        return subprocess.run([daemon(), "token", *words, "--config", self.service.folder / "moowatchd.yaml"],
                              check=True, capture_output=True, text=True).stdout.strip()

    def test_a_rotated_token_has_two_secrets_for_a_while(self):
        admin = self.command("add", "boss", "--scope", "admin", "--expires", "90d")
        old = self.command("add", "ci", "--scope", "read", "--project", "x")
        new = self.command("rotate", "ci", "--grace", "1h")
        for secret in (old, new):
            self.problem(self.ask("/api/v1/projects/x", token=secret), 404)
            self.problem(self.ask("/api/v1/projects/y", token=secret), 403, "this token is only for x")
        self.assertIn(" project x old secret until ", self.command("list"))
        newest = self.command("rotate", "ci", "--grace", "0h")
        for secret in (old, new):
            self.problem(self.ask("/api/v1/projects/x", token=secret), 401)
        self.problem(self.ask("/api/v1/projects/x", token=newest), 404)
        rows = json.loads(self.ask("/api/v1/audit?kind=token", token=admin)[2])["items"]
        self.assertEqual([row["what"].split(":")[0] for row in rows[:4]],
                         ["token ci rotated", "token ci rotated", "token ci added", "token boss added"])
        [boss] = [t for t in json.loads(self.ask("/api/v1/tokens", token=admin)[2])["items"] if t["name"] == "boss"]
        self.assertEqual(boss["expires_ms"] - boss["created_ms"], 90 * 86400000)
        self.service.wait(lambda: "refused" in self.ask("/api/v1/audit?kind=refused", token=admin)[2].decode(), "refusals")

    def test_second_daemon_is_refused(self):
        second = subprocess.run([daemon(), "--config", self.service.folder / "moowatchd.yaml"], capture_output=True,
                                text=True, timeout=moowatch.DEADLINE_S)
        self.assertEqual(second.returncode, 1)
        self.assertIn("another moowatchd", second.stderr)

    def test_the_doctor_tries_server_token_and_name(self):
        other = self.service.folder / "other.token"
        other.write_text(subprocess.run([daemon(), "token", "add", "--config", self.service.folder / "moowatchd.yaml", "--name", "bound",
                                         "--scope", "runner", "--node", "blade7"], check=True, capture_output=True, text=True).stdout)
        other.chmod(0o600)
        wrong = self.service.folder / "wrong.token"
        wrong.write_text("no-such-token\n")
        wrong.chmod(0o600)
        for url, token, node, says in (
                (self.service.url, other, "blade7", "knows the token; this node is blade7"),
                (self.service.url, other, "blade8", "answers 403: this token belongs to another node, blade7, and this one calls itself blade8"),
                (self.service.url, wrong, "blade7", "answers 401: "), ("http://127.0.0.1:1", other, "blade7", "http://127.0.0.1:1")):
            done = subprocess.run([moowatch.BUILD / "runner" / "moowatch-runner", "doctor", "--server", url, "--token-file", token,
                                   "--work-dir", self.service.folder / "doctor", "--node", node], capture_output=True, text=True,
                                  timeout=moowatch.DEADLINE_S)
            text = " ".join(done.stdout.split())
            self.assertIn(says, text)
            self.assertEqual("the server gives it no jobs" in text, not says.startswith("knows"), text)
            self.assertEqual(done.returncode, 1 if "not ready to measure" in text else 0, done.stderr)

    def test_reload_tells_of_the_servers_own_file(self):
        """A changed or broken moowatchd.yaml passed without a word."""
        path = self.service.folder / "moowatchd.yaml"
        text = path.read_text()

        def notify():
            done = subprocess.run([daemon(), "notify", "--config", path, "--project", "told"], capture_output=True, text=True,
                                  timeout=moowatch.DEADLINE_S)
            return done.returncode, done.stderr

        repository = moowatch.Repository(self.service.folder / "told")
        repository.commit("only", "2024-01-01", {"a": "1"})
        project = PROJECT.format(repository=repository.path).replace("demo", "told")
        self.service.project("told", project)
        self.service.daemon.send_signal(signal.SIGHUP)
        self.service.wait(lambda: notify() == (0, ""), "the reload")
        for more, told in (("# changed\n", "restart_needed"), ("nonsense: [\n", "server_file_wrong")):
            path.write_text(text + more)
            if more.startswith("#"):
                self.assertEqual(notify(), (1, f"{path} was changed after the server read it: restart the server; until then it uses the old one\n"))
            self.service.daemon.send_signal(signal.SIGHUP)
            self.service.wait(lambda told=told: told in self.service.log(), told)
        path.write_text(text)
        self.service.project("told", project)
        self.assertIn("told.yaml was changed after the server read it: reload the server (SIGHUP)\n", notify()[1])
        self.service.daemon.send_signal(signal.SIGHUP)
        self.service.wait(lambda: notify() == (0, ""), "the reload")
        (self.service.folder / "projects.d" / "told.yaml").unlink()
        self.service.daemon.send_signal(signal.SIGHUP)
        self.service.wait(lambda: 'project_without_file project=told kept="0 nights, 0 open alerts, ' in self.service.log(), "what stays")

    def test_reload_reads_new_projects(self):
        repository = moowatch.Repository(self.service.folder / "later")
        repository.commit("only", "2024-01-01", {"a": "1"})
        reader = self.token("reader2", "read")
        self.service.project("demo", PROJECT.format(repository=repository.path))
        self.service.daemon.send_signal(signal.SIGHUP)
        self.service.wait(lambda: json.loads(self.ask("/api/v1/jobs", token=reader)[2])["items"], "the new project's night")
        self.service.project("demo", "name: [")
        self.service.daemon.send_signal(signal.SIGHUP)
        self.service.wait(lambda: json.loads(self.ask("/api/v1/status", token=reader)[2])["problems"], "the problem")
        check = subprocess.run([daemon(), "--config", self.service.folder / "moowatchd.yaml", "--check"],
                               capture_output=True, text=True, timeout=moowatch.DEADLINE_S)
        self.assertEqual(check.returncode, 1)
        self.assertRegex(check.stderr, r"demo\.yaml:\d+")


if __name__ == "__main__":
    unittest.main()
