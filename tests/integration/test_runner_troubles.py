"""What can happen to moowatch-runner, its server and its disk, and what code under test may try."""
import json
import os
import shutil
import signal
import subprocess

import runner_case
from runner_case import RunnerCase
from runner_peer import commit_files, make_configuration, make_seen, wait_until


class Troubles(RunnerCase):
    def test_full_disk_is_a_retry(self):
        self.give(self.paced("none"))
        runner = self.start(settings={"disk_reserve_bytes": 1 << 40}, once=False)
        wait_until(lambda: "disk full" in runner.text(), "the waiting agent")
        self.assertEqual([call for call in self.peer.calls if "lease" in call[1]], [])
        runner.process.send_signal(signal.SIGTERM)
        self.assertEqual(runner.wait(), 0)

    def test_disk_fills_while_measuring(self):
        self.mount_small_disk(6)
        self.give(make_configuration("none", total_calls=2000000), loops=2)
        self.expect_failure("disk full: ", "measure", retry=True)

    def test_disk_fills_while_checking_out(self):
        self.mount_small_disk(6)
        commit = commit_files(self.repository, {"large%d" % i: os.urandom(500000).hex()
                                                for i in range(8)})
        self.give(make_configuration("none"), commit=commit)
        self.expect_failure("No space left|disk full|cannot (fetch|write)", "checkout", retry=True)

    def test_killed_runner_measures_only_what_is_missing(self):
        self.give(self.paced("none"), self.paced("probe", "none"), loops=4)
        self.let(2)
        runner = self.start()
        finished = lambda: [path for path in runner.spool() if path.endswith(".json")
                            and not path.endswith("job.json")]
        for kept, more in ((2, 3), (5, runner_case.ALL)):
            wait_until(lambda kept=kept: len(finished()) == kept, "%d loops" % kept)
            runner.process.kill()
            runner.process.wait()
            with open(finished()[0], encoding="utf-8") as file:
                first = json.load(file)
            self.wait_gone()
            self.let(more)
            runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        loops = self.peer.results[1]["loops"]
        self.assertEqual(len(loops), 8, runner.text())
        self.assertEqual(len({(loop["configuration"], loop["loop"]) for loop in loops}), 8)
        # Who sets the whole machine meanwhile (another run's tuning) begins the job anew.
        self.assertNotIn("environment_changed", runner.text())
        self.assertIn(first["started_ms"], [loop["started_ms"] for loop in loops], runner.text())
        # Once a start; a busy machine may answer so late that it is asked again.
        self.assertGreaterEqual(len(self.peer.resumes), 2, runner.text())
        self.assertEqual(runner.text().count("prepare job="), 1, runner.text())

    def test_damaged_spool_is_measured_again(self):
        self.give(self.paced("none"), loops=4)
        self.let(2)
        runner = self.start()
        wait_until(lambda: runner.text().count("loop_done") == 2, "2 loops")
        runner.process.kill()
        runner.process.wait()
        self.let(runner_case.ALL)
        with open([p for p in runner.spool() if p.endswith(".csv.zst")][0], "r+b") as file:
            file.truncate(20)
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        self.assertIn("loop_damaged", runner.text())
        self.assertEqual(len(self.peer.results[1]["loops"]), 4)

    def test_stop_leaves_the_spool_and_the_next_start_goes_on(self):
        self.give(self.paced("none"), loops=4)
        self.let(1)
        runner = self.start()
        wait_until(lambda: "loop_done" in runner.text(), "a loop")
        runner.process.send_signal(signal.SIGTERM)
        self.assertEqual(runner.wait(), 0)
        self.assertNotIn(1, self.peer.results)
        self.let(runner_case.ALL)
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        self.assertEqual(len(self.peer.results[1]["loops"]), 4)

    def test_server_away_while_measuring_and_uploading(self):
        self.give(self.paced("none"), loops=4)
        self.let(1)
        runner = self.start()
        wait_until(lambda: "loop_done" in runner.text(), "a loop")
        self.peer.away = True
        self.let(runner_case.ALL)
        wait_until(lambda: "upload repeat" in runner.text(), "an upload without server")
        self.assertEqual(runner.text().count("loop_done"), 4)
        self.peer.leased[1] = "expired"
        self.peer.raw_status = [507, 503]
        self.peer.away = False
        self.assertEqual(runner.wait(), 0, runner.text())
        self.assertEqual(len(self.peer.results[1]["loops"]), 4)

    def test_lost_answers_are_asked_for_again(self):
        self.give(make_configuration("none"), loops=2)
        self.peer.drop_first_answers = True
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        self.assertEqual(len(self.peer.results[1]["loops"]), 2)
        self.assertEqual(self.peer.raw_puts, 4)

    def test_cancelled_job_stops_at_once(self):
        self.give(make_configuration("none", command=["sleep", "1000"]), loops=1)
        runner = self.start()
        wait_until(lambda: any(p.get("configuration") for p in self.peer.progress), "the loop")
        self.peer.lost.add(1)
        self.assertEqual(runner.wait(), 1)
        self.assertEqual(runner.spool(), [])
        self.assertEqual(self.peer.failures, {})

    def test_quarantined_result_is_not_repeated(self):
        self.give(make_configuration("none"))
        self.peer.result_status = [422]
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        self.assertIn("quarantined", runner.text())
        self.assertEqual(runner.spool(), [])

    def test_raw_file_too_large_for_the_server(self):
        self.give(make_configuration("none"), loops=1)
        self.peer.raw_status = [413]
        self.expect_failure("raw file: the server answered 413", "upload")

    def test_it_waits_for_a_job_no_longer_than_asked(self):
        for away, expect in ((False, 0), (True, 1)):
            self.peer.away = away
            runner = self.start(words=("--wait", "1"))
            self.assertEqual(runner.wait(), expect, runner.text())
            self.assertIn("agent no_job waited_seconds=1", runner.text())
        self.peer.away = False
        self.give(make_configuration("none"))
        self.assertEqual(self.start(words=("--wait", "1")).wait(), 0)
        self.assertIn(1, self.peer.results)

    def test_second_runner_in_the_same_folder_is_refused(self):
        runner = self.start(once=False)
        wait_until(lambda: "agent start" in runner.text(), "the first")
        second = self.start()
        self.assertEqual(second.wait(), 1)
        self.assertIn("another moowatch-runner is using it", second.text())


