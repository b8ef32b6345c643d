"""The moowatch command on real files: results good and bad, exit codes, formats."""
import csv
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import unittest
import urllib.parse
import xml.etree.ElementTree
import zipfile

import junit_schema
import promtool

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

    def test_man_page_renders(self):
        done = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *sorted((SOURCE / "ci/man").iterdir())],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        page = (SOURCE / "ci/man/moowatch.1").read_text()
        commands = [line.split()[0] for line in moowatch("--help")[0].splitlines() if line.startswith("  ")]
        self.assertEqual([c for c in commands if f".It Cm {c}" not in page], [])
        for program, page in (("server/moowatchd", "moowatchd.8"), ("runner/moowatch-runner", "moowatch-runner.8"),
                              ("runner/moowatch-runner measure", "moowatch-runner.8")):
            name, *command = program.split()
            text = subprocess.run([BUILD / name, *command, "--help"], check=True, capture_output=True, text=True,
                                  timeout=60).stdout
            page = (SOURCE / "ci/man" / page).read_text().replace(r"\-", "-")
            options = set(re.findall(r"--([a-z][a-z-]*)", text)) - {"help", "version"}
            self.assertEqual([o for o in sorted(options) if f"Fl -{o}" not in page], [])

    def test_completion(self):
        def complete(*words):
            script = (f"source {SOURCE}/ci/completion/moowatch.bash; COMP_WORDS=({' '.join(words)}); "
                      f"COMP_CWORD={len(words) - 1}; _moowatch; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
            return subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60,
                                  check=True).stdout.split()
        program = str(BUILD / "ci" / "moowatch")
        self.assertEqual(complete(program, "ana"), ["analyze"])
        self.assertIn("--chain", complete(program, "analyze", "--ch"))
        self.assertEqual(complete(program, "project", "c"), ["check"])
        runner = str(BUILD / "runner" / "moowatch-runner")
        self.assertEqual(complete(runner, "mea"), ["measure"])
        self.assertEqual(complete(runner, "measure", "--pro"), ["--project"])
        self.assertEqual(complete(runner, "--wor"), ["--work-dir"])

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
        for suffix, start in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
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
        self.assertIn("Writing (W) rose by", out)
        out, _ = moowatch("compare", self.after, self.before)
        self.assertIn("Writing (W) fell by", out)
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
        junit_schema.check(names["junit"])
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

    def test_whatever_is_wrong_in_a_raw_file_is_named(self):
        """Each in the second loop's file, in both layouts, in a folder and in a zip."""
        def time_of_line_30(text):
            return lambda lines: lines[:29] + [";".join([lines[29].split(";")[0], text, *lines[29].split(";")[2:]])] + \
                lines[30:]
        cases = {
            "empty": (lambda lines: [], ":1:1", "empty"),
            "not a number": (time_of_line_30("NaN"), ":30:4", "'N'"),
            "infinite": (time_of_line_30("inf"), ":30:4", "'i'"),
            "negative": (time_of_line_30("-5"), ":30:4", "negative"),
            "overflowed counter": (time_of_line_30("18446744073709551615"), ":30:20", "overflowed"),
            "a fraction": (time_of_line_30("1.5"), ":30:5", "decimal point"),
            "scientific": (time_of_line_30("1E9"), ":30:5", "'E'"),
            "no time": (time_of_line_30(""), ":30:4", "empty column"),
            "CRLF": (lambda lines: [line + "\r" for line in lines], ":1:", "carriage return"),
            "cut inside a line": (lambda lines: [*lines[:-1], lines[-1][:4]], f":{400}:5", "not ended"),
            "NUL byte": (lambda lines: [*lines[:19], "\0" + lines[19], *lines[20:]], ":20:1", "NUL"),
            "commas": (lambda lines: [line.replace(";", ",") for line in lines], ":1:3", "comma"),
            "tabulators": (lambda lines: [line.replace(";", "\t") for line in lines], ":1:3", "tabulator"),
            "header": (lambda lines: ["thread;ns", *lines], ":1:1", "header"),
            "byte order mark": (lambda lines: ["\ufeff" + lines[0], *lines[1:]], ":1:1", "byte order mark"),
            "blank line": (lambda lines: [*lines, ""], ":401:1", "empty line"),
            "other columns": (lambda lines: [*lines, "15;3" if lines[0].count(";") == 3 else "15;3;4;5"], ":401:",
                              "the lines before it"),
            "three columns": (lambda lines: [";".join(line.split(";")[:2]) + ";1" for line in lines], ":1:", "3 columns"),
            "one column": (lambda lines: [line.split(";")[0] for line in lines], ":1:3", "1 columns"),
            "shorter than the others": (lambda lines: lines[:150], "", "150 calls, but 400 in"),
        }
        for columns in (2, 4):
            folder = result(self.folder / str(columns), columns=columns)
            file = folder / "raw-2-10-1.csv"
            good = file.read_text()
            for name, (damage, place, word) in cases.items():
                with self.subTest(name, columns=columns):
                    lines = damage(good.splitlines())
                    end = "" if name == "cut inside a line" else "\n" if lines else ""
                    file.write_bytes(("\n".join(lines) + end).encode())
                    self.refuse(folder, f"raw-2-10-1.csv{place}", word)
                    with zipfile.ZipFile(self.folder / "y.zip", "w") as archive:
                        for path in folder.glob("raw-*"):
                            archive.write(path, path.name)
                    self.refuse(self.folder / "y.zip", "raw-2-10-1.csv", word)
            file.write_text(good)
            shutil.copy(file, folder / "raw-02-10-1.csv")
            self.refuse(folder, "two files for loop 2", "raw-02-10-1.csv")

    def test_a_loop_cut_short_may_be_allowed(self):
        folder = result(self.folder / "a")
        file = folder / "raw-2-10-1.csv"
        file.write_text("".join(file.read_text().splitlines(True)[:150]))
        self.refuse(folder, "--allow-missing")
        out, _ = moowatch("analyze", folder, "--allow-missing")
        self.assertIn("75 to 200 calls kept of each loop (75 to 200 dropped)", out)

    def test_a_line_without_end_costs_neither_time_nor_memory(self):
        folder = result(self.folder / "a")
        with open(folder / "raw-2-10-1.csv", "r+b") as file:
            file.seek(0, os.SEEK_END)
            size = file.tell()
            file.write(b"15;")
            file.truncate(size + (1 << 30))
        with subprocess.Popen([BUILD / "ci" / "moowatch", "analyze", folder], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as child:
            err = child.stderr.read()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, 3)
        self.assertIn("raw-2-10-1.csv:401:4: a NUL byte", err)
        self.assertLess(usage.ru_maxrss, 300 * 1024, "KB")

    def test_odd_but_right(self):
        """One loop, one call, equal calls, a call of a second, threads that take turns: numbers, and the right ones."""
        def night(name, text, loops=2, extra=()):
            for loop in range(1, loops + 1):
                (self.folder / name).mkdir(exist_ok=True)
                (self.folder / name / f"raw-{loop}-10-0.csv").write_text(text)
            return json.loads(moowatch("analyze", self.folder / name, "--json", *extra)[0])
        for tail in ("", ";1000;0"):
            one = night("one" + tail[:1], f"15;70{tail}\n" * 4, loops=1)
            self.assertIsNone(one["portions"][0]["low_ns"])
            self.assertIn("One loop has no interval", moowatch("analyze", self.folder / ("one" + tail[:1]))[0])
            call = night("call" + tail[:1], f"15;70{tail}\n")
            self.assertEqual(call["configurations"][0]["statistics"]["n"], 2)
            self.assertEqual(call["portions"][0]["mean_ns"], 70)
            equal = night("equal" + tail[:1], f"15;70{tail}\n" * 100)["configurations"][0]
            self.assertEqual((equal["mean_ns"], equal["statistics"]["sd_ns"], equal["low_ns"]), (70, 0, 70))
            outlier = night("outlier" + tail[:1], f"15;70{tail}\n" * 3 + f"15;1000000000{tail}\n")["configurations"][0]
            self.assertEqual((outlier["statistics"]["max_ns"], outlier["mean_ns"]), (1e9, 500000035))
            turns = night("turns" + tail[:1], "".join(f"{15 + i % 2};{100 * (i % 2) + i // 50}{tail}\n" for i in range(100)))
            self.assertEqual(turns["configurations"][0]["mean_ns"], 51, "the second half of each thread's")
        whole = result(self.folder / "none")
        for loop in range(1, 5):
            (whole / f"raw-{loop}-10-0.csv").unlink()
        portions = json.loads(moowatch("analyze", whole, "--json")[0])["portions"]
        self.assertEqual([p["portion"] for p in portions], ["T+I", "C", "W"], "T alone was not measured")

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


