"""moowatch-runner as a whole: real program, real git, real harness, a server over real HTTP."""
import json
import os
import shutil
import subprocess

import runner_case
from runner_case import ALL, RunnerCase
from runner_peer import commit_files, make_configuration, make_job, make_trial, wait_until


class MainWay(RunnerCase):
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
                                   environment={"HARNESS": runner_case.HARNESS})
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
        if not os.path.exists(os.path.join(runner_case.HARNESS, "moobench.jar")):
            self.skipTest("moobench.jar was not built")
        self.give(make_configuration("none", options=["-Xmx128m"]), driver="java", loops=2)
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        environment = self.peer.results[1]["environment"]
        self.assertRegex(environment["harness"], "^moobench-java ")
        self.assertIn("version", environment["runtime"])


class Trial(RunnerCase):
    # Each process notes its {commit}, its tree's version, what was built there and for which commit.
    TRIAL = {"prepare.sh": "#!/bin/sh\ncat version > built; echo $1 >> built\n",
             "bench.sh": "#!/bin/sh\n" + runner_case.PACE + "echo \"$1 $(cat version) $(sed -n 1p built) $(sed -n 2p built) $PWD\""
                         " >> \"$SEEN\"\ncase \"$FAILS\" in \"$(cat version)\") [ -e failed ] || "
                         "{ touch failed; exit 9; };; esac\nshift; exec \"$HARNESS/moobench\" \"$@\"\n",
             "verify.sh": "#!/bin/sh\ntest \"$1\" = \"$(sed -n 2p built)\"\n"}

    def give_trial(self, fails="", names=("none", "probe"), let=runner_case.ALL, **more):
        """Returns {commit: its version}, the newer first."""
        self.let(let)
        old = commit_files(self.repository, {**self.TRIAL, "version": "old\n"})
        new = commit_files(self.repository, {"version": "new\n"})
        seen = os.path.join(self.folder, "seen")
        configurations = [make_configuration(
            name, None, command=["./bench.sh", "{commit}"],
            environment={**self.pace(), "SEEN": seen, "FAILS": fails},
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
        self.assertEqual([loop["position"] for loop in loops], list(range(16)))
        told = {progress["message"] for progress in self.peer.progress if progress["phase"] == "measure"}
        for commit, version in commits.items():
            place = {"new": "after", "old": "before"}[version]
            self.assertIn("commit %s (%s)" % (commit[:12], place), told)
        self.assertEqual({p["total"] for p in self.peer.progress if p["phase"] == "measure"}, {16})
        older, = (commit for commit, version in commits.items() if version == "old")
        newer, = (commit for commit, version in commits.items() if version == "new")
        self.assertIn("commit=%s before=%s" % (newer, older), runner.text())  # the log names both
        for commit in commits:
            self.assertRegex(runner.text(), "loop_done job=1 commit=%s " % commit)
        self.assertEqual(runner.spool(), [])
        self.assertEqual(os.listdir(os.path.join(runner.work, "checkout")), [])

    def test_killed_trial_measures_only_what_is_missing(self):
        commits = self.give_trial(loops=4, let=3)
        runner = self.start()
        finished = lambda: [path for path in runner.spool() if path.endswith(".json")
                            and not path.endswith("job.json")]
        for kept, more in ((3, 5), (8, runner_case.ALL)):
            wait_until(lambda kept=kept: len(finished()) == kept, "%d loops" % kept)
            runner.process.kill()
            runner.process.wait()
            self.let(more)
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


class WrongProject(RunnerCase):
    def test_commit_that_does_not_exist(self):
        self.give(make_configuration("none"), commit="1" * 40)
        self.expect_failure("the server does not have this commit:", "checkout")

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


    def node_with(self, *programs):
        """Settings of a node that has these programs alone, and the folder where it looks for them."""
        folder = os.path.join(self.folder, "bin")
        os.mkdir(folder)
        for program in programs:
            os.symlink(shutil.which(program), os.path.join(folder, program))
        return {"path": folder}, folder

    def test_node_without_git(self):
        self.give(make_configuration("none"))
        settings, folder = self.node_with("sh")
        self.expect_failure(f"cannot start git: there is no such program in {folder}; install it, or name its folder in path of "
                            "moowatch-runner.yaml", "checkout", settings=settings)

    def test_node_without_java(self):
        self.give(make_configuration("none"), driver="java")
        settings, folder = self.node_with("sh", "git")
        self.expect_failure(f"cannot start java: there is no such program in {folder}; install it, or name its folder", "measure",
                            settings=settings)

    def test_benchmark_that_fails_now_and_then_is_repeated(self):
        commit = commit_files(self.repository, {
            "once.sh": "#!/bin/sh\nif [ ! -e failed ]; then touch failed; exit 9; fi\n"
                       "exec \"$HARNESS/moobench\" \"$@\"\n"})
        self.give(make_configuration("none", command=["./once.sh"], environment={"HARNESS": runner_case.HARNESS}),
                  commit=commit)
        self.assertEqual(self.start().wait(), 0)
        result = self.peer.results[1]
        self.assertEqual([loop["loop"] for loop in result["loops"]], [1, 1, 2, 3])
        self.assertEqual([loop["attempt"] for loop in result["loops"]], [1, 2, 1, 1])
        self.assertEqual([loop["position"] for loop in result["loops"]], [0, 1, 2, 3])
        self.assertRegex(result["loops"][0]["failed"], "exit status 9")
        self.assertEqual([loop["failed"] for loop in result["loops"][1:]], [None] * 3)

    def test_raw_file_nonsense(self):
        cases = {"empty": ("true", "nothing wrote it"),
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
                                             environment={"HARNESS": runner_case.HARNESS}),
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
                  (marker, marker, runner_case.HARNESS), "sh"]), loops=1)
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        found = subprocess.run(["pgrep", "-f", "^sleep " + marker], stdout=subprocess.PIPE, check=False)
        self.assertEqual(found.stdout, b"")
        self.assertIn("stragglers_killed", runner.text())

    def test_job_that_is_nonsense(self):
        job = make_job(1, "ext::sh -c id", self.commit, [make_configuration("none")])
        self.peer.jobs.append(job)
        self.expect_failure("\"repository.url\" must be", "checkout")


