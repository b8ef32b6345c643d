"""Two nodes of one kind measure one reference commit in turn, over days of the server's clock; then one is silent, and the
other takes its night, which says so.

Usage: test_nodes_calibrated.py <clock_step library> [unittest arguments]
"""
import contextlib
import datetime
import os
import sys
import unittest

import fleet
import made_up
import moowatch

CLOCK = sys.argv.pop(1)
HOUR_S = 3600
NIGHTS = 8
PROJECT = """
name: demo
repository: {repository}
since: {since}
node_labels: [blade]
calibration:
  commit: {commit}
  every_days: 7
  take_over_hours: 6
"""
# T as on blade1, I × 1.1, C × 0.9, W × 1.05
MEANS = {"blade1": (70., 470., 1600., 3200.), "blade2": (70., 510., 1527., 3207.)}
FACTORS = {"T": 1.0, "I": 1.1, "C": 0.9, "W": 1.05}


@contextlib.contextmanager
def environment(**more):
    os.environ.update(more)
    try:
        yield
    finally:
        for key in more:
            del os.environ[key]


class Calibrated(made_up.Nights):
    @classmethod
    def setUpClass(cls):
        cls.service = moowatch.Service(settings={"poll_seconds": 3600, "lease_seconds": 5})
        cls.repository = moowatch.Repository(cls.service.folder / "repository")
        cls.hours = 0
        cls.step = cls.service.folder / "step"
        cls.later(0)
        days = [moowatch.today() - datetime.timedelta(days=n) for n in range(NIGHTS + 1, 1, -1)]
        commits = [cls.repository.commit(f"night {n}", str(day), {"a": str(n)}) for n, day in enumerate(days)]
        cls.service.project("demo", PROJECT.format(repository=cls.repository.path, since=days[0], commit=commits[2][:12])
                            + made_up.BENCHMARK)
        with environment(LD_PRELOAD=CLOCK, CLOCK_STEP=str(cls.step)):
            cls.service.start()
        cls.runner, cls.admin = cls.token("runner"), cls.token("admin")
        cls.blades = {name: fleet.Node(cls.service.url, cls.runner, name, labels=["blade"]) for name in MEANS}
        cls.service.wait(lambda: cls.service.get("/api/v1/status")["queue"]["queued"] == NIGHTS, "the queue")

    @classmethod
    def tearDownClass(cls):
        for node in cls.blades.values():
            node.close()
        cls.service.__exit__()

    @classmethod
    def later(cls, hours):
        """The server's clock goes on."""
        cls.hours += hours
        partial = cls.step.with_suffix(".new")
        partial.write_text(f"{cls.hours * HOUR_S}\n")
        partial.rename(cls.step)

    def work(self, name):
        """Its next job, measured as that node does; what the job was."""
        node = self.blades[name]
        leased = self.service.wait(lambda: node.lease(5), f"a job for {name}")
        # no two runs are alike: by up to 0.3 per cent
        means = [mean * (1 + (leased["job"]["id"] * 5 % 7 - 3) / 1000) for mean in MEANS[name]]
        loops = fleet.loops_of(made_up.NAMES, leased["job"]["id"], means)
        status, answer = node.result(leased, loops=loops, environment={"node": name, "cpu": "c", "kernel": "k"})
        self.assertEqual(status, 201, answer)
        return leased["job"]

    def new_night(self):
        """Today, as the server sees it."""
        day = moowatch.today() + datetime.timedelta(hours=self.hours)
        self.repository.commit(f"night of {day}", str(day), {"a": str(day)}, hour=0)
        status, _, body = self.service.status("/api/v1/projects/demo/poll", "POST", b"{}", {
            "Authorization": f"Bearer {self.admin}", "Content-Type": "application/json"})
        self.assertEqual(status, 202, body)
        self.service.wait(lambda: self.service.get("/api/v1/status")["queue"]["queued"] == 1, "the new night")

    def newest(self):
        night = self.service.nights("demo")[-1]
        return self.service.get(f"/api/v1/experiments/{night['experiment']}")

    def test_1_the_reference_is_measured_in_turn(self):
        for _ in range(NIGHTS):
            self.work("blade1")
        for days in range(3):
            for node in self.blades.values():
                self.assertIsNone(node.lease())  # both are there
            for name in MEANS:
                self.work(name)
            [row] = self.service.get("/api/v1/nodes/calibration")["items"]
            self.assertEqual((row["node"], row["usual"], row["runs"], row["usual_runs"]), ("blade2", "blade1", days + 1, days + 1))
            self.assertEqual(row["state"], "known" if days == 2 else "unknown", row["sentence"])
            self.later(25)

    def test_2_the_factors_are_known_with_intervals(self):
        [row] = self.service.get("/api/v1/nodes/calibration")["items"]
        self.assertEqual([portion["portion"] for portion in row["portions"]], list(FACTORS))
        for portion in row["portions"]:
            factor = portion["factor"]
            self.assertLess(factor["low"], factor["mean"])
            self.assertLess(factor["mean"], factor["high"])
            self.assertAlmostEqual(factor["mean"], FACTORS[portion["portion"]], delta=0.02)
        self.assertIn("it takes over when blade1 is silent for 6 hours", row["sentence"])

    def test_3_the_series_moves_and_says_so(self):
        self.assertIsNone(self.blades["blade1"].lease())
        before = self.newest()
        self.new_night()
        self.assertIsNone(self.blades["blade2"].lease())  # blade1 may come
        self.later(7)
        self.assertNotEqual(self.work("blade2")["kind"], "calibration")
        night = self.newest()
        self.assertGreater(night["night"], before["night"])
        self.assertIn("measured on blade2 instead of blade1, which was silent", night["stand_in"])
        self.assertEqual({portion["verdict"] for portion in night["portions"]}, {"ok"})
        # the project's page says what the newest of its nights does
        self.assertEqual(self.service.nights("demo")[-1]["stand_in"], night["stand_in"])

    def test_4_and_back_again(self):
        self.later(24)
        self.assertIsNone(self.blades["blade1"].lease())
        self.new_night()
        self.assertIsNone(self.blades["blade2"].lease())
        self.work("blade1")
        night = self.newest()
        self.assertIsNone(night["stand_in"])
        self.assertEqual({portion["verdict"] for portion in night["portions"]}, {"ok"})
        self.assertEqual(self.service.alerts("demo"), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
