"""`moowatchd try`: histories that are here already, served without configuration; nothing of it stays."""
import datetime
import gzip
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import moowatch

MOOWATCHD = moowatch.BUILD / "server" / "moowatchd"
HISTORIES = sorted((moowatch.SOURCE / "config" / "histories").glob("*.jsonl.gz"))


class Try(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="moowatch-test-")
        self.addCleanup(self.folder.cleanup)
        self.environment = {**os.environ, "TMPDIR": self.folder.name}

    def start(self, *words):
        daemon = subprocess.Popen([MOOWATCHD, "try", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  env=self.environment)
        self.addCleanup(daemon.communicate)
        self.addCleanup(daemon.kill)
        told = []
        for line in daemon.stdout:
            told.append(line)
            if line.startswith("Nobody can change"):
                return daemon, "".join(told)
        self.fail(daemon.stderr.read())

    def end(self, daemon):
        daemon.send_signal(signal.SIGINT)
        self.assertEqual(daemon.wait(timeout=moowatch.DEADLINE_S), 0)
        self.assertEqual(list(pathlib.Path(self.folder.name).iterdir()), [])

    def get(self, address):
        with urllib.request.urlopen(address, timeout=moowatch.REQUEST_S) as answer:
            return answer.read()

    def test_what_comes_with_it_is_shown(self):
        daemon, told = self.start()
        url = told.split("/\n", 1)[0]
        for page in re.findall(r"http://\S+", told):
            self.assertIn(b"<html", self.get(page), page)
        alert = int(re.search(r"/alerts/(\d+)", told).group(1))
        where = json.loads(self.get(f"{url}/api/v1/alerts/{alert}"))["explanation"]
        self.assertEqual(where["state"], "done")
        flame = self.get(f"{url}/flames/{alert}/{where['portions'][0]['configuration']}.svg")
        self.assertIn(where["portions"][0]["functions"][0]["name"].encode(), flame)
        self.assertRegex(told, r"/incidents/\d+")
        projects = json.loads(self.get(f"{url}/api/v1/projects"))["items"]
        self.assertEqual([p["name"] + ".jsonl.gz" for p in projects], [path.name for path in HISTORIES])
        for project in projects:
            self.assertIn(b"<svg", self.get(f"{url}/charts/{project['name']}.svg?nights=5000"))
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.get(urllib.request.Request(f"{url}/api/v1/alerts/{alert}/state", method="POST",
                                            data=b'{"state": "fixed", "reason": "done"}'))
        self.assertEqual(refused.exception.code, 401)
        self.assertIs(json.loads(self.get(f"{url}/api/v1/status"))["read_only"], True)
        self.end(daemon)

    def test_the_planted_changes_are_told(self):
        """Each change that tests/native plants, on its night, and nothing else."""
        planted = json.loads((moowatch.SOURCE / "tests" / "native" / "nights.json").read_text())
        daemon, told = self.start()
        alerts = json.loads(self.get(told.split("/\n", 1)[0] + "/api/v1/projects/callmon/alerts?limit=100"))["items"]
        nights = json.loads(self.get(told.split("/\n", 1)[0] + "/api/v1/projects/callmon/nights?limit=100"))["items"]
        first = datetime.date.fromisoformat(min(night["night"] for night in nights))
        moved = first - datetime.date.fromisoformat(planted["first"])
        self.assertEqual(
            sorted((alert["to"]["night"], alert["portion"], alert["direction"], alert["dimension"],
                    alert["explanation"]["portions"][0]["functions"][0]["name"]) for alert in alerts),
            [(str(datetime.date.fromisoformat(one["night"]) + moved), one["portion"], one["direction"], "time", one["function"])
             for one in planted["changes"]])
        self.end(daemon)

    def test_an_export_of_ones_own(self):
        lines = gzip.decompress(HISTORIES[0].read_bytes()).decode().splitlines()[:40]
        own = pathlib.Path(self.folder.name) / "nights.jsonl"
        own.write_text("\n".join(lines) + "\n")
        daemon, told = self.start(str(own))
        own.unlink()
        self.assertIn("/\n", told)
        self.end(daemon)

    def test_packed_in_two_parts(self):
        """As cat puts packed files together: nothing of the second is lost."""
        lines = gzip.decompress(HISTORIES[0].read_bytes()).splitlines(keepends=True)
        own = pathlib.Path(self.folder.name) / "nights.jsonl.gz"
        own.write_bytes(b"".join(gzip.compress(b"".join(part)) for part in (lines[:6], lines[6:12])))
        nights = sum(json.loads(line)["type"] == "night" for line in lines[1:12])
        daemon, told = self.start(str(own))
        own.unlink()
        url = told.split("/\n", 1)[0]
        project = json.loads(self.get(f"{url}/api/v1/projects"))["items"][0]["name"]
        self.assertEqual(len(json.loads(self.get(f"{url}/api/v1/projects/{project}/nights?limit=100"))["items"]), nights)
        self.end(daemon)

    def test_it_is_ended_while_it_reads(self):
        daemon = subprocess.Popen([MOOWATCHD, "try"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)
        self.addCleanup(daemon.kill)
        end = time.monotonic() + moowatch.DEADLINE_S
        while not list(pathlib.Path(self.folder.name).iterdir()) and time.monotonic() < end:
            time.sleep(0.01)
        self.end(daemon)

    def test_what_is_refused(self):
        broken = pathlib.Path(self.folder.name) / "broken.jsonl.gz"
        broken.write_bytes(b"no gzip")
        cut = pathlib.Path(self.folder.name) / "cut.jsonl.gz"
        cut.write_bytes(HISTORIES[0].read_bytes()[:-9])
        for words, status, says in ((["none.jsonl"], 1, "none.jsonl: No such file"), ([broken], 1, "broken.jsonl.gz: "),
                                    ([cut], 1, "cut.jsonl.gz: "),
                                    (["--port", "x"], 2, "port"), (["--port", "70000"], 1, "port")):
            with self.subTest(words=words):
                done = subprocess.run([MOOWATCHD, "try", *words], capture_output=True, text=True, env=self.environment,
                                      timeout=moowatch.DEADLINE_S)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn(says, done.stderr)
        broken.unlink()
        cut.unlink()
        self.assertEqual(list(pathlib.Path(self.folder.name).iterdir()), [])

    def test_the_packed_histories_are_small(self):
        self.assertLess(sum(path.stat().st_size for path in HISTORIES), 1_000_000)


if __name__ == "__main__":
    unittest.main()
