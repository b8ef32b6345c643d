"""docs/scale.md, followed on one machine: from SQLite to PostgreSQL, to a bucket, to two servers, and back."""
import contextlib
import hashlib
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import unittest

import yaml

import made_up
import moowatch
import peers_npm

PAGE = (moowatch.SOURCE / "docs" / "scale.md").read_text()
TOOL = moowatch.SOURCE / "tests" / "postgres"
URL = "postgresql:host=/run/postgresql dbname=moowatch user=moowatch"


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port.number)) == 0


class Scale(made_up.Nights):
    @classmethod
    def setUpClass(cls):
        cls.database = tempfile.mkdtemp(prefix="moowatch-pg-", dir="/tmp")
        shutil.rmtree(cls.database)
        subprocess.run([TOOL, "start", cls.database], check=True)
        cls.run_sql("ALTER ROLE moowatch RENAME TO postgres")
        cls.service = moowatch.Service(settings={"poll_seconds": 3600})
        repository = moowatch.Repository(cls.service.folder / "repository")
        for number in range(4):
            repository.commit(f"night {number}", f"2026-01-0{number + 1}", {"a": str(number)})
        cls.service.project("demo", f"name: demo\nrepository: {repository.path}\nsince: 2026-01-01\n{made_up.BENCHMARK}")
        cls.second = None
        cls.beside = []  # other programs of the page
        cls.bucket_port, cls.proxy_port = moowatch.Port(), moowatch.Port()

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()
        if cls.second:
            cls.second.__exit__()
        for process in cls.beside:
            process.terminate()
            process.wait()
        cls.bucket_port.close()
        cls.proxy_port.close()
        subprocess.run([TOOL, "stop", cls.database], check=True)

    @classmethod
    def run_sql(cls, sql):
        # a role cannot rename itself: by way of another one
        for user, text in (("moowatch", "CREATE ROLE helper SUPERUSER LOGIN"), ("helper", sql)):
            subprocess.run(["psql", "-q", "-h", cls.database, "-U", user, "-d", "postgres", "-c", text], check=True)

    def block(self, language, begins):
        """The page's block that has this in it, with the folders and ports of this test."""
        [text] = [block for block in re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.M | re.S) if begins in block]
        folder = self.service.folder
        for before, after in {"runuser -u postgres -- ": "", "runuser -u moowatch -- ": "", " -g moowatch": "",
                              "/run/postgresql": self.database, "KEY_ID SECRET": "S3RVER S3RVER",
                              "https://s3.example.org/": f"http://127.0.0.1:{self.bucket_port.number}/",
                              "4568": self.bucket_port.number, "/opt/s3/files": folder / "s3",
                              "/lib/systemd/system": moowatch.SOURCE / "config" / "systemd",
                              "/etc/systemd/system": folder,
                              "/etc/moowatch/moowatchd.yaml": folder / "moowatchd.yaml", "/etc/moowatch": folder,
                              "/var/lib/moowatch-second": folder / "second-data",
                              "/var/lib/moowatch": folder / "data"}.items():
            text = text.replace(before, str(after))
        return text

    def shell(self, begins, expect=0):
        text = self.block("sh", begins)
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], capture_output=True, text=True, timeout=240,
                              env={**os.environ, "PGHOST": self.database, "PGUSER": "postgres",
                                   "PATH": f"{moowatch.BUILD / 'server'}:{os.environ['PATH']}"})
        self.assertEqual(done.returncode, expect, f"{text}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def restart(self, **settings):
        if self.service.processes:
            self.service.kill(self.service.daemon, signal.SIGTERM)
        self.service.settings.update(settings)
        self.service.start()

    def shown(self, service=None):
        return (service or self.service).get("/api/v1/projects/demo/nights?limit=100")

    def test_1_one_file(self):
        self.restart()
        type(self).runner = self.token("runner")
        self.service.wait(lambda: self.service.get("/api/v1/status")["queue"]["queued"] == 4, "four jobs")
        self.measure((100, 300, 1000, 2500))
        type(self).before = self.shown()
        self.service.kill(self.service.daemon, signal.SIGTERM)

    def test_2_into_postgresql(self):
        self.shell("createdb")
        said = self.shell("--to 'postgresql")
        self.assertRegex(said, r"(\d+) rows written, \1 read back and compared: all the same")
        self.restart(database=URL.replace("/run/postgresql", self.database))
        self.assertEqual(self.shown(), self.before)
        self.measure((100, 300, 1000, 2500))
        self.assertEqual(len([n for n in self.shown()["items"] if n["state"] == "measured"]), 2)
        # it has rows now
        said = self.shell("--to 'postgresql", expect=1)
        self.assertIn("already", said)

    def in_bucket(self, sha):
        return self.service.folder / "s3" / "moowatch" / f"raw/{sha[:2]}/{sha[2:]}.csv.zst._S3rver_object"

    def raw_of(self, place, service=None):
        """The calls of a night's first loop as a server gives them; place: 0 is the oldest night."""
        night = (service or self.service).nights("demo")[place]["experiment"]
        return (service or self.service).status(f"/api/v1/experiments/{night}/raw/none/1?format=csv")[::2]

    def test_3_a_bucket(self):
        folder = peers_npm.folder()  # what npm's command of the page installs
        command = self.block("sh", "--configure-bucket").replace("/opt/s3", str(folder))
        self.beside.append(subprocess.Popen(["bash", "-c", "exec " + command], stdout=subprocess.DEVNULL))
        self.shell("KEY_ID")
        self.restart(**yaml.safe_load(self.block("yaml", "credentials_file: ")))
        self.service.wait(lambda: listens(self.bucket_port), "the bucket")
        self.assertIn("returns them unchanged", self.shell("--check-bucket"))
        csv = made_up.CSV.replace(b"0;99", b"0;98")
        sha = self.measure((100, 300, 1000, 2500), csv)
        self.assertTrue(self.in_bucket(sha).is_file())
        self.assertFalse((self.service.folder / "data" / "raw" / sha[:2] / f"{sha[2:]}.csv.zst").exists())
        self.assertEqual(self.raw_of(2), (200, csv))
        self.assertEqual(self.raw_of(0), (200, made_up.CSV))  # from the folder, where it was
        old = hashlib.sha256(made_up.ZSTD).hexdigest()
        self.assertFalse(self.in_bucket(old).exists())
        self.shell("aws-sigv4")
        self.assertTrue(self.in_bucket(old).is_file())
        self.assertEqual([f for f in (self.service.folder / "data" / "raw").rglob("*") if f.is_file()], [])
        self.assertEqual(self.raw_of(0), (200, made_up.CSV))

    def test_4_a_second_server(self):
        self.assertIn("valid projects: 1", self.shell("second.yaml <"))
        self.shell("moowatchd-second.service")
        unit = (self.service.folder / "moowatchd-second.service").read_text()
        self.assertIn("\nExecStart=/usr/bin/moowatchd --config /etc/moowatch/second.yaml\n", unit)
        self.assertIn("\nStateDirectory=moowatch moowatch-second\n", unit)
        behind = yaml.safe_load(self.block("yaml", "behind_proxy: "))
        self.restart(**behind)
        type(self).second = moowatch.Service()
        config = self.service.folder / "second.yaml"
        config.write_text(config.read_text().replace("8301", "0") + self.block("yaml", "behind_proxy: "))
        address = self.service.folder / "second-data" / "moowatchd.url"
        daemon = self.second._spawn("moowatchd", [moowatch.BUILD / "server" / "moowatchd", "--config", config])
        self.second.url = self.second.wait(lambda: address.exists() and address.read_text().strip(), "its address").rstrip("/")
        self.assertEqual(self.shown(self.second), self.shown())
        with self.proxy():
            csv = made_up.CSV.replace(b"0;99", b"0;97")
            sha = self.measure((100, 300, 1000, 2500), csv)  # with the token of the first one
        self.service.wait(lambda: self.shown() == self.shown(self.second), "what the other got")
        self.assertTrue(self.in_bucket(sha).is_file())
        for service in (self.service, self.second):
            self.assertEqual(self.raw_of(3, service), (200, csv))
        self.second.kill(daemon, signal.SIGTERM)
        with self.proxy():
            self.assertEqual([self.service.status("/api/v1/status")[0] for _ in range(4)], [200] * 4)

    @contextlib.contextmanager
    def proxy(self):
        """The page's nginx is asked instead of the first server."""
        folder, first = self.service.folder, self.service.url
        if not listens(self.proxy_port):
            text = self.block("nginx", "upstream").replace("127.0.0.1:8300", first.partition("//")[2]) \
                .replace("127.0.0.1:8301", self.second.url.partition("//")[2]) \
                .replace("listen 80;", f"listen 127.0.0.1:{self.proxy_port.number};")
            paths = " ".join(f"{what}_temp_path {folder}/nginx-{what};"
                             for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            (folder / "nginx.conf").write_text(f"daemon off; pid {folder}/nginx.pid; events {{}} "
                                               f"http {{ access_log off; {paths}\n{text}}}\n")
            self.beside.append(subprocess.Popen(["nginx", "-e", folder / "nginx.log", "-c", folder / "nginx.conf"]))
            self.service.wait(lambda: listens(self.proxy_port), "the proxy")
        self.service.url = f"http://127.0.0.1:{self.proxy_port.number}"
        try:
            yield
        finally:
            self.service.url = first

    def test_5_backup_and_restore(self):
        tool, copy = moowatch.BUILD / "server" / "moowatchd", self.service.folder / "copy"
        config = self.service.folder / "moowatchd.yaml"
        subprocess.run([tool, "backup", "--config", config, "--to", copy], check=True, capture_output=True)
        [made] = copy.glob("000001-*")
        self.assertEqual(sorted(f.name for f in copy.iterdir()), [made.name, "raw"])
        self.assertEqual(sorted(f.name for f in made.iterdir()), ["backup.json", "moowatch.db", "tokens.json"])
        subprocess.run(["createdb", "-h", self.database, "-U", "postgres", "--owner=moowatch", "fresh"], check=True)
        elsewhere = moowatch.Service(settings={**self.service.settings, "poll_seconds": 3600, "projects_dir":
                                               str(self.service.folder / "projects.d"),
                                               "database": f"postgresql:host={self.database} dbname=fresh user=moowatch"})
        with elsewhere:
            file = elsewhere.folder / "moowatchd.yaml"
            file.write_text("".join(f"{k}: '{v}'\n" for k, v in elsewhere.settings.items() if isinstance(v, str)))
            done = subprocess.run([tool, "restore", "--config", file, "--from", copy], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = subprocess.run([tool, "restore", "--config", file, "--from", copy], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("give one that is empty", done.stderr)
            elsewhere.start()
            self.assertEqual(self.shown(elsewhere), self.shown())

    def test_6_and_back(self):
        before = self.shown()
        self.service.kill(self.service.daemon, signal.SIGTERM)
        self.shell("back.db")
        data = self.service.folder / "data"
        shutil.move(data / "back.db", data / "moowatch.db")
        del self.service.settings["database"]
        self.service.processes = []
        self.restart()
        self.assertEqual(self.shown(), before)
        with sqlite3.connect(data / "moowatch.db") as db:
            self.assertEqual(db.execute("PRAGMA integrity_check").fetchone(), ("ok",))

    def test_7_an_interrupted_one_is_done_again(self):
        """Killed at its first row, in the middle, at its last; and PostgreSQL killed in the middle of it."""
        self.service.kill(self.service.daemon, signal.SIGTERM)
        at = ["-h", self.database, "-U", "moowatch"]
        subprocess.run(["createdb", "-h", self.database, "-U", "postgres", "--owner=moowatch", "again"], check=True)
        for what in (["-s", "-O"], ["-a", "-t", "moowatch_schema"]):  # its tables, without rows
            dump = subprocess.run(["pg_dump", *at, *what, "moowatch"], check=True, capture_output=True).stdout
            subprocess.run(["psql", "-q", *at, "-d", "again"], input=dump, stdout=subprocess.DEVNULL, check=True)
        for table in ("project", "experiment", "portion"):
            self.assertEqual(self.interrupted(table, lambda migration: migration.kill())[0], -signal.SIGKILL)
        status, said = self.interrupted("experiment", lambda _: self.cluster("crash"))
        self.assertEqual(status, 1, said)
        self.assertIn("does not answer", said)
        self.cluster("resume")
        self.assertEqual(self.rows("SELECT count(*) FROM experiment"), "0")
        done = subprocess.run(self.migration(), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run(self.migration(), capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("give one that is empty", done.stderr)

    def cluster(self, what):
        subprocess.run([TOOL, what, self.database], check=True)

    def migration(self):
        return [moowatch.BUILD / "server" / "moowatchd", "migrate", "--config", self.service.folder / "moowatchd.yaml",
                "--to", f"postgresql:host={self.database} dbname=again user=moowatch"]

    def rows(self, sql):
        return subprocess.run(["psql", "-qAt", "-h", self.database, "-U", "moowatch", "-d", "again", "-c", sql], check=True,
                              capture_output=True, text=True).stdout.strip()

    def interrupted(self, table, interrupt):
        """(status, what it says) of a migration that waits to write its first row of the table when it is interrupted."""
        holder = subprocess.Popen(["psql", "-qAt", "-h", self.database, "-U", "moowatch", "-d", "again"], text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        with holder:
            holder.stdin.write(f"BEGIN; LOCK TABLE {table} IN SHARE MODE; SELECT 'locked';\n")
            holder.stdin.flush()
            self.assertEqual(holder.stdout.readline(), "locked\n")
            with subprocess.Popen(self.migration(), stderr=subprocess.PIPE, text=True) as migration:
                self.service.wait(lambda: self.rows("SELECT count(*) FROM pg_locks WHERE NOT granted") == "1", "the migration")
                interrupt(migration)
                said = migration.stderr.read()
            holder.stdin.close()
        if migration.returncode == -signal.SIGKILL:
            self.assertEqual(self.rows("SELECT count(*) FROM project"), "0")
        return migration.returncode, said


if __name__ == "__main__":
    unittest.main(verbosity=2)
