"""A contract with upstream: files that the newest release of each tool writes, read by `moowatch import`.

TOOLS says of each tool how a file is made and what must be read in it; that is computed from the file alone, by json, re and
statistics. A registry that does not answer, or a tool that this node cannot run, skips its test with the reason. A file that is
not as it was fails it, and the failure says what has changed. BenchmarkDotNet is not here: no registry of ours has its runtime.
"""
import contextlib
import itertools
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import unittest

import fetched
from cli_case import SOURCE, Temporary, imported

PEERS = fetched.PEERS
BUILD_S = 1500
NS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "second": 1e9}


class Changed(Exception):
    """A file is not as it was."""


def known(what, value, *values):
    if value not in values:
        raise Changed(f"{what} is {value!r}; known: {', '.join(map(repr, values))}")


def program(name, *places):
    """Its path; the test is skipped where it is not installed."""
    found = next((str(one) for one in (shutil.which(name), *map(pathlib.Path, places)) if one and os.path.exists(one)), None)
    if not found:
        raise unittest.SkipTest(f"{name} is not installed")
    return found


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=BUILD_S, check=False, **options)
    if done.returncode:
        raise AssertionError(f"{command[0]} ended with {done.returncode}: {(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def newest(registry, package):
    """The newest release; skips where the registry does not answer."""
    done = subprocess.run([SOURCE / "config/projects/published", registry, package], capture_output=True, text=True, timeout=400,
                          check=False)
    if done.returncode:
        raise unittest.SkipTest(f"{registry} {package}: {done.stderr.strip()[-300:]}")
    return done.stdout.split("\n")[-2].split()[0]


def pypi(package, *others):
    """(version, the interpreter that has it)"""
    version = newest("pypi", package)

    def fetch(place):
        fetched.run("venv", sys.executable, "-m", "venv", place)
        fetched.run(package, place / "bin" / "python", "-m", "pip", "install", "-q", f"{package}=={version}", *others)
    return version, fetched.fetched(f"{package}-{version}", fetch) / "bin" / "python"


def cargo(*words, **options):
    """What `subprocess` is told: compiled once, and not for speed, as no figure counts here."""
    return [program("cargo", "/usr/local/cargo/bin/cargo", pathlib.Path.home() / ".cargo/bin/cargo"), *words], {
        **options, "env": {**os.environ, "CARGO_TARGET_DIR": str(PEERS / "cargo-target"), "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0",
                           "CARGO_PROFILE_BENCH_OPT_LEVEL": "0", **options.pop("env", {})}}


def crate(name):
    """The program of a crate, built anew when there is a newer release; by a nightly compiler where it needs a newer one."""
    with fetched.alone("cargo"):
        command, options = cargo("install", name, "--root", PEERS / "cargo")
        try:
            fetched.run(f"crate {name}", *command, timeout=BUILD_S, **options)
        except unittest.SkipTest as why:
            if "requires rustc" not in str(why):
                raise
            command, options = cargo("install", name, "--root", PEERS / "cargo", env={"RUSTUP_TOOLCHAIN": "nightly"})
            fetched.run(f"{why}; crate {name} by nightly", *command, timeout=BUILD_S, **options)
    return PEERS / "cargo" / "bin" / name


def bench(folder, dependency, name, text, *words, harness="false", needs=lambda version: {}, **environment):
    """(version of the dependency, what `cargo bench` prints) of a package with one benchmark."""
    (folder / "benches").mkdir()
    (folder / "benches" / f"{name}.rs").write_text(text)
    (folder / "src").mkdir()
    (folder / "src" / "lib.rs").write_text("")
    wanted = f'[dev-dependencies]\n{dependency} = "*"\n' if dependency else ""
    (folder / "Cargo.toml").write_text(f'[package]\nname = "contract"\nversion = "0.1.0"\nedition = "2021"\n[lib]\nbench = false\n{wanted}'
                                       f'[[bench]]\nname = "{name}"\nharness = {harness}\n')
    with fetched.alone("cargo"):
        command, options = cargo("fetch", cwd=folder)
        fetched.run(f"crate {dependency}", *command, **options)
        lock = re.search(rf'name = "{dependency}"\nversion = "([^"]+)"', (folder / "Cargo.lock").read_text())
        version = lock[1] if lock else None
        command, options = cargo("bench", "--bench", name, "--", *words, cwd=folder, env={**environment, **needs(version)})
        return version, run(*command, **options)


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


def jmh(folder):
    version = newest("maven", "org.openjdk.jmh:jmh-core")
    place = fetched.maven(f"jmh-{version}", *(f"org.openjdk.jmh:jmh-{one}:{version}" for one in ("core", "generator-annprocess")))
    jars = os.pathsep.join(str(jar) for jar in place.glob("*.jar"))
    (folder / "Sum.java").write_text(JAVA)
    run("javac", "-processor", "org.openjdk.jmh.generators.BenchmarkProcessor", "-cp", jars, "-d", folder, folder / "Sum.java")
    # Without its lock: other tests run a JMH, too.
    run("java", "-Djmh.ignoreLock=true", "-cp", f"{jars}{os.pathsep}{folder}", "org.openjdk.jmh.Main", "-f", 3, "-wi", 1, "-w", "50ms",
        "-i", 2, "-r", "50ms", "-foe", "true", "-rf", "json", "-rff", folder / "jmh.json")
    return version, [folder / "jmh.json"]


def jmh_says(file):
    """A rate becomes the time of one operation, fork by fork."""
    said = {}
    for one in json.loads(file.read_text()):
        metric = one["primaryMetric"]
        forks = [statistics.fmean(fork) for fork in metric["rawData"]]
        known(f"the unit of mode {one['mode']}", metric["scoreUnit"], {"avgt": "us/op", "thrpt": "ops/us"}[one["mode"]])
        said[f"{one['benchmark']} size={one['params']['size']}"] = [1e3 * fork if one["mode"] == "avgt" else 1e3 / fork for fork in forks]
    return said


GOOGLE = """
#include <benchmark/benchmark.h>
static void BM_sum(benchmark::State &state) {
    for (auto _ : state) { long s = 0; for (int i = 0; i < state.range(0); i++) benchmark::DoNotOptimize(s += i); }
}
BENCHMARK(BM_sum)->Arg(10)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK_MAIN();
"""
GOOGLE_PYTHON = """
import google_benchmark as benchmark
@benchmark.register
def total(state):
    while state:
        sum(range(100))
benchmark.main()
"""
GOOGLE_WORDS = ["--benchmark_repetitions=4", "--benchmark_min_time=0.01s", "--benchmark_out_format=json"]


def google_debian(folder):
    """Before 1.8 the least time is a number."""
    (folder / "b.cc").write_text(GOOGLE)
    if subprocess.run([program("g++"), "-O1", folder / "b.cc", "-o", folder / "b", "-lbenchmark", "-lpthread"], capture_output=True,
                      check=False).returncode:
        raise unittest.SkipTest("libbenchmark-dev is not installed")
    for words in (GOOGLE_WORDS, [word.removesuffix("s") for word in GOOGLE_WORDS]):
        with contextlib.suppress(AssertionError):
            run(folder / "b", *words, f"--benchmark_out={folder / 'google.json'}")
    return "of Debian", [folder / "google.json"]


def google_pypi(folder):
    version, python = pypi("google-benchmark")
    (folder / "b.py").write_text(GOOGLE_PYTHON)
    run(python, folder / "b.py", *GOOGLE_WORDS, f"--benchmark_out={folder / 'google.json'}")
    return version, [folder / "google.json"]


def google_says(file):
    said = {}
    for one in json.loads(file.read_text())["benchmarks"]:
        known("run_type", one["run_type"], "iteration", "aggregate")
        if one["run_type"] == "iteration":
            said.setdefault(one["run_name"], []).append(NS[one["time_unit"]] * one["real_time"])
    return said


def hyperfine_run(place, folder):
    run(place, "-N", "--runs", 4, "--export-json", folder / "h.json", "--command-name", "one", "true", "--command-name", "two", "sh -c :")
    return run(place, "--version").split()[-1], [folder / "h.json"]


def hyperfine_debian(folder):
    return hyperfine_run(program("hyperfine"), folder)


def hyperfine_crate(folder):
    return hyperfine_run(crate("hyperfine"), folder)


def hyperfine_says(file):
    whole = json.loads(file.read_text())
    if "schema_version" not in whole:
        return {one["command"]: [1e9 * time for time in one["times"]] for one in whole["results"]}
    known("schema_version", whole["schema_version"], 2)
    return {one["name"]: [NS[run["time_wall_clock"]["unit"]] * run["time_wall_clock"]["value"] for run in one["measurements"]]
            for one in whole["results"]}


def pytest_benchmark(folder):
    version, python = pypi("pytest-benchmark")
    (folder / "test_sum.py").write_text("def test_sum(benchmark):\n    benchmark(sum, range(1000))\n")
    run(python, "-m", "pytest", "-q", "--benchmark-json", folder / "pytest.json", "--benchmark-max-time=0.1", folder, cwd=folder)
    return version, [folder / "pytest.json"]


def pytest_says(file):
    return {one["fullname"]: 1e9 * one["stats"]["mean"] for one in json.loads(file.read_text())["benchmarks"]}


PYPERF = """
import pyperf
runner = pyperf.Runner()
for size in {sizes}:
    runner.bench_func(f"sum {{size}}", sum, range(size))
"""


def pyperf(folder):
    """Of one benchmark its name stands elsewhere than of two."""
    version, python = pypi("pyperf")
    for name, sizes in (("two", (10, 100)), ("one", (10,))):
        (folder / f"{name}.py").write_text(PYPERF.format(sizes=sizes))
        run(python, folder / f"{name}.py", "-p", 3, "-n", 2, "-w", 1, "--min-time", "0.0001", "-o", folder / f"{name}.json")
    return version, [folder / "two.json", folder / "one.json"]


def pyperf_says(file):
    whole = json.loads(file.read_text())
    known("version", whole["version"], "1.0")
    known("unit", whole["metadata"]["unit"], "second")
    return {{**whole["metadata"], **one.get("metadata", {})}["name"]:
            [1e9 * statistics.fmean(process["values"]) for process in one["runs"] if "values" in process] for one in whole["benchmarks"]}


ASV = """
class Sum:
    params = ([10, 100], ["x"])
    param_names = ("size", "kind")
    def time_sum(self, size, kind):
        sum(range(size))
def time_none():
    pass
def track_count():
    return 3
"""


def asv(folder):
    version, python = pypi("asv")
    repository = folder / "repository"
    (repository / "benchmarks").mkdir(parents=True)
    (repository / "benchmarks" / "__init__.py").write_text("")
    (repository / "benchmarks" / "sums.py").write_text(ASV)
    (repository / "asv.conf.json").write_text(json.dumps({"version": 1, "project": "sums", "repo": ".", "branches": ["main"],
                                                          "environment_type": "existing", "benchmark_dir": "benchmarks"}))
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@x.invalid", "-C", repository]
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "one")):
        run(*git, *words)
    commit = run(*git, "rev-parse", "HEAD").strip()
    home = {**os.environ, "HOME": str(folder)}
    run(python, "-m", "asv", "machine", "--yes", cwd=repository, env=home)
    run(python, "-m", "asv", "run", "-E", f"existing:{python}", "--set-commit-hash", commit, "--quick", cwd=repository, env=home)
    return version, list(repository.glob(f"results/*/{commit[:8]}-*.json"))


