"""Results written by the tools themselves, read by `moowatch import`: what they say is what we say."""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import unittest

import fetched
import moowatch

PROGRAM = moowatch.BUILD / "ci" / "moowatch"
JAVA = """
package sums;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.*;
@State(Scope.Benchmark) @OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Sum {
    @Param({"10", "100"}) public int size;
    @Benchmark @BenchmarkMode(Mode.AverageTime) public long time() { return sum(); }
    @Benchmark @BenchmarkMode(Mode.Throughput) public long rate() { return sum(); }
    private long sum() { long s = 0; for (int i = 0; i < size; i++) s += i * s + 1; return s; }
}
"""
GOOGLE = """
#include <benchmark/benchmark.h>
static void BM_sum(benchmark::State &state) {
    for (auto _ : state) { long s = 0; for (int i = 0; i < state.range(0); i++) benchmark::DoNotOptimize(s += i); }
}
BENCHMARK(BM_sum)->Arg(10)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK_MAIN();
"""
PYTEST = "def test_sum(benchmark):\n    benchmark(sum, range(1000))\n"


def imported(path):
    out = subprocess.run([PROGRAM, "import", path], check=True, capture_output=True, text=True, timeout=60).stdout
    [night] = [json.loads(line) for line in out.splitlines()]
    return night, {value["name"]: value for value in night["values"]}


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=240, **options)


class Tools(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-tools-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def assertClose(self, a, b):
        self.assertLessEqual(abs(a - b), 1e-9 * abs(b), (a, b))

    def test_jmh(self):
        jars = os.pathsep.join(str(jar) for jar in fetched.jmh().glob("*.jar"))
        (self.folder / "Sum.java").write_text(JAVA)
        done = run("javac", "-cp", jars, "-d", self.folder, self.folder / "Sum.java")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = self.folder / "jmh.json"
        # Without its lock: other tests run a JMH, too.
        done = run("java", "-Djmh.ignoreLock=true", "-cp", f"{jars}{os.pathsep}{self.folder}", "org.openjdk.jmh.Main",
                   "-f", 3, "-wi", 1, "-w", "50ms", "-i", 2, "-r", "50ms", "-foe", "true", "-rf", "json", "-rff", result)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        theirs = json.loads(result.read_text())
        night, values = imported(result)
        self.assertEqual((len(theirs), len(values), night["format"], night["left_out"]), (4, 4, "jmh", 0))
        for one in theirs:
            mine = values[f"{one['benchmark']} size={one['params']['size']}"]
            metric = one["primaryMetric"]
            forks = [statistics.fmean(fork) for fork in metric["rawData"]]
            self.assertEqual(mine["n"], 3)
            if one["mode"] == "avgt":  # us/op: our mean is theirs, and so is the interval
                for ours, their in zip(mine["loops_ns"], forks):
                    self.assertClose(ours, 1000 * their)
                self.assertClose(mine["mean_ns"], 1000 * metric["score"])
                half = 4.302652729911275 * statistics.stdev(forks) / 3 ** .5  # of 95 % over forks; theirs is of 99.9 %
                self.assertClose(mine["high_ns"], 1000 * (metric["score"] + half))
            else:  # ops/us: a rate becomes the time of one operation, fork by fork
                for ours, their in zip(mine["loops_ns"], forks):
                    self.assertClose(ours, 1000 / their)

    def test_google_benchmark(self):
        (self.folder / "b.cc").write_text(GOOGLE)
        done = run("g++", "-O1", self.folder / "b.cc", "-o", self.folder / "b", "-lbenchmark", "-lpthread")
        if done.returncode:
            self.skipTest("Google Benchmark (libbenchmark-dev, g++) is not installed")
        result = self.folder / "google.json"
        done = run(self.folder / "b", "--benchmark_repetitions=4", "--benchmark_min_time=0.01",
                   f"--benchmark_out={result}", "--benchmark_out_format=json")
        self.assertEqual(done.returncode, 0, done.stderr)
        theirs = json.loads(result.read_text())
        night, values = imported(result)
        self.assertEqual((night["format"], sorted(values)), ("google", ["BM_sum/10", "BM_sum/1000"]))
        for one in theirs["benchmarks"]:
            if one.get("aggregate_name") == "mean":
                self.assertClose(values[one["run_name"]]["mean_ns"], 1000 * one["real_time"])
                self.assertEqual(values[one["run_name"]]["n"], 4)

    def test_pytest_benchmark(self):
        def fetch(place):
            fetched.run("venv", sys.executable, "-m", "venv", place)
            fetched.run("pytest-benchmark", place / "bin" / "python", "-m", "pip", "install", "-q", "pytest==8.3.4",
                        "pytest-benchmark==5.1.0")
        venv = fetched.fetched("pytest-benchmark-5.1.0", fetch)
        (self.folder / "test_sum.py").write_text(PYTEST)
        result = self.folder / "pytest.json"
        done = run(venv / "bin" / "python", "-m", "pytest", "-q", "--benchmark-json", result, "--benchmark-max-time=0.1", self.folder,
                   cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        [theirs] = json.loads(result.read_text())["benchmarks"]
        night, values = imported(result)
        self.assertEqual(night["format"], "pytest")
        [mine] = values.values()
        self.assertEqual(mine["name"], theirs["fullname"])
        self.assertClose(mine["mean_ns"], 1e9 * theirs["stats"]["mean"])


    def test_hyperfine(self):
        if not shutil.which("hyperfine"):
            self.skipTest("hyperfine is not installed")
        result = self.folder / "hyperfine.json"
        done = run("hyperfine", "-N", "--runs", 4, "--export-json", result, "--command-name", "one", "true",
                   "--command-name", "two", "sh -c :")
        self.assertEqual(done.returncode, 0, done.stderr)
        theirs = json.loads(result.read_text())["results"]
        night, values = imported(result)
        self.assertEqual((night["format"], sorted(values), night["left_out"]), ("hyperfine", ["one", "two"], 0))
        for one in theirs:
            mine = values[one["command"]]
            self.assertClose(mine["mean_ns"], 1e9 * one["mean"])
            self.assertEqual(mine["n"], 4)
            for ours, their in zip(mine["loops_ns"], one["times"]):
                self.assertClose(ours, 1e9 * their)


if __name__ == "__main__":
    unittest.main(verbosity=2)
