"""What code under test leaves behind or tries to reach: nothing of it is there for the next job.

Usage: test_sandbox.py <moowatch-runner> <harness directory> [unittest arguments]
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from runner_peer import RunnerTest, commit_files, make_configuration, make_job, make_seen, make_trial, wait_until

PROGRAM = HARNESS = ""
USER = "nobody"

# A tree that no path can name, in TMPDIR and in the build's tree, with something in it.
DEEP = """import os, sys
for place in (os.environ["TMPDIR"], os.getcwd()):
    os.chdir(place)
    for _ in range(int(sys.argv[1])):
        os.mkdir("a" * 240)
        os.chdir("a" * 240)
    with open("hidden", "wb") as file:
        file.write(b"x" * 1000000)
    os.chdir(place)
"""
# Memory that nobody holds any more when its maker has ended.
MEMORY = """import ctypes, os
c = ctypes.CDLL(None, use_errno=True)
c.shmat.restype = ctypes.c_void_p
i = c.shmget(0, ctypes.c_size_t(1052672), 0o1600)
ctypes.memset(c.shmat(i, None, 0), 1, 1052672)
open("/dev/shm/moowatch-test-left", "wb").write(b"x" * 100000)
os.execv(os.environ["BENCH"], [os.environ["BENCH"]] + os.sys.argv[1:])
"""
# As a service of the user's own, which logind would keep over a reboot: by D-Bus, and by systemd's own socket.
LINGER = """#!/bin/sh
exec 2>&1
for place in /run/dbus /run/systemd /run/user /var/run/dbus /var/run/systemd /var/run/user /run/docker.sock; do
    [ -e $place ] && echo "sees $place"
done
command -v busctl >/dev/null && busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager \\
    SetUserLinger ubb $(id -u) true false && echo lingers
