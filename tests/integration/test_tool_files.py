"""Files as the benchmark tools of 2026 write them: what import reads, recomputed with json and statistics alone."""
import json
import math
import pathlib
import statistics
import unittest

from cli_case import imported, moowatch, Temporary

HYPERFINE = {"schema_version": 2, "metadata": {"hyperfine_version": "2.0.0", "start_time": "2026-11-27T17:19:37Z"},
             "primary_metric": "time_wall_clock", "results": [
    {"command": "./span 1", "name": "span", "measurements": [
        {"time_wall_clock": {"value": v, "unit": "second"}, "time_cpu": {"value": 9, "unit": "second"}, "exit_code": code}
        for v, code in ((0.0114, 0), (0.0402, 0), (0.5, 1), (0.0113, 0))]},
    {"command": "false", "measurements": [{"time_wall_clock": {"value": 0.07, "unit": "second"}, "exit_code": 1}]}]}
JMH = [{"jmhVersion": "1.37", "benchmark": "o.B.span", "mode": mode, "threads": 1, "forks": 2, "params": {"depth": "8"},
        "primaryMetric": {"score": statistics.fmean(sum(raw, [])), "scoreError": "NaN", "scoreConfidence": [0.1, 9e9],
                          "scoreUnit": unit, "rawData": raw}, "secondaryMetrics": {}}
       for mode, unit, raw in (("avgt", "us/op", [[0.5, 0.7], [0.9, 1.1]]), ("thrpt", "ops/us", [[1.0, 3.0], [4.0, 5.0]]))]
GOOGLE = {"context": {"date": "2026-11-27T17:36:34+00:00"}, "benchmarks": [
    {"name": "span/1", "run_name": "span/1", "run_type": "iteration", "repetitions": 3, "repetition_index": i,
     "real_time": t, "cpu_time": 1, "time_unit": "us"} for i, t in enumerate((19.2, 26.7, 8.9))] + [
    {"name": "span/1_cv", "run_name": "span/1", "run_type": "aggregate", "aggregate_name": "cv", "real_time": 0.4,
     "time_unit": "us"},
    {"name": "skipped", "run_name": "skipped", "run_type": "iteration", "error_occurred": True, "error_message": "not here",
     "real_time": 0.0, "time_unit": "ns"}]}
BENCHMARKDOTNET = {"Title": "B", "HostEnvironmentInfo": {"BenchmarkDotNetVersion": "0.15"}, "Benchmarks": [
    {"FullName": "N.B.Span(depth: 8)", "DisplayInfo": "B.Span: Job", "Statistics": {
        "OriginalValues": [100.0, 120.0], "N": 2, "Mean": 110.0,
        "ConfidenceInterval": {"Level": 12, "Lower": 1.0, "Upper": 900.0}},
     "Measurements": [{"IterationMode": "Workload", "IterationStage": "Result", "LaunchIndex": 1, "Operations": 4,
                       "Nanoseconds": n} for n in (400.0, 480.0)]},
    {"FullName": "N.B.Empty", "Statistics": {"OriginalValues": [0.0], "Mean": 0.0}},
    {"FullName": "N.B.Broken", "Statistics": None}]}
ESTIMATES = {"mean": {"confidence_interval": {"confidence_level": 0.95, "lower_bound": 23.9, "upper_bound": 41.8},
                      "point_estimate": 32.0, "standard_error": 4.5}, "median_abs_dev": {"point_estimate": 1}}
SAMPLE = {"sampling_mode": "Linear", "iters": [10.0, 20.0, 30.0], "times": [300.0, 700.0, 800.0]}
PYPERF = {"benchmarks": [{"metadata": {"name": "none", "loops": 32768}, "runs": [
    {"metadata": {"date": "2026-11-27 17:13:59.247260"}, "warmups": [[1, 8e-6]]},
    {"values": [1.0e-5, 7.8e-6]}, {"values": [8.2e-6]}]}], "metadata": {"unit": "second"}, "version": "1.0"}
