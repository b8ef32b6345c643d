#!/usr/bin/env bash
# Linux counts voluntary and involuntary context switches, and many involuntary ones are taken for a machine that others use. One
# expects a thread that gives the processor away by sched_yield(2), as Java's Thread.yield() does, to be counted as voluntary.
# It is counted as involuntary: a writer that waits by yielding makes a quiet machine look disturbed. Needs Linux and python3.
set -euo pipefail
uname -sr
python3 --version
python3 - <<'PYTHON'
import os
import resource
import sys

YIELDS = 20000


def spin():
    for _ in range(YIELDS):
        os.sched_yield()


os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
child = os.fork()
if child == 0:
    while os.getppid() != 1:
        os.sched_yield()
    os._exit(0)
before = resource.getrusage(resource.RUSAGE_SELF)
spin()
after = resource.getrusage(resource.RUSAGE_SELF)
os.kill(child, 9)
os.waitpid(child, 0)
voluntary, involuntary = after.ru_nvcsw - before.ru_nvcsw, after.ru_nivcsw - before.ru_nivcsw
print(f"expected: {YIELDS} calls of sched_yield beside another process on one processor are voluntary switches")
print(f"seen: {voluntary} voluntary, {involuntary} involuntary")
sys.exit(not (involuntary > 1000 and voluntary * 20 < involuntary))
PYTHON
