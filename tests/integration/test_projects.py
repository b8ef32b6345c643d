"""config/projects/try: each project file once, a row each; what is wrong with one is in its row."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import moowatch
from projects_try import PATH, TRY

LOOPS = (("none", {}, None), ("text", {"verify": {"records": 20, "expected": 20}}, None),
         ("text", {"verify": {"records": 20, "expected": 20}}, None), ("quiet", {"verify": {"records": 0, "expected": 0}}, None),
         ("ring", {"verify": {"records": 7}}, None), ("tcp", {"receiver": {"records": 0, "expected": 20}}, "no record arrived"),
         ("tcp", {"receiver": {"records": 5, "expected": 20}}, None))


class Rows(unittest.TestCase):
    RECORD = {"loops": [{"configuration": name, "readings": readings, "failed": failed} for name, readings, failed in LOOPS]}

    high_ns = 9.0

    def night(self, *doubts):
        return {"configurations": [{"name": name} for name in ("none", "quiet", "tcp", "text", "ring")],
                "portions": [{"portion": "T", "median_ns": 60.4}, {"portion": "W | TCP", "median_ns": -1234.0, "median_high_ns": self.high_ns}],
                "doubts": [{"configuration": None, "portion": None, "sentence": "", **doubt} for doubt in doubts]}

    def test_what_was_counted(self):
        self.assertEqual(TRY.counted(self.RECORD), {"text": (40, 40), "quiet": (0, 0), "ring": (7, None), "tcp": (5, 20)})
        self.assertEqual(TRY.records_of(self.night(), self.RECORD), "tcp 5 of 20, text 40 of 40, ring 7")
        self.assertEqual(TRY.records_of(self.night(), {"loops": [{"configuration": "none", "readings": None}]}), "none to count")

    def test_doubts_are_in_the_verdict(self):
        self.assertEqual(TRY.verdict_of(self.night()), "works")
        self.assertEqual(TRY.verdict_of(self.night({"kind": "silent", "portion": "I"}, {"kind": "dropped", "configuration": "tcp"},
                                                   {"kind": "failed", "sentence": "tcp: 1 of 2 loops failed"})),
                         "works: I not distinct from 0; tcp drops; tcp: 1 of 2 loops failed")

    def test_a_step_that_is_surely_below_its_parent_is_named_once(self):
        self.high_ns = -1.0
        self.assertEqual(TRY.verdict_of(self.night({"kind": "silent", "portion": "W | TCP"}, {"kind": "silent", "portion": "I"})),
                         "works: W | TCP below its parent; I not distinct from 0")
        self.assertEqual(TRY.verdict_of(self.night()), "works: W | TCP below its parent")

    def test_rows_become_a_table(self):
        rows = [TRY.row_of("one", "1.0", self.night(), self.RECORD), TRY.broken("two", "–", "it is not installed")]
        self.assertEqual(rows[0]["portions"], "T 60.4 ns, W | TCP -1.23 µs")
        lines = TRY.table(rows).splitlines()
        self.assertEqual(lines[2], "| one | 1.0 | T 60.4 ns, W \\| TCP -1.23 µs | tcp 5 of 20, text 40 of 40, ring 7 | works |")
        self.assertEqual(lines[3], "| two | – | – | – | does not work: it is not installed |")
        self.assertEqual([row["works"] for row in rows], [True, False])

    def test_files_are_shortened_and_nothing_else(self):
        for file in sorted((moowatch.SOURCE / "config" / "projects").glob("*/project.yaml")):
            text = file.read_text()
            short = TRY.shortened(text, 300, "  method_time_ns: 5\n")
            self.assertEqual(set(re.findall(r"total_calls: (\d+)", short)) - {"300"}, set(), file)
            self.assertEqual(re.findall(r"\n  loops: (\d+)\n  rest_seconds: (\d+)\n  method_time_ns: 5\n", short), [("2", "0")], file)
            self.assertEqual(short.count("rest_seconds"), 1, file)
            self.assertEqual(re.findall(r"- name: \w+", short), re.findall(r"- name: \w+", text), file)
        self.assertEqual(TRY.shortened("\n  loops: 10\n", 1, loops=5), "\n  loops: 5\n  rest_seconds: 0\n")
        once = TRY.shortened("\n      command: [x]\n", 1, "", "A=b c")
        self.assertEqual(once, '\n      environment: ["A=b c"]\n      command: [x]\n')
        self.assertEqual(TRY.shortened(once, 1, "", "A=b c"), once)

    def test_each_project_names_a_release(self):
        for file in (moowatch.SOURCE / "config" / "projects").glob("*/project.yaml"):
            if file.parent.name not in TRY.INSTALLED:
                self.assertRegex(TRY.version_of(file.parent.name), r"^v?[0-9][0-9.]*$")


class Documents(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-try-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def test_the_table_takes_its_place(self):
        file = self.folder / "a.md"
        file.write_text("before\n<!-- figures of config/projects/try -->\nstale\n<!-- end -->\nafter\n")
        for _ in range(2):
            TRY.put(file, "| new |")
        self.assertEqual(file.read_text(), "before\n<!-- figures of config/projects/try -->\n| new |\n<!-- end -->\nafter\n")
        file.write_text("nothing\n")
        with self.assertRaisesRegex(LookupError, "has no place"):
            TRY.put(file, "| new |")

    def test_rows_are_kept_with_what_the_machine_did(self):
        row = TRY.broken("b-java", "1", "why")
        TRY.keep(self.folder, row, 300, 2, 9.96)
        TRY.keep(self.folder, {**row, "project": "skywalking-java"}, 300, 2, 0.1)
        TRY.keep(self.folder, row, 500, 5, 4.0)  # again, in place of the first
        rows = TRY.kept(self.folder)
        self.assertEqual([(one["project"], one["calls"], one["load"]) for one in rows], [("b-java", 500, 4.0), ("skywalking-java", 100000, 0.1)])
        self.assertRegex(TRY.state(rows), r"^Run on 20\d\d-\d\d-\d\d with Linux .*, 2 to 5 processes of each configuration, 500 to 100,000 calls each\. "
                         r"Load of the \d+ processors before a project: 0\.1 to 4\.0; an idle node has less than 0\.5\. Without a row: datadog-java, elastic-apm-java, .*, uftrace\.$")
        self.assertNotIn("Without", TRY.state([{**rows[0], "project": name} for name in TRY.known()]))

    def test_the_document_has_each_project(self):
        """The table in docs/frameworks.md: a row of each that was run, and each works; what was not run is named."""
        text = (moowatch.SOURCE / "docs" / "frameworks.md").read_text()
        [(_, table, _)] = re.findall(r"(<!-- figures of config/projects/try -->\n)(.*?)(<!-- end -->)", text, re.S)
        self.assertRegex(table, r"^Run on 20\d\d-\d\d-\d\d .* Load of the \d+ processors")
        rows = dict(re.findall(r"^\| ([a-z0-9-]+) \|.*\| (works|does not work)[^|]*\|$", table, re.M))
        self.assertEqual(set(rows.values()), {"works"})
        without = re.findall(r"Without a row: (.*)\.$", table, re.M)
        self.assertEqual(sorted([*rows, *", ".join(without).split(", ")] if without else rows), TRY.known())

    def test_each_project_has_a_test(self):
        """One that runs it with few calls."""
        tests = "".join((PATH.parents[2] / "tests" / "integration" / f"test_{name}.py").read_text()
                        for name in ("frameworks", "kieker_java", "agents"))
        self.assertEqual([name for name in TRY.known() if f'make("{name}"' not in tests and f'agent("{name}"' not in tests], [])


class Tried(unittest.TestCase):
    def run_try(self, *words, build=moowatch.BUILD, path=None):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-try-"))
        self.addCleanup(shutil.rmtree, folder)
        environment = {**os.environ, **({"PATH": path} if path else {})}
        return subprocess.run([PATH, "--dir", folder, "--build", build, *words], capture_output=True, text=True, timeout=300,
                              env=environment, check=False)

    def test_one_that_works(self):
        if not shutil.which("uftrace"):
            self.skipTest("uftrace is not installed; ci/setup test installs it")
        done = self.run_try("--calls", "300", "uftrace")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        [row] = json.loads(done.stdout.splitlines()[-1])["projects"]
        self.assertEqual((row["project"], row["records"], row["works"]), ("uftrace", "writing 6,000 of 6,000", True))
        self.assertRegex(row["portions"], r"^T .*s, I .*s, C\+W .*s$")

    def test_what_is_wrong_is_said(self):
        for words, said in ((["no-such"], "there is no project no-such; known: "), (["--calls", "9", "uftrace"], "at least 200"),
                            (["--loops", "1", "uftrace"], "at least 2")):
            done = self.run_try(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(said, done.stderr)

    def test_one_that_is_not_installed(self):
        nothing = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-try-"))
        self.addCleanup(shutil.rmtree, nothing)
        (nothing / "python3").symlink_to(sys.executable)
        done = self.run_try("lttng-ust", "uftrace", path=str(nothing))
        self.assertEqual(done.returncode, 1, done.stderr)
        rows = json.loads(done.stdout.splitlines()[-1])["projects"]
        self.assertIn("moowatch is not installed; build it, or say --build",
                      self.run_try("uftrace", build=nothing, path=str(nothing)).stderr)
        self.assertEqual([row["verdict"] for row in rows],
                         ["does not work: lttng is not installed", "does not work: uftrace is not installed"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
