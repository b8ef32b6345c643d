"""Webhooks: signed or refused, taken once, on disk before they are answered, measured in the end."""
import base64
import concurrent.futures
import hashlib
import hmac
import json
import pathlib
import re
import signal
import socket
import sqlite3
import subprocess
import unittest

import moowatch
from http_case import PROJECT, daemon

SECRET = "a webhook's secret"


def signature(body, secret=SECRET):
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


class Hooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = moowatch.Service(settings={"poll_seconds": 3600, "webhook_secret_file": "server.secret"})
        (cls.service.folder / "server.secret").write_text("the server's own secret\n")
        (cls.service.folder / "demo.secret").write_text(SECRET + "\n")
        cls.repository = moowatch.Repository(cls.service.folder / "repository")
        cls.first = cls.repository.commit("first", "2024-01-01", {"a": "1"})
        text = PROJECT.format(repository=cls.repository.path)
        cls.service.project("demo", text + "webhook_secret_file: ../demo.secret\n")
        cls.service.project("other", text.replace("name: demo", "name: other").replace("since: 2024-01-01", "branch: next"))
        cls.service.start()
        cls.service.wait(lambda: cls.service.get("/api/v1/jobs")["items"], "the first night")

    @classmethod
    def tearDownClass(cls):
        cls.service.daemon.send_signal(signal.SIGTERM)
        status, log = cls.service.daemon.wait(timeout=moowatch.DEADLINE_S), cls.service.log()
        cls.service.__exit__()
        assert status == 0 and "Sanitizer" not in log, log[-8000:]

    def post(self, where, body, headers=None):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        status, _, answer = self.service.status(f"/api/v1/hooks/{where}", "POST", body,
                                                {"Content-Type": "application/json", **(headers or {})})
        return status, json.loads(answer)

    def github(self, body, event="push", delivery="d", where="github/demo", secret=SECRET, headers=None):
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.post(where, raw, {"X-GitHub-Event": event, "X-GitHub-Delivery": delivery,
                                      "X-Hub-Signature-256": "sha256=" + signature(raw, secret), **(headers or {})})

    def push(self, sha, branch="main", **more):
        return {"ref": f"refs/heads/{branch}", "after": sha, "deleted": False,
                "repository": {"full_name": "o/r", "clone_url": str(self.repository.path)}, **more}

    def jobs_of(self, sha, project="demo"):
        return [j for j in self.service.get(f"/api/v1/jobs?project={project}&limit=5000")["items"]
                if j["commit"]["sha"] == sha]

    def new_commit(self, day):
        return self.repository.commit(f"night {day}", f"2024-03-{day:02}", {"a": f"march {day}"})

    def test_z_push_is_fetched_and_queued(self):
        sha = self.new_commit(9)
        status, answer = self.github(self.push(sha), delivery="one")
        self.assertEqual((status, answer["state"], answer["projects"]), (202, "taken", ["demo"]))
        [job] = self.service.wait(lambda: self.jobs_of(sha), "the commit's job")
        self.assertEqual((job["kind"], job["night"]), ("webhook", "2024-03-09"))
        # the same delivery again, and the same commit by another delivery: not measured twice
        self.assertEqual(self.github(self.push(sha), delivery="one")[0], 200)
        self.assertEqual(self.github(self.push(sha), delivery="two")[0], 202)
        self.assertEqual(len(self.jobs_of(sha)), 1)

    def test_every_provider(self):
        sha = self.new_commit(2)
        gitea = json.dumps(self.push(sha)).encode()
        self.assertEqual(self.post("gitea/demo", gitea, {"X-Gitea-Event": "push", "X-Gitea-Delivery": "g",
                                                         "X-Gitea-Signature": signature(gitea)})[0], 202)
        gitlab = {"object_kind": "push", "ref": "refs/heads/main", "after": sha, "project": {}}
        self.assertEqual(self.post("gitlab/demo", gitlab, {"X-Gitlab-Token": SECRET})[0], 202)
        jenkins = {"name": "job", "build": {"phase": "FINALIZED", "status": "SUCCESS",
                                            "scm": {"branch": "origin/main", "commit": sha}}}
        self.assertEqual(self.post("jenkins/demo?token=a%20webhook%27s%20secret", jenkins,
                                   {"Content-Type": "application/json;charset=UTF-8"})[0], 202)
        generic = json.dumps({"commit": sha}).encode()
        self.assertEqual(self.post("generic/demo", generic,
                                   {"X-Moowatch-Signature-256": "sha256=" + signature(generic)})[0], 202)
        token = subprocess.run([daemon(), "token", "add", "--config", self.service.folder / "moowatchd.yaml", "--name",
                                "jenkins", "--scope", "submit"], check=True, capture_output=True, text=True).stdout.strip()
        pair = base64.b64encode(f"jenkins:{token}".encode()).decode()
        jenkins["build"]["number"] = 2
        self.assertEqual(self.post("jenkins/demo", jenkins, {"Authorization": f"Basic {pair}"})[0], 202)
        self.service.wait(lambda: len(self.jobs_of(sha)) == 1, "one job")

    def test_repository_is_found_by_its_address(self):
        sha = self.new_commit(3)
        self.repository._git("branch", "-f", "next", sha)
        server = "the server's own secret"
        status, answer = self.github(self.push(sha, "next"), delivery="by-address", where="github", secret=server)
        self.assertEqual((status, answer["projects"]), (202, ["other"]))
        self.service.wait(lambda: self.jobs_of(sha, "other"), "the other project's job")
        strange = self.push(sha)
        strange["repository"]["clone_url"] = "https://example.org/x.git"
        self.assertEqual(self.github(strange, where="github", secret=server)[0], 404)
        self.assertEqual(self.github(self.push(sha), where="github", secret=SECRET)[0], 401)

    def test_what_is_refused(self):
        push = self.push("0" * 39 + "1")
        self.assertEqual(self.github(push, secret="wrong")[0], 401)
        self.assertEqual(self.post("github/demo", push, {"X-GitHub-Event": "push"})[0], 401)
        raw = json.dumps(push).encode()
        sha1 = hmac.new(SECRET.encode(), raw, hashlib.sha1).hexdigest()
        self.assertEqual(self.post("github/demo", raw, {"X-GitHub-Event": "push", "X-Hub-Signature": f"sha1={sha1}"})[0], 401)
        self.assertEqual(self.github(push, where="github/nope", secret="the server's own secret")[0], 404)
        self.assertEqual(self.github(push, where="github/nope", secret="wrong")[0], 401)
        self.assertEqual(self.github(push, where="bitbucket/demo")[0], 404)
        for body in [b"", b"{", b"[]", b"\xff", b"[" * 50000, {}, {"ref": 7}, {"ref": "refs/heads/main", "after": "main"},
                     {"ref": "refs/heads/main", "after": "$(reboot)" + "a" * 31}, b'{"ref": "refs/heads/\xff\xfe"}',
                     b'{"ref": "refs/heads/m\\u0000"}', b'{"a":' * 5000 + b"1" + b"}" * 5000]:
            self.assertEqual(self.github(body)[0], 400, body if isinstance(body, dict) else body[:20])
        self.assertEqual(self.post("github/demo", b"x" * (9 << 20))[0], 413)
        self.assertNotIn(SECRET, self.service.log())

    def connect(self, body, extra, where="github/demo"):
        """A connection over which a delivery's head was sent; signed as body, with further header lines."""
        host, port = self.service.url.removeprefix("http://").split(":")
        connection = socket.create_connection((host, int(port)), timeout=moowatch.REQUEST_S)
        connection.sendall((f"POST /api/v1/hooks/{where} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                            "Content-Type: application/json\r\nX-GitHub-Event: push\r\n"
                            f"X-Hub-Signature-256: sha256={signature(body)}\r\n{extra}\r\n").encode())
        return connection

    def answered(self, connection):
        with connection:
            answer = b""
            while block := connection.recv(65536):
                answer += block
        return answer.split(b"\r\n", 1)[0]

    def test_in_pieces(self):
        body = json.dumps(self.push("2" * 40, "elsewhere")).encode()
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[i:i + 7] for i in range(0, len(body), 7)))
        huge = (b"10000\r\n" + b" " * 0x10000 + b"\r\n") * 160 + b"0\r\n\r\n"
        for sent, expected in ((chunks + b"0\r\n\r\n", b" 200 "), (b"zz\r\n" + body, b" 400 "), (huge, b" 413 ")):
            connection = self.connect(body, "Transfer-Encoding: chunked\r\n")
            try:
                connection.sendall(sent)
            except OSError:
                pass  # it has answered before all was sent
            self.assertIn(expected, self.answered(connection), sent[:20])

    def test_slow_senders_hold_nobody_up(self):
        sha = self.new_commit(4)
        body = json.dumps(self.push(sha)).encode()
        slow = [self.connect(body, f"X-GitHub-Delivery: slow{n}\r\nContent-Length: {len(body)}\r\n") for n in range(40)]
        for connection in slow:
            connection.sendall(body[:-1])
        self.assertEqual(self.github({"zen": "x"}, event="ping")[0], 200)
        self.assertEqual(self.jobs_of(sha), [])
        for connection in slow[1:]:  # gone in the middle: nothing was taken
            connection.close()
        slow[0].sendall(body[-1:])
        self.assertIn(b" 202 ", self.answered(slow[0]))
        self.service.wait(lambda: len(self.jobs_of(sha)) == 1, "the one that was sent whole")
        database = sqlite3.connect(self.service.folder / "data" / "moowatch.db")
        names = [row[0] for row in database.execute("SELECT delivery FROM delivery WHERE delivery LIKE '%slow%'")]
        database.close()
        self.assertEqual(len(names), 1, names)

    def test_names_that_would_be_paths(self):
        for where in ["github/..", "github/../../projects/demo", "github/%2e%2e/demo", "github/..%2fdemo", "github/demo%00",
                      "github/%ff", "../hooks/github/demo", "github//demo", "github/demo/x", "github/demo%0aX"]:
            for secret in (SECRET, "the server's own secret"):
                status, _ = self.github(self.push("3" * 40), where=where, secret=secret)
                self.assertIn(status, (400, 401, 404), where)

    def test_a_branch_that_would_break_a_shell_a_page_or_a_log(self):
        evil = "<svg/onload=alert(1)>;touch${IFS}$(id)`id`'\"&%0a%s%n"
        sha = self.new_commit(5)
        self.repository._git("branch", "-f", evil, sha)
        with moowatch.Service(settings={"poll_seconds": 3600, "webhook_secret_file": "secret"}) as service:
            (service.folder / "secret").write_text(SECRET)
            text = PROJECT.format(repository=self.repository.path).replace("since:", f"branch: {json.dumps(evil)}\nsince:")
            service.project("demo", text)
            service.start()
            service.wait(lambda: service.get("/api/v1/jobs")["items"], "the first nights")
            self.assertEqual(service.get("/api/v1/projects/demo")["branch"], evil)
            later = self.new_commit(6)
            self.repository._git("branch", "-f", evil, later)
            for branch, expected in ((evil, 202), (evil + "x", 200), ("a\nmoowatchd: all is well", 400), ("a\x1b[2J", 400),
                                     ("--upload-pack=id", 400), ("../../x", 400), ("\u2028\u202e", 200)):
                body = json.dumps(self.push(later, branch)).encode()
                status, _, answer = service.status("/api/v1/hooks/github/demo", "POST", body, {
                    "Content-Type": "application/json", "X-GitHub-Event": "push", "X-GitHub-Delivery": branch.encode().hex(),
                    "X-Hub-Signature-256": "sha256=" + signature(body)})
                self.assertEqual(status, expected, (branch, answer))
            service.wait(lambda: [j for j in service.get("/api/v1/jobs")["items"] if j["commit"]["sha"] == later],
                         "the pushed commit's job")
            for page in ("/embed/demo", "/charts/demo.svg", "/projects/demo/badge.svg", "/feed.atom"):
                status, _, html = service.status(page)
                self.assertEqual((status, b"<svg/onload" in html), (200, False), page)
            self.assertNotRegex(service.log(), "[\x00-\x09\x0b-\x1f\x7f\u2028\u202e]")
            self.assertEqual([line for line in service.log().splitlines() if not re.match(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (info|warning|error)|http:)", line)], [])
            self.assertEqual([name for name in service.folder.rglob("*") if "uid=" in name.name or name.name == "id"], [])

    def test_what_is_ignored(self):
        self.assertEqual(self.github({"zen": "x"}, event="ping")[1]["state"], "pong")
        for body in [self.push("1" * 40, "elsewhere"), self.push("0" * 40), self.push("1" * 40, deleted=True),
                     {"ref": "refs/tags/v1", "after": "1" * 40}]:
            status, answer = self.github(body)
            self.assertEqual((status, answer["state"]), (200, "ignored"))

    def test_a_commit_that_is_nowhere_is_given_up(self):
        with moowatch.Service(settings={"poll_seconds": 1, "webhook_secret_file": "secret"}) as service:
            (service.folder / "secret").write_text(SECRET)
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("first", "2024-01-01", {"a": "1"})
            service.project("demo", PROJECT.format(repository=repository.path))
            service.start()
            body = json.dumps({"commit": "12" * 20}).encode()
            status, _, _ = service.status("/api/v1/hooks/generic/demo", "POST", body,
                                          {"X-Hub-Signature-256": "sha256=" + signature(body),
                                           "Content-Type": "application/json"})
            self.assertEqual(status, 202)
            service.wait(lambda: re.search("delivery_dead .* reason=.", service.log()), "it to be given up")

    def test_taken_before_a_kill_is_there_after_it(self):
        with moowatch.Service(settings={"poll_seconds": 3600, "webhook_secret_file": "secret"}) as service:
            (service.folder / "secret").write_text(SECRET)
            repository = moowatch.Repository(service.folder / "repository")
            shas = [repository.commit(f"c{n}", "2024-01-01", {"a": str(n)}) for n in range(8)]
            service.project("demo", PROJECT.format(repository=repository.path))
            service.start()
            service.wait(lambda: service.get("/api/v1/jobs")["items"], "the night")

            def deliver(number):
                body = json.dumps({"commit": shas[number % 8], "n": number}).encode()
                try:
                    status, _, answer = service.status("/api/v1/hooks/generic/demo", "POST", body,
                                                       {"X-Hub-Signature-256": "sha256=" + signature(body),
                                           "Content-Type": "application/json"})
                except OSError:
                    return None
                return json.loads(answer)["delivery"] if status == 202 else None

            with concurrent.futures.ThreadPoolExecutor(16) as pool:
                futures = [pool.submit(deliver, n) for n in range(600)]
                service.wait(lambda: sum(f.done() for f in futures) > 200, "some answers")
                service.kill(service.daemon)
                taken = {f.result() for f in futures} - {None}
            self.assertGreater(len(taken), 100)
            database = sqlite3.connect(service.folder / "data" / "moowatch.db")
            found = {row[0] for row in database.execute("SELECT delivery FROM delivery")}
            database.close()
            self.assertEqual(taken - found, set())
            service.start()
            service.wait(lambda: {j["commit"]["sha"] for j in service.get("/api/v1/jobs?limit=5000")["items"]} == set(shas),
                         "every commit to be queued")
            self.assertEqual(len(service.get("/api/v1/jobs?limit=5000")["items"]), 8)

    def test_a_backlog_of_many_commits_is_taken_whole(self):
        """More than the poller takes at one poll, with no further webhook and no poll soon to wake it."""
        with moowatch.Service(settings={"poll_seconds": 3600, "webhook_secret_file": "secret"}) as service:
            (service.folder / "secret").write_text(SECRET)
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("night", "2024-01-01", {"a": "0"})
            commits = "".join(f"commit refs/heads/other\ncommitter N <n@example.org> {1704110400 + n} +0000\n"
                              f"data 1\nc\n" for n in range(1200))
            subprocess.run(["git", "-C", repository.path, "fast-import", "--quiet"], input=commits, text=True, check=True)
            shas = subprocess.run(["git", "-C", repository.path, "rev-list", "other"], check=True, capture_output=True,
                                  text=True).stdout.split()
            service.project("demo", PROJECT.format(repository=repository.path))
            service.start()
            service.wait(lambda: service.get("/api/v1/jobs")["items"], "the night")
            service.kill(service.daemon)
            with sqlite3.connect(service.folder / "data" / "moowatch.db") as database:
                database.executemany("INSERT INTO delivery(provider, delivery, project_id, sha, state)"
                                     " VALUES('generic', ?, 1, ?, 'waiting')", [(sha, sha) for sha in shas])
            database.close()
            service.start()
            service.wait(lambda: service.get("/api/v1/status")["queue"]["queued"] == 1201, "every commit to be queued")


class NotNow(unittest.TestCase):
    """What cannot be judged or kept at the moment is repeated by its sender: 503, never a 4xx."""

    def post(self, service, where="demo", secret=SECRET, sha="3" * 40):
        body = json.dumps({"commit": sha}).encode()
        status, headers, _ = service.status(f"/api/v1/hooks/generic/{where}", "POST", body, {
            "Content-Type": "application/json", "X-Moowatch-Signature-256": "sha256=" + signature(body, secret)})
        return status, headers.get("Retry-After")

    def test_a_fault_on_our_side_is_said_to_be_one(self):
        with moowatch.Service(settings={"poll_seconds": 3600}) as service:
            secret = service.folder / "demo.secret"
            secret.write_text(SECRET)
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("first", "2024-01-01", {"a": "1"})
            text = PROJECT.format(repository=repository.path) + "webhook_secret_file: ../demo.secret\n"
            service.project("demo", text)
            service.start()
            self.assertEqual(self.post(service), (202, None))
            self.assertEqual(self.post(service, "other")[0], 401)
            secret.rename(service.folder / "away")
            self.assertEqual(self.post(service), (503, "60"))
            (service.folder / "away").rename(secret)
            with sqlite3.connect(service.folder / "data" / "moowatch.db") as database:
                database.execute("UPDATE project SET name='gone'")
            self.assertEqual(self.post(service, sha="4" * 40), (503, "60"))
            with sqlite3.connect(service.folder / "data" / "moowatch.db") as database:
                database.execute("UPDATE project SET name='demo'")
            self.assertEqual(self.post(service, sha="4" * 40), (202, None))
            # its file has a fault for a while: whether it is watched is not known
            service.project("demo", text + "no_such_key: 1\n")
            service.daemon.send_signal(signal.SIGHUP)
            service.wait(lambda: self.post(service, sha="4" * 40) == (503, "60"), "not known now")
            service.project("demo", text)
            service.daemon.send_signal(signal.SIGHUP)
            service.wait(lambda: self.post(service, sha="5" * 40) == (202, None), "known again")


class Gitea(unittest.TestCase):
    """gitea.jsonl: what 1.26.0 sent on 2026-11-29, without members that nobody reads. The event's name is the same for each type."""

    def test_what_it_sent_is_understood(self):
        with moowatch.Service(settings={"poll_seconds": 3600}) as service:
            (service.folder / "demo.secret").write_text(SECRET)
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("first", "2024-01-01", {"a": "1"})
            service.project("demo", PROJECT.format(repository=repository.path).replace("minutes: 5", "minutes: 5, label: measure-overhead") +
                            "webhook_secret_file: ../demo.secret\nnotify:\n  - {via: github-issue, repository: ada/callmon, "
                            'url: "http://127.0.0.1:1/api/v1", secret_file: ../demo.secret}\n')
            service.start()

            def send(sent):
                raw = json.dumps(sent["body"]).encode()
                status, _, answer = service.status("/api/v1/hooks/gitea/demo", "POST", raw, {
                    "Content-Type": "application/json", "X-Gitea-Event": sent["event"], "X-Gitea-Event-Type": sent["type"],
                    "X-Gitea-Delivery": sent["delivery"], "X-Gitea-Signature": signature(raw)})
                self.assertEqual((status, json.loads(answer)["state"]), (202, "taken"), (sent, answer))

            def pulls():
                return {one["number"]: one for one in service.get("/api/v1/projects/demo/pull-requests")["items"]}

            push, opened, labelled, pushed, closed, reopened = map(
                json.loads, (pathlib.Path(__file__).parent / "gitea.jsonl").read_text(encoding="utf-8").splitlines())
            send(push)
            send(opened)
            one = service.wait(lambda: pulls().get(4), "the fork's")
            self.assertEqual((one["state"], one["author"], one["fork"]), ("held", "bob", True))
            send(labelled)
            service.wait(lambda: pulls()[4]["state"] != "held", "its label")
            send(pushed)
            one = service.wait(lambda: pulls().get(2), "one that was pushed to")
            self.assertEqual((one["author"], one["fork"], one["commit"]), ("ada", False, pushed["body"]["pull_request"]["head"]["sha"]))
            send(closed)
            send(reopened)


if __name__ == "__main__":
    unittest.main(verbosity=2)
