"""The command line over result folders: its figures, files for other tools, its help."""
import csv
import json
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


if __name__ == "__main__":
    unittest.main()
