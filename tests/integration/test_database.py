"""A database of PostgreSQL that is not there, is somebody else's, or must not be written: the server says so and ends."""
import shutil
import subprocess
import tempfile
import unittest

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


if __name__ == "__main__":
    unittest.main(verbosity=2)
