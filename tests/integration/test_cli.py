"""The command line over files: its figures, what it writes for other tools, its help."""
import csv
import json
import os
import re
import subprocess
import unittest
import xml.etree.ElementTree
import zipfile

import jsonschema
import junit_schema
import yaml
from cli_case import SOURCE, BUILD, moowatch, result, Temporary


class Program(Temporary):
    def test_help_is_short(self):
        out, _ = moowatch("--help")
        self.assertLess(len(out.splitlines()), 25)
        self.assertEqual([line for line in out.splitlines() if len(line) > 80], [])
        page = (SOURCE / "ci/man/moowatch.1").read_text()
        self.assertEqual([m[0] for text in (out, page) for m in re.finditer(r"\b([a-z]+) \1\b", text)], [])

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

    def test_the_schema_of_project_files_takes_every_one_that_ships(self):
        """Read as an editor does: a date is a text there."""
        schema = json.loads(moowatch("project", "schema")[0])
        loader = type("Loader", (yaml.SafeLoader,), {})
        loader.add_constructor("tag:yaml.org,2002:timestamp", loader.construct_yaml_str)
        files = [file for folder in ("config/examples/projects.d", "config/projects")
                 for file in sorted((SOURCE / folder).rglob("*.yaml"))]
        self.assertGreater(len(files), 20)
        validator = jsonschema.Draft7Validator(schema)
        for file in files:
            project = yaml.load(file.read_text(), Loader=loader)
            if "benchmark" in project:
                self.assertEqual([error.message for error in validator.iter_errors(project)], [], file)
        project["benchmark"]["loop"] = 5
        project["benchmark"]["driver"] = "non-such"
        said = " ".join(error.message for error in validator.iter_errors(project))
        self.assertIn("'loop' was unexpected", said)
        self.assertIn("'non-such' is not one of", said)

    def test_no_escape_of_others_reaches_the_terminal(self):
        """Labels of a folder and names in an archive: title, colours and the screen are the reader's own."""
        folder = self.folder / "foreign"
        folder.mkdir()
        for loop in (1, 2):
            for configuration in (0, 1):
                (folder / f"raw-{loop}-10-{configuration}.csv").write_text(
                    "".join(f"1;{100 + configuration * 50 + i % 7}\n" for i in range(20)))
        (folder / "labels.sh").write_text('TITLE[0]="\033]0;owned\007\033[31mNone\033[2J\u009b\u202e"\nTITLE[1]="Deactivated"\n')
        archive = self.folder / "x.zip"
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr("../\033]0;owned\007raw-1-10-0.csv", "1;1\n")
        for path in (folder, archive):
            done = subprocess.run([BUILD / "ci" / "moowatch", "analyze", str(path)], capture_output=True, text=True, timeout=120)
            self.assertTrue(done.stdout or done.stderr)
            self.assertNotRegex(done.stdout + done.stderr, "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e]")

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
        out, _ = moowatch("project", "check", SOURCE / "config/examples/projects.d/kieker-java.yaml")
        self.assertIn("valid; project kieker-java", out)
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

    def test_older_files_have_two_columns(self):
        result(self.folder / "a", columns=2)
        out, _ = moowatch("analyze", self.folder / "a")
        self.assertIn("paired t", out)

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


class Compare(Temporary):
    def setUp(self):
        super().setUp()
        self.before = result(self.folder / "before")
        self.after = result(self.folder / "after", levels=(70, 270, 1150, 3100))

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
    def test_a_series_for_detect(self):
        (self.folder / "data.js").write_text(FORMATS["data.js"])
        out, _ = moowatch("import", self.folder / "data.js", "--series", "No instrumentation")
        head, *rows = [row.split(",") for row in out.splitlines()]
        self.assertEqual(head, ["index", "value", "lo", "hi"])
        self.assertEqual([(r[0], float(r[1]), len(r)) for r in rows], [("0", 90.75, 4), ("1", 44.65, 4)])
        (self.folder / "series.csv").write_text(out)
        judged, _ = moowatch("detect", self.folder / "series.csv")
        self.assertEqual(len(judged.splitlines()), 2)
        _, err = moowatch("import", self.folder / "data.js", "--series", "Nothing", expect=3)
        self.assertIn("Nothing", err)

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


if __name__ == "__main__":
    unittest.main()
