"""docs/scale.md, followed on one machine: from SQLite to PostgreSQL, to two servers, and back."""
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import unittest

import made_up
import moowatch

PAGE = (moowatch.SOURCE / "docs" / "scale.md").read_text()
TOOL = moowatch.SOURCE / "tests" / "postgres"
URL = "postgresql:host=/run/postgresql dbname=moowatch user=moowatch"


class Scale(made_up.Nights):
    @classmethod
    def setUpClass(cls):
        cls.database = tempfile.mkdtemp(prefix="moowatch-pg-", dir="/tmp")
        shutil.rmtree(cls.database)
        subprocess.run([TOOL, "start", cls.database], check=True)
        cls.run_sql("ALTER ROLE moowatch RENAME TO postgres")
        cls.service = moowatch.Service(settings={"poll_seconds": 3600})
        repository = moowatch.Repository(cls.service.folder / "repository")
        for number in range(3):
            repository.commit(f"night {number}", f"2026-01-0{number + 1}", {"a": str(number)})
        cls.service.project("demo", f"name: demo\nrepository: {repository.path}\nsince: 2026-01-01\n{made_up.BENCHMARK}")
        cls.second = None

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()
        if cls.second:
            cls.second.__exit__()
        subprocess.run([TOOL, "stop", cls.database], check=True)

    @classmethod
    def run_sql(cls, sql):
        # a role cannot rename itself: by way of another one
        for user, text in (("moowatch", "CREATE ROLE helper SUPERUSER LOGIN"), ("helper", sql)):
            subprocess.run(["psql", "-q", "-h", cls.database, "-U", user, "-d", "postgres", "-c", text], check=True)

    def shell(self, begins, expect=0, **replacements):
        """Runs the page's block that has this in it, with the folders of this test."""
        [text] = [block for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.M | re.S) if begins in block]
        for before, after in {"sudo -u postgres ": "", "/run/postgresql": self.database,
                              "/etc/moowatch/moowatchd.yaml": self.service.folder / "moowatchd.yaml",
                              "/etc/moowatch": self.service.folder,
                              "/var/lib/moowatch-second": self.service.folder / "second-data",
                              "/var/lib/moowatch": self.service.folder / "data", **replacements}.items():
            text = text.replace(before, str(after))
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
        self.service.wait(lambda: self.service.get("/api/v1/status")["queue"]["queued"] == 3, "three jobs")
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

    def test_3_a_second_server(self):
        self.assertIn("valid projects: 1", self.shell("second.yaml"))
        type(self).second = moowatch.Service()
        config = self.service.folder / "second.yaml"
        config.write_text(config.read_text().replace("8301", "0"))
        address = self.service.folder / "second-data" / "moowatchd.url"
        daemon = self.second._spawn("moowatchd", [moowatch.BUILD / "server" / "moowatchd", "--config", config])
        self.second.url = self.second.wait(lambda: address.exists() and address.read_text().strip(), "its address").rstrip("/")
        self.assertEqual(self.shown(self.second), self.shown())
        kept, type(self).service = self.service, self.second
        try:
            self.measure((100, 300, 1000, 2500))  # with the token of the first one
        finally:
            type(self).service = kept
        self.service.wait(lambda: self.shown() == self.shown(self.second), "what the second got")
        self.second.kill(daemon, signal.SIGTERM)

    def test_3_b_backup_and_restore(self):
        tool, copy = moowatch.BUILD / "server" / "moowatchd", self.service.folder / "copy"
        config = self.service.folder / "moowatchd.yaml"
        subprocess.run([tool, "backup", "--config", config, "--to", copy], check=True, capture_output=True)
        self.assertEqual(sorted(f.name for f in copy.iterdir()), ["backup.json", "moowatch.db", "raw", "tokens.json"])
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

    def test_4_and_back(self):
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

    def test_5_an_interrupted_one_is_done_again(self):
        self.service.kill(self.service.daemon, signal.SIGTERM)
        target = f"postgresql:host={self.database} dbname=again user=moowatch"
        at = ["-h", self.database, "-U", "postgres"]
        command = [moowatch.BUILD / "server" / "moowatchd", "migrate", "--config", self.service.folder / "moowatchd.yaml",
                   "--to", target]
        for _ in range(20):  # the kill may come too late: its tables are small
            subprocess.run(["createdb", *at, "--owner=moowatch", "again"], check=True)
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            for line in process.stderr:
                if line.startswith("experiment:"):  # in the middle of it
                    process.kill()
            process.wait()
            process.stderr.close()
            if process.returncode == -signal.SIGKILL:
                break
            subprocess.run(["dropdb", *at, "again"], check=True)
        self.assertEqual(process.returncode, -signal.SIGKILL)
        count = subprocess.run(["psql", "-qAt", "-h", self.database, "-U", "moowatch", "-d", "again", "-c",
                                "SELECT count(*) FROM experiment"], check=True, capture_output=True, text=True).stdout
        self.assertEqual(count.strip(), "0")
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("give one that is empty", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