def asv_says(file):
    whole = json.loads(file.read_text())
    known("version", whole["version"], 2)
    columns, said = whole["result_columns"], {}
    for name, row in whole["results"].items():
        if "time_" not in name:
            continue
        one = dict(zip(columns, row))
        cases = list(itertools.product(*one["params"])) if one["params"] else [()]
        for case, value in zip(cases, one["result"]):
            said[f"{name}({', '.join(case)})" if case else name] = 1e9 * value
    return said


CRITERION = """
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
fn sums(c: &mut Criterion) {
    let mut group = c.benchmark_group("sums");
    group.bench_with_input(BenchmarkId::new("sum", 10), &10u64, |b, n| b.iter(|| (0..std::hint::black_box(*n)).sum::<u64>()));
    group.finish();
}
criterion_group!(benches, sums);
criterion_main!(benches);
"""


def criterion(folder):
    home = folder / "criterion"
    version, _ = bench(folder, "criterion", "sums", CRITERION, "--sample-size", "10", "--warm-up-time", "0.1", "--measurement-time", "0.2",
                       "--noplot", CRITERION_HOME=str(home))
    return version, sorted([*home.glob("**/new/estimates.json"), *home.glob("**/new/sample.json")])


def criterion_says(file):
    name = json.loads((file.parent / "benchmark.json").read_text())["full_id"]
    one = json.loads(file.read_text())
    if file.name == "sample.json":
        return {name: statistics.fmean(time / count for time, count in zip(one["times"], one["iters"]))}
    around = one["mean"]["confidence_interval"]
    known("confidence_level", around["confidence_level"], 0.95)
    return {name: (one["mean"]["point_estimate"], around["lower_bound"], around["upper_bound"])}


