"""A neighbour of a busy host: burns the last processor for 1 to 8 s, then leaves it alone for 5 to 40."""
import os
import random
import signal
import subprocess
import sys
import threading


class Burner:
    """seed: of when it burns."""

    def __init__(self, seed):
        self.process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        os.sched_setaffinity(self.process.pid, {max(os.sched_getaffinity(0))})
        self.ended, self.burnt_s, self.chance = threading.Event(), 0.0, random.Random(seed)
        self.thread = threading.Thread(target=self.work)
        self.process.send_signal(signal.SIGSTOP)
        self.thread.start()

    def work(self):
        while not self.ended.wait(self.chance.uniform(5, 40)):
            self.process.send_signal(signal.SIGCONT)
            span = self.chance.uniform(1, 8)
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
