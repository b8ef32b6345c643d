"""The founding documents' tables, for systems that are not to be had any more: taken in, taken apart, charted, and their
portions held against the published ones (published.json has the numbers and where they stand)."""
import json
import math
import pathlib
import subprocess
import unittest

import moowatch

TABLES = json.loads((pathlib.Path(__file__).parent / "published.json").read_text())


class Published(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = moowatch.Service()
        cls.addClassCleanup(cls.service.__exit__)
        cls.config = cls.service.folder / "moowatchd.yaml"
        cls.config.write_text("data_dir: data\nport: 0\n")
        for table in TABLES:
            cls.take(table)
        cls.service.start()

    @classmethod
    def take(cls, table):
        file = cls.service.folder / "table.json"
        file.write_text(json.dumps([{"name": label, "value": value, "unit": table["unit"],
                                     **({"range": f"± {half}"} if half is not None else {})}
                                    for label, value, half in table["values"]]))
        lines = subprocess.run([moowatch.BUILD / "ci" / "moowatch", "import", file, "--project", table["name"], "--chain",
                                table["chain"], "--night", "2013-11-27"], check=True, capture_output=True, text=True).stdout
        subprocess.run([moowatch.BUILD / "server" / "moowatchd", "import", "--config", cls.config], input=lines, check=True,
                       capture_output=True, text=True)

    def test_each_table(self):
        for table in TABLES:
            with self.subTest(table["name"]):
                [night] = self.service.nights(table["name"])
                self.assertEqual(night["state"], "measured")
                found = {p["portion"]: p for p in night["portions"]}
                self.assertEqual(list(found), [item.partition(":")[0] for item in table["chain"].split(",")])
                for portion, published_us, slack_us in table["portions"]:
                    self.assertAlmostEqual(found[portion]["mean_ns"] / 1e3, published_us, delta=slack_us)
                # what it is made of adds up again, along each chain
                totals = {c["name"]: c["mean_ns"] for c in night["configurations"]}
                for p in night["portions"]:
                    below = totals[p["parent"]] if p["parent"] else 0
                    self.assertAlmostEqual(p["mean_ns"] + below, totals[p["configuration"]], places=3)
                for leaf in night["portions"]:
                    if any(p["parent"] == leaf["configuration"] for p in night["portions"]):
                        continue
                    for view in ("bars", "lines"):
                        status, _, chart = self.service.status(
                            f"/charts/{table['name']}.svg?view={view}&leaf={leaf['configuration']}")
                        self.assertEqual(status, 200, chart)
                        self.assertIn(leaf["portion"].encode(), chart)

    def test_live_analysis_is_a_chain_of_six(self):
        [night] = self.service.nights("live-analysis-tuned")
        parents = [p["parent"] for p in night["portions"]]
        self.assertEqual(parents, [None, "no-instrumentation", "deactivated", "collecting", "writing", "reconstruction"])
        # "measuring inaccuracy which is confirmed by the overlapping confidence intervals"
        reconstruction, full = night["portions"][4], {c["name"]: c for c in night["configurations"]}
        self.assertLess(full["writing"]["low_ns"], full["reconstruction"]["high_ns"])
        self.assertLess(reconstruction["mean_ns"], 0)  # they overlap, but their difference adds up as squares: -81 ± 73
        self.assertAlmostEqual(reconstruction["high_ns"] - reconstruction["mean_ns"], math.hypot(
            *(full[c]["high_ns"] - full[c]["mean_ns"] for c in ("writing", "reconstruction"))))
        [old] = self.service.nights("live-analysis-kieker-1.8")
        self.assertGreater(old["portions"][4]["mean_ns"], 1e6)  # "over 1,000 us"

    def test_instrumentation_measured_last(self):
        """It costs less on top of collecting than alone: two portions, and neither is subtracted from the other."""
        [night] = self.service.nights("dynamic-instrumentation")
        alone, _, on_top = night["portions"][1:]
        key = {c["label"]: c["name"] for c in night["configurations"]}
        self.assertEqual((alone["parent"], on_top["parent"]), (key["M"], key["C+M"]))
        self.assertLess(on_top["mean_ns"], alone["mean_ns"])
        self.assertGreater(on_top["low_ns"], 0)  # as the thesis' t-test says

    def test_what_cannot_be_split_says_so(self):
        [night] = self.service.nights("spass-meter")
        portions = self.service.get(f"/api/v1/experiments/{night['experiment']}")["portions"]
        self.assertEqual([bool(p["joined"]) for p in portions], [False, False, True])
        self.assertIn('between "Deactivated" and "Writing"', portions[2]["joined"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
