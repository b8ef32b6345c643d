"""Two branches of one repository in one project: each has its own nights and alerts, one is told whether it has the
other's improvement, and one that is renamed stops no other. Real git, the real daemon, a runner that is made up."""
import unittest

import made_up
import moowatch

PROJECT = """
name: p
title: A project
repository: "{repository}"
branches: [main, release/1.15]
since: 2024-01-01
"""
RELEASE = "p~release-1.15"
BEFORE = (70.0, 470.0, 1600.0, 3200.0)
AFTER = (70.0, 190.0, 1320.0, 2920.0)  # I from 400 to 120


class Branches(made_up.Nights):
    @classmethod
    def setUpClass(cls):
        cls.service = moowatch.Service()
        cls.addClassCleanup(lambda: cls.service.__exit__(None, None, None))
        cls.repository = moowatch.Repository(cls.service.folder / "repository")
        cls.fast = set()
        for night in range(1, 7):
            cls.repository.commit(f"quiet {night}", f"2024-01-{night:02}", {"file": f"{night}"})
        cls.repository._git("branch", "release/1.15")
        cls.better = cls.repository.commit("Make it fast", "2024-01-07", {"better": "yes"})
        cls.fast.add(cls.better)
        cls.repository._git("checkout", "-q", "release/1.15")
        cls.repository.commit("Own work", "2024-01-07", {"own": "yes"})
        cls.service.project("p", PROJECT.format(repository=cls.repository.path) + made_up.BENCHMARK)
        cls.service.start()
        cls.runner = cls.token("runner")
        for _ in range(7 + 2):  # what both have in common is measured on main
            cls.measure(cls.means)

    @classmethod
    def means(cls, commit):
        return AFTER if commit in cls.fast else BEFORE

    def project(self, name):
        return self.service.get(f"/api/v1/projects/{name}")

    def told(self, state):
        """What the alert of main says of the release branch, once it is this."""
        def look():
            found = self.service.get("/api/v1/alerts/1")["branches"]
            return found and found[0]["state"] == state and found[0]
        return self.service.wait(look, f"the branch to be told: {state}")

    def test_1_each_branch_has_its_own_nights_and_alerts(self):
        main, release = self.project("p"), self.project("p?branch=release/1.15")
        self.assertEqual((main["nights"], main["open_alerts"] + main["aged_alerts"]), (7, 1))  # it ages in time
        self.assertEqual((release["nights"], release["open_alerts"] + release["aged_alerts"]), (2, 0))
        self.assertEqual((release["name"], release["title"], release["main"]), (RELEASE, "A project (release/1.15)", "p"))
        self.assertEqual([branch["project"] for branch in main["branches"]], ["p", RELEASE])
        nights = self.service.nights(RELEASE)
        self.assertEqual([night["night"] for night in nights], ["2024-01-06", "2024-01-07"])
        asked = self.service.get("/api/v1/projects/p/nights?branch=release%2F1.15")["items"]
        self.assertEqual([night["experiment"] for night in asked[::-1]], [night["experiment"] for night in nights])
        self.assertEqual([(alert["branch"], alert["direction"]) for alert in self.service.alerts("p")], [("main", "down")])

    def test_2_a_branch_is_told_that_it_lacks_an_improvement(self):
        told = self.told("lacks")
        self.assertEqual((told["project"], told["sentence"]), (RELEASE, "release/1.15 lacks this improvement"))
        self.repository._git("cherry-pick", "-x", self.better)
        picked = self.repository._git("rev-parse", "HEAD")
        told = self.told("picked")
        self.assertEqual(told["commit"], picked)
        self.assertEqual(told["sentence"], f"release/1.15 has this improvement as {picked[:9]}")

    def test_3_a_branch_that_was_renamed_stops_no_other(self):
        self.repository._git("branch", "-m", "release/1.15", "stable")
        problem = self.service.wait(lambda: self.project(RELEASE)["problem"], "the branch's problem")
        self.assertIn("branch release/1.15 is not (or no longer) in the repository, which has main, stable", problem)
        self.assertIn("stable points to its last commit", problem)
        self.assertIn("poller failed", self.service.log())
        self.repository._git("checkout", "-q", "main")
        before = self.project("p")["polled_ms"]
        self.service.wait(lambda: self.project("p")["polled_ms"] > before, "another look at main")
        self.assertIsNone(self.project("p")["problem"])
        self.assertGreaterEqual(self.project(RELEASE)["nights"], 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
