"""Loops that stand alone: marked, measured again, the same over a kill; and two kinds of loops.

Usage: test_strays.py <moowatch-runner> <harness directory> [unittest arguments]
"""
import os
import pathlib
import sys
import unittest

from runner_peer import RunnerTest, make_configuration, make_job, wait_until

PROGRAM = HARNESS = ""

# Calls of 100 us; the n-th process has one of 30 ms if n is among $PAUSES, and $LONG ones take a while.
PAUSED = r"""#!/bin/sh
n=$(($(cat "$COUNT" 2>/dev/null || echo 0) + 1))
echo $n > "$COUNT"
case " $PAUSES " in *" $n "*) pause=30000000 ;; *) pause=100000 ;; esac
case " $LONG " in *" $n "*) sleep 1000 ;; esac
while [ "$1" != --output-filename ]; do shift; done
seq 2000 | awk -v n=$n -v p=$pause '{print "0;" (NR == 1500 ? p : 100000 + (NR + n) % 7 + n % 5)}' > "$2"
"""


class StraysTest(RunnerTest):
    files = {"paused.sh": PAUSED}

    def give(self, pauses, long="", loops=10):
        bench = make_configuration("none", command=["./paused.sh"], environment={
            "COUNT": os.path.join(self.folder, "count"), "PAUSES": pauses, "LONG": long})
        self.peer.jobs.append(make_job(1, self.repository, self.commit, [bench], loops=loops,
                                       loop_timeout_seconds=2000))

    def start(self, repeats):
        # What else the machine does must not disturb: only how far a loop is from the others counts.
        return self.run_it(PROGRAM, HARNESS, settings={
            "disturbed_repeats": repeats, "disturbed_cpu_percent": 1e5, "disturbed_steal_percent": 100,
            "benchmark_cpus": str(min(os.sched_getaffinity(0)))})

    def check_one_stray(self, repeats):
        """The fourth of ten loops, and what came of it."""
        result = self.peer.results[1]
        strays = [loop for loop in result["loops"] if "stray" in loop["readings"]]
        self.assertEqual([loop["loop"] for loop in strays], [4])
        self.assertTrue(strays[0]["disturbed"])
        self.assertRegex(strays[0]["readings"]["disturbed_by"],
                         r"^stands apart: its mean of 1299\d\d\.\d ns is \S+ robust standard deviations from "
                         r"10000\d\.\d ns, the median of \d+ loops; its longest call, 30 ms, is 100 % of that$")
        again = [loop for loop in result["loops"] if loop["attempt"] == 2]
        self.assertEqual([loop["loop"] for loop in again], [4] * repeats)
        self.assertEqual(sorted(loop["loop"] for loop in result["loops"]), sorted([*range(1, 11)] + [4] * repeats))
        self.assertEqual(result["environment"]["detail"]["strays"]["none"], "1 of %d loops stood apart" % (10 + repeats))
        return again

    def test_it_is_marked_and_measured_again(self):
        self.give("4")
        runner = self.start(3)
        self.assertEqual(runner.wait(), 0, runner.text())
        [again] = self.check_one_stray(1)
        self.assertEqual(again["position"], 10)  # when all had been measured
        self.assertNotIn("stray", again["readings"])
        self.assertIn("warning measure stray job=1 configuration=none loop=4 reason=", runner.text())

    def test_without_a_budget_it_is_marked_only(self):
        self.give("4")
        runner = self.start(0)
        self.assertEqual(runner.wait(), 0, runner.text())
        self.check_one_stray(0)

    def test_two_kinds_of_process_are_none(self):
        self.give("4 7")
        runner = self.start(5)
        self.assertEqual(runner.wait(), 0, runner.text())
        result = self.peer.results[1]
        self.assertEqual([loop["loop"] for loop in result["loops"]], list(range(1, 11)))
        self.assertEqual([loop for loop in result["loops"] if "stray" in loop["readings"]], [])
        self.assertRegex(result["environment"]["detail"]["strays"]["none"], "^2 of 10 loops are far from the others: ")

    def test_killed_in_the_repetition_it_is_found_again(self):
        self.give("4", long="11")
        runner = self.start(3)
        count = os.path.join(self.folder, "count")
        wait_until(lambda: os.path.exists(count) and pathlib.Path(count).read_text(encoding="ascii") == "11\n", "the repetition")
        runner.process.kill()
        runner.process.wait()
        runner = self.start(3)
        self.assertEqual(runner.wait(), 0, runner.text())
        [again] = self.check_one_stray(1)
        self.assertEqual(again["position"], 10)

    def test_killed_in_the_upload_it_is_found_again(self):
        self.give("4")
        self.peer.result_status = [503] * 1000
        runner = self.start(1)
        wait_until(lambda: "upload repeat" in runner.text(), "the refused upload")
        runner.process.kill()
        runner.process.wait()
        self.peer.result_status = []
        runner = self.start(1)
        self.assertEqual(runner.wait(), 0, runner.text())
        self.check_one_stray(1)


if __name__ == "__main__":
    PROGRAM, HARNESS = map(os.path.abspath, sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
