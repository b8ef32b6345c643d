"""A night's change is told only once both commits, measured again in turn, differ as well.

Real daemon, runner, git and processes; the project's own benchmark writes calls of known length, so that
the outcome is the same on a busy machine.
"""
import os
import signal
import sqlite3
import unittest

import moowatch

LOOPS = 5
PROJECT = """
name: {name}
repository: {repository}
since: 2024-01-01
benchmark:
  driver: native
  loops: {loops}
  total_calls: 200
  rest_seconds: 0
  configurations:
    - {{name: none, portion: T, command: ["./bench", "none"]}}
    - {{name: probe, portion: I, parent: none, command: ["./bench", "probe"]}}
detection:
  confidence: 0.95
  dimensions: false # the processes here are real, and others use the machine
  {detection}
"""

# `costs` says how long a call of each configuration takes in ns. Each process is some tenths of a percent
# faster or slower than the last, by its number; the numbers are kept outside of the checkout. A disturbed
# night: so many processes of the commit that has a file `disturbed` find the probe's `disturbed` cost.
BENCH = """#!/bin/sh
name=$1
while [ -e "@marks@.hold" ] && [ "$(ls "@marks@" | wc -l)" -ge "$(cat "@marks@.hold")" ]; do sleep 0.1; done
number=$(ls "@marks@" | wc -l)
: >"@marks@/$number"
if [ -e disturbed ] && [ "$name" = probe ] && [ "$(ls "@slow@" | wc -l)" -lt "$(cat disturbed)" ]; then
    : >"@slow@/$number"
    name=disturbed
fi
while [ $# -gt 1 ]; do
    case $1 in
        --output-filename) out=$2 ;;
        --total-calls) calls=$2 ;;
    esac
    shift
done
awk -v name="$name" -v number="$number" -v calls="$calls" '
    $1 == name { cost = $2 * (1 + ((number * 7 + 3 * int(number / 5)) % 11 - 5) / 1000) }
    END { for (i = 0; i < calls; i++) printf "0;%d\\n", cost + i % 7 }' costs >"$out"
"""
BEFORE = "none 2000\nprobe 4000\ndisturbed 6000\n"
AFTER = "none 2000\nprobe 6000\ndisturbed 6000\n"  # I doubles


class Nights(unittest.TestCase):
    RUNNER = {}

    def setUp(self):
        # A loop disturbed by others on this machine and repeated would use up one of the slow ones.
        self.service = moowatch.Service(runner={"disturbed_repeats": 0, **self.RUNNER})
        self.addCleanup(self.service.__exit__)
        bench = BENCH
        for name in ("marks", "slow"):
            (self.service.folder / name).mkdir()
            bench = bench.replace(f"@{name}@", str(self.service.folder / name))
        self.repository = moowatch.Repository(self.service.folder / "repository")
        self.days = 0
        self.files = {"bench": bench, "costs": BEFORE}

    def start(self, name, detection=""):
        self.name = name
        self.night_commit("first", self.files)
        self.service.project(name, PROJECT.format(name=name, repository=self.repository.path, loops=LOOPS,
                                                  detection=detection))
        self.service.start()

    def night_commit(self, subject, files):
        self.days += 1
        return self.repository.commit(subject, f"2024-01-{self.days:02}", files)

    def night(self, subject, files):
        """A night's commit, measured and judged."""
        commit = self.night_commit(subject, files)
        return commit, self.service.wait_for_nights(self.name, self.days)[-1]

    def portion(self, night):
        self.assertEqual(night["state"], "measured", night)
        return self.service.get(f"/api/v1/experiments/{night['experiment']}")["portions"][1]

    def settled(self, night):
        """The portion I of the night, once the suspicion about it has an outcome."""
        def outcome():
            portion = self.portion(night)
            known = portion["confirmation"]
            return portion if known and known["state"] != "waiting" else None
        return self.service.wait(outcome, f"the outcome of the suspicion {self.portion(night)}")

    def trial_jobs(self):
        jobs = self.service.get(f"/api/v1/jobs?project={self.name}&limit=5000")["items"]
        return [job for job in jobs if job["kind"] == "confirmation"]


