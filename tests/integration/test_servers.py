"""Two servers on one database of PostgreSQL, behind no proxy: either serves, one polls and tells, and the death of any
of the three loses nothing and tells nobody twice."""
import contextlib
import datetime
import http.client
import http.server
import json
import shutil
import signal
import subprocess
import tempfile
import threading
import urllib.error
import urllib.parse

import made_up
import moowatch

TOOL = moowatch.SOURCE / "tests" / "postgres"
PROJECT = """
name: demo
repository: {repository}
since: {since}
detection:
  remeasure: false
notify:
  - {{via: webhook, url: "{url}/hook", secret_file: key}}
"""
CALM, SLOWER = (100, 300, 1000, 2500), (100, 300, 1000, 3400)
NIGHTS = 9


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.told.append(json.loads(body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Stream(threading.Thread):
    """A page of one server that is kept up to date; words: what came."""

    def __init__(self, service):
        super().__init__(daemon=True)
        self.address = urllib.parse.urlsplit(service.url).netloc
        self.words, self.open = [], threading.Event()
        self.start()
        assert self.open.wait(moowatch.DEADLINE_S)

    def run(self):
        connection = http.client.HTTPConnection(self.address, timeout=moowatch.DEADLINE_S)
        connection.request("GET", "/api/v1/events")
        answer = connection.getresponse()
        self.open.set()
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            while line := answer.readline():
                if line.startswith(b"event: "):
                    self.words.append(line[7:].strip().decode())
        connection.close()


def postgres(what, folder):
    subprocess.run([TOOL, what, folder], check=True)


class Servers(made_up.Nights):
    @classmethod
    def setUpClass(cls):
        cls.database = tempfile.mkdtemp(prefix="moowatch-pg-", dir="/tmp")
        shutil.rmtree(cls.database)
        postgres("start", cls.database)
        cls.receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        cls.receiver.told = []
        threading.Thread(target=cls.receiver.serve_forever, daemon=True).start()
        cls.shared = tempfile.mkdtemp(prefix="moowatch-shared-")
        cls.first, cls.second = cls.server(), cls.server()
        repository = moowatch.Repository(cls.first.folder / "repository")
        days = [moowatch.today() - datetime.timedelta(days=n) for n in range(NIGHTS + 1, 1, -1)]
        for number, day in enumerate(days):
            repository.commit(f"night {number}", str(day), {"a": str(number)})
        text = PROJECT.format(repository=repository.path, since=days[0],
                              url=f"http://127.0.0.1:{cls.receiver.server_port}") + made_up.BENCHMARK
        for service in (cls.first, cls.second):
            service.project("demo", text)
            (service.folder / "projects.d" / "key").write_text("s3cret-key\n")
        cls.service = cls.first.start()
        cls.first.wait(lambda: "leader leads" in cls.first.log(), "the first server to lead")
        cls.second.start()
        cls.runner = cls.token("runner")

    @classmethod
    def server(cls):
        return moowatch.Service(settings={
            "database": f"postgresql:host={cls.database} user=moowatch dbname=postgres",
            "shared_dir": cls.shared, "poll_seconds": 3600, "lease_seconds": 5})

    @classmethod
    def tearDownClass(cls):
        ends = []
        for service in (cls.first, cls.second):
            service.daemon.terminate()
            ends.append(service.daemon.wait(timeout=moowatch.DEADLINE_S))
        logs = cls.first.log(), cls.second.log()
        for service in (cls.first, cls.second):
            service.__exit__()
        postgres("stop", cls.database)
        shutil.rmtree(cls.shared, ignore_errors=True)
        cls.receiver.shutdown()
        cls.receiver.server_close()
        assert ends == [0, 0] and "Sanitizer" not in "".join(logs), logs

    def at(self, service):
        type(self).service = service
        return service

    def told(self):
        return [(m["event"], m["project"]) for m in self.receiver.told]

    def has_nights(self, service, count):
        return service.wait(lambda: (lambda n: n if len(n) == count else None)(
            [n for n in service.nights("demo") if n["state"] == "measured"]), f"{count} nights")

    def test_1_either_serves_and_shows_what_the_other_got(self):
        self.second.wait(lambda: self.second.get("/api/v1/status")["queue"]["queued"] == NIGHTS, "the queue")
        self.assertNotIn("leader leads", self.second.log())
        page = Stream(self.second)
        self.at(self.first)
        self.measure(CALM)
        self.has_nights(self.second, 1)
        self.second.wait(lambda: "night" in page.words, "the night on a page of the other server")
        self.has_nights(self.first, 1)
        self.at(self.second)
        self.measure(CALM)
        self.has_nights(self.first, 2)
        for number in range(4):
            self.at((self.first, self.second)[number % 2])
            self.measure(CALM)
        self.has_nights(self.first, 6)
        self.has_nights(self.second, 6)
        self.assertEqual(self.told(), [])

    def test_2_the_first_dies_with_a_job_under_way(self):
        self.at(self.first)
        leased = self.ask("/api/v1/runner/lease", {"node": "n", "version": "0.1", "labels": [], "wait_seconds": 20})
        self.first.kill(self.first.daemon)
        # the lease is the database's: the other server hands the job out again when it is over, to the same node
        self.at(self.second)
        self.second.wait(lambda: "leader leads" in self.second.log(), "the second server to lead")
        self.measure(SLOWER)
        self.has_nights(self.second, 7)
        type(self).left = leased["job"]["night"]
        self.second.wait(lambda: self.told() == [("alert.raised", "demo")], "the message")

    def test_3_it_comes_back_and_follows(self):
        self.first.start()
        self.has_nights(self.first, 7)
        self.at(self.first)
        self.measure(SLOWER)
        self.has_nights(self.second, 8)
        self.first.wait(lambda: "leader leads" in self.second.log(), "the second")
        self.assertEqual(self.first.log().count("leader leads"), 1)

    def test_4_the_database_dies_and_comes_back(self):
        postgres("crash", self.database)
        status, _, body = self.first.status("/api/v1/projects/demo/nights?limit=7")
        self.assertEqual(status, 503, body)
        self.assertIn("does not answer", json.loads(body)["detail"])
        postgres("resume", self.database)
        for service in (self.first, self.second):
            service.wait(lambda s=service: s.status("/api/v1/projects/demo/nights?limit=7")[0] == 200, "the database")
        self.at(self.second)
        self.measure(SLOWER)
        # what the other did is heard again, too
        self.has_nights(self.first, 9)

    def test_5_a_webhook_of_the_follower_is_passed_on(self):
        self.first.wait(lambda: "not_heard" in self.first.log() and
                        self.first.log().count("news listening") >= 1, "news")
        follower = self.second if self.leads() is self.first else self.first
        repository = moowatch.Repository.__new__(moowatch.Repository)
        repository.path = self.first.folder / "repository"
        repository.commit("tonight", str(moowatch.today() - datetime.timedelta(days=1)), {"a": "new"})
        self.at(follower)
        status, _, body = follower.status("/api/v1/projects/demo/poll", "POST", b"{}", {
            "Authorization": f"Bearer {self.token('admin')}", "Content-Type": "application/json"})
        self.assertEqual(status, 202, body)
        follower.wait(lambda: follower.get("/api/v1/status")["queue"]["queued"] == 1, "the new night")

    def leads(self):
        """Whose last word on it is that it does."""
        def last(service):
            lines = [line for line in service.log().splitlines() if " leader leads" in line or " leader follows" in line]
            return lines[-1] if lines else ""
        return max((self.first, self.second), key=lambda s: (" leads" in last(s), last(s)))

    def problem(self, service):
        return service.get("/api/v1/projects/demo")["problem"]

    def test_5_b_servers_that_differ_in_a_project_are_told(self):
        self.assertIsNone(self.problem(self.first))
        file = self.second.folder / "projects.d" / "demo.yaml"
        same = file.read_text()
        file.write_text(same.replace("remeasure: false", "remeasure: false\n  minimum_effect_percent: 9"))
        self.second.daemon.send_signal(signal.SIGHUP)
        for service in (self.first, self.second):
            service.wait(lambda s=service: "different configurations" in (self.problem(s) or ""), "the difference")
            service.wait(lambda s=service: "servers_differ project=demo" in s.log(), "a line of the log")
        file.write_text(same)
        self.second.daemon.send_signal(signal.SIGHUP)
        for service in (self.first, self.second):
            service.wait(lambda s=service: self.problem(s) is None, "agreement")

    def test_5_c_a_newer_server_has_upgraded_the_database(self):
        """What it keeps is not known to these: they read on, write nothing, and say so."""
        self.step(1)
        try:
            status, headers, body = self.first.status("/api/v1/runner/lease", "POST", json.dumps({
                "node": "stranger", "version": "0.1", "labels": [], "wait_seconds": 0}).encode(), {
                    "Authorization": f"Bearer {self.runner}", "Content-Type": "application/json"})
            self.assertEqual(status, 503, body)
            self.assertIn("of a newer version than this server", json.loads(body)["detail"])
            self.assertIn("Retry-After", headers)
            self.assertEqual(self.first.status("/api/v1/projects/demo/nights?limit=3")[0], 200)
            for service in (self.first, self.second):
                service.wait(lambda s=service: "newer version than this server" in s.log(), "a line of the log")
        finally:
            self.step(-1)
        for service in (self.first, self.second):
            service.wait(lambda s=service: self.problem(s) is None, "the project")
        self.first.wait(lambda: self.first.status("/api/v1/runner/lease", "POST", json.dumps({
            "node": "stranger", "version": "0.1", "labels": [], "wait_seconds": 0}).encode(), {
                "Authorization": f"Bearer {self.runner}", "Content-Type": "application/json"})[0] in (200, 204), "writing")

    def step(self, number):
        subprocess.run(["psql", "-q", "-h", self.database, "-U", "moowatch", "-d", "postgres", "-c",
                        f"UPDATE moowatch_schema SET version=version+{number}"], check=True)

    def test_6_nothing_was_told_or_measured_twice(self):
        self.assertEqual(self.told(), [("alert.raised", "demo")])
        for service in (self.first, self.second):
            nights = [n["night"] for n in service.nights("demo") if n["state"] == "measured"]
            self.assertEqual(len(nights), NIGHTS)
            self.assertEqual(len(set(nights)), NIGHTS)
            self.assertIn(self.left, nights)


if __name__ == "__main__":
    import unittest
    unittest.main(verbosity=2)
