"""What the node and the network do to a runner at the worst moment; beside test_prepare's builds.

Usage: test_hostile.py <moowatch-runner> <harness directory> [unittest arguments]
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import unittest

from runner_peer import RunnerTest, make_configuration, make_job, wait_until

PROGRAM = HARNESS = ""
MIB = 1 << 20


class HostileTest(RunnerTest):
    files = {"README": "hello\n"}

    def give(self, number, **more):
        bench = make_configuration("none", total_calls=more.pop("total_calls", 2000), warmup_calls=1000)
        self.peer.jobs.append(make_job(number, self.repository, self.commit, [bench], **more))

    def start(self, **more):
        return self.run_it(PROGRAM, HARNESS, once=False, **more)

    def end(self, runner):
        runner.process.send_signal(signal.SIGTERM)
        self.assertEqual(runner.wait(), 0, runner.text())

    def test_full_spool_is_a_retry_and_the_next_job_works(self):
        spool = os.path.join(self.folder, "work", "spool")
        os.makedirs(spool)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=192k", "tmpfs", spool],
                          stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("no permission to mount a small disk")
        self.addCleanup(subprocess.run, ["umount", "-l", spool], check=True)
        self.give(1, total_calls=4000000, loops=2)  # its raw file alone is more than that
        self.give(2, loops=2)
        runner = self.start()
        wait_until(lambda: 2 in self.peer.results or runner.process.poll() is not None, "the second job")
        self.assertRegex(self.peer.failures[1]["reason"], r"cannot write \S+/spool/job-1/\d\.csv\.zst: No space left")
        self.assertTrue(self.peer.failures[1]["retry"])
        self.assertNotIn(1, self.peer.results)
        self.assertEqual([loop["failed"] for loop in self.peer.results[2]["loops"]], [None, None])
        wait_until(lambda: not runner.spool(), "an empty spool")
        self.end(runner)

    def test_server_away_in_the_middle_of_a_file_until_the_lease_is_over(self):
        """As after an hour: the file is half there, the lease is another's, the agent was restarted."""
        self.give(1, loops=3, total_calls=20000)
        self.peer.cut_uploads, self.peer.away_after_cuts = 1, True
        runner = self.start()
        wait_until(lambda: self.peer.away, "the cut upload")
        known = runner.text().count("upload repeat")
        wait_until(lambda: runner.text().count("upload repeat") > known, "a try that nobody hears")
        runner.process.kill()
        runner.process.wait()
        self.peer.leased[1] = "expired"
        before = sorted(self.peer.raw)
        runner = self.start()
        wait_until(lambda: "server_away" in runner.text(), "the restarted agent")
        self.assertEqual(sorted(self.peer.raw), before)
        self.peer.away = False
        wait_until(lambda: 1 in self.peer.results, "the result")
        loops = self.peer.results[1]["loops"]
        self.assertEqual([loop["loop"] for loop in loops], [1, 2, 3])
        self.assertEqual({loop["raw"]["sha256"] for loop in loops}, set(self.peer.raw))
        self.assertEqual(runner.text().count("loop_done"), 3)  # nothing was measured again
        self.assertEqual(self.peer.failures, {})
        wait_until(lambda: not runner.spool(), "an empty spool")
        self.end(runner)

    def test_output_of_gigabytes_costs_the_agent_no_memory(self):
        self.give(1, loops=1, prepare=["sh", "-c", "yes 0123456789abcdef | head -c 1500000000; echo the end"],
                  prepare_timeout_seconds=300)
        runner = self.start()
        wait_until(lambda: 1 in self.peer.results, "the result", 400)
        status = pathlib.Path("/proc/%d/status" % runner.process.pid).read_text(encoding="ascii")
        peak_kb = int(re.search(r"VmHWM:\s+(\d+) kB", status).group(1))
        self.assertLess(peak_kb << 10, 256 * MIB)
        self.assertIn("the end\n", "".join(p.get("log") or "" for p in self.peer.progress))
        self.end(runner)


if __name__ == "__main__":
    PROGRAM, HARNESS = map(os.path.abspath, sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