class Confirmation(Nights):
    def test_dearer_commit_is_confirmed_and_told(self):
        self.start("dearer")
        self.service.wait_for_nights("dearer", 1)
        commit, night = self.night("twice the probe", {"costs": AFTER})
        portion = self.settled(night)
        self.assertEqual(portion["verdict"], "anomaly", portion)

        alerts = self.service.alerts("dearer")
        self.assertEqual(len(alerts), 1, alerts)
        alert, known = alerts[0], alerts[0]["confirmation"]
        self.assertEqual((alert["portion"], alert["direction"], alert["state"]), ("I", "up", "open"))
        self.assertEqual(alert["to"]["commit"]["sha"], commit)
        self.assertEqual(known["state"], "confirmed", known)
        # what was measured again, to the jitter that the benchmark puts in
        self.assertAlmostEqual(known["before_ns"], 2000, delta=30)
        self.assertAlmostEqual(known["after_ns"], 4000, delta=30)
        self.assertLess(known["low_ns"], 2000 + 30)
        self.assertGreater(known["high_ns"], 2000 - 30)

        # so large a change is clear at the first look: of the probe alone, and of both
        jobs = self.trial_jobs()
        self.assertEqual([(job["state"], job["commit"]["sha"]) for job in jobs], [("done", commit)] * 2)
        self.assertEqual(known["loops"], 5)
        self.assertEqual(len(list((self.service.folder / "marks").iterdir())), 2 * 2 * LOOPS + 2 * 5 + 2 * 2 * 5)

        # the new level is the reference now: told once
        _, night = self.night("still so", {"day": "again\n"})
        self.assertEqual(self.portion(night)["verdict"], "ok")
        self.assertEqual(len(self.service.alerts("dearer")), 1)

    def test_a_file_that_changes_meanwhile_changes_no_trial(self):
        """What is measured again is measured as the night was, whatever the project's file says by then."""
        self.start("edited")
        self.service.wait_for_nights("edited", 1)
        hold = self.service.folder / "marks.hold"
        hold.write_text(f"{2 * 2 * LOOPS}\n")  # the processes of both nights
        commit, night = self.night("twice the probe", {"costs": AFTER})
        self.service.wait(lambda: [job["state"] for job in self.trial_jobs()] == ["leased"], "the trial")
        self.service.project("edited", PROJECT.format(name="edited", repository=self.repository.path, loops=2, detection="").replace(
            '"probe"]', '"nothing of this name"]').replace("total_calls: 200", "total_calls: 7").replace("name: probe", "name: other"))
        self.service.daemon.send_signal(signal.SIGHUP)
        self.service.wait(lambda: self.service.log().count("projects_loaded") >= 2, "the file to be read")
        hold.unlink()
        self.assertEqual(self.settled(night)["verdict"], "anomaly")
        self.assertEqual([job["state"] for job in self.trial_jobs()], ["done"] * 2)
        [alert] = self.service.alerts("edited")
        self.assertEqual((alert["confirmation"]["state"], alert["to"]["commit"]["sha"]), ("confirmed", commit))

    def test_disturbed_night_is_cleared_and_not_told(self):
        self.start("disturbed")
        self.service.wait_for_nights("disturbed", 1)
        commit, night = self.night("nothing", {"disturbed": f"{LOOPS}\n"})
        self.assertEqual(len(list((self.service.folder / "slow").iterdir())), LOOPS)
        portion = self.settled(night)
        self.assertAlmostEqual(portion["mean_ns"], 4000, delta=60, msg="as it was measured that night")
        self.assertEqual((portion["verdict"], portion["confirmation"]["state"]), ("cleared", "cleared"), portion)
        self.assertAlmostEqual(portion["confirmation"]["mean_ns"], 0, delta=30)
        self.assertEqual(self.service.alerts("disturbed"), [])
        project = self.service.get("/api/v1/projects/disturbed")
        self.assertEqual((project["cleared"], project["suspicions"]), (1, 0))
        # Five loops of each commit a job: the smallest change that matters is ruled out after one to four of sixty.
        states = [job["state"] for job in self.trial_jobs()]
        self.assertEqual(states, ["done"] * len(states))
        self.assertLessEqual(len(states), 4)

        _, night = self.night("and on", {"day": "again\n"})
        self.assertEqual(self.portion(night)["verdict"], "ok")
        self.assertEqual(self.service.alerts("disturbed"), [])

    def test_project_bounds_the_loops(self):
        self.start("bounded", "remeasure_loops: 5")
        self.service.wait_for_nights("bounded", 1)
        _, night = self.night("twice the probe", {"costs": AFTER})
        known = self.settled(night)["confirmation"]
        self.assertEqual((known["state"], known["loops"]), ("confirmed", 5), known)

    def test_project_without_it_is_believed_at_once(self):
        self.start("believing", "remeasure: false")
        for _ in range(4):
            self.night("as before", {"day": f"{self.days}\n"})
        commit, night = self.night("twice the probe", {"costs": AFTER})
        self.assertEqual(self.portion(night)["verdict"], "anomaly")
        alerts = self.service.alerts("believing")
        self.assertEqual([alert["to"]["commit"]["sha"] for alert in alerts], [commit])
        self.assertIsNone(alerts[0]["confirmation"])
        self.assertEqual(self.trial_jobs(), [])


@unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "each commit needs a processor of its own")
class ConfirmationInDuet(Nights):
    """A node that runs both commits at the same time."""
    RUNNER = {"trial_order": "duet"}

    def test_dearer_commit_is_confirmed_in_pairs(self):
        self.start("duet")
        self.service.wait_for_nights("duet", 1)
        commit, night = self.night("twice the probe", {"costs": AFTER})
        portion = self.settled(night)
        self.assertEqual(portion["verdict"], "anomaly", portion)
        self.assertIn("loops of each commit at the same time", portion["reason"])
        alerts = self.service.alerts("duet")
        self.assertEqual([alert["to"]["commit"]["sha"] for alert in alerts], [commit])
        self.assertEqual(alerts[0]["confirmation"]["state"], "confirmed")
        with sqlite3.connect(self.service.folder / "data" / "moowatch.db") as database:
            loops = database.execute("SELECT before, used, duet FROM trial_loop").fetchall()
        self.assertEqual({(used, duet) for _, used, duet in loops}, {(1, 1)})
        self.assertEqual(sum(before for before, _, _ in loops), len(loops) / 2)

    def test_disturbed_night_is_cleared(self):
        self.start("disturbed")
        self.service.wait_for_nights("disturbed", 1)
        _, night = self.night("nothing", {"disturbed": f"{LOOPS}\n"})
        portion = self.settled(night)
        self.assertEqual((portion["verdict"], portion["confirmation"]["state"]), ("cleared", "cleared"), portion)
        self.assertEqual(self.service.alerts("disturbed"), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
