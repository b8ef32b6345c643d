"""The makers of the demo's repositories: what they make is dated, repeatable, builds, and records."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MOOWATCH_BUILD", SOURCE / "build" / "release"))
HARNESS = BUILD / "runner" / "moobench"
NATIVE = SOURCE / "tests" / "native" / "make-repository"
KIEKER = SOURCE / "ci" / "demo.d" / "kieker-repository"
DEADLINE_S = 60


class Makers(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-nights-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.repository = self.folder / "repository"

    def run_program(self, *command, environment=None, expected=0):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                              timeout=DEADLINE_S, env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, expected, done.stderr)
        return done.stdout if expected == 0 else done.stderr

    def git(self, *arguments, repository=None):
        return self.run_program("git", "-C", repository or self.repository, *arguments).strip()

    def nights(self):
        """[(date, commit)], oldest first."""
        lines = self.git("log", "--reverse", "--first-parent", "--format=%cd %H", "--date=short").splitlines()
        return [tuple(line.split()) for line in lines]

    def test_native_is_the_same_every_time(self):
        again = self.folder / "again"
        self.run_program(NATIVE, self.repository)
        self.run_program(NATIVE, again, environment={"HOME": str(self.folder), "TZ": "Asia/Tokyo"})
        self.assertEqual(self.git("rev-parse", "main"), self.git("rev-parse", "main", repository=again))

    def test_native_nights_are_those_of_the_truth(self):
        self.run_program(NATIVE, self.repository)
        truth = json.loads((SOURCE / "tests" / "native" / "nights.json").read_text())
        dates = [date for date, _ in self.nights()]
        self.assertEqual(len(dates), truth["nights"])
        self.assertEqual((dates[0], dates[-1]), (truth["first"], truth["last"]))
        self.assertEqual(dates, sorted(set(dates)))
        self.assertLessEqual({change["night"] for change in truth["changes"]}, set(dates))
        self.assertEqual({change["portion"] for change in truth["changes"]}, {"I", "C", "W"})

    def test_native_every_night_builds_and_records(self):
        self.run_program(NATIVE, self.repository)
        records = self.folder / "calls.bin"
        for date, commit in self.nights():
            self.git("checkout", "-q", commit)
            self.run_program("make", "-s", "-C", self.repository)
            for mode, calls in [("deactivated", 0), ("collecting", 0), ("writing", 50)]:
                with self.subTest(night=date, mode=mode):
                    self.run_program(
                        HARNESS / "moobench-instrumented", "--quickstart", "--total-calls", "50",
                        "--recursion-depth", "3", "--output-filename", self.folder / "raw.csv",
                        environment={"LD_PRELOAD": str(self.repository / "libcallmon.so"),
                                     "CALLMON_MODE": mode, "CALLMON_FILE": str(records)})
                    self.run_program(self.repository / "verify", records, calls, 3)
            records.unlink()
            self.run_program("make", "-s", "-C", self.repository, "clean")

    def test_kieker_pins_a_release_a_night(self):
        self.run_program(KIEKER, self.repository)
        found = []
        for date, commit in self.nights():
            pom = self.git("show", f"{commit}:pom.xml")
            found.append((date, pom.split("<artifactId>kieker</artifactId>")[1].split("<version>")[1].split("<")[0]))
            files = self.git("ls-tree", "-r", "--name-only", commit).splitlines()
            for name in ["prepare", "verify", "options/aop.xml", "options/none", "options/deactivated",
                         "options/collecting", "options/writing"]:
                self.assertIn(name, files)
            self.assertEqual("probe/SignatureFirstAspect.java" in files, date == "2024-10-28")
        self.assertEqual(found[0], ("2024-10-28", "1.8"))
        self.assertEqual(found[1], ("2024-10-29", "1.8"))
        self.assertEqual(found[-1][0], "2024-11-05")
        self.assertEqual([version for _, version in found].count("1.12"), 2)
        self.assertEqual(found, sorted(found))

    def test_kieker_short_ends_after_two_nights(self):
        self.run_program(KIEKER, self.repository, "--short", "2026-03-01")
        self.assertEqual([date for date, _ in self.nights()], ["2026-02-28", "2026-03-01"])

    def test_native_nights_end_on_the_date_given(self):
        self.run_program(NATIVE, self.repository, "2026-01-05")
        dates = [date for date, _ in self.nights()]
        self.assertEqual((len(dates), dates[0], dates[-1]), (10, "2025-12-27", "2026-01-05"))
        self.assertEqual(self.git("log", "--format=%ad", "--date=short").splitlines(), dates[::-1])

    def test_makers_refuse_what_is_no_date(self):
        for maker in (NATIVE, KIEKER):
            with self.subTest(maker=maker.name):
                self.assertIn("is not a date", self.run_program(maker, self.repository, "soon", expected=2))
                self.assertFalse(self.repository.exists())

    def test_kieker_verify_counts_activations_alone(self):
        self.run_program(KIEKER, self.repository, "--short")
        verify = self.repository / "verify"
        scratch = self.folder / "scratch"
        (scratch / "kieker-1").mkdir(parents=True)
        self.run_program(verify, scratch, 0, 2)
        (scratch / "kieker-1" / "a.dat").write_text(
            "$0;1;1.8;x\n$1;2;public a.B.<init>();1\n" + "$1;3;public long a.B.monitoredMethod(long, int);1\n" * 4)
        self.run_program(verify, scratch, 2, 2)
        self.assertIn("4 records", self.run_program(verify, scratch, 3, 2, expected=1))
        self.assertIn("0 expected", self.run_program(verify, scratch, 0, 2, expected=1))

    def test_makers_leave_alone_what_is_there(self):
        self.repository.mkdir()
        for maker in (NATIVE, KIEKER):
            with self.subTest(maker=maker.name):
                self.assertIn("exists", self.run_program(maker, self.repository, expected=1))
                self.assertIn("usage", self.run_program(maker, expected=2))
                self.assertIn("usage", self.run_program(maker, "--help", expected=2))
        self.assertEqual(os.listdir(self.repository), [])


if __name__ == "__main__":
    unittest.main()
