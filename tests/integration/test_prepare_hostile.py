"""Builds that mean no good, and nodes in trouble.

Usage: test_prepare_hostile.py <moowatch-runner> <harness directory> <clock_step library> [unittest arguments]
"""
import os
import signal
import subprocess
import sys
import time

import runner_case
from prepare_case import MIB, Base
from runner_peer import make_configuration, wait_until

CLOCK = ""


class Hostile(Base):
    def build(self, script, **more):
        return self.job(1, prepare=["sh", "-c", script], **more)

    def running(self, marker):
        return subprocess.run(["pgrep", "-f", "^sleep " + marker], stdout=subprocess.PIPE, check=False).stdout

    def test_build_that_forks_daemons(self):
        marker = "43210.%d" % os.getpid()
        script = ("for i in 1 2 3; do setsid sh -c 'trap \"\" TERM HUP INT; (setsid sleep %s &); sleep %s' & done; "
                  "sleep 0.3; true" % (marker, marker))
        runner = self.serve(self.build(script))
        self.assertEqual(self.peer.failures, {})
        self.assertIn("stragglers_killed", runner.text())
        self.assertEqual(self.running(marker), b"")

    def test_build_that_ignores_sigterm(self):
        marker = "43211.%d" % os.getpid()
        script = "trap '' TERM; while :; do sleep %s; done" % marker
        self.fails(self.build(script, prepare_timeout_seconds=1), "still running after 1 s", "prepare")
        self.assertEqual(self.running(marker), b"")

    def test_build_that_prints_gigabytes(self):
        runner = self.serve(self.build("head -c 2000000000 /dev/zero", prepare_timeout_seconds=300))
        self.assertEqual(self.peer.failures, {})
        self.assertLess(os.path.getsize(runner.log_path), MIB)

    def test_build_that_fills_the_disk(self):
        settings = {"prepare_output_limit_bytes": 8 * MIB}
        many = "i=0; while :; do i=$((i+1)); head -c 1000000 /dev/zero > {0}/$i; done"
        for where in (".", "$TMPDIR", "$HOME"):
            with self.subTest(where):
                self.fails(self.build(many.format(where)), "wrote more than 8 MB .prepare_output_limit_bytes",
                           "prepare", settings=settings)
        self.fails(self.build("exec head -c 100000000 /dev/zero > one"), "signal 25|exit status 1|wrote more", "prepare",
                   settings=settings)
        # a HOME is begun anew with each build
        self.serve(self.job(2, prepare=["sh", "-c", "[ -z \"$(ls $HOME)\" ]"]), settings=settings)
        self.assertIn(2, self.peer.results, self.peer.failures)

    def test_small_disk_is_the_nodes_trouble_and_comes_free_again(self):
        self.mount_small_disk(24)
        runner = self.serve(self.build("i=0; while head -c 1000000 /dev/zero > $i; do i=$((i+1)); done; exit 7"),
                            settings={"disk_reserve_bytes": 4 * MIB}, end=False)
        self.assertRegex(self.peer.failures[1]["reason"], "disk full|exit status 7")
        self.assertTrue(self.peer.failures[1]["retry"])

        def free():
            space = os.statvfs(runner.work)
            return space.f_bavail * space.f_frsize
        # told to stop before the answer had arrived, the agent would keep it all for its next start
        wait_until(lambda: free() > 20 * MIB, "free space")
        runner.process.send_signal(signal.SIGTERM)
        self.assertEqual(runner.wait(), 0, runner.text())

    def test_build_that_reads_the_agent(self):
        if os.geteuid() != 0:
            self.skipTest("only root can change the user")
        os.chmod(self.folder, 0o711)
        look = ("A=$(ps -o ppid= -p $$ | tr -d ' '); exec 2>&1; for f in environ maps mem fd/3 cmdline; do "
                "echo $f; head -c 100 /proc/$A/$f; done; ls /proc/$A/fd; cat %s/token; env; exit 9" % self.folder)
        failure = self.fails(self.build(look), "exit status 9", "prepare", settings={"run_as_user": "nobody"},
                             environment={"SECRET_OF_THE_AGENT": "hidden-treasure"})
        self.assertGreaterEqual(failure["log"].count("ermission denied"), 5, failure["log"])
        for secret in ("hidden-treasure", "integration-token"):
            self.assertNotIn(secret, failure["log"])

    def test_benchmark_that_writes_outside_its_directory(self):
        if os.geteuid() != 0:
            self.skipTest("only root can change the user")
        os.chmod(self.folder, 0o711)
        work = os.path.join(self.folder, "work")
        places = ["/", "/etc", "/usr", "/root", work] + [os.path.join(work, n) for n in
                                                          ("spool", "cache", "mirrors", "checkout", "scratch")]
        script = "".join("touch %s/written-by-benchmark && echo %s; " % (place, place) for place in places)
        bench = make_configuration("none", command=["sh", "-c", "if [ -n \"$(%s)\" ]; then exit 8; fi; exec \"$0\" \"$@\"" %
                                                    script, "{harness}/moobench"])
        self.serve(self.job(1, None, bench), settings={"run_as_user": "nobody"})
        if "ermission denied" in str(self.peer.failures) and "exit status 8" not in str(self.peer.failures):
            self.skipTest("the build folder is closed to other users")
        self.assertEqual(self.peer.failures, {})

    def test_nothing_is_left_in_tmp_for_a_later_job(self):
        if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], check=False).returncode != 0:
            self.skipTest("only root can make a /tmp of its own")
        os.chmod(self.folder, 0o711)
        name = "moowatch-left-%d" % os.getpid()
        places = ["/tmp", "/var/tmp", "/dev/shm"]
        leave = " && ".join("[ ! -e %s/%s ] && echo x > %s/%s" % (place, name, place, name) for place in places)
        bench = make_configuration("none", command=["sh", "-c", leave + " && exec \"$0\" \"$@\"", "{harness}/moobench"],
                                   verify=["test", "-e", "/tmp/" + name])
        self.serve(self.job(1, None, bench, prepare=["sh", "-c", leave]), self.job(2, None, bench),
                   settings={"run_as_user": "nobody"})
        if "ermission denied" in str(self.peer.failures):
            self.skipTest("the build folder is closed to other users")
        self.assertEqual(self.peer.failures, {})
        self.assertEqual([place for place in places if os.path.exists(os.path.join(place, name))], [])
        self.assertEqual(self.peer.results[1]["environment"]["detail"]["tmp"], "private")
        # and what is written there counts
        fill = make_configuration("none", command=[
            "sh", "-c", "i=0; while :; do i=$((i+1)); head -c 1000000 /dev/zero > /tmp/$i; done"])
        self.serve(self.job(3, None, fill), settings={"run_as_user": "nobody", "loop_output_limit_bytes": 8 * MIB})
        self.assertIn("wrote more than 8 MB", self.peer.failures[3]["reason"])
        self.serve(self.job(4, prepare=["sh", "-c", fill["command"][2]]),
                   settings={"run_as_user": "nobody", "prepare_output_limit_bytes": 8 * MIB})
        self.assertIn("wrote more than 8 MB", self.peer.failures[4]["reason"])

    def test_server_that_vanishes_in_the_middle_of_an_upload(self):
        """Its connections break in the middle of a file, then nobody is there, then it is back."""
        self.peer.cut_uploads = 3
        runner = self.serve(self.job(1), end=False)
        # one of them may be libcurl's own second try, on a fresh connection
        self.assertGreaterEqual(runner.text().count("upload repeat"), 2)
        self.assertEqual(len(self.peer.results[1]["loops"]), 2)
        self.peer.cut_uploads, self.peer.away_after_cuts = 1, True
        self.peer.jobs.append(self.job(2))
        wait_until(lambda: self.peer.away, "the cut upload")
        before = runner.text().count("upload repeat")
        wait_until(lambda: runner.text().count("upload repeat") > before + 2, "further tries")
        self.assertNotEqual(runner.spool(), [])
        self.peer.away = False
        wait_until(lambda: 2 in self.peer.results, "the result")
        self.assertEqual(self.peer.failures, {})
        runner.process.send_signal(signal.SIGTERM)
        self.assertEqual(runner.wait(), 0)

    def test_clock_that_steps(self):
        """A day ahead and two back while it measures: durations and order stay right."""
        step = os.path.join(self.folder, "step")
        steps = iter((86400, -86400, 0))

        def set_step(seconds):
            with open(step + ".new", "w", encoding="ascii") as file:
                file.write(str(seconds))
            os.rename(step + ".new", step)
        set_step(0)
        slow = make_configuration("none", command=["sh", "-c", "sleep 0.4; exec \"$0\" \"$@\"", "{harness}/moobench"])
        self.peer.on_progress = lambda body: set_step(next(steps, -86400)) if body["phase"] == "measure" else None
        began = time.monotonic()
        self.serve(self.job(1, None, slow, loops=3),
                   environment={"LD_PRELOAD": CLOCK, "CLOCK_STEP": step})
        took = time.monotonic() - began
        self.assertEqual(self.peer.failures, {})
        result = self.peer.results[1]
        self.assertGreaterEqual(result["finished_ms"], result["started_ms"])
        self.assertEqual([loop["position"] for loop in result["loops"]], [0, 1, 2])
        for loop in result["loops"]:
            self.assertTrue(0.3 < loop["seconds"] < took, loop["seconds"])
        self.assertTrue(0 <= self.preparation(1)[0]["checkout_seconds"] < took)
        starts = [loop["started_ms"] for loop in result["loops"]]
        self.assertGreater(max(starts) - min(starts), 80000000)  # the clock did step


if __name__ == "__main__":
    CLOCK = os.path.abspath(sys.argv.pop(3))
    runner_case.main()
