#!/usr/bin/env bash
# pyinstrument is a statistical profiler: it looks at the stack once in an interval. One expects that its cost goes with the
# number of samples, and that an interval longer than the program costs nothing. It sets a profile function to learn when the interval is
# over, which each call and each return pays for: an empty function costs some ten times as much, and with no sample at all
# still the most of it. Needs python3 with venv.
set -euo pipefail
version=5.1.3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{ python3 -m venv "$folder/env" && "$folder/env/bin/pip" -q install "pyinstrument==$version"; } || exit 2
cat >"$folder/probe.py" <<'PYTHON'
import platform
import time

import pyinstrument


def call():
    pass


def cheapest_ns():
    best = float("inf")
    for _ in range(20):
        begin = time.perf_counter_ns()
        for _ in range(100000):
            call()
        best = min(best, (time.perf_counter_ns() - begin) / 100000)
    return best


def profiled_ns(interval):
    profiler = pyinstrument.Profiler(interval=interval)
    profiler.start()
    seen = cheapest_ns()
    return seen, profiler.stop().sample_count


alone = cheapest_ns()
often, samples = profiled_ns(0.001)
never, none = profiled_ns(3600)
print(f"Python {platform.python_version()}, pyinstrument {pyinstrument.__version__}")
print("expected: a call costs about the same with no sample as without the profiler")
print(f"seen: {alone:.0f} ns alone, {often:.0f} ns with an interval of 1 ms ({samples} samples), {never:.0f} ns with one of an hour ({none} samples)")
raise SystemExit(0 if none <= 1 and never > 3 * alone else 1)
PYTHON
"$folder/env/bin/python" "$folder/probe.py"