LIBTEST = """
#![feature(test)]
extern crate test;
#[bench]
fn sum(b: &mut test::Bencher) {
    b.iter(|| (0..test::black_box(100u64)).sum::<u64>());
}
"""


def libtest(folder):
    """A stable compiler has it behind a variable."""
    _, said = bench(folder, None, "sums", LIBTEST, harness="true", RUSTC_BOOTSTRAP="1")
    (folder / "out.txt").write_text(said)
    command, options = cargo("--version")
    return run(*command, **options).split()[1], [folder / "out.txt"]


def libtest_says(file):
    rows = re.findall(r"^test (\S+) +\.\.\. bench: +([\d,.]+) ns/iter \(\+/- [\d,.]+\)$", file.read_text(), re.M)
    if not rows:
        raise Changed("no line says: test NAME ... bench: N ns/iter (+/- N)")
    return {name: [float(value.replace(",", ""))] for name, value in rows}


GUNGRAUN = """
use gungraun::{library_benchmark, library_benchmark_group, main};
#[library_benchmark]
#[bench::small(10)]
#[bench::large(1000)]
fn sum(n: u64) -> u64 { (0..std::hint::black_box(n)).fold(0, |a, b| std::hint::black_box(a + b)) }
#[library_benchmark]
fn none() -> u64 { std::hint::black_box(1) }
library_benchmark_group!(name = sums; benchmarks = sum, none);
main!(library_benchmark_groups = sums);
"""


