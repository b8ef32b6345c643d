#!/usr/bin/env bash
# `pyperf timeit --append FILE` measures another statement into the same file. One expects two benchmarks, as the metadata of each run say
# which statement it timed. Both are called "timeit": the second is added to the first as further runs, and the mean is of two different
# programs. Needs python3 with venv.
set -euo pipefail
version=2.11.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
{ python3 -m venv env && env/bin/pip -q install "pyperf==$version"; } || exit 2
timed() { env/bin/python -m pyperf timeit -q -p 2 -n 3 -l 1000 -w 0 --append out.json "$1" >log 2>&1; }
timed 'sum(range(10))'
status=0
timed 'sum(range(1000))' || status=$?
env/bin/python - >said <<'PYTHON'
import pyperf

suite = pyperf.BenchmarkSuite.load("out.json")
first = suite.get_benchmarks()[0]
print(len(suite), first.get_nrun(), f"{max(first.get_values()) / min(first.get_values()):.0f}")
PYTHON
read -r benchmarks runs times <said
echo "pyperf $version, two statements: the second call ends with $status"
echo "expected: two benchmarks of 2 runs each"
echo "seen: $benchmarks benchmark of $runs runs, whose largest value is $times times the smallest"
[ "$status" = 0 ] && [ "$benchmarks" = 1 ] && [ "$runs" = 4 ] && [ "$times" -gt 10 ]
