#!/usr/bin/env bash
# A test calls pytest-benchmark's fixture, and then asserts that the answer is right: it fails. One expects the file of results to leave
# that benchmark out, or to mark it. It is there as the good ones are, without a mark, so that a faster wrong answer is an improvement
# to all who read the file. Needs python3 with venv.
set -euo pipefail
version=5.3.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
{ python3 -m venv env && env/bin/pip -q install "pytest==9.2.0" "pytest-benchmark==$version"; } || exit 2
cat >test_probe.py <<'PYTHON'
def test_right(benchmark):
    assert benchmark(sum, range(100)) == 4950


def test_wrong(benchmark):
    assert benchmark(sum, range(10)) == 4950
PYTHON
status=0
env/bin/pytest -q --benchmark-json=out.json . >/dev/null 2>&1 || status=$?
python3 - >said <<'PYTHON'
import json

file = json.load(open("out.json"))
found = {one["name"]: one for one in file["benchmarks"]}
wrong, right = found.get("test_wrong"), found["test_right"]
print(len(found), "alike" if wrong and wrong.keys() == right.keys() else "marked", "fail" in json.dumps(wrong).lower())
PYTHON
read -r count keys marked <said
echo "pytest-benchmark $version, a test that passes and one that fails: pytest ends with $status"
echo "expected: one benchmark in the file, or a mark beside the other"
echo "seen: $count benchmarks, their members are $keys, the word fail in the failed one: $marked"
[ "$status" = 1 ] && [ "$count" = 2 ] && [ "$keys" = alike ] && [ "$marked" = False ]
