"""Neighbours on a busy host: processes that burn processor time now and then."""
import ctypes
import os
import random
import signal
import subprocess
import sys
import threading

PR_SET_PDEATHSIG = 1


def end_with_parent():
    """Even a stopped one ends when the bench is killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Burner:
    """Burns processors (default: the last one) for some seconds, then leaves them alone; all of them at the same times.

    seed: of when it burns; quiet_s, burning_s: how long, at least and at most.
    """

    def __init__(self, seed, processors=None, quiet_s=(5, 40), burning_s=(1, 8)):
        self.quiet_s, self.burning_s = quiet_s, burning_s
        self.processes = []
        for processor in processors or [max(os.sched_getaffinity(0))]:
            process = subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=end_with_parent)
            os.sched_setaffinity(process.pid, {processor})
            self.processes.append(process)
        self.ended, self.burnt_s, self.chance = threading.Event(), 0.0, random.Random(seed)
        self.thread = threading.Thread(target=self.work)
        self.signal(signal.SIGSTOP)
        self.thread.start()

    def signal(self, number):
        for process in self.processes:
            process.send_signal(number)

    def work(self):
        while not self.ended.wait(self.chance.uniform(*self.quiet_s)):
            self.signal(signal.SIGCONT)
            span = self.chance.uniform(*self.burning_s)
            self.ended.wait(span)
            self.burnt_s += span
            self.signal(signal.SIGSTOP)

    def close(self):
        self.ended.set()
        self.thread.join()
        for process in self.processes:
            process.kill()
            process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.close()
