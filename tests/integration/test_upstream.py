"""A contract with MooBench in its present form: labels, raw files, results.yaml, and what its workflows publish.

Its harness is compiled and run here, its scripts make what they make of the raw files, `moowatch import` reads that, and what must
be read is computed from the raw files. It is cloned from MOOWATCH_MOOBENCH (a repository), else from its public place; where that
cannot be had the tests are skipped.
"""
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile
import unittest

import fetched
from cli_case import SOURCE, Temporary, imported, moowatch

PLACE = "https://github.com/kieker-monitoring/moobench.git"
COMMIT = "5158397b15158397b15158397b15158397b15158"
# What the driver sets, and what MooBench calls it in its scripts.
VARIABLES = ("NUM_OF_LOOPS", "MOOBENCH_CONFIGURATIONS", "TOTAL_NUM_OF_CALLS", "METHOD_TIME", "RECURSION_DEPTH", "THREADS", "SLEEP_TIME",
             "BATCH_MODE")
LOOPS, CALLS, DEPTH = 2, 400, 10
FRAMEWORK = "Kieker-java"
INDICES = (0, 1, 2, 4)


def titles(file):
    """TITLE[0]="No instrumentation" → {0: …}"""
    return {int(number): title for number, title in re.findall(r'^TITLE\[(\d+)\]="(.*)"', file.read_text(), re.M)}