COMMIT = {"author": {"name": "Nora"}, "id": "ab" * 20, "message": "one\ntwo", "timestamp": "2025-09-17T03:00:00Z",
          "url": "https://example.org"}
FORMATS = {
    "data.js": "window.BENCHMARK_DATA = " + json.dumps({"lastUpdate": 1, "repoUrl": "r", "entries": {
        "Kieker-java": [
            {"commit": COMMIT, "date": 1758160800000, "tool": "customSmallerIsBetter", "benches": [
                {"name": "No instrumentation", "value": 44.65, "range": 44.65, "unit": "ns"}]},
            {"commit": COMMIT, "date": 1758078000000, "tool": "customSmallerIsBetter", "benches": [
                {"name": "No instrumentation", "value": 90.75, "range": "± 0.09", "unit": "ns"},
                {"name": "Throughput", "value": 2e6, "range": "+/-10%", "unit": "ops/s"},
                {"name": "Size", "value": 5, "unit": "bytes"}]}]}}) + ";\n",
    "custom.json": json.dumps([{"name": "W", "value": 1.332, "unit": "us", "range": 0.1, "extra": "x"}]),
    "jmh.json": json.dumps([
        {"benchmark": "a.B.c", "mode": "avgt", "forks": 2, "params": {"size": "10"}, "primaryMetric": {
            "score": 150.0, "scoreError": 10, "scoreConfidence": [140.0, 160.0], "scoreUnit": "ns/op",
            "rawData": [[90.0, 110.0], [190.0, 210.0]]}, "secondaryMetrics": {}},
        {"benchmark": "a.B.d", "mode": "thrpt", "forks": 1, "primaryMetric": {
            "score": 4.0, "scoreConfidence": ["NaN", "NaN"], "scoreUnit": "ops/us", "rawData": [[4.0]]}}]),
    "google.json": json.dumps({"context": {"date": "2026-01-02T03:04:05+00:00"}, "benchmarks": [
        {"name": "BM_x", "run_name": "BM_x", "run_type": "iteration", "repetition_index": i, "real_time": 10.0 + i,
         "cpu_time": 9, "time_unit": "us"} for i in range(3)] + [
        {"name": "BM_x_mean", "run_name": "BM_x", "run_type": "aggregate", "real_time": 11.0, "time_unit": "us"}]}),
    "pytest.json": json.dumps({"machine_info": {}, "commit_info": {"id": "cd" * 20}, "datetime": "2026-01-02T03:04:05",
                               "benchmarks": [{"fullname": "t.py::x", "stats": {"mean": 2e-6, "rounds": 5}}]}),
    "bmf.json": json.dumps({"W": {"latency": {"value": 1000, "lower_value": 900, "upper_value": 1100}},
                            "bytes": {"memory": {"value": 5}}}),
    "results.yaml": "kind: Kieker-java\nexperiments:\n- timestamp: 1758160800.5\n  measurements:\n"
                    "     No instrumentation : [ 9.07e-02 , 1e-02 , 1e-04 , 9e-02 , 9.1e-02 , 9.2e-02 , 1e+01 , 8e-02 ]\n"
                    "     Binary file : [ 2.5e+00 , .NAN , .NAN , 2 , 2 , 3 , 9 , 1 ]\n",
}


