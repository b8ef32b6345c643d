"""ci/compare with few calls: what is installed here is measured, tabled and drawn; what is wrong is said."""
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

import moowatch

COMPARE = moowatch.SOURCE / "ci" / "compare"


class Compare(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-compare-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def compare(self, *words, path=None):
        environment = {**os.environ, "MOOWATCH_NO_BUILD": "1", "MOOWATCH_BUILD": str(moowatch.BUILD)}
        return subprocess.run([COMPARE, "--dir", self.folder / "out", *words], capture_output=True, text=True, timeout=500,
                              env={**environment, **({"PATH": path} if path else {})}, stdin=subprocess.DEVNULL)

    def test_frameworks_on_one_chart(self):
        frameworks = ["callmon"] + (["lttng-ust"] if shutil.which("lttng") and shutil.which("babeltrace2") else [])
        done = self.compare("--quick", *frameworks)
        self.assertEqual(done.returncode, 0, done.stderr)
        whole = json.loads(done.stdout.splitlines()[-1])
        result = whole["frameworks"]
        self.assertEqual(list(whole["beside"]), frameworks)
        for name, mine in whole["beside"].items():
            self.assertEqual(list(mine), ["cpu_ms", "start_ms", "peak_mb", "written_mb", "lost_percent"])
            self.assertIsNotNone(mine["start_ms"], name)
        self.assertRegex(done.stdout, r"\na process +processor +start +peak memory +written +lost\ncallmon +[+–-]")
        self.assertEqual(list(result), frameworks)
        for name, mine in result.items():
            self.assertEqual([one["portion"] for one in mine], ["T", "I", "C", "W"])
            for one in mine:
                self.assertLessEqual(one["median_low_ns"], one["median_ns"])
                self.assertLessEqual(one["median_ns"], one["median_high_ns"])
            self.assertIn(f"{name}  ", done.stdout)
        self.assertEqual(json.loads((self.folder / "out" / "compare.json").read_text())["frameworks"], result)
        drawing = xml.etree.ElementTree.fromstring((self.folder / "out" / "compare.svg").read_text())
        texts = [node.text for node in drawing.iter("{http://www.w3.org/2000/svg}text")]
        for name in frameworks:
            self.assertIn(name, texts)
        self.assertEqual([words for words in texts if words in "TICW"], ["T", "I", "C", "W"] * len(frameworks))
        width = float(drawing.get("width"))
        for node in drawing.iter("{http://www.w3.org/2000/svg}rect"):
            self.assertLessEqual(float(node.get("x", "0")) + float(node.get("width")), width)

    def test_figures_for_a_document(self):
        figures = COMPARE.parent / "compare.d" / "figures"
        one = {"portion": "W text", "configuration": "text", "parent": "none", "label": "Text file", "mean_ns": 2500.0, "low_ns": 1,
               "high_ns": 2, "median_ns": 1500.0, "median_low_ns": 1400.0, "median_high_ns": 1600.0}
        (self.folder / "compare.json").write_text(json.dumps(
            {"frameworks": {"kieker-java": [one, {**one, "portion": "I", "median_low_ns": -1.0},
                                            {**one, "portion": "C", "median_low_ns": -9.0, "median_high_ns": -1.0}]},
             "beside": {"kieker-java": {"cpu_ms": 1234.5, "start_ms": -60.0, "peak_mb": 12.0, "written_mb": None, "lost_percent": 97.0}}}))
        (self.folder / "compare.svg").write_text("<svg/>")
        document, other = self.folder / "a.md", self.folder / "b.md"
        document.write_text("before\n<!-- figures of ci/compare -->\nstale\n<!-- end -->\nafter\n")
        for _ in range(2):  # a second time in place of the first
            subprocess.run([figures, self.folder, document], check=True, timeout=60)
        text = document.read_text()
        self.assertTrue(text.startswith("before\n<!-- figures of ci/compare -->\nMeasured on 20"), text)
        self.assertEqual(text.count("| kieker-java | W text | Text file | 1.5 µs | 1.4 µs to 1.6 µs | 2.5 µs |"), 1)
        self.assertIn("| I | Text file | 1.5 µs, not distinct from 0 | -1 ns to 1.6 µs |", text)
        self.assertIn("| C | Text file | 1.5 µs, below 0 | -9 ns to -1 ns |", text)
        self.assertIn("\n\n| a process | processor | start | peak memory | written | lost |\n|---|---|---|---|---|---|\n"
                      "| kieker-java | +1,234 ms | -60 ms | +12 MB | – | 97.0 % |\n", text)
        self.assertNotIn("stale", text)
        self.assertEqual(text.count("](figures/compare.svg)"), 1)
        self.assertEqual((self.folder / "figures" / "compare.svg").read_text(), "<svg/>")
        self.assertTrue(text.endswith("<!-- end -->\nafter\n"))
        other.write_text("nothing\n")
        done = subprocess.run([figures, self.folder, other], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("has no place", done.stderr)
        self.assertEqual((moowatch.SOURCE / "docs" / "frameworks.md").read_text().count("<!-- figures of ci/compare -->"), 1)

    def test_what_is_wrong_is_said(self):
        for words, said in ((["no-such"], "no framework \"no-such\""), (["--loops", "1"], "--loops"), (["--loops"], "a value"),
                            (["--fast"], "unknown option --fast")):
            done = self.compare(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(said, done.stderr)

    def test_a_framework_that_is_not_here(self):
        tools = self.folder / "bin"
        tools.mkdir()
        for folder in ("/usr/bin", "/bin"):  # all but LTTng
            for tool in pathlib.Path(folder).iterdir():
                if not tool.name.startswith("lttng") and not (tools / tool.name).exists():
                    (tools / tool.name).symlink_to(tool)
        done = self.compare("--quick", "lttng-ust", path=str(tools))
        self.assertEqual(done.returncode, 1)
        self.assertIn("lttng-ust is not installed on this node", done.stderr)
        self.assertIn("lttng-ust was not measured", done.stderr)


class LiveAnalysis(unittest.TestCase):
    """What tests/bench/live/run makes of a night: here of a made one."""

    def test_throughputs_stand_beside_the_published_ones(self):
        with tempfile.TemporaryDirectory(prefix="moowatch-live-") as name:
            folder = pathlib.Path(name)
            means = {"none": (100, 100), "deactivated": (400, 400), "collecting": (4000, 4000), "tcp": (8000, 8000),
                     "reconstruction": (10000, 20000), "reduction": (20000, 20000)}
            (folder / "night.json").write_text(json.dumps({"configurations": [{"name": one, "label": one.title(), "loop_results": [
                {"summary": {"mean_ns": mean, "median_ns": mean / 2}} for mean in loops]} for one, loops in means.items()]}))
            document = folder / "document.md"
            document.write_text("before\n<!-- figures of tests/bench/live -->\nstale\n<!-- end -->\nafter\n")
            done = subprocess.run([moowatch.SOURCE / "tests/bench/live/run", "--loops", "0", "--dir", folder, "--into", document],
                                  capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            text = document.read_text()
        self.assertNotIn("stale", text)
        rows = {line.split(" | ")[0].removeprefix("| "): line.removesuffix(" |").split(" | ")[1:] for line in text.splitlines() if " k " in line}
        self.assertEqual(rows["Collecting"], ["142 k", "12.1 %", "136 k", "17.7 %", "250 k ± 0.0 k", "10 %", "2 µs"])
        self.assertEqual(rows["Reconstruction"][:2], ["0.5 k", "1.18 %"])
        self.assertRegex(rows["Reconstruction"][4], r"^75\.0 k ± \d")
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["figures"]["reduction_per_second"], 50000)


class PublishedSteps(unittest.TestCase):
    """What tests/bench/published/run makes of measurements: here of made ones."""
    RUN = moowatch.SOURCE / "tests" / "bench" / "published" / "run"
    NEWEST = (moowatch.SOURCE / "config/projects/kieker-java/releases").read_text().split()[-1]

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-published-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "others").write_text("0.4\n12.0\n")
        steps = json.loads((self.RUN.parent / "steps.json").read_text())
        self.places = sorted({tuple(step[end]) for step in steps for end in ("before", "after")})

    def made(self, means, loops=9, medians=None):
        """Every configuration's processes are at 10 µs and scatter by 1 %, but for the means and medians that are named, in µs."""
        def night(runs):
            return {"configurations": [{"name": one[2], "loop_results": [
                {"summary": {kind: 1000 * value.get(one[1:], 10) * (1 + loop / 400) for kind, value in
                             (("mean_ns", means), ("median_ns", medians or means))}} for loop in range(loops)]} for one in runs]}
        for name, version in sorted({one[:2] for one in self.places}):
            place = self.folder / f"{name}-{self.NEWEST if version == 'newest' else version}.0.json"
            made = night([one for one in self.places if one[:2] == (name, version)])
            made["received"] = [["source-fifo", 10, 1000], ["source-fifo", 30, 1000], ["tcp", 1000, 1000]]
            place.write_text(json.dumps(made))
        document = self.folder / "document.md"
        document.write_text("before\n<!-- figures of tests/bench/published -->\nstale\n<!-- end -->\nafter\n")
        done = subprocess.run([self.RUN, "--rounds", "0", "--dir", self.folder, "--into", document, "--build", self.folder],
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = document.read_text()
        self.assertNotIn("stale", text)
        self.assertTrue(text.endswith("<!-- end -->\nafter\n"))
        rows = {line.split(" | ")[0].removeprefix("| "): line.removesuffix(" |").split(" | ") for line in text.splitlines() if "→" in line}
        return text, rows, json.loads(done.stdout.splitlines()[-1])["figures"]

    def test_a_direction_is_there_again(self):
        text, rows, figures = self.made({("1.12", "discard"): 19, ("1.12", "discard-linked"): 19, ("1.13", "discard"): 3})
        self.assertIn("Meanwhile other work took at most 12.0 % of the", text)
        self.assertIn("in 9 processes of each configuration", text)
        self.assertIn("`source-fifo`: 1 to 3 % of its records were written.", text)
        self.assertNotIn("`tcp`", text)
        whole = rows["discarding writer, 1.12 → 1.13"]
        self.assertEqual(whole[1], "mean 18.932 → 2.785, falls")
        self.assertEqual(whole[2], "19.19 (19.05 to 19.33) → 3.03 (3.01 to 3.05), falls")  # ranks 2 and 8 of 9
        self.assertEqual(whole[4], "yes")
        self.assertEqual(rows["TCP, 1.12 → 1.13"][4], "not told")  # nothing differs there
        self.assertEqual(figures["steps"], len(rows))
        self.assertEqual(figures["again"] + figures["other_way"] + figures["not_told"], figures["steps"])

    def test_a_direction_that_only_one_of_both_shows(self):
        _, rows, _ = self.made({("newest", "source"): 10}, medians={("newest", "aspectj"): 20})
        self.assertEqual(rows["table 1: AspectJ → source instrumentation"][4], "by median")

    def test_a_direction_that_is_not_there(self):
        _, rows, figures = self.made({("1.13", "tcp"): 30, ("newest", "aggregated-fifo"): 5})
        self.assertEqual(rows["TCP, 1.12 → 1.13"][4], "no: rises by mean and median")
        self.assertEqual(rows["table 5: aggregated → with CircularFifoQueue"][4], "no: falls")
        self.assertGreaterEqual(figures["other_way"], 2)


class FiguresPage(unittest.TestCase):
    """What tests/bench/all puts into docs/benchmarks.md."""

    def setUp(self):
        where = moowatch.SOURCE / "tests" / "bench" / "lib" / "page.py"
        spec = importlib.util.spec_from_file_location("bench_page", where)
        self.page = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.page)

    def test_a_section_takes_its_place_and_the_others_stay(self):
        before = "# Benchmarks\n\nWords.\n\n## aa\nold\n\n## A page by hand\nits words\n\n## raw\nkept\n"
        self.assertEqual(self.page.put(before, "aa", "aa\nnew"), before.replace("old", "new").replace(
            "## aa\nnew\n\n## A page by hand\nits words", "## A page by hand\nits words\n\n## aa\nnew"))
        self.assertEqual(self.page.put(before, "poll", "poll\n1").count("## "), 4)
        real = self.page.PAGE.read_text()
        self.assertEqual(self.page.put(real, "raw", "raw" + real.split("\n## raw")[1].split("\n\n## ")[0]), real)

    def test_what_was_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            for text, found in (('a table\n{"bench": "x", "figures": {"ratio": 1.23456, "of": 3}}\n', {"ratio": 1.23456, "of": 3}),
                                ("a table\n", None), ("", None), ("[]\n", None)):
                log.write_text(text)
                self.assertEqual(self.page.figures(log), found)
        text = self.page.section("x", {"ratio": 1.23456, "of": 3}, True)
        self.assertRegex(text, r"^x\n`tests/bench/x/run --quick`, 20..-..-.., commit [0-9a-f]+")
        self.assertTrue(text.endswith("| `ratio` | 1.2346 |\n| `of` | 3 |"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
