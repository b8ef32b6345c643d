#!/usr/bin/env bash
# sys.setprofile() sets the profile function of the calling thread. One expects other threads to run as before. With 3.12
# (PEP 669) and later one thread with a profile function makes each call of every thread dearer, and that stays after the
# thread has ended: whoever measures a call after a profiler ran elsewhere measures another program.
# Needs Python 3.12 or later (PYTHON says which).
set -euo pipefail
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' || {
    echo "this needs Python 3.12 or later; PYTHON says which" >&2
    exit 2
}
"$python" - <<'PYTHON'
import sys
import threading
import time


def call():
    pass


def cheapest():
    best = float("inf")
    for _ in range(20):
        begin = time.perf_counter_ns()
        for _ in range(100000):
            call()
        best = min(best, (time.perf_counter_ns() - begin) / 100000)
    return best


before = cheapest()
ready, end = threading.Event(), threading.Event()


def profiled():
    sys.setprofile(lambda *_: None)
    ready.set()
    end.wait()


thread = threading.Thread(target=profiled)
thread.start()
ready.wait()
during = cheapest()
end.set()
thread.join()
after = cheapest()
print("Python", sys.version.split()[0])
print(f"expected: a call costs {before:.0f} ns before, while and after another thread has a profile function")
print(f"seen: {before:.0f}, {during:.0f} and {after:.0f} ns; this thread's profile function: {sys.getprofile()}")
raise SystemExit(0 if during > 1.5 * before and after > 1.5 * before and sys.getprofile() is None else 1)
PYTHON
