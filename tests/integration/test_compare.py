"""ci/compare with few calls: what is installed here is measured, tabled and drawn; what is wrong is said."""
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
        result = json.loads(done.stdout.splitlines()[-1])["frameworks"]
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
            {"frameworks": {"kieker-java": [one, {**one, "portion": "I", "median_low_ns": -1.0}]}}))
        document, other = self.folder / "a.md", self.folder / "b.md"
        document.write_text("before\n<!-- figures of ci/compare -->\nstale\n<!-- end -->\nafter\n")
        for _ in range(2):  # a second time in place of the first
            subprocess.run([figures, self.folder, document], check=True, timeout=60)
        text = document.read_text()
        self.assertTrue(text.startswith("before\n<!-- figures of ci/compare -->\nMeasured on 20"), text)
        self.assertEqual(text.count("| kieker-java | W text | Text file | 1.5 µs | 1.4 µs to 1.6 µs | 2.5 µs |"), 1)
        self.assertIn("| I | Text file | 1.5 µs, not told from 0 | -1 ns to 1.6 µs |", text)
        self.assertNotIn("stale", text)
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


if __name__ == "__main__":
    unittest.main(verbosity=2)
