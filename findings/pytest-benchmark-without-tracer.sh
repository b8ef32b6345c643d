#!/usr/bin/env bash
# The overhead of a monitor that uses sys.setprofile() or sys.settrace() shall be measured by pytest-benchmark. One expects the monitor to be
# active in what is measured. pytest-benchmark takes both functions away before each round and puts them back after it: the
# monitor sees one call of a thousand, the one that is not measured, and its overhead is 0. Needs python3 with venv.
set -euo pipefail
version=5.3.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{ python3 -m venv "$folder/env" && "$folder/env/bin/pip" -q install "pytest-benchmark==$version"; } || exit 2
cat >"$folder/test_probe.py" <<'PYTHON'
import sys

import pytest

seen = {"calls": 0, "settrace": 0, "setprofile": 0}


def method():
    seen["calls"] += 1


def watch(name):
    def watcher(frame, event, _):
        if event == "call" and frame.f_code is method.__code__:
            seen[name] += 1
    return watcher


@pytest.mark.parametrize("name", ["settrace", "setprofile"])
def test_call(benchmark, name):
    for counter in seen:
        seen[counter] = 0
    getattr(sys, name)(watch(name))
    try:
        benchmark.pedantic(method, rounds=100, iterations=10)
    finally:
        getattr(sys, name)(None)
    print("saw", name, seen[name], "of", seen["calls"])
PYTHON
cd "$folder"
env/bin/python -m pytest -q -s test_probe.py >said 2>&1 || {
    cat said >&2
    exit 2
}
echo "pytest-benchmark $version, $(python3 --version)"
echo "expected: both monitors see all calls"
echo "seen: $(grep -o 'saw .*' said | paste -sd ';')"
read -r _ _ traced _ calls < <(grep -o 'saw settrace .*' said)
read -r _ _ profiled _ all < <(grep -o 'saw setprofile .*' said)
[ "$calls $all" = "1001 1001" ] && [ "$traced $profiled" = "1 1" ]
