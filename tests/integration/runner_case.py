"""What the tests of moowatch-runner share: the real program with a server over real HTTP, and benchmarks that wait.

Usage of each of them: test_….py <moowatch-runner> <harness directory> [unittest arguments]
"""
import contextlib
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from runner_peer import Peer, Runner, make_configuration, make_job, make_repository, wait_until

PROGRAM = HARNESS = ""
# As many of them end as the test lets; where it kills an agent, the next process has begun and not ended.
PACE = "mktemp \"$PACE/begun/XXXXXX\" > /dev/null; n=$(ls \"$PACE/begun\" | wc -l); until [ \"$n\" -le \"$(cat \"$PACE/may\")\" ]; do sleep 0.05; done\n"
PACED = "#!/bin/sh\n" + PACE + "exec \"$HARNESS/moobench\" \"$@\"\n"
ALL = 1 << 30


class RunnerCase(unittest.TestCase):
    def setUp(self):
        # In memory where that is possible: a disk shared with others can hold up an fsync for long.
        memory = os.path.isdir("/dev/shm") and not os.statvfs("/dev/shm").f_flag & os.ST_NOEXEC
        self.folder = tempfile.mkdtemp(prefix="moowatch-runner-", dir="/dev/shm" if memory else None)
        self.repository = os.path.join(self.folder, "repository")
        self.commit = make_repository(self.repository, {"README": "hello\n", "paced.sh": PACED})
        os.mkdir(os.path.join(self.folder, "begun"))
        self.let(0)
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

    def paced(self, name, parent=None, **more):
        """A configuration each of whose processes waits until it is let."""
        return make_configuration(name, parent, **{"command": ["./paced.sh"], "environment": self.pace(), **more})

    def pace(self):
        return {"HARNESS": HARNESS, "PACE": self.folder}

    def let(self, more):
        """So many further processes may end. When an agent is stopped first: not counting those that had begun."""
        begun = len(os.listdir(os.path.join(self.folder, "begun")))
        with open(os.path.join(self.folder, "may.new"), "w", encoding="ascii") as file:
            file.write(str(begun + more))
        os.rename(os.path.join(self.folder, "may.new"), os.path.join(self.folder, "may"))

    def wait_gone(self):
        """A killed agent's benchmark ends with its namespace, a moment later: it must not take what the next is let."""
        mine = f"PACE={self.folder}".encode()

        def gone():
            for path in glob.glob("/proc/[0-9]*/environ"):
                with contextlib.suppress(OSError), open(path, "rb") as file:
                    if mine in file.read().split(b"\0"):
                        return False
            return True
        wait_until(gone, "the end of the killed agent's benchmark")

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

    def mount_small_disk(self, megabytes):
        work = os.path.join(self.folder, "work")
        os.mkdir(work)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%dm" % megabytes, "tmpfs", work],
                          stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("no permission to mount a small disk")
        self.mounted = work


def main():
    global PROGRAM, HARNESS
    PROGRAM, HARNESS = map(os.path.abspath, sys.argv[1:3])
    unittest.main(module="__main__", argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