ASV = json.dumps({"commit_hash": "ab" * 20, "date": 1795801042000, "result_columns": ["result", "params", "stats_ci_99_a"],
                  "results": {"m.C.time_a": [[6.2e-06, None], [["1", "8"]], ["LOW", "LOW"]],
                              "m.C.peakmem_a": [[36052992], [["1"]]]}}).replace('"LOW"', "-Infinity")
PYTEST = {"machine_info": {}, "commit_info": {"id": "cd" * 20}, "datetime": "2026-01-02T03:04:05", "benchmarks": [
    {"fullname": "t.py::x[8]", "stats": {"mean": 2e-6, "rounds": 3, "data": [1e-6, 2e-6, 3e-6]}}]}
GO = """goos: linux
pkg: example.org/gob
BenchmarkSpan/depth=8-2         \t   19592\t      3165 ns/op
BenchmarkSpan/depth=8-2         \t   25297\t      2688 ns/op\t2975.03 MB/s\t  24439171 records
--- SKIP: BenchmarkSkipped
PASS
"""
GO_JSON = "\n".join(json.dumps({"Time": "2026-11-27T17:16:48.69Z", "Action": "output", "Package": "example.org/gob", "Output": line})
                    for line in ("BenchmarkNone-2   \t", " 1000000\t       154.4 ns/op\n",
                                 "BenchmarkNone-2   \t 6016638\t       105.3 ns/op\n", "PASS\n"))
LIBTEST = """     Running benches/lt.rs (target/release/deps/lt-757b)
test span               ... bench:       1,016.87 ns/iter (+/- 16.56)
"""
GUNGRAUN = [{"module_path": "g::probes::span", "id": "one", "version": "7", "profiles": [{"tool": "Callgrind", "data": {
    "parts": [], "total": {"metrics": {"Ir": {"values": {"new": 1586}}}}}}]},
            {"module_path": "g::probes::none", "version": "7", "profiles": [{"tool": "Callgrind", "data": {
                "parts": [], "total": {"metrics": {"Ir": {"values": {"new": 15}}}}}}]}]


def dump(value):
    return json.dumps(value)


