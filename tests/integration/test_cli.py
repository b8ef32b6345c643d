"""The moowatch command on real files: results good and bad, exit codes, formats."""
import csv
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MOOWATCH_BUILD", SOURCE / "build" / "release"))


def moowatch(*arguments, expect=0):
    """Runs the command; returns (stdout, stderr)."""
    done = subprocess.run([BUILD / "ci" / "moowatch", *map(str, arguments)], capture_output=True, text=True,
                          timeout=120, stdin=subprocess.DEVNULL)
    assert done.returncode == expect, f"{arguments}: exit {done.returncode}, not {expect}\n{done.stdout}{done.stderr}"
    return done.stdout, done.stderr


def calls(level, loop, count):
    """Response times that differ from call to call and from loop to loop, the same in every run."""
    return [level + loop * level % 13 + (i * 7919 + loop) % 11 + (5000 if i % 97 == 0 else 0) for i in range(count)]


def result(folder, loops=4, count=400, levels=(70, 270, 1150, 2500), depth=10, columns=4):
    """A MooBench result folder."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for loop in range(1, loops + 1):
        for number, level in enumerate(levels):
            tail = ";1000;0" if columns == 4 else ""
            (folder / f"raw-{loop}-{depth}-{number}.csv").write_text(
                "".join(f"15;{value}{tail}\n" for value in calls(level, loop, count)))
    (folder / "labels.sh").write_text('TITLE[0]="No instrumentation"\nTITLE[1]="Deactivated probe"\n')
    return folder


class Temporary(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="moowatch-cli-")
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)


class Program(Temporary):
    def test_help_is_short(self):
        out, _ = moowatch("--help")
        self.assertLess(len(out.splitlines()), 25)

    def test_usage(self):
        moowatch(expect=2)
        moowatch("nothing", expect=2)
        moowatch("analyze", expect=2)
        moowatch("analyze", "--no-such", expect=2)
        moowatch("project", "frobnicate", "x", expect=2)

    def test_project_check(self):
        out, _ = moowatch("project", "check", SOURCE / "config/examples/projects.d/kieker-java.yaml", "--json")
        self.assertTrue(json.loads(out)["ok"])
        bad = self.folder / "bad.yaml"
        bad.write_text("name: x\nnonsense: 1\n")
        _, err = moowatch("project", "check", bad, expect=3)
        self.assertIn("bad.yaml:2", err)


class Analyze(Temporary):
    def test_figures_are_those_of_r(self):
        result(self.folder / "a")
        night = json.loads(moowatch("analyze", self.folder / "a", "--json")[0])
        script = """
            f <- commandArgs(TRUE)[1]; out <- c()
            means <- sapply(0:3, function(c) sapply(1:4, function(l) {
                x <- read.csv2(sprintf("%s/raw-%d-10-%d.csv", f, l, c), header=FALSE)[,2]; mean(x[201:400]) }))
            all <- sapply(0:3, function(c) unlist(lapply(1:4, function(l) {
                x <- read.csv2(sprintf("%s/raw-%d-10-%d.csv", f, l, c), header=FALSE)[,2]; x[201:400] })))
            for (c in 1:4) out <- c(out, mean(means[,c]), t.test(means[,c])$conf.int, sd(all[,c]),
                                    quantile(all[,c], c(0, .25, .5, .75, 1)))
            for (c in 2:4) out <- c(out, t.test(means[,c], means[,c-1], paired=TRUE)$conf.int)
            cat(sprintf("%.17g", out))"""
        printed = subprocess.run(["Rscript", "-e", script, self.folder / "a"], check=True, capture_output=True,
                                 text=True, timeout=120).stdout
        expected = [float(word) for word in printed.split()]
        mine = []
        for c in night["configurations"]:
            s = c["statistics"]
            mine += [c["mean_ns"], c["low_ns"], c["high_ns"], s["sd_ns"], s["min_ns"], s["q1_ns"], s["median_ns"],
                     s["q3_ns"], s["max_ns"]]
        for p in night["portions"][1:]:
            mine += [p["low_ns"], p["high_ns"]]
        self.assertEqual(len(mine), len(expected))
        for a, b in zip(mine, expected):
            self.assertLessEqual(abs(a - b), 1e-12 * abs(b))

    def test_folder_zip_and_results_zip_say_the_same(self):
        folder = result(self.folder / "framework" / "results")
        plain = json.loads(moowatch("analyze", folder, "--json")[0])
        self.assertEqual([p["portion"] for p in plain["portions"]], ["T", "I", "C", "W"])
        self.assertEqual(plain["configurations"][1]["label"], "Deactivated probe")
        with zipfile.ZipFile(folder / "results.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(folder.glob("raw-*")):
                archive.write(file, file.name)
                file.unlink()
        for path in (folder / "results.zip", folder, folder.parent):
            other = json.loads(moowatch("analyze", path, "--json")[0])
            self.assertEqual(other["portions"], plain["portions"], path)
            self.assertEqual(other["configurations"], plain["configurations"], path)

    def test_older_files_have_two_columns(self):
        result(self.folder / "a", columns=2)
        out, _ = moowatch("analyze", self.folder / "a")
        self.assertIn("paired t", out)

    def test_chart_files(self):
        result(self.folder / "a")
        for suffix, start in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
            chart = self.folder / f"chart.{suffix}"
            moowatch("analyze", self.folder / "a", "--chart", chart)
            self.assertTrue(chart.read_bytes().startswith(start))
        moowatch("analyze", self.folder / "a", "--chart", self.folder / "chart.gif", expect=2)

    def test_warmup_and_chain_are_asked_for(self):
        result(self.folder / "a", count=40)
        night = json.loads(moowatch("analyze", self.folder / "a", "--json", "--warmup", 10, "--chain",
                                    "T,I,C,W-tcp:1")[0])
        self.assertEqual(night["configurations"][0]["statistics"]["n"], 4 * 30)
        self.assertEqual((night["portions"][3]["portion"], night["portions"][3]["parent"]), ("W-tcp", "1"))


class Compare(Temporary):
    def setUp(self):
        super().setUp()
        self.before = result(self.folder / "before")
        self.after = result(self.folder / "after", levels=(70, 270, 1150, 3100))

    def test_a_slower_portion_is_found(self):
        out, _ = moowatch("compare", self.before, self.after, expect=1)
        self.assertIn("W went up by", out)
        out, _ = moowatch("compare", self.after, self.before)
        self.assertIn("W went down by", out)
        out, _ = moowatch("compare", self.before, self.before)
        self.assertIn("nothing changed", out)
        moowatch("compare", self.before, self.after, "--minimum-percent", 90)

    def test_the_difference_is_welch(self):
        night = json.loads(moowatch("compare", self.before, self.after, "--json", expect=1)[0])
        script = """
            w <- function(f) { m <- sapply(2:3, function(c) sapply(1:4, function(l)
                mean(read.csv2(sprintf("%s/raw-%d-10-%d.csv", f, l, c), header=FALSE)[201:400,2]))); m[,2]-m[,1] }
            a <- commandArgs(TRUE); cat(sprintf("%.17g", t.test(w(a[2]), w(a[1]))$conf.int))"""
        printed = subprocess.run(["Rscript", "-e", script, self.before, self.after], check=True, timeout=120,
                                 capture_output=True, text=True).stdout.split()
        difference = night["portions"][3]["difference"]
        for mine, theirs in zip((difference["low_ns"], difference["high_ns"]), map(float, printed)):
            self.assertLessEqual(abs(mine - theirs), 1e-9 * abs(theirs))

    def test_files_for_other_tools(self):
        names = {kind: self.folder / f"out.{kind}" for kind in ("markdown", "junit", "plot-csv", "html")}
        moowatch("compare", self.before, self.after, *[f"--{kind}={path}" for kind, path in names.items()],
                 "--chart", self.folder / "c.svg", expect=1)
        subprocess.run(["xmllint", "--noout", "--schema", SOURCE / "tests/integration/junit.xsd", names["junit"]],
                       check=True, capture_output=True, timeout=60)
        suite = xml.etree.ElementTree.parse(names["junit"]).getroot().find("testsuite")
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("4", "1"))
        rows = list(csv.reader(names["plot-csv"].open()))
        self.assertEqual(rows[0], ["T", "I", "C", "W"])
        self.assertEqual(len([float(value) for value in rows[1]]), 4)
        self.assertIn("| W |", names["markdown"].read_text())
        xml.etree.ElementTree.fromstring(names["html"].read_text())


class BadResults(Temporary):
    def refuse(self, path, *words, extra=()):
        _, err = moowatch("analyze", path, *extra, expect=3)
        for word in words:
            self.assertIn(word, err)
        self.assertEqual(len(err.splitlines()), 1, err)

    def archive(self, entries):
        path = self.folder / "x.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in entries.items():
                archive.writestr(name, data)
        return path

    def test_nothing_there(self):
        self.refuse(self.folder / "missing", "no such file")
        self.refuse(self.folder, "no raw-<loop>-<depth>-<configuration>.csv")

    def test_a_loop_is_missing(self):
        result(self.folder / "a")
        (self.folder / "a" / "raw-3-10-2.csv").unlink()
        self.refuse(self.folder / "a", "raw-3-10-2.csv is missing", "--allow-missing")
        night = json.loads(moowatch("analyze", self.folder / "a", "--allow-missing", "--json")[0])
        self.assertEqual(night["configurations"][2]["loops"], 3)
        self.assertEqual(night["portions"][3]["method"], "Welch t")

    def test_mixed_depths(self):
        result(self.folder / "a")
        result(self.folder / "a", depth=5)
        self.refuse(self.folder / "a", "(5, 10)", "--depth")
        moowatch("analyze", self.folder / "a", "--depth", 5)
        self.refuse(self.folder / "a", "depth 7", extra=("--depth", 7))

    def test_two_label_files(self):
        result(self.folder / "f" / "results")
        (self.folder / "f" / "labels.sh").write_text('TITLE[0]="Another"\n')
        self.refuse(self.folder / "f" / "results", "two label files", "--labels")
        moowatch("analyze", self.folder / "f" / "results", "--labels", self.folder / "f" / "labels.sh")

    def test_the_same_loop_twice(self):
        path = self.archive({"a/raw-1-10-0.csv": "1;2\n1;2\n", "b/raw-1-10-0.csv": "1;2\n1;2\n"})
        self.refuse(path, "two files for loop 1")

    def test_a_broken_line_is_named(self):
        result(self.folder / "a")
        file = self.folder / "a" / "raw-2-10-1.csv"
        file.write_text(file.read_text().replace("15;", "15,", 1))
        self.refuse(self.folder / "a", "raw-2-10-1.csv:1:3", "comma")

    def test_zip_pointing_outside(self):
        for name in ("../raw-1-10-0.csv", "/raw-1-10-0.csv", "a/../../raw-1-10-0.csv", "C:raw-1-10-0.csv"):
            self.refuse(self.archive({name: "1;2\n1;2\n"}), "points out of the archive")

    def test_zip_bomb(self):
        self.refuse(self.archive({"raw-1-10-0.csv": b"1;2\n" * (16 << 20)}), "zip bomb")

    def test_damaged_zip(self):
        path = self.archive({"raw-1-10-0.csv": "1;23\n" * 1000})
        data = bytearray(path.read_bytes())
        data[45:60] = bytes(15)
        path.write_bytes(data)
        self.refuse(path, "x.zip")
        path.write_bytes(bytes(data[:100]))
        self.refuse(path, "is it a zip file?")
        path.write_bytes(b"no zip at all")
        self.refuse(path, "is it a zip file?")


if __name__ == "__main__":
    unittest.main(verbosity=2)
