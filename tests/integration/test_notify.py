"""A real daemon tells real receivers: a mail server, GitHub's own signature check and API description, a feed reader."""
import os
import sys

try:
    from aiosmtpd.controller import Controller
    import feedparser
except ModuleNotFoundError:  # Debian's packages belong to Debian's interpreter
    if os.path.realpath(sys.executable) == os.path.realpath("/usr/bin/python3"):
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", "-W", "ignore", *sys.argv])

import datetime
import email
import email.policy
import http.server
import json
import re
import socket
import sqlite3
import ssl
import subprocess
import threading
import unittest
import xml.etree.ElementTree

import made_up
import moowatch
import peers_npm

PROJECT = """
name: demo
title: Démo <b>
repository: {repository}
since: {since}
benchmark:
  driver: native
  loops: 5
  total_calls: 200
  rest_seconds: 0
  configurations:
    - {{name: none, portion: T}}
    - {{name: deactivated, portion: I, parent: none}}
    - {{name: collecting, portion: C, parent: deactivated}}
    - {{name: writing, portion: "Wé", parent: collecting}}
notify:
  - {{via: mail, to: [nora@example.org, kim@example.org]}}
  - {{via: slack, url: "{url}/slack"}}
  - {{via: webhook, url: "{url}/hook?token=v3ry-s3cret", secret_file: key}}
  - {{via: github-status, repository: o/r, url: "{url}", secret_file: key}}
  - {{via: github-check, repository: o/r, url: "{url}", secret_file: key}}
  - {{via: github-issue, repository: o/r, url: "{url}", secret_file: key}}
"""


# What would end a mail, begin another one and name further receivers, where a line of it stood as it is.
SMUGGLED = "\r\n.\r\nMAIL FROM:<eve@example.net>\rRCPT TO:<eve@example.net>\nBcc: eve@example.net"


class Mailbox:
    def __init__(self):
        self.mails = []

    async def handle_DATA(self, _server, _session, envelope):
        self.mails.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        return "250 OK"


class MailServer(Controller):
    """On a port that the system chooses; told as soon as it listens."""

    def __init__(self, mailbox):
        self.listener = socket.create_server(("127.0.0.1", 0))
        super().__init__(mailbox, hostname="127.0.0.1", port=self.listener.getsockname()[1])

    def _create_server(self):
        return self.loop.create_server(self._factory_invoker, sock=self.listener)