class ToolFiles(Temporary):
    def read(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return imported(path)

    def left(self, night):
        return {left["name"]: left["why"] for left in night["left"]}

    def test_hyperfine(self):
        night, values = self.read("h.json", dump(HYPERFINE))
        good = [m["time_wall_clock"]["value"] * 1e9 for m in HYPERFINE["results"][0]["measurements"] if m["exit_code"] == 0]
        self.hold(values["span"], good)
        self.assertEqual(list(values), ["span"])
        self.assertIn("1 of 4 runs failed", self.left(night)["span"])
        self.assertIn("1 of 1 runs failed", self.left(night)["false"])

    def test_jmh(self):
        _, values = self.read("j.json", dump(JMH))
        slow, fast = JMH
        self.hold(values["o.B.span depth=8 [mode=avgt threads=1]"],
                  [1e3 * statistics.fmean(fork) for fork in slow["primaryMetric"]["rawData"]])
        self.hold(values["o.B.span depth=8 [mode=thrpt threads=1]"],
                  [1e3 / statistics.fmean(fork) for fork in fast["primaryMetric"]["rawData"]])

    def test_google(self):
        night, values = self.read("g.json", dump(GOOGLE))
        self.hold(values["span/1"], [1e3 * run["real_time"] for run in GOOGLE["benchmarks"][:3]])
        self.assertEqual((list(values), self.left(night)), (["span/1"], {"skipped": "not here"}))

    def test_benchmarkdotnet(self):
        night, values = self.read("b.json", dump(BENCHMARKDOTNET))
        value = values["N.B.Span(depth: 8)"]
        self.assertEqual((value["mean_ns"], value["low_ns"], value["n"], len(values)), (110.0, None, 0, 1))
        self.assertEqual(sorted(self.left(night)), ["N.B.Broken", "N.B.Empty"])

    def test_criterion(self):
        folder = self.folder / "Overhead" / "span" / "new"
        folder.mkdir(parents=True)
        (folder / "benchmark.json").write_text('{"full_id": "Overhead/span"}')
        name = pathlib.Path("Overhead/span/new")
        _, values = self.read(name / "estimates.json", dump(ESTIMATES))
        value = values["Overhead/span"]
        self.assertEqual((value["mean_ns"], value["low_ns"], value["high_ns"]), (32.0, 23.9, 41.8))
        _, values = self.read(name / "sample.json", dump(SAMPLE))
        each = [t / n for t, n in zip(SAMPLE["times"], SAMPLE["iters"])]
        self.assertTrue(math.isclose(values["Overhead/span"]["mean_ns"], statistics.fmean(each)))
        moowatch("import", folder / "benchmark.json", expect=3)

    def test_pyperf(self):
        _, values = self.read("p.json", dump(PYPERF))
        self.hold(values["none"], [1e9 * statistics.fmean(run["values"]) for run in PYPERF["benchmarks"][0]["runs"][1:]])

    def test_asv(self):
        night, values = self.read("a.json", ASV)
        self.assertTrue(math.isclose(values["m.C.time_a(1)"]["mean_ns"], 6200))
        self.assertEqual((night["commit"]["sha"], sorted(self.left(night))), ("ab" * 20, ["m.C.peakmem_a", "m.C.time_a(8)"]))

    def test_pytest(self):
        _, values = self.read("t.json", dump(PYTEST))
        value = values["t.py::x[8]"]
        self.assertTrue(math.isclose(value["mean_ns"], 1e9 * statistics.fmean(PYTEST["benchmarks"][0]["stats"]["data"])))
        self.assertEqual((value["n"], value["low_ns"]), (0, None))

    def test_go(self):
        night, values = self.read("go.txt", GO)
        self.hold(values["BenchmarkSpan/depth=8-2"], [3165.0, 2688.0])
        self.assertEqual(self.left(night), {"BenchmarkSkipped": "was skipped"})
        _, values = self.read("go.json", GO_JSON)
        self.hold(values["BenchmarkNone-2"], [154.4, 105.3])

    def test_libtest(self):
        _, values = self.read("l.txt", LIBTEST)
        self.hold(values["span"], [1016.87])

    def test_gungraun(self):
        for text in ("\n".join(map(dump, GUNGRAUN)), "\n".join(json.dumps(one, indent=2) for one in GUNGRAUN), dump(GUNGRAUN)):
            _, values = self.read("c.json", text)
            self.assertEqual({name: (value["mean_ns"], value["unit"]) for name, value in values.items()},
                             {"g::probes::span one": (1586.0, "instructions"), "g::probes::none": (15.0, "instructions")})

    def test_others_are_refused_by_what_is_known(self):
        for name, text in (("benchmarks.json", '{"m.time_a": {"unit": "seconds", "type": "time"}, "version": 2}'),
                           ("tukey.json", "[-25.02, 2.4, 57.7]"), ("mitata.json", '{"context": {"arch": null}, "benchmarks": [{"alias": "a", "runs": [{"stats": {"avg": 1}}]}]}'),
                           ("tasks.json", '[{"name": "a", "latency": {"mean": 1}}]'),
                           ("out.txt", "Overhead/span  time:   [23.726 ns 32.915 ns 44.373 ns]\n"),
                           ("benchstat.txt", "None-2    29.21n ± 261%   21.97n ±  73%        ~ (p=1.000 n=6)\n"),
                           ("f0.csv", '"Benchmark","Mode","Threads"\n"o.B","thrpt",1\n'),
                           ("divan.txt", "div  fastest  │ slowest\n╰─ span  19.71 ns  │ 7.48 µs\n")):
            (self.folder / name).write_text(text)
            out, err = moowatch("import", self.folder / name, expect=3)
            self.assertEqual(out, "")
            for tool in ("JMH", "Google Benchmark", "hyperfine", "go test -bench", "BenchmarkDotNet", "pyperf"):
                self.assertIn(tool, err)
            self.assertIn(name, err)


if __name__ == "__main__":
    unittest.main()