command -v systemd-run >/dev/null && systemd-run --collect sleep 86400 && echo runs
(setsid sleep 86399 >/dev/null 2>&1 </dev/null &)
exit 0
"""


class CageTest(RunnerTest):
    files = {"deep.py": DEEP, "memory.py": MEMORY, "linger.sh": LINGER}

    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o711)
        # where others may look, wherever the build lies
        self.harness = tempfile.mkdtemp(prefix="moowatch-harness-")
        self.addCleanup(shutil.rmtree, self.harness)
        os.chmod(self.harness, 0o755)
        shutil.copy(os.path.join(HARNESS, "moobench"), self.harness)

    def give(self, number, words, prepare=(), **more):
        bench = make_configuration("none", command=words, environment={"BENCH": os.path.join(self.harness, "moobench")})
        self.peer.jobs.append(make_job(number, self.repository, self.commit, [bench], loops=1, prepare=list(prepare), **more))

    def expect_namespaces(self, runner):
        """Where the machine has them: it is asked, not the program that is tested."""
        if subprocess.run(["unshare", "--pid", "--ipc", "--mount", "--fork", "true"], check=False, capture_output=True).returncode:
            self.skipTest("no namespaces of one's own here")
        self.assertIn('agent processes outcome="own namespaces"', runner.text())

    def serve(self, **settings):
        runner = self.run_it(PROGRAM, self.harness, settings={"run_as_user": USER, **settings})
        status = runner.wait()
        self.expect_namespaces(runner)
        return runner, status

    def test_deep_tree_costs_its_job_only(self):
        """Its paths are longer than counters of 16 bits can tell."""
        deep = ["python3", "deep.py", "300"]
        self.give(1, ["sh", "-c", "python3 deep.py 300 && exec $BENCH \"$@\"", "sh"])
        self.give(2, ["{harness}/moobench"], prepare=deep)
        self.give(3, ["{harness}/moobench"])
        for _ in range(3):
            self.serve()
        self.assertIn(1, self.peer.results)
        self.assertIn("make it less deep", self.peer.failures[2]["reason"])
        self.assertFalse(self.peer.failures[2]["retry"])
        self.assertIn(3, self.peer.results)
        work = os.path.join(self.folder, "work")
        left = os.listdir(os.path.join(work, "scratch")) + os.listdir(os.path.join(work, "checkout"))
        self.assertEqual([name for name in left if name != "version"], [])

    def test_deep_tree_is_removed_at_the_start(self):
        """What an agent of before has left there, and could not remove."""
        for below in ("scratch", "checkout"):
            place = os.path.join(self.folder, "work", below)
            os.makedirs(place + "/another")
            subprocess.run([sys.executable, "-c", DEEP, "200"], cwd=place, env={"TMPDIR": place + "/another"}, check=True)
        self.give(1, ["{harness}/moobench"])
        _, status = self.serve()
        self.assertEqual(status, 0)
        self.assertFalse({"another", "a" * 240} & set(os.listdir(os.path.join(self.folder, "work", "scratch"))))

    def test_shared_memory_goes_with_its_job(self):
        def segments():
            """By their size: a PostgreSQL of another test that starts or ends has one, too."""
            with open("/proc/sysvipc/shm", encoding="ascii") as file:
                return sum(line.split()[3] == "1052672" for line in file)
        before = segments()
        prepare = "python3 memory.py --help > /dev/null; [ -e /dev/shm/moowatch-test-left ]"
        self.give(1, ["sh", "-c", "[ ! -e /dev/shm/moowatch-test-left ] && [ $(wc -l < /proc/sysvipc/shm) = 1 ] && "
                      "exec python3 memory.py \"$@\"", "sh"], prepare=["sh", "-c", prepare])
        runner, status = self.serve()
        self.assertEqual(status, 0, runner.text() + str(self.peer.failures))
        self.assertEqual(segments(), before)
        self.assertEqual(glob.glob("/dev/shm/moowatch-test-left"), [])

    def test_nobody_is_there_to_be_asked(self):
        """D-Bus, logind and systemd-run: also where they run, nothing of them is seen, and no process is left."""
        seen = make_seen(self.folder)
        self.give(1, ["sh", "-c", "./linger.sh > %s/bench; exec $BENCH \"$@\"" % seen, "sh"],
                  prepare=["sh", "-c", "./linger.sh > %s/prepare" % seen])
        runner, status = self.serve()
        self.assertEqual(status, 0, runner.text() + str(self.peer.failures))
        for name in ("bench", "prepare"):
            with open(os.path.join(seen, name), encoding="utf-8") as file:
                log = file.read()
            self.assertNotRegex(log, "sees|lingers|runs", name)
        self.assertEqual(self.sleepers(), [])
        self.assertEqual(runner.text().count("stragglers_killed"), 2)

    def test_commits_of_a_trial_cannot_find_each_other(self):
        """Their names cannot be computed; and who knows one by chance finds it closed."""
        seen = make_seen(self.folder)
        other = commit_files(self.repository, {"version": "new\n"})
        look = ("for place in $(cat {0}/places); do [ $place = $PWD ] || ! ls $place || touch {0}/reached; done; "
                "ls -A $HOME > {0}/home; touch $HOME/kept; echo $PWD >> {0}/places").format(seen)
        bench = make_configuration("none", command=["sh", "-c", look + "; exec $BENCH \"$@\"", "sh"],
                                   environment={"BENCH": os.path.join(self.harness, "moobench")})
        with open(seen + "/places", "w", encoding="ascii"):
            os.chmod(seen + "/places", 0o666)
        self.peer.jobs.append(make_trial(1, self.repository, other, self.commit, [bench], loops=3,
                                         prepare=["sh", "-c", look + "; [ ! -s %s/home ]" % seen]))
        runner, status = self.serve()
        self.assertEqual(status, 0, runner.text() + str(self.peer.failures))
        with open(seen + "/places", encoding="ascii") as file:
            places = file.read().split()
        self.assertEqual((len(places), len(set(places))), (8, 2))  # two builds, three loops of each
        self.assertFalse(os.path.exists(seen + "/reached"))

    @staticmethod
    def sleepers():
        found = []
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(path, "rb") as file:
                    found += [path] if file.read() == b"sleep\0" + b"86399\0" else []
            except OSError:
                pass
        return found

    def test_killed_agent_takes_all_with_it(self):
        seen = make_seen(self.folder)
        self.give(1, ["sh", "-c", "./linger.sh; touch %s/begun; sleep 86399" % seen])
        runner = self.run_it(PROGRAM, self.harness, settings={"run_as_user": USER})
        wait_until(lambda: os.path.exists(seen + "/begun") or runner.process.poll() is not None, "the benchmark")
        self.expect_namespaces(runner)
        wait_until(self.sleepers, "what the benchmark starts")  # it has begun, and may not have come so far
        runner.process.kill()
        runner.process.wait()
        wait_until(lambda: not self.sleepers(), "the end of what a killed agent had started")


if __name__ == "__main__":
    PROGRAM, HARNESS = map(os.path.abspath, sys.argv[1:3])
    if os.geteuid() != 0:
        print("skipped: only root can change the user and make namespaces")
        sys.exit(0)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
