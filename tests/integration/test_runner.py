"""moowatch-runner as a whole: real program, real git, real harness, a server over real HTTP.

Usage: test_runner.py <moowatch-runner> <harness directory> [unittest arguments]
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from runner_peer import (Peer, Runner, commit_files, make_configuration, make_job, make_repository,
                         make_trial, wait_until)

PROGRAM = HARNESS = ""
SLOW = "#!/bin/sh\nsleep 0.4\nexec \"$HARNESS/moobench\" \"$@\"\n"


class RunnerTest(unittest.TestCase):
    def setUp(self):
        # In memory where that is possible: a disk shared with others can hold up an fsync for long.
        memory = os.path.isdir("/dev/shm") and not os.statvfs("/dev/shm").f_flag & os.ST_NOEXEC
        self.folder = tempfile.mkdtemp(prefix="moowatch-runner-", dir="/dev/shm" if memory else None)
        self.repository = os.path.join(self.folder, "repository")
        self.commit = make_repository(self.repository, {"README": "hello\n", "slow.sh": SLOW})
        self.peer = Peer()
        self.runners = []
        self.mounted = None

    def tearDown(self):
        for runner in self.runners:
            runner.close()
        self.peer.close()
        if self.mounted:
            subprocess.run(["umount", "-l", self.mounted], check=True)
        subprocess.run(["chmod", "-R", "u+rwx", self.folder], check=False)
        shutil.rmtree(self.folder)
        self.assertEqual(self.peer.problems, [])

    def start(self, **more):
        runner = Runner(PROGRAM, HARNESS, self.peer, self.folder, **more)
        self.runners.append(runner)
        return runner

    def give(self, *configurations, number=1, **more):
        self.peer.jobs.append(make_job(number, self.repository, more.pop("commit", self.commit),
                                       list(configurations), **more))

    def slow(self, name, parent=None):
        return make_configuration(name, parent, command=["./slow.sh"],
                                  environment={"HARNESS": HARNESS})

    # ---- the main way ----

    def test_measures_round_by_round_and_uploads(self):
        self.give(make_configuration("none"), make_configuration("probe", "none", total_calls=3000))
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        result = self.peer.results[1]
        self.assertEqual(len(result["loops"]), 6)
        self.assertEqual([loop["loop"] for loop in result["loops"]], [1, 1, 2, 2, 3, 3])
        for loop in result["loops"]:
            calls = 3000 if loop["configuration"] == "probe" else 2000
            self.assertIsNone(loop["failed"])
            self.assertEqual(loop["calls"], calls)
            self.assertEqual(loop["summary"]["n"], calls - 1000)
            text = subprocess.run(["zstd", "-dc"], input=self.peer.raw[loop["raw"]["sha256"]],
                                  check=True, stdout=subprocess.PIPE).stdout
            self.assertEqual(len(text), loop["raw"]["uncompressed_bytes"])
            self.assertEqual(text.count(b"\n"), calls)
            values = [int(line.split(b";")[1]) for line in text.splitlines()][1000:]
            self.assertAlmostEqual(loop["summary"]["mean_ns"], sum(values) / len(values), places=6)
            self.assertIn("others_cpu_percent", loop["readings"])
        environment = result["environment"]
        self.assertEqual(environment["node"], "testnode")
        self.assertRegex(environment["harness"], "^moobench-native ")
        self.assertEqual(environment["parameters"]["total_calls"], {"none": 2000, "probe": 3000})
        self.assertEqual(runner.spool(), [])
        phases = {progress["phase"] for progress in self.peer.progress}
        self.assertEqual(phases, {"checkout", "prepare", "measure", "upload"})

    def test_progress_carries_the_end_of_what_is_printed(self):
        seen = os.path.join(self.folder, "seen")

        def look(body):
            if body["phase"] == "prepare" and (body.get("log") or "").endswith("\nbuilding\n"):
                open(seen, "w", encoding="utf-8").close()
        self.peer.expires_s, self.peer.on_progress = 3, look  # a heartbeat each second
        bench = make_configuration("none", command=["sh", "-c", "echo measured >&2; exec \"$HARNESS/moobench\" \"$@\"", "sh"],
                                   environment={"HARNESS": HARNESS})
        self.give(bench, prepare=["sh", "-c", "yes | head -c 9000; printf '\\033[1m\\377\\nbuilding\\n'; "
                                  "until [ -e %s ]; do sleep 0.1; done; yes built | head -c 9000" % seen])
        self.give(make_configuration("none"), number=2)
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        told = [p for p in self.peer.progress if p.get("log") is not None]
        [building, *_] = [p["log"] for p in told if p["log"].endswith("building\n")]
        self.assertTrue(building.startswith("y\ny\n") and building.endswith("\x1b[1m\ufffd\nbuilding\n"), building[-40:])
        self.assertLessEqual(max(len(p["log"].encode()) for p in told), 4096)
        first = [p for p in told if p["phase"] == "measure"][0]
        self.assertTrue(first["log"].endswith("built\nbuilt\n") or first["log"].endswith("buil"), first["log"][-20:])
        self.assertIn("measured\n", [p for p in told if p["phase"] == "upload"][0]["log"])
        # another job begins with nothing
        self.assertNotIn("log", [p for p in self.peer.progress if p["phase"] == "checkout"][-1])

    def test_same_seed_same_order(self):
        names = ["a", "b", "c", "d"]
        orders = []
        for number in (1, 2):
            self.give(*[make_configuration(name) for name in names], number=number)
            self.assertEqual(self.start().wait(), 0)
            orders.append([loop["configuration"] for loop in self.peer.results[number]["loops"]])
        self.assertEqual(orders[0], orders[1])
        self.assertEqual(sorted(orders[0][:4]), names)
        self.assertNotEqual([orders[0][i:i + 4] for i in (0, 4, 8)], [orders[0][:4]] * 3)

    def test_prepare_placeholders_environment_and_verify(self):
        commit = commit_files(self.repository, {
            "prepare.sh": "#!/bin/sh\nenv > environment\necho {scratch} ok > built\n",
            "bench.sh": "#!/bin/sh\nls -l /proc/self/fd > \"$OUT/fds\"; env > \"$OUT/env\"\n"
                        "cp built \"$OUT/built\"; exec \"$HARNESS/moobench\" \"$@\"\n",
            "verify.sh": "#!/bin/sh\ntest \"$1\" = 2000 && test \"$2\" = 5 && test -d \"$3\"\n"})
        out = os.path.join(self.folder, "out")
        os.mkdir(out)
        self.give(make_configuration("none", command=["./bench.sh"],
                                     environment={"OUT": out, "HARNESS": "{harness}",
                                                  "AT": "{checkout} {commit}"},
                                     verify=["./verify.sh", "{calls}", "{depth}", "{scratch}"]),
                  commit=commit, loops=1, prepare=["sh", "prepare.sh"])
        os.environ["SECRET"] = "not for you"
        try:
            runner = self.start()
        finally:
            del os.environ["SECRET"]
        self.assertEqual(runner.wait(), 0, runner.text())
        with open(os.path.join(out, "env"), encoding="utf-8") as file:
            environment = dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)
        self.assertNotIn("SECRET", environment)
        self.assertEqual(environment["LANG"], "C.UTF-8")
        self.assertTrue(environment["AT"].endswith("/tree " + commit))
        with open(os.path.join(out, "fds"), encoding="utf-8") as file:
            open_files = [line for line in file if " -> " in line and "/proc/" not in line]
        self.assertEqual(len(open_files), 3, open_files)

    def test_java_driver(self):
        if not os.path.exists(os.path.join(HARNESS, "moobench.jar")):
            self.skipTest("moobench.jar was not built")
        self.give(make_configuration("none", options=["-Xmx128m"]), driver="java", loops=2)
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        environment = self.peer.results[1]["environment"]
        self.assertRegex(environment["harness"], "^moobench-java ")
        self.assertIn("version", environment["runtime"])

    # ---- two commits in turn ----

    # Each process notes its {commit}, its tree's version, what was built there and for which commit.
    TRIAL = {"prepare.sh": "#!/bin/sh\ncat version > built; echo $1 >> built\n",
             "bench.sh": "#!/bin/sh\nsleep 0.1; echo \"$1 $(cat version) $(sed -n 1p built) $(sed -n 2p built) $PWD\""
                         " >> \"$SEEN\"\ncase \"$FAILS\" in \"$(cat version)\") [ -e failed ] || "
                         "{ touch failed; exit 9; };; esac\nshift; exec \"$HARNESS/moobench\" \"$@\"\n",
             "verify.sh": "#!/bin/sh\ntest \"$1\" = \"$(sed -n 2p built)\"\n"}

    def give_trial(self, fails="", names=("none", "probe"), **more):
        """Returns {commit: its version}, the newer first."""
        old = commit_files(self.repository, {**self.TRIAL, "version": "old\n"})
        new = commit_files(self.repository, {"version": "new\n"})
        seen = os.path.join(self.folder, "seen")
        configurations = [make_configuration(
            name, None, command=["./bench.sh", "{commit}"],
            environment={"HARNESS": HARNESS, "SEEN": seen, "FAILS": fails},
            verify=["./verify.sh", "{commit}"]) for name in names]
        self.peer.jobs.append(make_trial(1, self.repository, new, old, configurations,
                                         prepare=["sh", "prepare.sh", "{commit}"], **more))
        return {new: "new", old: "old"}

    def check_trial(self, commits, loops, rounds, names=("none", "probe")):
        """Every configuration once with either commit in each round, the first one alternating."""
        kept = [loop for loop in loops if loop["attempt"] == 1]
        self.assertEqual(len(kept), rounds * 2 * len(names))
        first = list(commits).index(kept[0]["commit"])
        for place, loop in enumerate(kept):
            self.assertEqual(loop["loop"], place // (2 * len(names)) + 1)
            self.assertEqual(loop["configuration"], kept[place ^ 1]["configuration"])
            self.assertEqual(loop["commit"], list(commits)[(first + place + loop["loop"] - 1) % 2])
        places = {}
        with open(os.path.join(self.folder, "seen"), encoding="utf-8") as file:
            for line in file:
                commit, version, built, built_for, where = line.split()
                self.assertEqual((version, built, built_for), (commits[commit],) * 2 + (commit,))
                self.assertTrue(where.endswith("/tree"), where)
                places.setdefault(commit, set()).add(where)
        # a place for each commit, of one length: longer paths move the stack
        self.assertEqual([len(place) for place in places.values()], [1, 1])
        self.assertEqual(len({len(where) for place in places.values() for where in place}), 1)

    def test_trial_runs_both_commits_in_turn(self):
        commits = self.give_trial(loops=4)
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text() + str(self.peer.failures))
        loops = self.peer.results[1]["loops"]
        self.check_trial(commits, loops, 4)
        self.assertEqual([loop["order"] for loop in loops], list(range(16)))
        told = {progress["message"] for progress in self.peer.progress if progress["phase"] == "measure"}
        for commit, version in commits.items():
            self.assertIn("commit %s (%s)" % (commit[:12], version), told)
        self.assertEqual({p["total"] for p in self.peer.progress if p["phase"] == "measure"}, {16})
        self.assertEqual(runner.spool(), [])
        self.assertEqual(os.listdir(os.path.join(runner.work, "checkout")), [])

    def test_killed_trial_measures_only_what_is_missing(self):
        commits = self.give_trial(loops=4)
        runner = self.start()
        finished = lambda: [path for path in runner.spool() if path.endswith(".json")
                            and not path.endswith("job.json")]
        for kept in (3, 8):
            wait_until(lambda kept=kept: len(finished()) >= kept, "%d loops" % kept)
            runner.process.kill()
            runner.process.wait()
            runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        loops = self.peer.results[1]["loops"]
        self.check_trial(commits, loops, 4)
        self.assertEqual(len({(loop["configuration"], loop["loop"], loop["commit"]) for loop in loops}), 16)
        self.assertEqual(len(loops), 16)
        self.assertEqual(self.peer.resumes, [1, 1])
        self.assertEqual(runner.text().count("prepare job="), 2)

    def test_failed_loop_of_a_trial_is_repeated_with_its_commit(self):
        commits = self.give_trial(fails="old", loops=3)
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text() + str(self.peer.failures))
        loops = self.peer.results[1]["loops"]
        self.check_trial(commits, loops, 3)
        failed = [loop for loop in loops if loop["failed"]]
        again = [loop for loop in loops if loop["attempt"] == 2]
        self.assertEqual([commits[loop["commit"]] for loop in failed], ["old"])
        self.assertEqual([(loop["configuration"], loop["loop"], loop["commit"]) for loop in again],
                         [(loop["configuration"], loop["loop"], loop["commit"]) for loop in failed])

    def test_trial_whose_older_commit_does_not_build(self):
        old = commit_files(self.repository, {"prepare.sh": "echo too old >&2; exit 3\n"})
        new = commit_files(self.repository, {"prepare.sh": "exit 0\n"})
        self.peer.jobs.append(make_trial(1, self.repository, new, old, [make_configuration("none")],
                                         prepare=["sh", "prepare.sh"]))
        failure = self.expect_failure("prepare: sh: exit status 3", "prepare")
        self.assertIn("too old", failure["log"])

    # ---- what the project can do wrong ----

    def expect_failure(self, pattern, phase, retry=False, status=1, **more):
        runner = self.start(**more)
        self.assertEqual(runner.wait(), status, runner.text())
        failure = self.peer.failures[1]
        self.assertRegex(failure["reason"], pattern)
        self.assertEqual(failure["phase"], phase)
        self.assertEqual(failure["retry"], retry)
        self.assertEqual(runner.spool(), [])
        self.assertEqual(os.listdir(os.path.join(runner.work, "checkout")), [])
        return failure

    def test_commit_that_does_not_exist(self):
        self.give(make_configuration("none"), commit="1" * 40)
        self.expect_failure("the commit is not to be had from", "checkout")

    def test_repository_that_is_gone(self):
        self.give(make_configuration("none"))
        shutil.rmtree(self.repository)
        self.expect_failure("cannot fetch from .*repository", "checkout", retry=True)

    def test_commit_that_does_not_build(self):
        self.give(make_configuration("none"), prepare=["sh", "-c", "echo broken >&2; exit 3"])
        failure = self.expect_failure("prepare: sh: exit status 3", "prepare")
        self.assertIn("broken", failure["log"])

    def test_build_that_hangs(self):
        self.give(make_configuration("none"), prepare=["sleep", "100"], prepare_timeout_seconds=1)
        self.expect_failure("prepare: sleep: still running after 1 s", "prepare")

    def test_build_that_prints_gigabytes(self):
        self.give(make_configuration("none"), loops=1,
                  prepare=["sh", "-c", "head -c 300000000 /dev/zero | tr '\\0' x; echo the end; exit 1"])
        failure = self.expect_failure("exit status 1", "prepare")
        self.assertIn("the end", failure["log"])
        self.assertLessEqual(len(failure["log"]), 65536)

    def test_benchmark_that_crashes(self):
        self.give(make_configuration("none"),
                  make_configuration("bad", "none", command=["sh", "-c", "echo why; kill -ABRT $$"]))
        failure = self.expect_failure("configuration bad: loop 1 failed 3 times .*signal 6", "measure")
        self.assertIn("why", failure["log"])

    def test_benchmark_that_is_missing(self):
        self.give(make_configuration("none", command=["/nonexistent/bench"]))
        self.expect_failure("configuration none: .*there is no such program", "measure")


    def test_benchmark_that_fails_now_and_then_is_repeated(self):
        commit = commit_files(self.repository, {
            "once.sh": "#!/bin/sh\nif [ ! -e failed ]; then touch failed; exit 9; fi\n"
                       "exec \"$HARNESS/moobench\" \"$@\"\n"})
        self.give(make_configuration("none", command=["./once.sh"], environment={"HARNESS": HARNESS}),
                  commit=commit)
        self.assertEqual(self.start().wait(), 0)
        result = self.peer.results[1]
        self.assertEqual([loop["loop"] for loop in result["loops"]], [1, 1, 2, 3])
        self.assertEqual([loop["attempt"] for loop in result["loops"]], [1, 2, 1, 1])
        self.assertEqual([loop["order"] for loop in result["loops"]], [0, 1, 2, 3])
        self.assertRegex(result["loops"][0]["failed"], "exit status 9")
        self.assertEqual([loop["failed"] for loop in result["loops"][1:]], [None] * 3)

    def test_raw_file_nonsense(self):
        cases = {"empty": ("true", "wrote none"),
                 "text": ("printf 'hello\\n' > $F", "line 1, column 1"),
                 "short": ("printf '1;5\\n1;6\\n' > $F", "raw file"),
                 "cut": ("\"$HARNESS/moobench\" \"$@\"; truncate -s -3 $F", "raw file"),
                 "link": ("ln -s /dev/zero $F", "raw file"),
                 "pipe": ("mkfifo $F", "not a regular file"),
                 "verify": ("\"$HARNESS/moobench\" \"$@\"", "verify: exit status 4")}
        for number, (name, (script, pattern)) in enumerate(cases.items(), 1):
            with self.subTest(name):
                text = "while [ $# -gt 0 ]; do [ \"$1\" = --output-filename ] && F=$2; shift; done;"
                commit = commit_files(self.repository, {
                    "bench.sh": "#!/bin/bash\nargs=(\"$@\")\n" + text + "set -- \"${args[@]}\"\n" +
                                script + "\n# " + name})
                verify = ["sh", "-c", "exit 4"] if name == "verify" else []
                self.give(make_configuration("none", command=["./bench.sh"], verify=verify,
                                             environment={"HARNESS": HARNESS}),
                          number=number, commit=commit)
                runner = self.start()
                self.assertEqual(runner.wait(), 1, runner.text())
                self.assertRegex(self.peer.failures[number]["reason"], pattern)

    def test_benchmark_that_fills_its_directory(self):
        self.give(make_configuration("none", command=[
            "sh", "-c", "i=0; while :; do i=$((i+1)); head -c 1000000 /dev/zero > $HOME/$i; done"]))
        self.expect_failure("wrote more than 8 MB", "measure",
                            settings={"loop_output_limit_bytes": 8 << 20})

    def test_benchmark_with_one_huge_file(self):
        self.give(make_configuration("none", command=["sh", "-c", "exec head -c 100000000 /dev/zero > $HOME/x"]))
        self.expect_failure("signal 25|wrote more than|exit status", "measure",
                            settings={"loop_output_limit_bytes": 8 << 20})

    def test_daemon_left_behind_is_killed(self):
        marker = "54321.%d" % os.getpid()
        self.give(make_configuration("none", command=["sh", "-c",
                  "setsid sh -c 'trap \"\" TERM; setsid sleep %s; sleep %s' & exec %s/moobench \"$@\"" %
                  (marker, marker, HARNESS), "sh"]), loops=1)
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        found = subprocess.run(["pgrep", "-f", "^sleep " + marker], stdout=subprocess.PIPE, check=False)
        self.assertEqual(found.stdout, b"")
        self.assertIn("stragglers_killed", runner.text())

    def test_job_that_is_nonsense(self):
        job = make_job(1, "ext::sh -c id", self.commit, [make_configuration("none")])
        self.peer.jobs.append(job)
        self.expect_failure("\"url\" must be", "checkout")

    # ---- what can happen to the runner, the server and the disk ----

    def test_full_disk_is_a_retry(self):
        self.give(self.slow("none"))
        runner = self.start(settings={"disk_reserve_bytes": 1 << 40}, once=False)
        wait_until(lambda: "disk full" in runner.text(), "the waiting agent")
        self.assertEqual([call for call in self.peer.calls if "lease" in call[1]], [])
        runner.process.send_signal(signal.SIGTERM)
        self.assertEqual(runner.wait(), 0)

    def mount_small_disk(self, megabytes):
        work = os.path.join(self.folder, "work")
        os.mkdir(work)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%dm" % megabytes, "tmpfs", work],
                          stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("no permission to mount a small disk")
        self.mounted = work

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
        self.give(self.slow("none"), self.slow("probe", "none"), loops=4)
        runner = self.start()
        finished = lambda: [path for path in runner.spool() if path.endswith(".json")
                            and not path.endswith("job.json")]
        for kept in (2, 5):
            wait_until(lambda kept=kept: len(finished()) >= kept, "%d loops" % kept)
            runner.process.kill()
            runner.process.wait()
            with open(finished()[0], encoding="utf-8") as file:
                first = json.load(file)
            runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        loops = self.peer.results[1]["loops"]
        self.assertEqual(len(loops), 8, runner.text())
        self.assertEqual(len({(loop["configuration"], loop["loop"]) for loop in loops}), 8)
        # Anything that sets the whole machine meanwhile (another run's tuning) begins the job anew.
        self.assertNotIn("environment_changed", runner.text())
        self.assertIn(first["started_ms"], [loop["started_ms"] for loop in loops], runner.text())
        # Once a start; a busy machine may answer so late that it is asked again.
        self.assertGreaterEqual(len(self.peer.resumes), 2, runner.text())
        self.assertEqual(runner.text().count("prepare job="), 1, runner.text())

    def test_damaged_spool_is_measured_again(self):
        self.give(self.slow("none"), loops=4)
        runner = self.start()
        wait_until(lambda: len([p for p in runner.spool() if p.endswith(".zst")]) >= 2, "2 loops")
        runner.process.kill()
        runner.process.wait()
        with open([p for p in runner.spool() if p.endswith(".zst")][0], "r+b") as file:
            file.truncate(20)
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        self.assertIn("loop_damaged", runner.text())
        self.assertEqual(len(self.peer.results[1]["loops"]), 4)

    def test_stop_leaves_the_spool_and_the_next_start_goes_on(self):
        self.give(self.slow("none"), loops=4)
        runner = self.start()
        wait_until(lambda: "loop_done" in runner.text(), "a loop")
        runner.process.send_signal(signal.SIGTERM)
        self.assertEqual(runner.wait(10), 0)
        self.assertNotIn(1, self.peer.results)
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        self.assertEqual(len(self.peer.results[1]["loops"]), 4)

    def test_server_away_while_measuring_and_uploading(self):
        self.give(self.slow("none"), loops=4)
        runner = self.start()
        wait_until(lambda: "loop_done" in runner.text(), "a loop")
        self.peer.away = True
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
        self.give(make_configuration("none", command=["sleep", "60"]), loops=1)
        runner = self.start()
        wait_until(lambda: any(p.get("configuration") for p in self.peer.progress), "the loop")
        self.peer.lost.add(1)
        self.assertEqual(runner.wait(30), 1)
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

    def test_second_runner_in_the_same_folder_is_refused(self):
        runner = self.start(once=False)
        wait_until(lambda: "agent start" in runner.text(), "the first")
        second = self.start()
        self.assertEqual(second.wait(), 1)
        self.assertIn("another moowatch-runner works there", second.text())


    # ---- the quiet node ----

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
        self.give(self.slow("none"), self.slow("probe", "none"), loops=9)
        self.peer.jobs[-1]["minimum_loops"] = minimum_loops
        runner = self.start()
        wait_until(lambda: runner.text().count("loop_done") >= 4, "two rounds")
        runner.process.send_signal(signal.SIGTERM)
        self.assertEqual(runner.wait(10), 0)
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

    # ---- code under test is not trusted ----

    def test_other_user_sees_no_token(self):
        if os.geteuid() != 0:
            self.skipTest("only root can change the user")
        os.chmod(self.folder, 0o711)
        out = os.path.join(self.folder, "seen")
        os.mkdir(out)
        os.chmod(out, 0o777)
        look = ("exec 2>&1; id -un; cat $1; ls $2; cat $2/spool/job-1/job.json; "
                "A=$(ps -o ppid= -p $$ | tr -d ' '); for f in environ maps mem fd/3; do "
                "head -c 10 /proc/$A/$f; ls /proc/$A/fd; done; touch here && rm here; "
                "touch $HOME/x; touch /usr/x")
        self.give(make_configuration("none", command=["sh", "-c",
                  "shift 0; (%s) > %s/log; shift 2; exec \"$0\" \"$@\"" % (look, out),
                  "{harness}/moobench", os.path.join(self.folder, "token"),
                  os.path.join(self.folder, "work")]), loops=1,
                  prepare=["sh", "-c", "id -un > built-by"])
        subprocess.run(["chmod", "-R", "a+rX", HARNESS], check=False)
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
                  "setsid sleep %s & sleep 100" % marker]), loops=1)
        running = lambda: subprocess.run(["pgrep", "-f", "^sleep " + marker], check=False,
                                         stdout=subprocess.PIPE).stdout
        runner = self.start()
        wait_until(running, "the leftover")
        runner.process.kill()
        runner.process.wait()
        self.assertNotEqual(running(), b"")
        self.peer.lost.add(1)
        runner = self.start()
        self.assertEqual(runner.wait(), 1)
        self.assertIn("leftovers_killed", runner.text())
        self.assertEqual(running(), b"")


if __name__ == "__main__":
    PROGRAM, HARNESS = map(os.path.abspath, sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
