"""Nodes that are not as they should be: one dies and comes back with an old job, one lies about its clock, one is of an
older version; and labels, and the time that is left, among several."""
import time
import unittest

import fleet
import made_up
import moowatch

DAY_MS = 86_400_000
PROJECT = "name: {name}\nrepository: {repository}\nsince: 2026-01-01\n{labels}detection:\n  remeasure: false\n"


class Nodes(made_up.Nights):
    @classmethod
    def setUpClass(cls):
        cls.service = moowatch.Service(settings={"poll_seconds": 3600, "lease_seconds": 5, "attempts": 20})
        repository = moowatch.Repository(cls.service.folder / "repository")
        for number in range(1, 7):
            repository.commit(f"night {number}", f"2026-01-0{number}", {"a": str(number)})
        for name, labels in (("plain", ""), ("arm", "node_labels: [arm]\n")):
            cls.service.project(name, PROJECT.format(name=name, repository=repository.path, labels=labels)
                                + made_up.BENCHMARK)
        cls.service.start()
        cls.runner, cls.by_hand = cls.token("runner"), cls.token("run")
        cls.service.wait(lambda: cls.service.get("/api/v1/status")["queue"]["queued"] == 12, "the queue")

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()

    def node(self, name, **more):
        node = fleet.Node(self.service.url, self.runner, name, **more)
        self.addCleanup(node.close)
        return node

    def measured(self, project="plain"):
        return [night for night in self.service.nights(project) if night["state"] == "measured"]

    def test_1_labels_decide_who_gets_a_job(self):
        plain, arm = self.node("plain-1"), self.node("arm-1", labels=["arm", "fast"])
        seen = set()
        for _ in range(6):
            leased = plain.lease()
            seen.add(leased["job"]["project"])
            self.assertEqual(plain.result(leased)[0], 201)
        self.assertEqual(seen, {"plain"})
        self.assertIsNone(plain.lease())
        leased = arm.lease()
        self.assertEqual(leased["job"]["project"], "arm")
        self.assertEqual(arm.result(leased)[0], 201)

    def test_2_the_time_left_is_shown_as_the_node_says_it(self):
        node = self.node("arm-2", labels=["arm"])
        leased = node.lease()
        for left_s in (40, 25, 3):
            self.assertEqual(node.progress(leased, left_s)[0], 200)
            shown = self.service.get(f"/api/v1/jobs/{leased['job']['id']}")["progress"]
            self.assertEqual(shown["eta_seconds"], left_s)
            # when it was said is by the server's clock: who reads it can tell how old it is
            self.assertLess(abs(shown["at_ms"] - time.time() * 1000), DAY_MS)
        self.assertEqual(node.result(leased)[0], 201)

    def test_3_one_that_died_comes_back_with_an_old_job(self):
        dead, other = self.node("arm-3", labels=["arm"]), self.node("arm-4", labels=["arm"])
        before = len(self.measured("arm"))
        old = dead.lease()
        dead.progress(old, 10)
        again = self.service.wait(lambda: (lambda l: l if l and l["job"]["id"] == old["job"]["id"] else l and other.result(l)
                                           and None)(other.lease(1)), "its job to be given to another one")
        status, answer = dead.result(old)
        self.assertEqual(status, 409, answer)
        self.assertIn("was given to another runner", answer["detail"])
        self.assertEqual(dead.ask(f"/api/v1/runner/jobs/{old['job']['id']}/resume",
                                  {"node": "arm-3", "lease": old["lease"]})[0], 409)
        self.assertEqual(other.result(again)[0], 201)
        # and once more, when all is over
        self.assertEqual(dead.result(old)[0], 409)
        nights = [night["night"] for night in self.measured("arm")]
        self.assertEqual(len(nights), len(set(nights)))
        self.assertGreater(len(nights), before)

    def again(self, project="plain"):
        """The newest commit once more, by hand."""
        newest = self.service.nights(project)[-1]
        status, _, body = self.service.status(f"/api/v1/projects/{project}/jobs", "POST", (
            b'{"commit": "%s", "night": "%s"}' % (newest["commit"]["sha"].encode(), newest["night"].encode())), {
                "Authorization": f"Bearer {self.by_hand}", "Content-Type": "application/json"})
        self.assertIn(status, (200, 201), body)
        return newest["night"]

    def test_4_one_lies_about_its_clock(self):
        for off_ms in (-400 * DAY_MS, 400 * DAY_MS):
            night = self.again()
            node = self.node("liar", clock_ms=off_ms)
            leased = self.service.wait(lambda n=node: n.lease(1), "the job")
            self.assertEqual(leased["job"]["night"], night)
            self.assertEqual(node.progress(leased, 5)[0], 200)
            self.assertEqual(node.result(leased)[0], 201)
            # its night is the commit's, its lease and the job's times are the server's
            job = self.service.get(f"/api/v1/jobs/{leased['job']['id']}")
            for key in ("queued_ms", "started_ms", "finished_ms"):
                self.assertLess(abs(job[key] - time.time() * 1000), DAY_MS, key)
            self.assertEqual(self.service.nights("plain")[-1]["night"], night)
            seen = {each["name"]: each for each in self.service.get("/api/v1/status")["nodes"]}["liar"]
            self.assertLess(abs(seen["seen_ms"] - time.time() * 1000), DAY_MS)

    def test_5_one_is_of_an_older_version(self):
        """It says less: it is given what it can do, and what it sends is taken."""
        self.again()
        node = self.node("old", version="0.0.1")
        leased = self.service.wait(lambda: node.lease(1), "the job")
        self.assertNotIn("before", leased["job"])
        self.assertEqual(node.result(leased)[0], 201)
        seen = {each["name"]: each for each in self.service.get("/api/v1/status")["nodes"]}["old"]
        self.assertEqual(seen["version"], "0.0.1")


if __name__ == "__main__":
    unittest.main(verbosity=2)