class Import(Temporary):
    def read(self, name, text=None):
        path = self.folder / name
        path.write_text(FORMATS[name] if text is None else text)
        return [json.loads(line) for line in moowatch("import", path)[0].splitlines()]

    def values(self, night):
        return {v["name"]: (v["mean_ns"], v["low_ns"], v["high_ns"]) for v in night["values"]}

    def test_github(self):
        old, new = self.read("data.js")
        self.assertEqual((old["night"], new["night"], old["suite"]), ("2025-09-17", "2025-09-18", "Kieker-java"))
        self.assertEqual((old["commit"]["sha"], old["left_out"]), ("ab" * 20, 1))
        values = self.values(old)
        self.assertEqual(values["No instrumentation"], (90.75, 90.66, 90.84))
        mean, low, high = values["Throughput"]
        self.assertEqual((mean, round(low, 2), round(high, 2)), (500, 454.55, 555.56))
        [night] = self.read("custom.json")
        self.assertAlmostEqual(self.values(night)["W"][0], 1332)

    def test_a_series_for_detect(self):
        (self.folder / "data.js").write_text(FORMATS["data.js"])
        out, _ = moowatch("import", self.folder / "data.js", "--series", "No instrumentation")
        rows = [row.split(",") for row in out.splitlines()]
        self.assertEqual([(r[0], float(r[1]), len(r)) for r in rows], [("0", 90.75, 4), ("1", 44.65, 4)])
        _, err = moowatch("import", self.folder / "data.js", "--series", "Nothing", expect=3)
        self.assertIn("Nothing", err)

    def test_jmh_forks_are_the_sample(self):
        [night] = self.read("jmh.json")
        first, second = night["values"]
        self.assertEqual((first["name"], first["mean_ns"], first["loops_ns"]), ("a.B.c size=10", 150, [100, 200]))
        self.assertEqual((second["mean_ns"], second["low_ns"], second["n"]), (250, None, 1))

    def test_google_and_pytest_and_bencher(self):
        [night] = self.read("google.json")
        [value] = night["values"]
        self.assertEqual((value["mean_ns"], value["n"], night["night"]), (11000, 3, "2026-01-02"))
        self.assertAlmostEqual(value["high_ns"] - value["mean_ns"], 4.302652729911275 * 1000 / 3 ** .5, 6)
        [night] = self.read("pytest.json")
        self.assertAlmostEqual(self.values(night)["t.py::x"][0], 2000)
        [night] = self.read("bmf.json")
        self.assertEqual((self.values(night)["W"], night["left_out"]), ((1000, 900, 1100), 1))

    def test_moobench_summary(self):
        [night] = self.read("results.yaml")
        self.assertEqual((night["suite"], night["night"]), ("Kieker-java", "2025-09-18"))
        self.assertAlmostEqual(self.values(night)["No instrumentation"][0], 90.7)
        self.assertEqual(self.values(night)["Binary file"][1], None)

    def test_what_is_none_of_them(self):
        for name, text, word in (("a.json", "{", "1"), ("a.json", "[]", "not the output of a known tool"), ("a.json", "7", ""),
                                 ("a.json", "", "empty"), ("a.json", '{"a": [1]}', "not the output of a known tool"),
                                 ("a.json", "[" * 5000, "depth"), ("a.yaml", "kind: x\nexperiments: 5\n", "experiments"),
                                 ("a.yaml", "kind: x\nexperiments:\n- timestamp: 1\n  measurements:\n    a: [1, 2]\n",
                                  "a.yaml:5"),
                                 ("a.yaml", "kind: [\n", "a.yaml"), ("a.bin", "\x00\x01", "")):
            path = self.folder / name
            path.write_text(text)
            _, err = moowatch("import", path, expect=3)
            self.assertIn(word, err)
        (self.folder / "latin").write_bytes(b"[\xff]")
        moowatch("import", self.folder / "latin", expect=3)
        moowatch("import", self.folder / "none", expect=3)

    def test_a_cut_file_never_gives_numbers_quietly(self):
        for name, text in FORMATS.items():
            if name.endswith(".yaml"):
                continue
            for end in range(1, len(text.rstrip(";\n")), max(1, len(text) // 20)):
                (self.folder / name).write_text(text[:end])
                moowatch("import", self.folder / name, expect=3)


NIGHTS = [
    {"experiment": n, "night": f"2026-01-{n:02}", "state": "measured", "reason": None, "loops": 10,
     "commit": {"sha": f"{n:02}" * 20, "short": f"{n:02}" * 4, "subject": f"commit {n}"},
     "total": {"mean_ns": 3800, "low_ns": 3700, "high_ns": 3900}, "configurations": [],
     "portions": [{"portion": name, "configuration": name, "parent": None, "mean_ns": level, "low_ns": level - 1,
                   "high_ns": level + 1, "verdict": "anomaly" if n == 7 and name == "W" else "suspect" if n == 6 and name == "C" else "ok",
                   "direction": "up" if n == 7 and name == "W" else None, "reason": f"{name} and why",
                   "reference": {"mean_ns": level / 1.08, "low_ns": 1, "high_ns": 2},
                   "difference": {"mean_ns": level - level / 1.08, "low_ns": 1, "high_ns": 2}}
                  for name, level in (("T", 70), ("I", 200), ("C", 900), ("W", 2500))]}
    for n in range(9, 0, -1)] + [
    {"experiment": None, "night": "2025-12-31", "state": "failed", "reason": "did not build", "portions": [],
     "commit": {"sha": "ff" * 20, "short": "ffffffff", "subject": "broken"}, "configurations": []}]


class Api(http.server.BaseHTTPRequestHandler):
    """The corners of the API that a healthy server does not show on demand: pages, refusals, lies."""

    def answer(self, status, body, kind="application/json", headers=()):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.server.seen.append((self.command, self.path, self.headers.get("Authorization")))
        path, _, query = self.path.partition("?")
        if path == "/api/v1/projects/a%20b/nights":
            start = int(urllib.parse.parse_qs(query).get("cursor", ["0"])[0])
            end = start + 3
            self.answer(200, {"items": NIGHTS[start:end], "next": str(end) if end < len(NIGHTS) else None})
        elif path == "/api/v1/projects/restarted/nights":
            self.server.asked += 1
            self.answer(*((503, {"title": "Not now"}) if self.server.asked == 1 else (200, {"items": NIGHTS, "next": None})))
        elif path == "/api/v1/jobs/1":
            self.server.asked += 1
            done = self.server.asked > 1
            self.answer(200, {"id": 1, "state": "done" if done else "leased", "experiment": 5 if done else None,
                              "progress": {"phase": "measure", "done": 1, "total": 2}})
        elif path == "/api/v1/jobs/2":
            self.answer(200, {"id": 2, "state": "failed", "error": "exit status 1"})
        elif path == "/api/v1/jobs/3":
            self.answer(200, {"id": 3, "state": "queued"})
        elif path == "/api/v1/jobs/4":
            self.answer(302, b"", headers=[("Location", "http://localhost:1/")])
        elif path == "/api/v1/jobs/5":
            self.answer(200, b"<html>a login page</html>", "text/html")
        else:
            self.answer(404, {"title": "Not Found", "detail": "there is no such thing"}, "application/problem+json")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((self.command, self.path, self.headers.get("Authorization"), body))
        self.answer(201, {"job": 7, "queued": True})

    def log_message(self, *_):
        pass


class WithServer(Temporary):
    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api)
        self.server.seen, self.server.asked = [], 0
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def run_it(self, *arguments, expect=0):
        return moowatch(*arguments, "--server", self.url, expect=expect)

    def test_history_walks_all_pages(self):
        out, _ = self.run_it("history", "a b", "--nights", 0, "--json")
        self.assertEqual([json.loads(line)["night"] for line in out.splitlines()], [n["night"] for n in NIGHTS])
        out, _ = self.run_it("history", "a b", "--nights", 4, "--chart", self.folder / "h.svg")
        self.assertEqual(len(out.splitlines()), 5)
        self.assertIn("▲", out)
        self.assertTrue((self.folder / "h.svg").read_bytes().startswith(b"<svg"))

    def test_gate(self):
        self.run_it("gate", "a b", "08" * 20)
        out, _ = self.run_it("gate", "a b", "0707", expect=1)
        self.assertIn("W and why", out)
        self.run_it("gate", "a b", "0707", "--portion", "C")
        self.run_it("gate", "a b", "0707", "--allow", "W=8.5")
        self.run_it("gate", "a b", "0707", "--allow", "W=7.5", expect=1)
        self.run_it("gate", "a b", "0707", "--portion", "Typo", expect=2)
        self.run_it("gate", "a b", "0707", "--allow", "W", expect=2)
        _, err = self.run_it("gate", "a b", "ffff", expect=3)
        self.assertIn("did not build", err)
        self.run_it("gate", "a b", "dead", expect=5)
        _, err = self.run_it("gate", "a b", "0606", expect=5)
        self.assertIn("to confirm a change", err)
        verdict = json.loads(self.run_it("gate", "a b", "0707", "--json", "--junit", self.folder / "j.xml", expect=1)[0])
        self.assertEqual([p["portion"] for p in verdict["failed"]], ["W"])

    def test_export_is_read_back(self):
        self.run_it("export", "a b", "--format", "pdf", expect=2)
        rows = list(csv.reader(self.run_it("export", "a b")[0].splitlines()))
        self.assertEqual((len(rows), rows[1][:3]), (1 + 9 * 4, ["2026-01-01", "01" * 20, "T"]))
        lines = self.run_it("export", "a b", "-f", "json", "-n", 2)[0].splitlines()
        self.assertEqual([json.loads(line)["night"] for line in lines], ["2026-01-08", "2026-01-09"])
        for form, name in (("github", "W"), ("bmf", "a b W")):
            file = self.folder / form
            self.run_it("export", "a b", "-f", form, "-o", file)
            last = [json.loads(line) for line in moowatch("import", file)[0].splitlines()][-1]
            [value] = [v for v in last["values"] if v["name"] == name]
            self.assertEqual((value["mean_ns"], value["low_ns"]), (2500, 2499))

    def test_openmetrics_satisfy_promtool(self):
        text, _ = self.run_it("export", "a b", "--format", "openmetrics")
        self.assertTrue(text.endswith("# EOF\n"))
        self.assertIn('overhead_portion_mean_seconds{project="a b",portion="W"} 2.5', text)
        promtool.check(text)

    def test_wait(self):
        out, _ = self.run_it("wait", "1")
        self.assertIn("experiment 5", out)
        _, err = self.run_it("wait", "2", expect=3)
        self.assertIn("exit status 1", err)
        self.run_it("wait", "3", "--timeout", 0, expect=5)
        self.run_it("wait", "x", expect=2)

    def test_waiting_outlives_a_restart_but_no_refusal(self):
        self.run_it("gate", "restarted", "0101", "--timeout", 60)
        self.assertEqual(self.server.asked, 2)
        for command in (["wait", "9"], ["gate", "unknown", "0101"]):
            _, err = self.run_it(*command, "--timeout", 7200, expect=4)
            self.assertIn("there is no such thing", err)

    def test_a_pasted_token_may_end_with_a_line_break(self):
        for token, status in (("s3cret\n", 0), ("two words", 2)):
            done = subprocess.run([BUILD / "ci" / "moowatch", "submit", "p", "abc", "--server", self.url], timeout=60,
                                  capture_output=True, text=True, env={**os.environ, "MOOWATCH_TOKEN": token})
            self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(self.server.seen[-1][2], "Bearer s3cret")

    def test_submit_with_token(self):
        token = self.folder / "token"
        token.write_text("s3cret\n")
        out, err = self.run_it("submit", "a b", "abc", "--night", "2026-01-01", "--token-file", token)
        self.assertEqual(out, "7\n")
        self.assertEqual(self.server.seen[-1], ("POST", "/api/v1/projects/a%20b/jobs", "Bearer s3cret",
                                                {"commit": "abc", "night": "2026-01-01"}))
        token.write_text("two words")
        self.run_it("submit", "p", "abc", "--token-file", token, expect=2)
        self.run_it("submit", "p", "abc", "--token-file", self.folder / "none", expect=2)

    def test_refusals_are_told(self):
        _, err = self.run_it("history", "unknown", expect=4)
        self.assertIn("there is no such thing", err)
        _, err = self.run_it("wait", "4", "--timeout", 0, expect=4)
        self.assertIn("redirect", err)
        _, err = self.run_it("wait", "5", "--timeout", 0, expect=4)
        self.assertIn("is this a moowatch server", err)
        _, err = moowatch("history", "p", "--server", "http://127.0.0.1:9", expect=4)
        moowatch("history", "p", "--server", "file:///etc/passwd", expect=2)
        moowatch("history", "p", expect=2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
