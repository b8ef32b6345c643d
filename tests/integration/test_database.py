"""A database of PostgreSQL that is not there, is somebody else's, or must not be written: the server says so and ends.
One that answers otherwise than it was asked, or not at all: the server shows nothing made up, and goes on."""
import contextlib
import json
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import unittest

import made_up
import moowatch

TOOL = moowatch.SOURCE / "tests" / "postgres"


class Databases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="moowatch-pg-", dir="/tmp")
        shutil.rmtree(cls.folder)
        subprocess.run([TOOL, "start", cls.folder], check=True)
        cls.service = moowatch.Service()
        cls.sql("CREATE ROLE guest LOGIN", "CREATE DATABASE fresh", "CREATE DATABASE foreign_one", "CREATE DATABASE newer",
                "CREATE DATABASE read_only", "ALTER DATABASE read_only SET default_transaction_read_only=on")
        cls.sql("CREATE TABLE account(id int)", name="foreign_one")
        cls.sql("CREATE TABLE moowatch_schema(version BIGINT)", "INSERT INTO moowatch_schema VALUES(9999)", name="newer")

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()
        subprocess.run([TOOL, "stop", cls.folder], check=True)

    @classmethod
    def sql(cls, *texts, name="postgres"):
        for text in texts:
            subprocess.run(["psql", "-q", "-h", cls.folder, "-U", "moowatch", "-d", name, "-c", text], check=True)

    def starts(self, url):
        """What it says when it does not start."""
        config = self.service.folder / "moowatchd.yaml"
        config.write_text(f"data_dir: data\nport: 0\ndatabase: '{url}'\n")
        done = subprocess.run([moowatch.BUILD / "server" / "moowatchd", "--config", config], capture_output=True, text=True,
                              timeout=moowatch.DEADLINE_S)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def test_what_is_wrong_and_what_to_do(self):
        host = f"postgresql:host={self.folder}"
        for url, *words in [
                ("postgresql:host=/nonexistent dbname=x", "does not answer", "/nonexistent"),
                ("postgresql://nobody@127.0.0.1:1/x", "does not answer", "refused"),
                (f"{host} user=moowatch dbname=nowhere", '"nowhere" does not exist', "create the database"),
                (f"{host} user=stranger dbname=fresh", '"stranger" does not exist', "correct the URL"),
                (f"{host} user=guest dbname=fresh", "permission denied", "its user owns"),
                (f"{host} user=moowatch dbname=read_only", "read-only", "may write"),
                (f"{host} user=moowatch dbname=foreign_one", "another program", "of its own"),
                (f"{host} user=moowatch dbname=newer", "version 9999", "newer moowatch"),
                ("mysql://h/x", "must begin with postgresql:"),
                ("postgresql://u:hunter2@h/x", "passfile"),
                ("postgresql:nonsense=1", "nonsense")]:
            with self.subTest(url=url):
                said = self.starts(url)
                for word in words:
                    self.assertIn(word, said)
                self.assertNotIn("hunter2", said)
                self.assertEqual(len(said.strip().splitlines()), 1, said)


class Liar:
    """Between a client and PostgreSQL: what each message of an answer becomes (`lie`: type, payload → bytes, None: the connection
    ends there), and whether anything comes at all (`speaks`)."""

    def __init__(self, folder):
        self.folder, self.lie, self.speaks = folder, self.truth, threading.Event()
        self.speaks.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.take, daemon=True).start()

    @staticmethod
    def truth(kind, payload):
        return kind + struct.pack(">I", len(payload) + 4) + payload

    def take(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.join, args=(self.listener.accept()[0],), daemon=True).start()

    def join(self, client):
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(f"{self.folder}/.s.PGSQL.5432")
            asks = threading.Thread(target=self.ask, args=(client, server), daemon=True)
            asks.start()
            self.answer(client, server)
            asks.join()

    def ask(self, client, server):
        with contextlib.suppress(OSError):
            while data := client.recv(65536):
                self.speaks.wait()
                server.sendall(data)
        self.part(client, server)

    def answer(self, client, server):
        with contextlib.suppress(OSError, struct.error), server.makefile("rb") as messages:
            while kind := messages.read(1):
                payload = messages.read(struct.unpack(">I", messages.read(4))[0] - 4)
                self.speaks.wait()
                told = self.lie(kind, payload)
                if told is None:
                    break
                client.sendall(told)
        self.part(client, server)

    @staticmethod
    def part(*ends):
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def of_rows(payload, value):
    """A DataRow, each of its values replaced."""
    fields, at = payload[:2], 2
    while at < len(payload):
        size = struct.unpack(">i", payload[at:at + 4])[0]
        data = value(payload[at + 4:at + 4 + max(size, 0)])
        fields += struct.pack(">i", -1 if size < 0 else len(data)) + (data if size >= 0 else b"")
        at += 4 + max(size, 0)
    return fields


