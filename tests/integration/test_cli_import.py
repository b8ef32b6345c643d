"""Files of other tools, read by the command line."""
import json
import unittest

from cli_case import moowatch, Temporary


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
        self.assertEqual((old["commit"]["sha"], old["left_out"]), ("ab" * 20, 0))
        self.assertEqual([(v["mean_ns"], v["unit"]) for v in old["values"] if "unit" in v], [(5, "bytes")])
        values = self.values(old)
        self.assertEqual(values["No instrumentation"], (90.75, 90.66, 90.84))
        mean, low, high = values["Throughput"]
        self.assertEqual((mean, round(low, 2), round(high, 2)), (500, 454.55, 555.56))
        [night] = self.read("custom.json")
        self.assertAlmostEqual(self.values(night)["W"][0], 1332)

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


if __name__ == "__main__":
    unittest.main()
