"""Builds write into file systems of their own: nothing is written beyond the limit, however fast.

Usage: test_volumes.py <moowatch-runner> <harness directory> [unittest arguments]
"""
import glob
import os
import pathlib
import subprocess
import sys
import unittest

from runner_peer import RunnerTest, make_configuration, make_job, make_seen, wait_until

PROGRAM = HARNESS = ""
MIB = 1 << 20
LIMIT = 64
OWN = LIMIT // 32 + 4  # what each file system is larger for its own needs

# As fast as it can, two at a time, into the tree and HOME; what got in is told.
GREEDY = """#!/bin/sh
exec 2>/dev/null
fill() {
    i=0
    while [ $i -lt 500 ]; do
        i=$((i + 1))
        head -c 1048576 /dev/zero > "$1/$2-$i" && echo $1 >> "$SEEN/greedy"
    done
}
fill . a & fill "$HOME" a & fill . b & fill "$HOME" b
wait
exit 9
"""
BENCH = """#!/bin/sh
stat -c %d . > "$SEEN/measured"
cat kept > /dev/null || exit 7
while [ "$1" != --output-filename ]; do shift; done
seq 2000 | sed 's/^/0;/' > "$2"
"""


class BoxesTest(RunnerTest):
    files = {"greedy.sh": GREEDY, "bench.sh": BENCH}

    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o711)
        self.seen = make_seen(self.folder)

    def give(self, number, script):
        bench = make_configuration("none", command=["./bench.sh"], environment={"SEEN": self.seen})
        self.peer.jobs.append(make_job(number, self.repository, self.commit, [bench], loops=2, prepare_timeout_seconds=60,
                                       prepare=["sh", "-c", "SEEN=%s; export SEEN; %s" % (self.seen, script)]))

    def start(self):
        runner = self.run_it(PROGRAM, HARNESS, settings={
            "run_as_user": "nobody", "prepare_output_limit_bytes": LIMIT * MIB})
        wait_until(lambda: "agent disk_limit" in runner.text() or runner.process.poll() is not None, "the start")
        if 'agent disk_limit outcome="kernel"' not in runner.text():
            self.assertRegex(runner.text(), 'agent disk_limit outcome="weighed: .')
            self.skipTest("no right to mount, or no loop device")
        return runner

    def read(self, name):
        return pathlib.Path(self.seen, name).read_text(encoding="utf-8").split()

    def left(self):
        """Loop devices that still have a file below our folder."""
        files = (pathlib.Path(name) for name in glob.glob("/sys/block/loop*/loop/backing_file"))
        return [file for file in files if file.exists() and self.folder in file.read_text(encoding="utf-8")]

    def test_nothing_is_written_beyond_the_limit(self):
        self.give(1, "./greedy.sh")
        runner = self.start()
        self.assertEqual(runner.wait(), 1, runner.text())
        self.assertRegex(self.peer.failures[1]["reason"], r"\(prepare_output_limit_bytes\)")
        self.assertFalse(self.peer.failures[1]["retry"])
        written = self.read("greedy")
        self.assertEqual({place == "." for place in written}, {True, False})  # both the tree and HOME
        self.assertLessEqual(len(written), LIMIT + OWN)
        self.assertGreater(len(written), LIMIT // 2)
        wait_until(lambda: not self.left(), "the end of the loop devices")

    def test_what_is_measured_is_outside_and_home_is_its_own(self):
        self.give(1, "echo yes > kept; echo yes > $HOME/kept; stat -c %d . > $SEEN/built")
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text() + str(self.peer.failures))
        work = str(os.stat(os.path.join(self.folder, "work")).st_dev)
        self.assertNotEqual(self.read("built"), [work])
        self.assertEqual(self.read("measured"), [work])
        detail = self.peer.results[1]["environment"]["detail"]
        self.assertEqual(detail["disk_limit"], "builds: enforced by the kernel; benchmarks: measured, file size limited")
        self.give(2, "[ -z \"$(ls -A $HOME)\" ] && touch kept")  # by another agent
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text() + str(self.peer.failures))
        wait_until(lambda: not self.left(), "the end of the loop devices")

    def test_killed_agent_leaves_no_mount(self):
        self.give(1, "echo yes > kept; echo yes > $HOME/kept; [ -e $SEEN/again ] || { touch $SEEN/again; sleep 1000; }")
        runner = self.start()
        wait_until(lambda: os.path.exists(os.path.join(self.seen, "again")), "the build")
        runner.process.kill()
        runner.process.wait()
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text() + str(self.peer.failures))
        wait_until(lambda: not self.left(), "the end of the loop devices")
        with open("/proc/self/mounts", encoding="utf-8") as mounts:
            self.assertNotIn(self.folder, mounts.read())


if __name__ == "__main__":
    PROGRAM, HARNESS = map(os.path.abspath, sys.argv[1:3])
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], check=False).returncode != 0:
        print("skipped: only root can mount")
        sys.exit(0)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