class NightsInTurn(RunnerCase):
    """Back-filled nights of a project: a round of each after the other."""

    def give_night(self, number, commit, *configurations, **more):
        self.give(*configurations, number=number, commit=commit, **more)
        self.peer.jobs[-1].update(kind="backfill", beside=True)

    def give_nights(self, count):
        for number in range(1, count + 1):
            commit = commit_files(self.repository, {"night": "%d\n" % number})
            self.give_night(number, commit, make_configuration("none"), make_configuration("probe", "none"))

    def order(self, *numbers):
        """(started, night, its turn) of every loop."""
        return sorted((loop["started_ms"], number, loop["readings"].get("turn", 0))
                      for number in numbers for loop in self.peer.results[number]["loops"])

    def test_a_round_of_each_then_all_are_handed_over(self):
        self.give_nights(4)
        runner = self.start(settings={"nights_in_turn": 3}, once=False)
        wait_until(lambda: 4 in self.peer.results and not runner.spool(), "four nights")
        runner.process.terminate()
        self.assertEqual(runner.wait(), 0, runner.text())
        order = self.order(1, 2, 3)
        self.assertEqual([turn for _, _, turn in order], [1] * 6 + [2] * 6 + [3] * 6)
        for turn in range(3):
            self.assertEqual(sorted(night for _, night, _ in order[6 * turn:6 * turn + 6]), [1, 1, 2, 2, 3, 3])
        self.assertGreater(min(self.order(4)), max(order))  # no more than three at once
        results = [path.split("/")[5] for _, path in self.peer.calls if path.endswith("/result")]
        self.assertEqual(results, ["1", "2", "3", "4"])
        self.assertEqual(len({json.dumps(self.peer.results[n]["environment"]["parameters"]) for n in (1, 2, 3)}), 1)
        self.assertEqual(runner.spool(), [])
        self.assertEqual(os.listdir(os.path.join(runner.work, "checkout")), [])
        self.assertIn("waits for its turn", {progress.get("message") for progress in self.peer.progress})

    def test_a_night_that_does_not_build_leaves_the_others(self):
        self.give_nights(2)
        broken = commit_files(self.repository, {"prepare.sh": "exit 3\n"})
        self.give_night(3, broken, make_configuration("none"), prepare=["sh", "prepare.sh"])
        runner = self.start()
        self.assertEqual(runner.wait(), 1, runner.text())
        self.assertRegex(self.peer.failures[3]["reason"], "exit status 3")
        self.assertEqual(sorted(self.peer.results), [1, 2])
        self.assertEqual(runner.spool(), [])

    def test_what_goes_before_them_is_measured_between_two_rounds(self):
        self.give_nights(2)
        # of the same commit as a night that waits: its tree is made again
        urgent = make_job(9, self.repository, self.peer.jobs[0]["commit"], [make_configuration("none")])
        given = []

        def come(body):
            if body["phase"] == "measure" and body["done"] > 0 and not given:
                given.append(1)
                self.peer.jobs.append(urgent)
        self.peer.on_progress = come
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        order = self.order(1, 2, 9)
        mine = [i for i, (_, number, _) in enumerate(order) if number == 9]
        self.assertEqual(mine, list(range(mine[0], mine[0] + 3)))
        self.assertTrue(0 < mine[0] < len(order) - 3, order)
        results = [path.split("/")[5] for _, path in self.peer.calls if path.endswith("/result")]
        self.assertEqual(results, ["9", "1", "2"])

    def test_a_night_that_is_cancelled_leaves_the_others(self):
        self.give_nights(3)

        def cancel(body):
            if body["phase"] == "measure" and body["done"] > 0:
                self.peer.lost.add(2)
        self.peer.on_progress, self.peer.expires_s = cancel, 3
        runner = self.start()
        self.assertEqual(runner.wait(), 1, runner.text())
        self.assertEqual(sorted(self.peer.results), [1, 3])
        self.assertEqual(runner.spool(), [])

    def test_killed_between_two_rounds_nothing_is_measured_twice(self):
        self.give_night(1, self.commit, self.paced("none"))
        self.give_night(2, commit_files(self.repository, {"x": "1\n"}), self.paced("none"))
        self.let(3)
        runner = self.start()
        wait_until(lambda: len([p for p in self.peer.progress if p["phase"] == "measure" and p["done"] > 0]) >= 1
                   and len(os.listdir(os.path.join(self.folder, "begun"))) == 4, "the fourth process")
        runner.process.kill()
        runner.wait()
        self.wait_gone()
        self.let(ALL)
        again = self.start()
        wait_until(lambda: set(self.peer.results) == {1, 2}, "both nights")
        for number in (1, 2):
            self.assertEqual([loop["loop"] for loop in self.peer.results[number]["loops"]], [1, 2, 3])
        self.assertEqual(sum(loop["readings"].get("turn", 0) > 0 for n in (1, 2) for loop in self.peer.results[n]["loops"]), 3)
        again.wait()

    def test_one_after_the_other_where_the_node_says_so(self):
        self.give_nights(2)
        runner = self.start(settings={"nights_in_turn": 1}, once=False)
        wait_until(lambda: 2 in self.peer.results, "both nights")
        runner.process.terminate()
        self.assertEqual(runner.wait(), 0, runner.text())
        self.assertEqual({turn for _, _, turn in self.order(1, 2)}, {0})
        self.assertLess(max(self.order(1)), min(self.order(2)))


if __name__ == "__main__":
    runner_case.main()
