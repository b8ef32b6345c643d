"""Neighbours on a busy host: processes that burn processor time now and then."""
import os
import random
import signal
import subprocess
import sys
import threading


class Burner:
    """Burns the last processor for 1 to 8 s, then leaves it alone for 5 to 40. seed: of when it burns."""

    QUIET_S, BURNING_S = (5, 40), (1, 8)

    def __init__(self, seed, processor=None):
        self.process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        own = max(os.sched_getaffinity(0)) if processor is None else processor
        os.sched_setaffinity(self.process.pid, {own})
        self.ended, self.burnt_s, self.chance = threading.Event(), 0.0, random.Random(seed)
        self.thread = threading.Thread(target=self.work)
        self.process.send_signal(signal.SIGSTOP)
        self.thread.start()

    def work(self):
        while not self.ended.wait(self.chance.uniform(*self.QUIET_S)):
            self.process.send_signal(signal.SIGCONT)
            span = self.chance.uniform(*self.BURNING_S)
            self.ended.wait(span)
            self.burnt_s += span
            self.process.send_signal(signal.SIGSTOP)

    def close(self):
        self.ended.set()
        self.thread.join()
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.close()


class Fidget(Burner):
    """Burns one processor half of the time, for 0.2 to 2 s."""

    QUIET_S, BURNING_S = (0.2, 2), (0.2, 2)


class Shaker:
    """A node that is never idle: one Fidget on each processor."""

    def __init__(self, seed):
        self.parts = [Fidget(seed + cpu, cpu) for cpu in sorted(os.sched_getaffinity(0))]

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        for part in self.parts:
            part.close()