class Receiver(http.server.BaseHTTPRequestHandler):
    """Keeps what came; answers as GitHub or Slack would."""

    def do(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.requests.append((self.command, self.path, dict(self.headers), body))
        answer = b'{"number": 8}' if self.path.startswith("/repos") else b"ok"
        self.send_response(201 if self.path.startswith("/repos") else 200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = do_PATCH = do

    def log_message(self, *_):
        pass


def node(script, data):
    done = subprocess.run(["node", script], cwd=peers_npm.folder(), input=json.dumps(data), capture_output=True, text=True,
                          timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Told(made_up.Nights):
    @classmethod
    def setUpClass(cls):
        cls.mailbox = Mailbox()
        cls.smtp = MailServer(cls.mailbox)
        cls.smtp.start()
        cls.receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        cls.receiver.requests = []
        threading.Thread(target=cls.receiver.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{cls.receiver.server_port}"
        cls.service = moowatch.Service(settings={
            "poll_seconds": 3600, "public_url": "https://overhead.example.org",
            "mail": {"url": f"smtp://127.0.0.1:{cls.smtp.port}", "from": "moowatch@example.org"}})
        repository = moowatch.Repository(cls.service.folder / "repository")
        today = moowatch.today()
        days = [today - datetime.timedelta(days=n) for n in range(9, 1, -1)]
        for number, day in enumerate(days):
            subject = f"Schreibe <script> & Ä{SMUGGLED}" if number == 6 else f"night {number}"
            repository.commit(subject, str(day), {"a": str(number)})
        cls.service.project("demo", PROJECT.format(repository=repository.path, since=days[0], url=url))
        (cls.service.folder / "projects.d" / "key").write_text("s3cret-key\n")
        cls.service.start()
        cls.service.wait(lambda: cls.service.get("/api/v1/status")["queue"]["queued"] == 8, "eight jobs")
        cls.runner = cls.token("runner")
        for number in range(6):
            cls.measure((100, 300, 1000, 2500))
        cls.measure((100, 300, 1000, 3400))
        cls.service.wait(lambda: cls.mailbox.mails, "the mail")
        for where in ("POST /slack", "POST /hook", "POST /repos/o/r/issues"):
            cls.service.wait(lambda: cls.of(where), where)
        cls.measure((100, 300, 1000, 3400))
        for where, count in (("POST /repos/o/r/statuses", 7), ("POST /repos/o/r/check-runs", 8)):  # the first night has no status
            cls.service.wait(lambda: len(cls.of(where)) == count, f"{where} for each night")

    @classmethod
    def tearDownClass(cls):
        cls.service.daemon.terminate()
        status = cls.service.daemon.wait(timeout=moowatch.DEADLINE_S)
        log = cls.service.log()
        cls.service.__exit__()
        cls.smtp.stop()
        cls.receiver.shutdown()
        cls.receiver.server_close()
        assert status == 0 and "Sanitizer" not in log, log[-6000:]

    @classmethod
    def of(cls, *starts):
        return [r for r in cls.receiver.requests if any(f"{r[0]} {r[1]}".startswith(start) for start in starts)]

    def test_mail(self):
        self.assertEqual(len(self.mailbox.mails), 1)
        sender, receivers, content = self.mailbox.mails[0]
        self.assertEqual((sender, receivers), ("moowatch@example.org", ["nora@example.org", "kim@example.org"]))
        mail = email.message_from_bytes(content, policy=email.policy.default)
        self.assertRegex(mail["Subject"], r"^\[overhead\] Démo <b>: Wé rose by 60\.\d %$")
        self.assertEqual([a.addr_spec for a in mail["To"].addresses], receivers)
        self.assertRegex(mail["Message-ID"], r"^<demo\.mail-[0-9a-f]{16}\.alert\.\d+\.raised@example\.org>$")
        self.assertEqual(mail["Auto-Submitted"], "auto-generated")
        self.assertIn("demo.moowatch.example.org", mail["List-Id"])
        self.assertIsNotNone(mail["Date"].datetime)
        self.assertFalse(mail.defects)
        self.assertNotIn(b"=0A", content)
        self.assertEqual(mail.get_content_type(), "multipart/alternative")
        text = mail.get_body(("plain",)).get_content()
        self.assertIn("https://overhead.example.org/alerts/", text)
        self.assertIn("Schreibe <script> & Ä", text)
        html = mail.get_body(("html",)).get_content()
        self.assertNotIn("<script>", html)
        self.assertIn("cid:chart", html)
        images = [part for part in mail.walk() if part.get_content_type() == "image/png"]
        self.assertEqual([part["Content-ID"] for part in images], ["<chart>"])
        self.assertTrue(images[0].get_content().startswith(b"\x89PNG"))

    def test_slack(self):
        [(_, _, _, body)] = self.of("POST /slack")
        message = json.loads(body)
        self.assertIn("Wé rose by 60", message["text"])
        self.assertNotIn("<script>", body.decode())
        self.assertLessEqual(len(message["blocks"]), 50)

    def test_webhook_is_verified_by_octokit(self):
        [(_, path, headers, body)] = self.of("POST /hook")
        self.assertEqual(path, "/hook?token=v3ry-s3cret")
        check = {"secret": "s3cret-key", "body": body.decode(), "signature": headers["X-Moowatch-Signature-256"]}
        self.assertEqual(node("webhook.mjs", check).strip(), "true")
        self.assertEqual(node("webhook.mjs", {**check, "body": check["body"] + " "}).strip(), "false")
        self.assertEqual(headers["X-Moowatch-Event"], "alert.raised")
        self.assertEqual(json.loads(body)["schema_version"], 1)

    def test_github_calls_fit_its_description(self):
        calls = self.of("POST /repos", "PATCH /repos", "GET /repos")
        self.assertEqual(len(calls), 7 + 8 + 1)
        self.assertEqual({r[2]["Authorization"] for r in calls}, {"Bearer s3cret-key"})
        self.assertEqual(node("github.mjs", [{"method": r[0], "path": r[1], "body": json.loads(r[3]) if r[3] else None}
                                             for r in calls]), "")
        states = [json.loads(r[3])["state"] for r in self.of("POST /repos/o/r/statuses")]
        self.assertEqual(states.count("failure"), 1)
        [issue] = self.of("POST /repos/o/r/issues")
        self.assertIn("[overhead] Démo <b>", json.loads(issue[3])["title"])
        self.assertNotIn("<script>", json.loads(issue[3])["body"])

    def test_feed(self):
        for path in ("/feed.atom", "/projects/demo/feed.atom"):
            status, headers, body = self.service.status(path)
            self.assertEqual((status, headers["Content-Type"]), (200, "application/atom+xml; charset=utf-8"))
            feed = feedparser.parse(body)
            self.assertFalse(feed.bozo, feed.get("bozo_exception"))
            self.assertEqual(feed.version, "atom10")
            [entry] = feed.entries
            self.assertTrue(entry.id.startswith("https://overhead.example.org/alerts/"))
            self.assertEqual(entry.link, entry.id)
            self.assertIn("Wé", entry.title)
            self.assertTrue(entry.updated_parsed and entry.published_parsed)
        self.assertEqual(self.service.status("/projects/nothing/feed.atom")[0], 404)

    def test_badge(self):
        for query in ("", "?portion=I", "?portion=W%C3%A9"):
            status, headers, body = self.service.status("/projects/demo/badge.svg" + query)
            self.assertEqual((status, headers["Content-Type"]), (200, "image/svg+xml"))
            xml.etree.ElementTree.fromstring(body)
        shields = self.service.get("/projects/demo/badge.json?portion=I")
        self.assertEqual(set(shields), {"schemaVersion", "label", "message", "color", "isError", "cacheSeconds"})
        self.assertRegex(shields["message"], r"^[\d.]+ [nµm]?s ±[\d.]+ %$")
        self.assertTrue(self.service.get("/projects/demo/badge.json?portion=W%C3%A9")["isError"])
        self.assertEqual(self.service.status("/projects/demo/badge.svg?portion=X")[0], 404)

    def test_y_a_decision_ends_no_mail(self):
        """The mail server has one mail, for whom the rule names, whatever lines a reason has."""
        alert = self.service.alerts("demo")[0]["id"]
        status, _, answer = self.service.status(
            f"/api/v1/alerts/{alert}/state", "POST", json.dumps({"state": "accepted", "reason": f"fine{SMUGGLED}"}).encode(),
            {"Authorization": f"Bearer {self.token('run')}", "Content-Type": "application/json"})
        self.assertEqual(status, 200, answer)
        self.service.wait(lambda: len(self.mailbox.mails) == 2, "the second mail")
        for sender, receivers, content in self.mailbox.mails:
            self.assertEqual((sender, receivers), ("moowatch@example.org", ["nora@example.org", "kim@example.org"]))
            mail = email.message_from_bytes(content, policy=email.policy.default)
            self.assertNotIn("Bcc", mail)
            self.assertFalse(mail.defects)
            self.assertIn(". MAIL FROM:<eve@example.net> RCPT TO:<eve@example.net> Bcc: eve@example.net",
                          " ".join(mail.get_body(("plain",)).get_content().split()))

    def waiting(self):
        with sqlite3.connect(f"file:{self.service.folder}/data/moowatch.db?mode=ro", uri=True) as database:
            return database.execute("SELECT count(*) FROM outbox WHERE state='waiting'").fetchone()[0]

    def test_z_by_hand(self):
        self.service.wait(lambda: self.waiting() == 0, "what is still to be sent of the decision before")
        mails, requests = len(self.mailbox.mails), len(self.receiver.requests)
        done = subprocess.run([moowatch.BUILD / "server" / "moowatchd", "notify", "--config",
                               self.service.folder / "moowatchd.yaml", "--project", "demo"], capture_output=True,
                              text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout.count("delivered"), done.stderr), (0, 3, ""), done)
        self.assertIn("reached; a test opens no issue", done.stdout)
        self.assertNotIn("s3cret", done.stdout)
        self.assertEqual((len(self.mailbox.mails) - mails, len(self.receiver.requests) - requests), (1, 3))
        self.assertIn(b"a test message, nothing changed", self.receiver.requests[-2][3])
        done = subprocess.run([moowatch.BUILD / "server" / "moowatchd", "notify", "--config",
                               self.service.folder / "moowatchd.yaml", "--project", "other"], capture_output=True,
                              text=True, timeout=60)
        self.assertEqual((done.returncode, "other" in done.stderr), (1, True))

    def test_zz_its_issue_answers_the_alert(self):
        """GitHub opened issue 8 of it; what people do there is their decision."""
        alert = self.service.alerts("demo")[0]["id"]
        token = self.token("admin")

        def hear(action, repository="o/r", number=8, label=None, author="grace"):
            body = {"action": action, "repository": {"full_name": repository}, "sender": {"login": author},
                    "issue": {"number": number, "labels": [{"name": label}] if label else [], "state_reason": "completed"}}
            status, _, answer = self.service.status("/api/v1/hooks/github/demo", "POST", json.dumps(body).encode(), {
                "Authorization": f"Bearer {token}", "Content-Type": "application/json", "X-GitHub-Event": "issues"})
            self.assertLess(status, 300, answer)
            return json.loads(answer)["state"]

        def state():
            return self.service.get(f"/api/v1/alerts/{alert}")["state"]

        self.assertEqual(state(), "accepted")
        self.assertEqual(hear("reopened", repository="o/other"), "ignored")
        self.assertEqual(hear("reopened", number=9), "taken")
        self.assertEqual(hear("reopened", author="\u202e"), "taken")  # no name is left of it: it holds up none
        self.assertEqual(hear("reopened"), "taken")
        self.service.wait(lambda: state() == "open", "the alert that is opened again")
        self.assertEqual(hear("closed", label="false alarm"), "taken")
        self.service.wait(lambda: state() == "false", "the alert that was none")
        for reason in ("no alert was told in this issue", "the answer cannot be taken"):
            self.assertIn(f'nothing_follows project=demo provider=github reason="{reason}"', self.service.log())
        decided = self.service.get(f"/api/v1/alerts/{alert}")["audit"][-2:]
        self.assertEqual([(d["author"], d["reason"]) for d in decided], [
            ("grace", "issue 8 was reopened"), ("grace", 'issue 8 was closed with the label "false alarm"')])

    def test_no_secret_in_the_log(self):
        log = self.service.log()
        self.assertIn("notify sent", log)
        for secret in ("s3cret-key", "v3ry-s3cret", self.runner):
            self.assertNotIn(secret, log)


class Redirect(http.server.BaseHTTPRequestHandler):
    """Sends everybody on to another host."""

    def do_POST(self):
        self.server.seen += 1
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(307)
        self.send_header("Location", self.server.target)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Refusing(Mailbox):
    """A mail server that is busy at first, and does not know kim."""

    async def handle_MAIL(self, _server, _session, envelope, address, _options):
        self.tries = getattr(self, "tries", 0) + 1
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, _server, _session, envelope, address, _options):
        if address.startswith("kim"):
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"


class Misbehaving(made_up.Nights):
    """Receivers that hang, redirect, show a wrong certificate; the others are told all the same, and the daemon ends."""

    def setUp(self):
        self.hang = socket.create_server(("127.0.0.1", 0))  # takes connections, never reads
        self.addCleanup(self.hang.close)
        self.good = self.serve(Receiver, requests=[])
        self.redirect = self.serve(Redirect, seen=0, target=f"http://localhost:{self.good.server_port}/stolen")
        self.service = moowatch.Service(settings={"poll_seconds": 3600})
        self.addCleanup(self.service.__exit__)
        certificate = self.service.folder / "c.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=else",
                        "-keyout", certificate, "-out", self.service.folder / "cert"], check=True, capture_output=True)
        certificate.write_text(certificate.read_text() + (self.service.folder / "cert").read_text())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self.tls = self.serve(Receiver, context, requests=[])
        self.mailbox = Refusing()
        smtp = MailServer(self.mailbox)
        smtp.start()
        self.addCleanup(smtp.stop)
        self.service.settings["mail"] = {"url": f"smtp://127.0.0.1:{smtp.port}", "from": "moowatch@example.org"}

    def serve(self, handler, context=None, **fields):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        vars(server).update(fields)
        if context:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def test_all_of_them(self):
        repository = moowatch.Repository(self.service.folder / "repository")
        today = moowatch.today()
        days = [today - datetime.timedelta(days=n) for n in range(8, 1, -1)]
        for day in days:
            repository.commit(f"night {day}", str(day), {"a": str(day)})
        hooks = [f"http://127.0.0.1:{self.redirect.server_port}/", f"https://127.0.0.1:{self.tls.server_port}/",
                 f"http://127.0.0.1:{self.good.server_port}/slack",
                 f"http://127.0.0.1:{self.hang.getsockname()[1]}/?t=s3cret"]
        rules = "".join(f'  - {{via: slack, url: "{url}"}}\n' for url in hooks)
        self.service.project("demo", f"name: demo\nrepository: {repository.path}\nsince: {days[0]}\n{made_up.BENCHMARK}"
                                     f"notify:\n{rules}  - {{via: mail, to: [nora@example.org, kim@example.org]}}\n")
        self.service.start()
        self.service.wait(lambda: self.service.get("/api/v1/status")["queue"]["queued"] == 7, "seven jobs")
        type(self).service, type(self).runner = self.service, self.token_of("runner")
        for _ in range(6):
            self.measure((100, 300, 1000, 2500))
        self.measure((100, 300, 1000, 3400))
        self.service.wait(lambda: len(self.good.requests) == 1, "the good one to be told", 120)
        self.service.wait(lambda: len(self.mailbox.mails) == 1, "the mail to those who exist")
        for failure in ("(?i)certificate|SSL peer", "which is not followed"):
            self.service.wait(lambda: re.search(failure, self.service.log()), failure, 120)
        self.assertEqual(self.mailbox.mails[0][1], ["nora@example.org"])
        self.assertEqual([r[1] for r in self.good.requests], ["/slack"])
        self.assertEqual((self.redirect.seen, self.tls.requests), (1, []))
        # while a receiver hangs, the daemon ends at once
        self.service.daemon.terminate()
        self.assertEqual(self.service.daemon.wait(timeout=moowatch.DEADLINE_S), 0)
        log = self.service.log()
        self.assertNotIn("s3cret", log)

    def token_of(self, scope):
        return subprocess.run([moowatch.BUILD / "server" / "moowatchd", "token", "add", "--config",
                               self.service.folder / "moowatchd.yaml", "--name", scope, "--scope", scope],
                              check=True, capture_output=True, text=True).stdout.strip()


