#!/usr/bin/env bash
# py-spy samples from another process; one expects that the watched program runs on meanwhile, or that its own clocks show what it loses. It is
# stopped for each sample, for as long as reading its stack takes: with a stack of 200 and 1,000 samples a second it does less than half of its
# work. Its processor time for a piece of work is what it was, so neither the program nor `time` shows it. Needs python3 with venv.
set -euo pipefail
version=0.4.3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{ python3 -m venv "$folder/env" && "$folder/env/bin/pip" -q install "py-spy==$version"; } || exit 2
cat >"$folder/probe.py" <<'PYTHON'
import time


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def below(depth):
    return below(depth - 1) if depth else fib(16)


pieces, wall, processor = 0, time.monotonic(), time.process_time()
while time.monotonic() < wall + 5:
    below(200)
    pieces += 1
print(round(pieces / (time.monotonic() - wall)), round(pieces / (time.process_time() - processor)))
PYTHON
cd "$folder"
read -r alone_wall alone_processor < <(env/bin/python probe.py)
read -r wall processor < <(env/bin/py-spy record --rate 1000 --format raw --output out -- env/bin/python probe.py 2>log | grep '^[0-9]* [0-9]*$') || {
    cat log >&2
    exit 2
}
echo "py-spy $version"
echo "expected: as many pieces of work a second with py-spy, or fewer a second of processor time, too"
echo "seen: $alone_wall alone and $wall with py-spy; a second of processor time $alone_processor and $processor"
[ $((2 * wall)) -lt "$alone_wall" ] && [ $((10 * processor)) -gt $((7 * alone_processor)) ]
