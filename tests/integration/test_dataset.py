"""A data set of a project's nights, and one of its nights measured again: a real server, runner and harness; RO-Crate's
own validator."""
import csv
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import fetched
import moowatch

PROGRAM = moowatch.BUILD / "ci" / "moowatch"
VALIDATOR, CONTEXT = "roc-validator==0.13.0", "rocrate==0.16.0"  # the second has the JSON-LD context
PROJECT = """
name: figures
title: Figures
repository: {repository}
since: 2024-01-01
benchmark:
  driver: command
  loops: 3
  rest_seconds: 0
  read: {{pattern: "time (?<value>[0-9]+) ns", unit: ns, several: samples}}
  configurations:
    - {{name: none, portion: T, command: [sh, -c, "for t in 100 $((104 + RANDOM_SHIFT)); do echo time $t ns; done"], environment: ["RANDOM_SHIFT=0"]}}
    - {{name: full, portion: W, parent: none, command: [sh, -c, "echo time 300 ns; cat cost"]}}
"""


class Dataset(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-dataset-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.repository = cls.folder / "repository"
        cls.repository.mkdir()
        cls.git("init", "-q", "-b", "main")
        for i in (1, 2):
            (cls.repository / "cost").write_text(f"time {300 + i} ns\n")
            cls.git("add", "cost")
            cls.git("-c", "user.name=Ada", "-c", "user.email=a@b.c", "commit", "-qm", f'say "{i}", then\tmore',
                    f"--date=2024-02-0{i}T10:00:00Z", env={"GIT_COMMITTER_DATE": f"2024-02-0{i}T10:00:00Z", "PATH": "/usr/bin:/bin"})
        cls.service = moowatch.Service(runner={})
        cls.addClassCleanup(cls.service.__exit__)
        cls.service.project("figures", PROJECT.format(repository=cls.repository))
        cls.service.start()
        cls.service.wait(lambda: cls.service.get("/api/v1/projects/figures")["nights"] == 2, "two nights", 120)
        cls.token = cls.service.folder / "read.token"
        cls.token.write_text(subprocess.run([moowatch.BUILD / "server" / "moowatchd", "token", "add", "--config",
                                             cls.service.folder / "moowatchd.yaml", "--name", "r", "--scope", "read"],
                                            check=True, capture_output=True, text=True).stdout)
        cls.set = cls.folder / "set"
        done = cls.moowatch("export", "figures", "--dataset", cls.set, "--raw", "--author", 'Ada "A" Lovelace', "--license", "CC0-1.0",
                            "--server", cls.service.url, "--token-file", cls.token)
        assert done.returncode == 0, done.stderr

    @classmethod
    def git(cls, *words, env=None):
        subprocess.run(["git", "-C", cls.repository, *words], check=True, capture_output=True, env=env)

    @classmethod
    def moowatch(cls, *words):
        return subprocess.run([str(word) for word in (PROGRAM, *words)], capture_output=True, text=True, timeout=240,
                              cwd=cls.folder, stdin=subprocess.DEVNULL)

    def rows(self, name):
        with open(self.set / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_tables_say_what_the_api_says(self):
        nights = self.service.get("/api/v1/projects/figures/nights")["items"]
        rows = self.rows("nights.csv")
        self.assertEqual([row["experiment"] for row in rows], [str(n["experiment"]) for n in reversed(nights)])
        self.assertEqual(rows[0]["subject"], nights[1]["commit"]["subject"])
        portions = self.rows("portions.csv")
        self.assertEqual([(row["portion"], float(row["mean_ns"])) for row in portions if row["night"] == nights[0]["night"]],
                         [(p["portion"], p["mean_ns"]) for p in nights[0]["portions"]])
        self.assertEqual(len(self.rows("loops.csv")), 2 * 2 * 3)
        self.assertEqual(len(self.rows("configurations.csv")), 4)
        environments = json.loads((self.set / "environments.json").read_text())
        self.assertEqual(set(environments), {row["environment"] for row in rows})

    def test_every_column_is_explained(self):
        told = {(row["table"], row["column"]) for row in self.rows("dictionary.csv") if row["meaning"]}
        for table in ("nights.csv", "portions.csv", "configurations.csv", "loops.csv"):
            for column in self.rows(table)[0]:
                self.assertIn((table, column), told)

    def test_checksums(self):
        subprocess.run(["sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS"], cwd=self.set, check=True)
        listed = {line.split("  ", 1)[1] for line in (self.set / "SHA256SUMS").read_text().splitlines()}
        there = {str(path.relative_to(self.set)) for path in self.set.rglob("*") if path.is_file()}
        self.assertEqual(there - listed, {"SHA256SUMS"})

    def test_citation_and_licence(self):
        import yaml
        citation = yaml.safe_load((self.set / "CITATION.cff").read_text())
        self.assertEqual((citation["cff-version"], citation["type"], citation["license"]), ("1.2.0", "dataset", "CC0-1.0"))
        self.assertEqual(citation["authors"], [{"name": 'Ada "A" Lovelace'}])
        self.assertIn("CC0-1.0", (self.set / "LICENSE").read_text())

    def test_ro_crate_s_validator_takes_it(self):
        def fetch(place):
            fetched.run("venv", sys.executable, "-m", "venv", place)
            fetched.run("roc-validator", place / "bin" / "python", "-m", "pip", "install", "-q", VALIDATOR, CONTEXT)
        venv = fetched.fetched(f"{VALIDATOR}-{CONTEXT}".replace("==", "-"), fetch)
        report = self.folder / "crate.json"
        done = subprocess.run([venv / "bin" / "python", pathlib.Path(__file__).parent / "rocrate_offline.py", "-y", "validate",
                               "--no-paging", "-v", "-f", "json", "-o", report, "-p", "ro-crate-1.1", "-l", "required", self.set],
                              capture_output=True, text=True, timeout=240, cwd=self.folder)
        self.assertEqual(done.returncode, 0, (done.stdout + done.stderr)[-3000:])
        told = json.loads(report.read_text())
        self.assertEqual((told["passed"], told["issues"]), (True, []))

    def test_a_night_is_measured_again(self):
        done = self.moowatch("replicate", self.set, "--dir", "again", "--json")
        told = json.loads(done.stdout)
        self.assertEqual((done.returncode, told["holds"]), (0, True), done.stdout)
        self.assertEqual([(p["portion"], p["holds"]) for p in told["portions"]], [("T", True), ("W", True)])
        self.assertEqual(told["commit"], self.rows("nights.csv")[-1]["commit"])

    def test_what_does_not_hold_is_told(self):
        other = self.copy("other")
        text = (other / "project.yaml").read_text()
        (other / "project.yaml").write_text(text.replace("echo time 300 ns", "echo time 900 ns"))
        self.sum_again(other)
        done = self.moowatch("replicate", other, "--night", self.rows("nights.csv")[0]["night"], "--dir", "slow")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"T +published .*: holds\nW +published .*, here .*: does not hold")

    def copy(self, name):
        return pathlib.Path(shutil.copytree(self.set, self.folder / name))

    def sum_again(self, folder):
        lines = (folder / "SHA256SUMS").read_text().splitlines()
        (folder / "SHA256SUMS").write_text("".join(
            f"{hashlib.sha256((folder / path).read_bytes()).hexdigest()}  {path}\n" for path in (line[66:] for line in lines)))

    def test_bad_sets_are_refused(self):
        def spoil_sum(folder):
            with open(folder / "portions.csv", "a", encoding="utf-8") as file:
                file.write("1")

        def spoil_kernel(folder):
            path = folder / "experiments.json"
            nights = json.loads(path.read_text())
            for night in nights:
                night["environment_detail"]["kernel"] = "6.1.0-9-s390x"
            path.write_text(json.dumps(nights))
            self.sum_again(folder)

        def spoil_commit(folder):
            path = folder / "experiments.json"
            nights = json.loads(path.read_text())
            nights[-1]["commit"]["sha"] = "0" * 39 + "1"
            path.write_text(json.dumps(nights))
            self.sum_again(folder)

        for name, spoil, words, said in (
                ("sum", spoil_sum, (), "portions.csv: differs from what was published: its SHA-256 is"),
                ("gone", lambda folder: (folder / "loops.csv").unlink(), (), "loops.csv: missing; the data set is incomplete"),
                ("empty", lambda folder: shutil.rmtree(folder), (), "not a data set: there is no SHA256SUMS"),
                ("night", lambda folder: None, ("--night", "1999-01-01"), "has no measured night of this date or commit"),
                ("kernel", spoil_kernel, (), "the night was measured on s390x, this machine is"),
                ("commit", spoil_commit, (), "commit 000000000000 of ")):
            with self.subTest(name):
                folder = self.copy(f"bad-{name}")
                spoil(folder)
                done = self.moowatch("replicate", folder, "--dir", f"bad-{name}-results", *words)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn(said, done.stderr)

    def test_wishes_that_cannot_be_met(self):
        for words, code, said in ((("--dataset", self.set), 3, "not empty; name a new folder with --dataset"),
                                  (("--dataset", "new1", "--license", "my own"), 3, "must be an SPDX identifier"),
                                  (("--dataset", "new2"), 3, "the values of its environment variables are withheld")):
            done = self.moowatch("export", "figures", "--server", self.service.url, *words)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main()
