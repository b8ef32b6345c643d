"""The drivers command and moobench, from a commit to its night: real programs, real tools, real scripts.

JMH comes from Maven Central, Google Benchmark from Debian; both run for real. MOOWATCH_MOOBENCH names an
upstream MooBench checkout that is ready to run (docs/drivers.md says how); without it MooBench's interface is
exercised by a script of ours with the same variables and files, which runs the Java harness.
"""
import os
import pathlib
import re
import shutil
import unittest
import urllib.request

import fetched
import moowatch

HEAD = """
name: {name}
repository: "{repository}"
since: 2024-01-01
detection: {{remeasure: false}}
"""

# A monitored call that "writes": what it costs is the number of turns of a loop.
BENCH_C = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile unsigned sink;

__attribute__((noinline)) static void work(unsigned turns) {
    for (unsigned i = 0; i < turns; i++)
        sink += i;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The least of many: a busy machine must not decide what this test finds. */
static double measure(unsigned turns) {
    double least = 1e18;
    for (int i = 0; i < 100; i++) {
        double start = now();
        for (int k = 0; k < 30; k++)
            work(turns);
        double each = (now() - start) / 30;
        least = each < least ? each : least;
    }
    return least;
}

int main(int argc, char **argv) {
    const char *only = argc > 1 ? argv[1] : "";
    puts("calibrating 100 %");
    if (!*only || !strcmp(only, "none"))
        printf("none: %.4f us\n", measure(100) / 1000);
    if (!*only || !strcmp(only, "writing"))
        printf("writing: %.4f us\n", measure(100 + WRITING) / 1000);
    return 0;
}
"""
PREPARE_C = "#!/bin/sh\nexec cc -O1 -o bench bench.c\n"
COMMAND = HEAD + r"""
benchmark:
  driver: command
  prepare: [./prepare]
  loops: 4
  rest_seconds: 0
  read: {{pattern: '^(?<name>\w+): (?<value>[0-9.]+) (?<unit>\w+)$'}}
  configurations:
    - {{name: none, portion: T, command: [./bench, none]}}
    - {{name: writing, portion: W, parent: none, command: [./bench, writing]}}
"""
WHOLE = HEAD + r"""
benchmark:
  driver: command
  prepare: [./prepare]
  loops: 3
  rest_seconds: 0
  whole_rounds: true
  runtime: [cc, --version]
  read: {{pattern: '^(?<name>\w+): (?<value>[0-9.]+) (?<unit>\w+)$'}}
  configurations:
    - {{name: none, portion: T, command: [./bench], result: none}}
    - {{name: writing, portion: W, parent: none, result: writing}}
"""


UNITS = HEAD.replace("remeasure: false", 'remeasure: true, limits: ["dropped <= 0 spans", "sent >= 45000 records/s"]') + r"""
benchmark:
  driver: command
  loops: 4
  rest_seconds: 0
  whole_rounds: true
  read: {{format: github-action-benchmark}}
  configurations:
    - {{name: cpu, portion: cpu, unit: "%", result: cpu, command: [./load, "{{result}}"]}}
    - {{name: dropped, portion: dropped, unit: spans, result: dropped}}
    - {{name: sent, portion: sent, unit: records/s, better: higher, result: sent}}
"""


POOL_C = """
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
static void *use(void *name) {
    pthread_setname_np(pthread_self(), name);
    for (;;)
        ;
}
int main(void) {
    const struct timespec whole = {.tv_sec = 3};
    pthread_t one, other;
    pthread_create(&one, NULL, use, "writer-1");
    pthread_create(&other, NULL, use, "writer-2");
    return nanosleep(&whole, NULL);
}
"""
POOL = HEAD + r"""
benchmark:
  driver: command
  prepare: [sh, prepare]
  loops: 2
  rest_seconds: 0
  read: {{pattern: '^(?<name>\w+): (?<value>[0-9.]+) (?<unit>us)$'}}
  configurations:
    - {{name: none, portion: T, command: [./bench, none]}}
"""


def c_files(writing):
    return {"bench.c": f"#define WRITING {writing}\n{BENCH_C}", "prepare": PREPARE_C}


class Drivers(unittest.TestCase):
    def setUp(self):
        self.service = moowatch.Service(runner={})
        self.addCleanup(lambda: self.service.__exit__(None, None, None))
        self.service.settings["attempts"] = 1

    def repository(self, name="repository"):
        return moowatch.Repository(self.service.folder / name)

    def start(self, name, project, repository, nights, seconds=240, **words):
        self.service.project(name, project.format(name=name, repository=repository.path, **words))
        self.service.start()
        return self.service.wait_for_nights(name, nights, seconds=seconds)

    def experiment(self, night):
        return self.service.get(f"/api/v1/experiments/{night['experiment']}")

    def loops(self, night):
        """Configuration → its loops, with what is counted of them."""
        return {one["name"]: one["loop_results"] for one in self.experiment(night)["configurations"]}

    def assert_measured(self, nights):
        for night in nights:
            self.assertEqual(night["state"], "measured", f"{night.get('reason')}\n{self.service.log('runner')[-3000:]}")


class Command(Drivers):
    def test_a_c_project_and_the_night_its_writing_got_slower(self):
        repository = self.repository()
        for day in range(1, 7):
            repository.commit(f"night {day}", f"2024-01-{day:02}", c_files(400))
        slow = repository.commit("a careless loop", "2024-01-07", c_files(2000))
        # both commits are measured again in turn before anybody is told
        nights = self.start("c", COMMAND.replace("remeasure: false", "remeasure: true"), repository, 7)
        self.assert_measured(nights)
        for name, loops in self.loops(nights[0]).items():
            self.assertEqual(len(loops), 4)
            for loop in loops:
                self.assertIsNone(loop["raw"], "only a mean: there are no calls to keep")
                self.assertEqual((loop["calls"], loop["warmup_calls"], loop["summary"]["n"]), (1, 0, 1), name)
                self.assertGreater(loop["summary"]["mean_ns"], 10)
                self.assertLess(loop["summary"]["mean_ns"], 1e6)
        self.service.wait(lambda: self.service.alerts("c"), "the trial to confirm it", seconds=300)
        alerts = self.service.alerts("c")
        self.assertEqual([(alert["portion"], alert["to"]["commit"]["sha"]) for alert in alerts], [("W", slow)])

    def test_what_makes_a_night_doubtful_is_in_it(self):
        """A probe that does nothing, and a program that fails the first time: the night is measured, and says both."""
        repository = self.repository()
        repository.commit("one", "2024-01-01", {
            "prepare": "#!/bin/sh\n", "bench": "#!/bin/sh\necho \"$1: 1000 ns\"\n",
            "licensed": "#!/bin/sh\n[ -e seen ] || { : >seen; echo no licence; exit 3; }\nexec ./bench \"$1\"\n"})
        project = COMMAND.replace("[./bench, writing]", "[./licensed, writing]")
        night, = self.start("doubtful", project, repository, 1)
        self.assert_measured([night])
        doubts = {one["kind"]: one for one in self.experiment(night)["doubts"]}
        self.assertEqual(doubts["silent"]["portion"], "W")
        self.assertEqual(doubts["silent"]["sentence"], "W: these loops cannot tell writing from none. Measure more, or check that it instruments and records.")
        self.assertRegex(doubts["failed"]["sentence"], r"^writing: 1 of 5 loops failed; the last: .*no licence")

    def test_one_run_gives_a_whole_round(self):
        repository = self.repository()
        repository.commit("one", "2024-01-01", c_files(400))
        night, = self.start("whole", WHOLE, repository, 1)
        self.assert_measured([night])
        experiment = self.experiment(night)
        self.assertIn("Copyright", experiment["environment_detail"]["runtime"])
        loops = self.loops(night)
        self.assertEqual({name: len(of) for name, of in loops.items()}, {"none": 3, "writing": 3})
        self.assertEqual([loop["started_ms"] for loop in loops["none"]],
                         [loop["started_ms"] for loop in loops["writing"]], "of the same process")
        for none, writing in zip(loops["none"], loops["writing"]):
            self.assertLess(none["summary"]["mean_ns"], writing["summary"]["mean_ns"])

    def test_values_of_any_unit(self):
        """A load test: processor in percent, dropped spans, records a second; each is judged by itself, in its unit."""
        def files(cpu, dropped, sent):
            return {"load": f"""#!/bin/sh
jitter=$(date +%N | cut -c7-9)
cat >"$1" <<END
[{{"name": "cpu", "value": {cpu}.0$jitter, "unit": "%"}}, {{"name": "dropped", "value": {dropped}, "unit": "spans"}},
 {{"name": "sent", "value": {sent}$jitter, "unit": "records/s"}}]
END
"""}
        repository = self.repository()
        for day in range(1, 7):
            repository.commit(f"night {day}", f"2024-01-{day:02}", files(10, 0, 50))
        worse = repository.commit("a careless loop", "2024-01-07", files(14, 400, 40))
        nights = self.start("load", UNITS, repository, 7)
        self.assert_measured(nights)
        self.assertEqual([(p["portion"], p["unit"], p.get("better"), p["parent"]) for p in nights[-1]["portions"]],
                         [("cpu", "%", None, None), ("dropped", "spans", None, None),
                          ("sent", "records/s", "higher", None)])
        self.service.wait(lambda: len(self.service.alerts("load")) > 0
                          and len(self.service.alerts("load")[0]["portions"]) == 3, "the trial to confirm it", seconds=300)
        [alert] = self.service.alerts("load")
        self.assertEqual(alert["to"]["commit"]["sha"], worse)
        self.assertEqual({p["dimension"] for p in alert["portions"]}, {"time"})  # there are no calls that could have a tail
        moved = {p["portion"]: p for p in alert["portions"]}
        self.assertEqual({name: (p["direction"], p["unit"]) for name, p in moved.items()},
                         {"cpu": ("up", "%"), "dropped": ("up", "spans"), "sent": ("down", "records/s")})
        self.assertRegex(moved["cpu"]["sentence"], r"^cpu rose from 10\.\d+ % to 14\.\d+ % \(\+[34]\.\d+ points, ")
        with urllib.request.urlopen(self.service.url + "/metrics", timeout=moowatch.REQUEST_S) as answer:
            metrics = answer.read().decode()
        self.assertIn('overhead_value{project="load",portion="dropped",unit="spans"} 400', metrics)
        self.assertNotIn('overhead_portion_seconds{project="load"', metrics)
        limits = self.experiment(nights[-1])["limits"]
        self.assertEqual([limit["state"] for limit in limits], ["above", "below"])
        self.assertIn("dropped <= 0 spans: 400 spans", limits[0]["sentence"])
        self.assertRegex(limits[1]["sentence"], r"^sent >= 45000 records/s: \d{5} records/s \(\d{5} to \d{5}\), surely below$")
        self.assertEqual([limit["state"] for limit in self.experiment(nights[0])["limits"]], ["met", "met"])

    def test_the_threads_of_a_program_are_known_by_name(self):
        """Also those of its children; a pool's, which a number tells apart, are one name."""
        repository = self.repository()
        repository.commit("one", "2024-01-01", {"prepare": "#!/bin/sh\ncc -O1 -o pool pool.c -lpthread\n", "pool.c": POOL_C,
                                                "bench": "#!/bin/sh\n./pool\necho \"$1: 5 us\"\n"})
        night, = self.start("pool", POOL, repository, 1)
        self.assert_measured([night])
        course = self.loops(night)["none"][0]["readings"]["course"]
        self.assertGreater(course["threads"]["writer-"], 1)
        cpu, = (one for one in self.experiment(night)["dimensions"] if one["dimension"] == "cpu_ms")
        self.assertRegex(cpu["threads"], r"^none: writer- [0-9.]+ %")

    def test_a_round_that_lacks_one_of_its_values(self):
        repository = self.repository()
        repository.commit("one", "2024-01-01", {"bench": "#!/bin/sh\necho none: 1 us\n", "prepare": "#!/bin/sh\n"})
        night, = self.start("lacking", WHOLE, repository, 1)
        self.assertEqual(night["state"], "failed")
        for word in ["configuration writing: loop 1 failed 3 times", 'no value named "writing"; found: none;']:
            self.assertIn(word, night["reason"])

    def test_what_goes_wrong_is_told(self):
        cases = [
            ("prints nothing", "#!/bin/sh\necho all fine\n", ["no match of the pattern", "all fine"]),
            ("prints no number", "#!/bin/sh\necho \"$1: 1.2.3 us\"\n", ["line 1", "not a decimal number"]),
            ("unknown unit", "#!/bin/sh\necho \"$1: 12 parsec\"\n", ["line 1", "unknown unit", "parsec", "read.unit"]),
            ("two values", "#!/bin/sh\necho \"$1: 1 us\"; echo \"$1: 2 us\"\n", ["several values", "several: samples"]),
            ("exits with an error", "#!/bin/sh\necho \"$1: 1 us\"; echo lost >&2; exit 3\n", ["exit status 3", "lost"]),
            ("floods", "#!/bin/sh\nyes \"$1: 1 us\" | head -c 20000000\n", ["16777216"]),
        ]
        repository = self.repository()
        for day, (what, bench, _) in enumerate(cases, 1):
            repository.commit(what, f"2024-01-{day:02}", {"bench": bench, "prepare": "#!/bin/sh\n"})
        nights = self.start("bad", COMMAND, repository, len(cases))
        for night, (what, _, words) in zip(nights, cases):
            with self.subTest(what):
                self.assertEqual((night["commit"]["subject"], night["state"]), (what, "failed"))
                for word in words:
                    self.assertIn(word, night["reason"])


GOOGLE_CC = r"""
#include <benchmark/benchmark.h>
#include <cstdio>
static void none(benchmark::State &state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(state.iterations());
}
static void writing(benchmark::State &state) {
    char text[64];
    for (auto _ : state)
        benchmark::DoNotOptimize(snprintf(text, sizeof text, "%d;%p", 42, (void *)text));
}
BENCHMARK(none);
BENCHMARK(writing);
BENCHMARK_MAIN();
"""
GOOGLE = HEAD + """
benchmark:
  driver: command
  prepare: [c++, -O2, -o, bench, bench.cc, -lbenchmark, -lpthread]
  loops: 2
  rest_seconds: 0
  read: {{format: google-benchmark-json}}
  configurations:
    - name: none
      portion: T
      result: none
      command: [./bench, --benchmark_filter=^none$, "--benchmark_out={{result}}", --benchmark_out_format=json,
        --benchmark_repetitions=3, --benchmark_min_time=0.02]
    - name: writing
      portion: W
      parent: none
      result: writing
      command: [./bench, "--benchmark_out={{result}}", --benchmark_out_format=json, --benchmark_repetitions=3,
        --benchmark_min_time=0.02]
"""


@unittest.skipUnless(pathlib.Path("/usr/include/benchmark/benchmark.h").exists(), "libbenchmark-dev is not installed")
class GoogleBenchmark(Drivers):
    def test_its_repetitions_are_samples(self):
        repository = self.repository()
        repository.commit("one", "2024-01-01", {"bench.cc": GOOGLE_CC})
        night, = self.start("google", GOOGLE, repository, 1)
        self.assert_measured([night])
        loops = self.loops(night)
        for name in ["none", "writing"]:
            for loop in loops[name]:
                self.assertEqual((loop["calls"], loop["summary"]["n"], loop["raw"]), (3, 3, None))
        self.assertLess(loops["none"][0]["summary"]["mean_ns"], 20)
        self.assertGreater(loops["writing"][0]["summary"]["mean_ns"], 20)


HYPERFINE = HEAD + """
benchmark:
  driver: command
  loops: 2
  rest_seconds: 0
  whole_rounds: true
  runtime: [hyperfine, --version]
  read: {{format: hyperfine-json}}
  configurations:
    - name: none
      portion: T
      result: none
      command: [hyperfine, -N, --runs, "3", --export-json, "{{result}}", --command-name, none, "true",
        --command-name, writing, sleep 0.02]
    - {{name: writing, portion: W, parent: none, result: writing}}
"""


@unittest.skipUnless(shutil.which("hyperfine"), "hyperfine is not installed")
class Hyperfine(Drivers):
    def test_its_runs_are_samples(self):
        repository = self.repository()
        repository.commit("one", "2024-01-01", {"a": "1"})
        night, = self.start("hyperfine", HYPERFINE, repository, 1)
        self.assert_measured([night])
        loops = self.loops(night)
        for name, least_ns in (("none", 0), ("writing", 20e6)):
            for loop in loops[name]:
                self.assertEqual((loop["summary"]["n"], loop["raw"]), (3, None))
                self.assertGreater(loop["summary"]["mean_ns"], least_ns)


BENCH_JAVA = """package org.example;
import org.openjdk.jmh.annotations.*;
@State(Scope.Thread)
public class Bench {
    @Param({"100"}) public int size;
    private double x = 1;
    @Benchmark public double none() { return x; }
    @Benchmark public double writing() { double y = x; for (int i = 0; i < size; i++) y = Math.sin(y); return y; }
}
"""
JMH = HEAD + """
benchmark:
  driver: command
  prepare: [./prepare]
  loops: 2
  rest_seconds: 0
  whole_rounds: true
  runtime: [java, -version]
  read: {{format: jmh-json}}
  configurations:
    - name: none
      portion: T
      result: org.example.Bench.none size=100
      # Without its lock: other tests run a JMH, too.
      command: [java, -Djmh.ignoreLock=true, -cp, "classes:{libraries}/*", org.openjdk.jmh.Main, -f, "1", -wi, "1",
        -w, 100ms, -i, "3", -r, 100ms, -bm, thrpt, -tu, us, -rf, json, -rff, "{{result}}", -foe, "true"]
    - {{name: writing, portion: W, parent: none, result: org.example.Bench.writing size=100}}
"""

class Jmh(Drivers):
    def test_its_raw_data_are_samples_and_rates_are_turned_round(self):
        jars = fetched.jmh()
        repository = self.repository()
        repository.commit("one", "2024-01-01", {
            "Bench.java": BENCH_JAVA, "prepare": f"#!/bin/sh\nexec javac -cp '{jars}/*' -d classes Bench.java\n"})
        night, = self.start("jmh", JMH, repository, 1, libraries=jars)
        self.assert_measured([night])
        self.assertIn("openjdk", self.experiment(night)["environment_detail"]["runtime"])
        loops = self.loops(night)
        for none, writing in zip(loops["none"], loops["writing"]):
            self.assertEqual((none["calls"], writing["summary"]["n"]), (3, 3))
            self.assertGreater(writing["summary"]["mean_ns"], 10 * none["summary"]["mean_ns"])


# What a real cargo would do with 135 crates: without the CARGO_HOME that was filled before, --offline has nothing.
CARGO = r"""#!/bin/sh
case "$*" in
"bench --no-run") mkdir -p "$CARGO_HOME/registry" && echo 615 784 >"$CARGO_HOME/registry/counts" ;;
"bench --offline --bench overhead -- --output-format=json")
    read -r none probe <"$CARGO_HOME/registry/counts" || exit 101
    for one in "none $none" "probe $probe"; do
        printf '{"version":"7","module_path":"overhead::probes::%s","id":null,"profiles":[{"tool":"Callgrind","data":{"total":{"metrics":{
            "Ir":{"values":{"new":%s,"old":null}}}}}}]}\n' $one
    done ;;
*) exit 9 ;;
esac
"""


class Gungraun(Drivers):
    def test_the_file_of_the_page_has_its_crates(self):
        page = (moowatch.SOURCE / "docs" / "drivers.md").read_text(encoding="utf-8")
        [block] = re.findall(r"^### Gungraun .*\n```yaml\n([^`]*)^```$", page, re.M)
        (self.service.folder / "cargo").write_text(CARGO)
        (self.service.folder / "cargo").chmod(0o755)
        self.service.runner_settings["path"] = f"{self.service.folder}:/usr/bin:/bin"
        repository = self.repository()
        repository.commit("one", "2024-01-01", {"Cargo.toml": "[package]\n"})
        project = HEAD + block.replace("{", "{{").replace("}", "}}").replace("  loops: 2\n", "  loops: 2\n  rest_seconds: 0\n")
        night, = self.start("gungraun", project, repository, 1)
        self.assert_measured([night])
        self.assertEqual({name: [one["summary"]["mean_ns"] for one in loops] for name, loops in self.loops(night).items()},
                         {"none": [615, 615], "probe": [784, 784]})


# MooBench's interface, no more: variables in, raw files zipped away and results.yaml out.
MEASURE = r"""#!/bin/bash
set -e
cd "$(dirname "$0")"
source ./labels.sh
: "${NUM_OF_LOOPS:=10}" "${RECURSION_DEPTH:=10}" "${TOTAL_NUM_OF_CALLS:=2000000}" "${METHOD_TIME:=0}" "${SLEEP_TIME:=30}"
: "${MOOBENCH_CONFIGURATIONS:=0 1}"
OPTIONS[0]=""
OPTIONS[1]="-Xint"
results="$PWD/results-$(basename "$PWD")"
mkdir -p "$results" data
for ((loop = 1; loop <= NUM_OF_LOOPS; loop++)); do
    for index in $MOOBENCH_CONFIGURATIONS; do
        java ${OPTIONS[$index]} -cp "$MOOBENCH_JAR" moowatch.moobench.Benchmark --quickstart \
            --total-calls "$TOTAL_NUM_OF_CALLS" --method-time "$METHOD_TIME" --total-threads "${THREADS:-1}" \
            --recursion-depth "$RECURSION_DEPTH" --output-filename "$results/raw-$loop-$RECURSION_DEPTH-$index.csv"
        sleep "$SLEEP_TIME"
    done
done
{
    printf 'kind: %s\nexperiments:\n- timestamp: 1\n  measurements:\n' "$(basename "$PWD")"
    for index in $MOOBENCH_CONFIGURATIONS; do
        printf '     %s : [ 0.5, 0.1, 0.2, 0.4, 0.5, 0.6, 0.9, 0.1 ]\n' "${TITLE[$index]}"
    done
} >"$results/results.yaml"
zip -jqr "$results/results.zip" "$results"/raw*
rm -f "$results"/raw*
"""
LABELS = 'TITLE[0]="No instrumentation"\nTITLE[1]="Interpreted"\n'
MOOBENCH = HEAD + """
benchmark:
  driver: moobench
  framework: frameworks/Kieker-java
  loops: 2
  total_calls: 2000
  recursion_depth: 5
  rest_seconds: 0
  {more}
  configurations:
    - {{name: none, label: No instrumentation, portion: T, index: 0, environment: ["MOOBENCH_JAR={{harness}}/moobench.jar"]}}
    - {{name: interpreted, portion: I, parent: none, index: 1{environment}}}
"""
ALONE = {"more": "runtime: [java, -version]", "environment": ', environment: ["MOOBENCH_JAR={harness}/moobench.jar"]'}
UPSTREAM = os.environ.get("MOOWATCH_MOOBENCH")


@unittest.skipUnless(shutil.which("zip"), "zip is not installed")
class MooBench(Drivers):
    def files(self, **changes):
        return {"frameworks/Kieker-java/measure.sh": MEASURE, "frameworks/Kieker-java/labels.sh": LABELS, **{
            f"frameworks/Kieker-java/{name.replace('_', '.')}": text for name, text in changes.items()}}

    def check(self, night):
        self.assert_measured([night])
        loops = self.loops(night)
        for name, label in [("none", "No instrumentation"), ("interpreted", "Interpreted")]:
            self.assertEqual(len(loops[name]), 2)
            for loop in loops[name]:
                self.assertEqual((loop["calls"], loop["warmup_calls"], loop["summary"]["n"]), (2000, 1000, 1000))
                self.assertTrue(loop["raw"]["sha256"], "the raw calls are kept")
                self.assertEqual(loop["readings"]["moobench"], {"label": label, "mean_us": 0.5, "ci95_us": 0.2})
        return loops

    def test_each_process_is_one_run_of_the_script(self):
        repository = self.repository()
        repository.commit("one", "2024-01-01", self.files())
        loops = self.check(self.start("alone", MOOBENCH, repository, 1, **ALONE)[0])
        starts = [loop["started_ms"] for of in loops.values() for loop in of]
        self.assertEqual(len(set(starts)), 4)

    def test_the_example_of_inspectit(self):
        """Its project file as it is, but for a script with MooBench's interface in place of the one that downloads agents."""
        example = (moowatch.SOURCE / "config/examples/projects.d/moobench-inspectit.yaml").read_text()
        for old, new in (("repository: .*", 'repository: "{repository}"\nsince: 2024-01-01'), ("name: moobench-inspectit", "name: {name}"),
                         (r"  prepare: .*\n", ""), ("loops: 10", "loops: 2\n  rest_seconds: 0\n  recursion_depth: 5"),
                         ("total_calls: .*", "total_calls: 2000"), ("commit_url: .*", ""),
                         (r"- \{(.*)\}", r'- {{\1, environment: ["MOOBENCH_JAR={{harness}}/moobench.jar"]}}')):
            example, count = re.subn(old, new, example)
            self.assertGreater(count, 0, old)
        titles = ("No instrumentation", "inspectIT (Deactivated)", "inspectIT (Null Writer)", "inspectIT (Zipkin)",
                  "inspectIT (Prometheus)")
        repository = self.repository()
        repository.commit("one", "2024-01-01", {
            "frameworks/inspectIT-java/measure.sh": MEASURE.replace('OPTIONS[1]="-Xint"', ""),
            "frameworks/inspectIT-java/labels.sh": "".join(f'TITLE[{i}]="{title}"\n' for i, title in enumerate(titles))})
        night, = self.start("inspectit", example, repository, 1)
        self.assert_measured([night])
        loops = self.loops(night)
        self.assertEqual([loops[name][0]["readings"]["moobench"]["label"]
                          for name in ("none", "deactivated", "collecting", "zipkin", "prometheus")], list(titles))
        self.assertEqual([one["portion"] for one in night["portions"]], ["T", "I", "C", "W Zipkin", "C+W Prometheus"])

    def test_a_script_that_cannot_choose_runs_whole_rounds(self):
        repository = self.repository()
        script = MEASURE.replace('for index in $MOOBENCH_CONFIGURATIONS; do\n        java', "for index in 0 1; do\n        java")
        self.assertNotEqual(script, MEASURE)
        repository.commit("one", "2024-01-01", self.files(measure_sh=script))
        loops = self.check(self.start("rounds", MOOBENCH, repository, 1, more="whole_rounds: true", environment="")[0])
        self.assertEqual([loop["started_ms"] for loop in loops["none"]],
                         [loop["started_ms"] for loop in loops["interpreted"]])

    def test_what_goes_wrong_is_told(self):
        cases = [
            ("cannot choose", MEASURE.replace("in $MOOBENCH_CONFIGURATIONS; do\n        java", "in 0 1; do\n        java"),
             ["ignores MOOBENCH_CONFIGURATIONS", "whole_rounds: true"]),
            ("several loops", MEASURE.replace("loop <= NUM_OF_LOOPS", "loop <= 2"), ["ignores NUM_OF_LOOPS"]),
            ("another depth", MEASURE.replace("source", "RECURSION_DEPTH=9; source"), ["recursion depth 9", "instead of 5"]),
            ("too few calls", MEASURE.replace("source", "TOTAL_NUM_OF_CALLS=1500; source"), ["1500 calls", "expected 2000"]),
            ("no results", "#!/bin/sh\necho done\n", ["wrote no results"]),
            ("no raw files", "#!/bin/sh\nmkdir results\necho x >results/results.yaml\n", ["is missing"]),
            ("a broken zip", "#!/bin/sh\nmkdir results\necho x >results/results.zip\n", ["is it a whole zip file?"]),
            ("a link", "#!/bin/sh\nln -s /etc results\n", ["not a folder of the checkout itself"]),
            ("another labels.sh", MEASURE + "echo 'TITLE[0]=\"x\"' >\"$results/labels.sh\"\n", ["two label files"]),
            ("fails", "#!/bin/sh\necho R-script not found at: x\nexit 1\n", ["exit status 1", "R-script not found"]),
        ]
        repository = self.repository()
        for day, (what, script, _) in enumerate(cases, 1):
            repository.commit(what, f"2024-01-{day:02}", self.files(measure_sh=script))
        nights = self.start("bad", MOOBENCH, repository, len(cases), **ALONE)
        for night, (what, _, words) in zip(nights, cases):
            with self.subTest(what):
                self.assertEqual((night["commit"]["subject"], night["state"]), (what, "failed"))
                for word in words:
                    self.assertIn(word, night["reason"])

    @unittest.skipUnless(UPSTREAM, "MOOWATCH_MOOBENCH names no upstream checkout")
    def test_upstream_scripts(self):
        repository = self.repository()
        shutil.copytree(UPSTREAM, repository.path, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git"))
        repository.commit("upstream", "2024-01-01", {"night": "1"})
        (self.service.folder / "projects.d" / "upstream.yaml").write_text(
            (pathlib.Path(UPSTREAM) / "moowatch.yaml").read_text().replace("REPOSITORY", str(repository.path)))
        self.service.start()
        night, = self.service.wait_for_nights("upstream", 1, seconds=250)
        self.assert_measured([night])
        for name, loops in self.loops(night).items():
            for loop in loops:
                print(f"{name}: {loop['summary']['mean_ns']:.1f} ns, {loop['readings']['moobench']}")
                self.assertTrue(loop["raw"]["sha256"])
                self.assertGreater(loop["readings"]["moobench"]["mean_us"], 0)


if __name__ == "__main__":
    unittest.main()