def of_types(payload, kind):
    """A RowDescription whose columns are all of this type."""
    fields, at = payload[:2], 2
    while at < len(payload):
        end = payload.index(b"\0", at) + 1
        fields += payload[at:end + 6] + struct.pack(">I", kind) + payload[end + 10:end + 18]
        at = end + 18
    return fields


class Lies(unittest.TestCase):
    def test_nothing_made_up_is_shown(self):
        folder = tempfile.mkdtemp(prefix="moowatch-pg-", dir="/tmp")
        shutil.rmtree(folder)
        subprocess.run([TOOL, "start", folder], check=True)
        self.addCleanup(subprocess.run, [TOOL, "stop", folder], check=True)
        liar = Liar(folder)
        self.addCleanup(liar.listener.close)
        with moowatch.Service(settings={
                "poll_seconds": 3600, "database": f"postgresql:host=127.0.0.1 port={liar.port} user=moowatch dbname=postgres "
                                                  "sslmode=disable gssencmode=disable"}) as service:
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("first", "2013-04-01", {"a": "1"})
            service.project("demo", f"name: demo\nrepository: {repository.path}\nsince: 2013-04-01\n" + made_up.BENCHMARK)
            service.start()
            service.wait(lambda: service.get("/api/v1/status")["queue"]["queued"] == 1, "a job")
            rows, columns, truth = b"D", b"T", liar.truth
            lies = {
                "numbers that are too short": lambda k, p: truth(k, of_rows(p, lambda v: v[:-1]) if k == rows else p),
                "numbers that are empty": lambda k, p: truth(k, of_rows(p, lambda v: b"") if k == rows else p),
                "numbers that are too long": lambda k, p: truth(k, of_rows(p, lambda v: v + b"1") if k == rows else p),
                "texts for numbers": lambda k, p: truth(k, of_types(p, 25) if k == columns else p),
                "numbers for all": lambda k, p: truth(k, of_types(p, 20) if k == columns else p),
                "a type of nobody": lambda k, p: truth(k, of_types(p, 9999) if k == columns else p),
                "more columns than there are": lambda k, p: truth(k, b"\xff\xff" + p[2:] if k == rows else p),
                "an error, and then success": lambda k, p: truth(b"E", b"SERROR\0CXX001\0Minvalid page\0\0") if k == rows
                else truth(k, p),
                "an end within a row": lambda k, p: None if k == rows else truth(k, p),
            }
            for number, (what, lie) in enumerate(lies.items(), start=1):
                path = f"/api/v1/jobs?limit={number}"  # another one each time: no answer is kept of it
                with self.subTest(what):
                    liar.lie = lie
                    status, _, body = service.status(path)
                    self.assertIn(status, (500, 503), body)
                    liar.lie = truth
                    service.wait(lambda: service.status(path)[0] == 200, "the truth")
                    self.assertEqual([job["project"] for job in json.loads(service.status(path)[2])["items"]], ["demo"])
            self.silence(service, liar)

    def silence(self, service, liar):
        """A server that takes what it is asked, and says nothing: who asks hears so."""
        liar.speaks.clear()
        self.addCleanup(liar.speaks.set)
        status, _, body = service.status("/api/v1/jobs?limit=99")
        self.assertEqual(status, 503, body)
        self.assertIn("does not answer", json.loads(body)["detail"])
        liar.speaks.set()
        service.wait(lambda: service.status("/api/v1/jobs?limit=99")[0] == 200, "the truth")


if __name__ == "__main__":
    unittest.main(verbosity=2)