class Operator(unittest.TestCase):
    def test_a_disk_without_room_is_told_once(self):
        mailbox = Mailbox()
        smtp = MailServer(mailbox)
        smtp.start()
        self.addCleanup(smtp.stop)
        with moowatch.Service(settings={
                "poll_seconds": 3600, "disk_reserve_bytes": 1 << 40,
                "mail": {"url": f"smtp://127.0.0.1:{smtp.port}", "from": "moowatch@example.org", "operator": "ops@example.org"}}) as service:
            service.start()
            service.wait(lambda: mailbox.mails, "the mail")
            sender, to, content = mailbox.mails[0]
            mail = email.message_from_bytes(content, policy=email.policy.default)
            self.assertEqual((sender, to, mail["Subject"]), ("moowatch@example.org", ["ops@example.org"], "[overhead] moowatchd needs its operator"))
            self.assertIn("must stay free (disk_reserve_bytes)", mail.get_body(("plain",)).get_content())
            self.assertEqual(service.get("/readyz")["problems"], 1)
            self.assertEqual(len(mailbox.mails), 1)

    def test_an_unreachable_repository_is_told_once_over_a_restart(self):
        mailbox = Mailbox()
        smtp = MailServer(mailbox)
        smtp.start()
        self.addCleanup(smtp.stop)
        with socket.create_server(("127.0.0.1", 0)) as closed:
            nowhere = f"git://127.0.0.1:{closed.getsockname()[1]}/x.git"
        with moowatch.Service(settings={
                "mail": {"url": f"smtp://127.0.0.1:{smtp.port}", "from": "moowatch@example.org", "operator": "ops@example.org"}}) as service:
            service.project("gone", PROJECT.format(repository=nowhere, since="2024-01-01", url="http://127.0.0.1:1").replace("name: demo", "name: gone"))
            service.start()
            service.wait(lambda: service.get("/readyz")["problems"] == 1, "two questions in vain")
            self.assertIn("poller failed project=gone", service.log())
            self.assertTrue(service.get("/api/v1/projects/gone")["problem"])
            self.assertNotIn("repository of gone", str(service.get("/api/v1/status")["problems"]))  # without a token
            service.stop()
            service.start()  # looks at once, not after a minute
            service.wait(lambda: mailbox.mails, "the mail")
            text = email.message_from_bytes(mailbox.mails[0][2], policy=email.policy.default).get_body(("plain",)).get_content()
            self.assertIn("repository of gone: it could not be read since ", text)

            def asked_ms():
                return service.get("/api/v1/projects/gone")["polled_ms"]
            service.stop()
            service.start()
            before_ms = asked_ms()
            service.wait(lambda: asked_ms() > before_ms, "another question")
            # the first round after the start has looked
            service.daemon.terminate()
            self.assertEqual(service.daemon.wait(timeout=moowatch.DEADLINE_S), 0)
            self.assertEqual(len(mailbox.mails), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
