"""A backup taken while the daemon measures, restored elsewhere, shows the same; a damaged one is refused."""
import datetime
import json
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile
import threading
import unittest

import made_up
import moowatch


def moowatchd(*arguments, expect=0):
    done = subprocess.run([moowatch.BUILD / "ci" / "moowatch", *map(str, arguments)], capture_output=True, text=True,
                          timeout=120)
    assert done.returncode == expect, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def kept_tokens(folder):
    """Without when each was last used: that is written down a while later."""
    kept = json.loads((folder / "data" / "tokens.json").read_text())["tokens"]
    return [{key: value for key, value in token.items() if key != "used_ms"} for token in kept]


class Backup(made_up.Nights):
    def setUp(self):
        self.service = type(self).service = moowatch.Service(settings={"poll_seconds": 3600})
        self.addCleanup(self.service.__exit__)
        repository = moowatch.Repository(self.service.folder / "repository")
        today = moowatch.today()
        days = [today - datetime.timedelta(days=n) for n in range(8, 0, -1)]
        for day in days:
            repository.commit(f"night {day}", str(day), {"a": str(day)})
        self.service.project("demo", f"name: demo\nrepository: {repository.path}\nsince: {days[0]}\n" + made_up.BENCHMARK)
        self.service.start()
        self.service.wait(lambda: self.service.get("/api/v1/status")["queue"]["queued"] == 8, "eight jobs")
        type(self).runner = self.token("runner")
        for _ in range(4):
            self.measure((100, 300, 1000, 2500))
        self.config = self.service.folder / "moowatchd.yaml"
        self.copy = self.service.folder / "copy"

    def elsewhere(self):
        folder = self.service.folder / "elsewhere"
        folder.mkdir(exist_ok=True)
        config = folder / "moowatchd.yaml"
        config.write_text(f"data_dir: data\nport: 0\nprojects_dir: {self.service.folder / 'projects.d'}\n")
        return folder, config

    def test_back_and_forth(self):
        worker = threading.Thread(target=lambda: [self.measure((100, 300, 1000, 2500)) for _ in range(3)])
        worker.start()
        moowatchd("backup", "--config", self.config, "--to", self.copy)
        worker.join()
        out = moowatchd("backup", "--config", self.config, "--to", self.copy)
        # repositories' passwords are in it
        for made in self.copy.glob("0*"):
            self.assertEqual((made / "moowatch.db").stat().st_mode & 0o777, 0o600)
        self.assertIn("(0 of them new)", out)  # every night has the same raw bytes
        nights = self.service.nights("demo")
        self.service.stop()
        folder, config = self.elsewhere()
        moowatchd("restore", "--config", config, "--from", self.copy)
        moowatchd("restore", "--config", config, "--from", self.copy, expect=1)
        self.assertEqual(kept_tokens(folder), kept_tokens(self.service.folder))
        again = self.service
        shutil.rmtree(again.folder / "data")
        shutil.copytree(folder / "data", again.folder / "data")
        again.start()
        self.assertEqual(again.nights("demo"), nights)
        raw = nights[0]["experiment"]
        self.assertEqual(again.status(f"/api/v1/experiments/{raw}/raw/none/1?format=csv")[2], made_up.CSV)

    def test_damage_is_told(self):
        moowatchd("backup", "--config", self.config, "--to", self.copy)
        moowatchd("backup", "--check", self.copy)
        _, config = self.elsewhere()
        [raw] = list((self.copy / "raw").rglob("*.zst"))
        raw.write_bytes(raw.read_bytes()[:-1] + b"x")
        for command in (["backup", "--check", self.copy], ["restore", "--config", config, "--from", self.copy]):
            self.assertIn("missing or damaged", moowatchd(*command, expect=3))
        shutil.rmtree(config.parent / "data")
        [database] = self.copy.glob("000001-*/moowatch.db")
        data = bytearray(database.read_bytes())
        data[4096:8192] = bytes(4096)
        database.write_bytes(data)
        moowatchd("backup", "--check", self.copy, expect=1)
        moowatchd("restore", "--config", config, "--from", self.copy, expect=1)
        self.assertFalse((config.parent / "data").exists())
        moowatchd("restore", "--config", config, "--from", self.service.folder / "none", expect=1)
        moowatchd("backup", "--config", self.config, expect=2)
        tokens = json.loads((self.service.folder / "data" / "tokens.json").read_text())
        self.assertTrue(tokens)


@unittest.skipUnless(os.geteuid() == 0, "only root can leave files that the daemon cannot read")
class Root(unittest.TestCase):
    def test_root_leaves_no_files_among_another_users(self):
        nobody = pwd.getpwnam("nobody")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "projects.d").mkdir()
            (folder / "data").mkdir()
            os.chown(folder / "data", nobody.pw_uid, nobody.pw_gid)
            (folder / "moowatchd.yaml").write_text("data_dir: data\n")
            for command in (["token", "add", "--name", "a", "--scope", "run"], ["token", "list"], ["backup", "--to", folder / "b"],
                            ["restore", "--from", folder / "b"]):
                out = moowatchd(*command, "--config", folder / "moowatchd.yaml", expect=1)
                self.assertIn("data belongs to nobody", out)
                self.assertIn("runuser -u nobody -- moowatchd", out)
            self.assertEqual(list((folder / "data").iterdir()), [])
            # whose the database is decides, not whose the folder
            (folder / "data" / "moowatch.db").touch()
            moowatchd("token", "add", "--name", "a", "--scope", "run", "--config", folder / "moowatchd.yaml")


if __name__ == "__main__":
    unittest.main(verbosity=2)
