"""A node is replaced: the last commit measured on the old one is measured again on the new one.

Real daemon, runner, git and processes. The benchmark writes calls of known length, times what a file outside of the
checkout says: that is the node's speed.
"""
import unittest

import moowatch

PROJECT = """
name: bridged
repository: {repository}
since: 2024-01-01
benchmark:
  driver: native
  prepare: [./prepare]
  loops: 5
  total_calls: 200
  rest_seconds: 0
  configurations:
    - {{name: none, portion: T, command: ["./bench", "none"]}}
    - {{name: probe, portion: I, parent: none, command: ["./bench", "probe"]}}
"""
BENCH = """#!/bin/sh
name=$1
number=$(ls "@marks@" | wc -l)
: >"@marks@/$number"
while [ $# -gt 1 ]; do
    case $1 in
        --output-filename) out=$2 ;;
        --total-calls) calls=$2 ;;
    esac
    shift
done
awk -v name="$name" -v number="$number" -v calls="$calls" -v speed="$(cat "@speed@")" '
    $1 == name { cost = speed * $2 * (1 + ((number * 7 + 3 * int(number / 5)) % 11 - 5) / 1000) }
    END { for (i = 0; i < calls; i++) printf "0;%d\\n", cost + i % 7 }' costs >"$out"
"""
# Once the machine is a new one, only what has a file `builds` does.
PREPARE = """#!/bin/sh
[ ! -e "@changed@" ] || [ -e builds ] || { echo "no such header"; exit 7; }
"""
COSTS = "none 2000\nprobe 4000\n"
OPEN_S = 240


class Bridge(unittest.TestCase):
    def setUp(self):
        self.service = moowatch.Service(runner={"disturbed_repeats": 0, "prepared_cache_bytes": 0, "node": "old"})
        self.addCleanup(self.service.__exit__)
        self.speed = self.service.folder / "speed"
        self.speed.write_text("1\n", encoding="ascii")
        (self.service.folder / "marks").mkdir()
        bench = BENCH.replace("@marks@", str(self.service.folder / "marks")).replace("@speed@", str(self.speed))
        self.repository = moowatch.Repository(self.service.folder / "repository")
        self.changed = self.service.folder / "changed"
        self.files = {"bench": bench, "costs": COSTS, "prepare": PREPARE.replace("@changed@", str(self.changed))}
        self.days = 0

    def night(self, **files):
        self.days += 1
        return self.repository.commit(f"day {self.days}", f"2024-01-{self.days:02}", {**self.files, **files})

    def start(self):
        self.night()
        self.service.project("bridged", PROJECT.format(repository=self.repository.path))
        self.service.start()
        self.service.wait_for_nights("bridged", 1)
        for _ in range(3):
            self.night(note=f"{self.days}\n")
            self.service.wait_for_nights("bridged", self.days)

    def replace_node(self, speed):
        self.service.runner.terminate()
        self.service.runner.wait(timeout=60)
        self.speed.write_text(f"{speed}\n", encoding="ascii")
        self.service.runner_settings["node"] = "new"
        self.service.start_runner()

    def bridge(self):
        """The one incident, once its bridge is settled."""
        def settled():
            items = self.service.get("/api/v1/projects/bridged/incidents")["items"]
            return items if items and items[0]["bridge"] and items[0]["bridge"]["state"] != "open" else None
        [one] = self.service.wait(settled, "the bridge", OPEN_S)
        self.assertEqual(one["kind"], "environment")
        self.assertIn("node old → new", one["sentence"])
        return one

    def test_a_slower_node_has_its_factor(self):
        self.start()
        self.replace_node(1.25)
        self.night(note="moved\n")
        one = self.bridge()
        bridge = one["bridge"]
        self.assertEqual(bridge["state"], "done", bridge)
        self.assertAlmostEqual(bridge["factor"]["mean"], 1.25, delta=0.01)
        for portion in bridge["portions"]:
            self.assertAlmostEqual(portion["factor"]["mean"], 1.25, delta=0.02)
            self.assertNotEqual(portion["changed"], "yes", portion)
        self.assertRegex(one["headline"], r"^Levels before × 1\.2[45] ± (< )?0\.0\d$")
        self.assertEqual(self.service.alerts("bridged"), [])
        svg = self.service.status("/charts/bridged.svg")[2].decode()
        self.assertIn("Levels before × 1.2", svg)

    def test_a_change_in_the_same_night_is_the_codes(self):
        self.start()
        self.replace_node(1.25)
        self.night(costs="none 2000\nprobe 4400\n")
        bridge = self.bridge()["bridge"]
        self.assertEqual(bridge["state"], "done", bridge)
        probe = bridge["portions"][1]
        self.assertEqual((probe["portion"], probe["changed"]), ("I", "yes"))
        self.assertAlmostEqual(probe["factor"]["mean"], 1.25, delta=0.02)
        self.assertAlmostEqual(probe["change"]["mean"], 500, delta=25)  # 400 ns, on a node 1.25 times as slow
        self.assertIn("and the code changed: I +", bridge["sentence"])

    def test_a_commit_that_no_longer_builds(self):
        self.start()
        self.changed.touch()
        self.replace_node(1.25)
        self.night(builds="yes\n")
        one = self.bridge()
        self.assertEqual(one["bridge"]["state"], "failed", one)
        self.assertEqual((one["bridge"]["factor"], one["bridge"]["portions"]), (None, []))
        self.assertRegex(one["bridge"]["sentence"], "could not be measured again here .*exit status 7.*the series starts anew")
        self.assertEqual(one["headline"], "Another environment")
        self.assertEqual(self.service.nights("bridged")[-1]["state"], "measured")
        self.assertEqual(self.service.alerts("bridged"), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
