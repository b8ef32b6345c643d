"""moowatch-runner's gate, marks and tuning: these tests burn processor time and turn the node's knobs, so they run alone."""
import os
import signal
import subprocess
import sys

import runner_case
from runner_case import RunnerCase
from runner_peer import make_configuration, wait_until


class Quiet(RunnerCase):
    def burn(self):
        burner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        self.addCleanup(lambda: (burner.kill(), burner.wait()))
        return burner

    def test_gate_gives_up_with_a_reason(self):
        self.give(make_configuration("none"))
        self.burn()
        self.expect_failure(r"not idle for 2 s .*others used .* of a processor.*busiest: .*\(\d+\)",
                            "measure", retry=True,
                            settings={"gate_wait_seconds": 2, "idle_cpu_percent": 1})

    def measure_until_busy(self, minimum_loops):
        """Two rounds of nine on a node without a gate, then one that never gets idle enough."""
        self.give(self.paced("none"), self.paced("probe", "none"), loops=9)
        self.let(4)
        self.peer.jobs[-1]["minimum_loops"] = minimum_loops
        runner = self.start()
        wait_until(lambda: runner.text().count("loop_done") == 4, "two rounds")
        runner.process.send_signal(signal.SIGTERM)
        self.assertEqual(runner.wait(), 0)
        self.let(runner_case.ALL)
        self.burn()
        return self.start(settings={"gate_wait_seconds": 1, "idle_cpu_percent": 1})

    def test_busy_node_keeps_what_was_measured(self):
        runner = self.measure_until_busy(2)
        self.assertEqual(runner.wait(), 0, runner.text())
        result = self.peer.results[1]
        self.assertRegex(result["environment"]["detail"]["ended_early"],
                         r"not idle for 1 s .*busiest: .*; [2-8] of 9 loops of each configuration")
        self.assertGreaterEqual(len(result["loops"]), 4)
        self.assertLess(len(result["loops"]), 18)
        self.assertNotIn(1, self.peer.failures)

    def test_busy_node_with_too_few_loops_fails(self):
        runner = self.measure_until_busy(9)
        self.assertEqual(runner.wait(), 1, runner.text())
        self.assertRegex(self.peer.failures[1]["reason"], r"not idle for 1 s .* of 9 loops of each")
        self.assertTrue(self.peer.failures[1]["retry"])

    def test_disturbed_loops_are_marked_and_repeated(self):
        self.give(make_configuration("none", command=["sh", "-c", "sleep 1; exec \"$0\" \"$@\"",
                                                      "{harness}/moobench"]), loops=2)
        self.burn()
        runner = self.start(settings={"disturbed_repeats": 1})
        self.assertEqual(runner.wait(), 0, runner.text())
        loops = self.peer.results[1]["loops"]
        self.assertEqual([loop["loop"] for loop in loops], [1, 1, 2])
        for loop in loops:
            self.assertTrue(loop["disturbed"])
            self.assertIsNone(loop["failed"])
            self.assertIn("of a processor (bound 10.0 %)", loop["readings"]["disturbed_by"])
            self.assertGreater(loop["readings"]["others_cpu_percent"], 50)

    def test_readings_and_environment_are_complete(self):
        self.give(make_configuration("none"), loops=1)
        runner = self.start(settings={"tuning": ["aslr", "thp"]})
        self.assertEqual(runner.wait(), 0, runner.text())
        result = self.peer.results[1]
        readings = result["loops"][0]["readings"]
        for key in ("others_cpu_percent", "steal_percent", "switches_per_s", "interrupts_per_s",
                    "benchmark_cpus_interrupts_per_s", "load1", "memory_pressure_percent",
                    "running", "memory_available_mb", "usage", "process"):
            self.assertIn(key, readings)
        environment = result["environment"]
        for key in ("node", "cpu", "cores", "kernel", "governor", "runtime", "harness", "microcode",
                    "mitigations", "kernel_options", "memory_gb", "libc", "tuning", "parameters"):
            self.assertIn(key, environment)
        self.assertIn("aslr", environment["tuning"].split(","))
        self.assertIn("moobench", environment["detail"]["harness_sha256"])
        self.assertFalse(os.path.exists(os.path.join(runner.work, "restore.json")))

    def test_benchmark_runs_on_its_processors(self):
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("two processors are needed")
        last = max(os.sched_getaffinity(0))
        out = os.path.join(self.folder, "affinity")
        self.give(make_configuration("none", command=["sh", "-c",
                  "grep Cpus_allowed_list /proc/self/status > %s; exec \"$0\" \"$@\"" % out,
                  "{harness}/moobench"]), loops=1)
        self.assertEqual(self.start(settings={"benchmark_cpus": str(last),
                                              "housekeeping_cpus": "0"}).wait(), 0)
        with open(out, encoding="ascii") as file:
            self.assertEqual(file.read().split()[1], str(last))

    def test_network_is_off_while_measuring(self):
        out = os.path.join(self.folder, "interfaces")
        self.give(make_configuration("none", command=["sh", "-c", "cat /proc/net/dev > %s; exec \"$0\" \"$@\"" % out,
                                                      "{harness}/moobench"]), loops=1, network="off")
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        outcome = self.peer.results[1]["environment"]["detail"]["network"]
        with open(out, encoding="ascii") as file:
            interfaces = [line.split(":")[0].strip() for line in file if ":" in line]
        if outcome == "off":
            self.assertEqual(interfaces, ["lo"])
        else:  # the kernel allows no namespaces here: told, and measured all the same
            self.assertRegex(outcome, "^refused: ")

    def test_stops_when_sure_enough(self):
        self.give(make_configuration("none"), loops=60, method_time_ns=20000, total_calls=400,
                  warmup_calls=200, precision_percent=100)
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        result = self.peer.results[1]
        self.assertLess(len(result["loops"]), 60)
        self.assertRegex(result["environment"]["detail"]["ended_early"], r"after \d+ of 60 rounds every portion is known to")

    def test_spends_a_budget(self):
        # What a process takes is not for this test to say: only that the minutes end it, and how they were spent.
        self.give(make_configuration("none"), make_configuration("probe", "none", command=["{harness}/moobench"]),
                  loops=3, method_time_ns=20000, total_calls=400, warmup_calls=200, budget_minutes=0.15)
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        result = self.peer.results[1]
        budget, names = result["environment"]["detail"]["budget"], [loop["configuration"] for loop in result["loops"]]
        self.assertEqual(budget["minutes"], 0.15)
        self.assertLessEqual(budget["rounds"], 3)
        for name in ("none", "probe"):
            self.assertLessEqual(budget["configurations"][name]["loops"], names.count(name))
            self.assertGreaterEqual(budget["configurations"][name]["loops"], 2)
        self.assertAlmostEqual(sum(one["percent"] for one in budget["configurations"].values()), 100, places=6)
        settled = result["environment"]["detail"]["warmup"]["configurations"]["none"]
        self.assertEqual((settled["calls"], settled["loops"]), (result["loops"][0]["warmup_calls"], names.count("none")))


if __name__ == "__main__":
    runner_case.main()