class Untrusted(RunnerCase):
    def test_other_user_sees_no_token(self):
        if os.geteuid() != 0:
            self.skipTest("only root can change the user")
        os.chmod(self.folder, 0o711)
        out = make_seen(self.folder)
        look = ("exec 2>&1; id -un; cat $1; ls $2; cat $2/spool/job-1/job.json; "
                "A=$(ps -o ppid= -p $$ | tr -d ' '); for f in environ maps mem fd/3; do "
                "head -c 10 /proc/$A/$f; ls /proc/$A/fd; done; touch here && rm here; "
                "touch $HOME/x; touch /usr/x")
        self.give(make_configuration("none", command=["sh", "-c",
                  "shift 0; (%s) > %s/log; shift 2; exec \"$0\" \"$@\"" % (look, out),
                  "{harness}/moobench", os.path.join(self.folder, "token"),
                  os.path.join(self.folder, "work")]), loops=1,
                  prepare=["sh", "-c", "id -un > built-by"])
        subprocess.run(["chmod", "-R", "a+rX", runner_case.HARNESS], check=False)
        runner = self.start(settings={"run_as_user": "nobody"})
        status = runner.wait()
        with open(os.path.join(out, "log"), encoding="utf-8", errors="replace") as file:
            log = file.read()
        if "Permission denied" in runner.text() and status != 0:
            self.skipTest("the build folder is closed to other users")
        self.assertEqual(status, 0, runner.text() + log)
        self.assertTrue(log.startswith("nobody\n"), log)
        with open(os.path.join(self.folder, "token"), encoding="ascii") as file:
            self.assertNotIn(file.read().strip(), log)
        self.assertGreaterEqual(log.count("ermission denied"), 8, log)
        self.assertIn("cannot touch '/usr/x'", log)
        self.assertNotIn("cannot touch 'here'", log)

    def test_same_user_cannot_look_into_the_agent(self):
        out = os.path.join(self.folder, "seen")
        look = ("exec 2>&1; A=$(ps -o ppid= -p $$ | tr -d ' '); cat /proc/$A/environ | head -c 20; "
                "ls -l /proc/$A/exe; env")
        self.give(make_configuration("none", command=["sh", "-c", "(%s) > %s; exec \"$0\" \"$@\"" %
                                                      (look, out), "{harness}/moobench"]), loops=1)
        self.assertEqual(self.start().wait(), 0)
        with open(out, encoding="utf-8", errors="replace") as file:
            log = file.read()
        self.assertNotIn("integration-token", log)
        if os.geteuid() != 0:  # root may look at everything: that is what run_as_user is for
            self.assertIn("ermission denied", log)

    def test_leftovers_of_a_killed_runner_are_killed(self):
        marker = "65432.%d" % os.getpid()
        self.give(make_configuration("none", command=["sh", "-c",
                  "setsid sleep %s & sleep 1000" % marker]), loops=1)
        running = lambda: subprocess.run(["pgrep", "-f", "^sleep " + marker], check=False,
                                         stdout=subprocess.PIPE).stdout
        runner = self.start()
        wait_until(running, "the leftover")
        runner.process.kill()
        runner.process.wait()
        if "own namespaces" in runner.text():
            wait_until(lambda: not running(), "the end of the namespace")
            return
        self.assertNotEqual(running(), b"")
        self.peer.lost.add(1)
        runner = self.start()
        self.assertEqual(runner.wait(), 1)
        self.assertIn("leftovers_killed", runner.text())
        self.assertEqual(running(), b"")

    def test_leftovers_where_no_namespaces_can_be_had(self):
        """As in a tight container: root that may not make any."""
        if os.geteuid() != 0 or not shutil.which("setpriv"):
            self.skipTest("only root can give rights away, with setpriv")
        program = os.path.join(self.folder, "limited")
        with open(program, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexec setpriv --bounding-set=-sys_admin %s \"$@\"\n" % runner_case.PROGRAM)
        os.chmod(program, 0o755)
        self.addCleanup(setattr, runner_case, "PROGRAM", runner_case.PROGRAM)
        runner_case.PROGRAM = program
        self.test_leftovers_of_a_killed_runner_are_killed()
        self.assertIn('agent processes outcome="Operation not permitted"', self.runners[0].text())


if __name__ == "__main__":
    runner_case.main()