def bash(text, cwd, **environment):
    done = subprocess.run(["bash", "-c", f"set -e\n{text}"], capture_output=True, text=True, timeout=300, check=False, cwd=cwd,
                          env={**os.environ, **environment})
    if done.returncode:
        raise AssertionError(f"{text}\nended with {done.returncode}: {(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


class Upstream(Temporary):
    @classmethod
    def setUpClass(cls):
        place = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-upstream-"))
        cls.addClassCleanup(shutil.rmtree, place)
        cls.moobench = place / "moobench"
        fetched.run("MooBench", "git", "clone", "-q", "--depth", "1", os.environ.get("MOOWATCH_MOOBENCH") or PLACE, cls.moobench,
                    env={**os.environ, "GIT_TERMINAL_PROMPT": "0"})
        cls.framework = cls.moobench / "frameworks" / FRAMEWORK
        cls.titles = titles(cls.framework / "labels.sh")

    @classmethod
    def harness(cls):
        """Its class path, as its own build file names it."""
        if not hasattr(cls, "path"):
            tool = cls.moobench / "tools" / "SuT-java"
            needed = re.findall(r"implementation '([^']+)'", (tool / "build.gradle").read_text())
            jars = fetched.maven(f"moobench-{'-'.join(one.rpartition(':')[2] for one in needed)}", *needed)
            classes = cls.moobench / "classes"
            done = subprocess.run(["javac", "-d", classes, "-cp", f"{jars}/*", *(tool / "src" / "main" / "java").glob("**/*.java")],
                                  capture_output=True, text=True, timeout=300, check=False)
            if done.returncode:
                raise AssertionError(f"MooBench's harness is built in another way: {done.stderr}")
            cls.path = f"{classes}:{jars}/*"
        return cls.path

    def raw(self):
        """Its result folder as its script leaves it before it is packed; {index: [[ns of a loop's calls]]}."""
        results = self.framework / f"results-{FRAMEWORK}"
        if not results.exists():
            path = self.harness()
            results.mkdir()
            for index in INDICES:
                first, second = (results / f"raw-{loop}-{DEPTH}-{index}.csv" for loop in (1, 2))
                subprocess.run(["java", "-cp", path, "moobench.measurementHarness.BenchmarkMain", "--output-filename", first,
                                "--total-calls", str(CALLS), "--method-time", "0", "--total-threads", "1", "--recursion-depth",
                                str(DEPTH), "--quickstart", "--application", "moobench.application.MonitoredClassSimple"],
                               check=True, capture_output=True, timeout=300)
                # Loops of one machine are alike; import tells halved values by that.
                second.write_text(re.sub(r"^(\d+);(\d+)", lambda ns: f"{ns[1]};{int(ns[2]) + 1}", first.read_text(), flags=re.M))
        calls = {}
        for index in INDICES:
            for loop in range(1, LOOPS + 1):
                lines = (results / f"raw-{loop}-{DEPTH}-{index}.csv").read_text().splitlines()
                for line in lines:
                    self.assertRegex(line, r"^\d+;\d+;\d+;\d+$", "raw columns: thread;nanoseconds;used heap bytes;garbage collections")
                self.assertEqual(len(lines), CALLS)
                calls.setdefault(index, []).append([int(line.split(";")[1]) for line in lines])
        return results, calls

    def test_labels_are_known(self):
        """Of all frameworks: what import does not know it takes for a writer, and says so."""
        files = sorted(self.moobench.glob("frameworks/*/labels.sh"))
        self.assertGreaterEqual(len(files), 9, "labels.sh of the frameworks is elsewhere")
        for file in files:
            labels = titles(file)
            self.assertTrue(labels, file)
            summary = self.folder / "results.yaml"
            summary.write_text(f"kind: {file.parent.name}\nexperiments:\n- timestamp: 1795801042\n  measurements:\n" + "".join(
                f"    {label}: [ {number + 1}.0, 1, 1, 1, 1, 1, 1, 1 ]\n" for number, label in labels.items()))
            _, said = moowatch("import", "--project", "p", summary)
            with self.subTest(file.parent.name):
                self.assertNotIn("is not a label of MooBench", said)

    def test_examples_name_what_is_there(self):
        for file in sorted((SOURCE / "config/examples/projects.d").glob("moobench-*.yaml")):
            text = file.read_text()
            framework = self.moobench / re.search(r"framework: (\S+)", text)[1]
            with self.subTest(file.name):
                self.assertTrue((framework / "measure.sh").exists(), "measure.sh")
                there = titles(framework / "labels.sh")
                rows = re.findall(r"label: ([^,]+),.*index: (\d+)", text)
                self.assertTrue(rows)
                self.assertEqual({int(index): label for label, index in rows}, {int(index): there.get(int(index)) for _, index in rows})

    def test_scripts_take_the_variables(self):
        scripts = ("init.sh", "common-functions.sh", f"frameworks/{FRAMEWORK}/measure.sh")
        said = "".join((self.moobench / name).read_text() for name in scripts)
        for variable in VARIABLES:
            self.assertRegex(said, rf"\$\{{?{variable}\b", f"the scripts no longer read {variable}")

    def test_raw_files(self):
        results, calls = self.raw()
        shutil.copy(self.framework / "labels.sh", results)
        out, _ = moowatch("import", "--project", "p", "--commit", COMMIT, "--night", "2026-01-01", results)
        lines = [json.loads(line) for line in out.splitlines()]
        [benchmark] = [line["body"] for line in lines if line.get("type") == "benchmark"]
        self.assertEqual({int(one["name"]): one["label"] for one in benchmark["configurations"]},
                         {index: self.titles[index] for index in INDICES})
        [night] = [line for line in lines if line.get("type") == "night"]
        self.assertEqual(len(night["result"]["loops"]), LOOPS * len(INDICES))
        for loop in night["result"]["loops"]:
            second_half = calls[int(loop["configuration"])][loop["loop"] - 1][CALLS // 2:]
            self.close(loop["summary"]["mean_ns"], statistics.fmean(second_half))

    def test_summary(self):
        """Its R keeps the last loop alone; the numbers have seven digits."""
        if not shutil.which("R"):
            self.skipTest("R is not installed")
        results, calls = self.raw()
        bash(f'source "{self.moobench}/common-functions.sh"; source labels.sh; LABELS=$(createRLabels); runStatistics',
             self.framework, RAWFN=str(results / "raw"), RESULTS_DIR=str(results),
             RSCRIPT_PATH=str(self.moobench / "frameworks/statistics.r"), FRAMEWORK_NAME=FRAMEWORK,
             NUM_OF_LOOPS=str(LOOPS), RECURSION_DEPTH=str(DEPTH), TOTAL_NUM_OF_CALLS=str(CALLS),
             MOOBENCH_CONFIGURATIONS=" ".join(map(str, INDICES)))
        night, values = imported(results / "results.yaml")
        self.assertEqual((night["format"], night["suite"], sorted(values)),
                         ("moobench", FRAMEWORK, sorted(self.titles[index] for index in INDICES)))
        for index in INDICES:
            self.close(values[self.titles[index]]["mean_ns"], statistics.fmean(calls[index][-1][CALLS // 2:]), 1e-6)

    def test_what_the_workflows_publish(self):
        """Half of the mean: an empty line counts as a loop of 0. The day on which that is mended this fails, and import must
        learn until when it doubles."""
        results, calls = self.raw()
        file = self.folder / "output.json"
        file.write_text(bash("exec ../../../analysis/getGHActionsFormat.sh", results, MOOBENCH_CONFIGURATIONS=" ".join(map(str, INDICES))))
        theirs = {one["name"]: one for one in json.loads(file.read_text())}
        _, values = imported(file)
        self.assertEqual(sorted(theirs), sorted(values))
        for index in INDICES:
            mean = statistics.fmean(statistics.fmean(loop[CALLS // 2:]) for loop in calls[index])
            label = self.titles[index]
            self.assertEqual(sorted(theirs[label]), ["name", "range", "unit", "value"])
            self.assertEqual(theirs[label]["unit"], "ns")
            self.close(theirs[label]["value"], mean / 2, 1e-4)
            self.close(values[label]["mean_ns"], mean, 1e-4)

    def test_workflows(self):
        """They publish one way, and their suites are those of the data that is imported."""
        texts = {file.name: file.read_text() for file in (self.moobench / ".github/workflows").glob("benchmark*.y*ml")}
        self.assertIn("benchmarkKiekerJava.yaml", texts)
        for name, text in texts.items():
            with self.subTest(name):
                self.assertIn("analysis/getGHActionsFormat.sh", text)
                self.assertEqual(set(re.findall(r"tool: '(\w+)'", text)), {"customSmallerIsBetter"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