def gungraun(folder):
    program("valgrind")
    version, said = bench(folder, "gungraun", "sums", GUNGRAUN, "--output-format=json", needs=gungraun_runner)
    (folder / "g.json").write_text(said)
    return version, [folder / "g.json"]


def gungraun_runner(version):
    """It must be of the library's version."""
    command, options = cargo("install", "gungraun-runner", "--version", version, "--root", PEERS / "cargo")
    fetched.run("crate gungraun-runner", *command, timeout=BUILD_S, **options)
    return {"GUNGRAUN_RUNNER": str(PEERS / "cargo" / "bin" / "gungraun-runner")}


def gungraun_says(file):
    said = {}
    for one in map(json.loads, file.read_text().splitlines()):
        known("version", one["version"], "3", "4", "5", "6", "7")
        [data] = [profile["data"] for profile in one["profiles"] if profile["tool"] == "Callgrind"]
        name = one["module_path"] + (f" {one['id']}" if one.get("id") else "")
        said[name] = float(data["total"]["metrics"]["Ir"]["values"]["new"])
    return said


GO = """package sums

import "testing"

func BenchmarkSum(b *testing.B) {
	for _, size := range []int{10, 100} {
		b.Run(map[int]string{10: "size=10", 100: "size=100"}[size], func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				s := 0
				for k := 0; k < size; k++ {
					s += k * s
				}
			}
		})
	}
}
"""


def go_test(folder):
    go = program("go", "/usr/local/go/bin/go")
    (folder / "go.mod").write_text("module example.org/sums\n\ngo 1.21\n")
    (folder / "sums_test.go").write_text(GO)
    for name, words in (("go.txt", ()), ("go.json", ("-json",))):
        (folder / name).write_text(run(go, "test", "-bench", ".", "-benchtime", "1000x", "-count", "3", *words, cwd=folder))
    return run(go, "version").split()[2], [folder / "go.txt", folder / "go.json"]


def go_says(file):
    text = file.read_text()
    if file.suffix == ".json":
        text = "".join(one.get("Output", "") for one in map(json.loads, text.splitlines()) if one["Action"] == "output")
    said = {}
    for name, value in re.findall(r"^(Benchmark\S+)\s+\d+\s+([\d.]+) ns/op", text, re.M):
        said.setdefault(name, []).append(float(value))
    if not said:
        raise Changed("no line says: BenchmarkNAME COUNT N ns/op")
    return said


# tool, where it comes from, the format that import must see, how files are made, what must be read in each: of a name the loops (a
# list), the mean and its interval (a tuple), or the mean alone
TOOLS = (
    ("jmh", "maven org.openjdk.jmh:jmh-core", "jmh", jmh, jmh_says),
    ("google_benchmark", "pypi google-benchmark", "google", google_pypi, google_says),
    ("google_benchmark_of_debian", "apt libbenchmark-dev", "google", google_debian, google_says),
    ("hyperfine", "crate hyperfine", "hyperfine", hyperfine_crate, hyperfine_says),
    ("hyperfine_of_debian", "apt hyperfine", "hyperfine", hyperfine_debian, hyperfine_says),
    ("pytest_benchmark", "pypi pytest-benchmark", "pytest", pytest_benchmark, pytest_says),
    ("pyperf", "pypi pyperf", "pyperf", pyperf, pyperf_says),
    ("asv", "pypi asv", "asv", asv, asv_says),
    ("criterion", "crate criterion", "criterion", criterion, criterion_says),
    ("libtest", "the node's cargo", "libtest", libtest, libtest_says),
    ("gungraun", "crate gungraun", "gungraun", gungraun, gungraun_says),
    ("go_test", "the node's Go", "gotest", go_test, go_says),
)


class Tools(Temporary):
    def value(self, mine, theirs):
        if isinstance(theirs, list):
            self.hold(mine, theirs)
            return
        mean, low, high = theirs if isinstance(theirs, tuple) else (theirs, None, None)
        self.close(mine["mean_ns"], mean)
        for end, bound in (("low_ns", low), ("high_ns", high)):
            if bound is not None:
                self.close(mine[end], bound)

    def contract(self, name, origin, form, make, says):
        version, files = make(self.folder)
        print(f"{name}: {version} ({origin})", file=sys.stderr)
        self.assertTrue(files, f"{name} {version} wrote no file where it was")
        for file in files:
            try:
                expected = says(file)
            except (Changed, LookupError, TypeError, ValueError, AttributeError) as problem:
                self.fail(f"{name} {version} writes another file: {type(problem).__name__}: {problem}\n{file.read_text()[:2000]}")
            with self.subTest(f"{name} {version}", file=file.name):
                night, values = imported(file)
                self.assertEqual((night["format"], sorted(values)), (form, sorted(expected)))
                for one, theirs in expected.items():
                    self.value(values[one], theirs)


for row in TOOLS:
    setattr(Tools, f"test_{row[0]}", lambda self, row=row: self.contract(*row))


class ChangedFiles(Temporary):
    """What the contract says of a file that is not as it was; made here, no tool is run."""

    def test_what_has_changed_is_named(self):
        file = self.folder / "h.json"
        for text, said in (('{"schema_version": 3, "results": []}', "schema_version is 3; known: 2"),
                           ('{"schema_version": 2, "results": [{"name": "a"}]}', "KeyError: 'measurements'"),
                           ("[]", "TypeError: ")):
            file.write_text(text)
            with self.assertRaises(AssertionError) as failed:
                Tools.contract(self, "hyperfine", "made here", "hyperfine", lambda folder: ("9.9", [file]), hyperfine_says)
            self.assertIn("hyperfine 9.9 writes another file: ", str(failed.exception))
            self.assertIn(said, str(failed.exception))

    def test_a_value_that_is_read_otherwise_fails(self):
        file = self.folder / "l.txt"
        file.write_text("test sum ... bench:       1,016.87 ns/iter (+/- 16.56)\n")
        _, values = imported(file)
        Tools.value(self, values["sum"], libtest_says(file)["sum"])
        with self.assertRaises(AssertionError):
            Tools.value(self, values["sum"], [16.87])


if __name__ == "__main__":
    unittest.main(verbosity=2)
