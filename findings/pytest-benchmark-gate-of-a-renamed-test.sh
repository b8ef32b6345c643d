#!/usr/bin/env bash
# pytest-benchmark's --benchmark-compare-fail=mean:5% fails a build when a benchmark became slower. One expects it to say so
# when there is nothing to compare with, since a benchmark was renamed: it prints the table, says nothing, and passes, though
# the code is hundreds of times slower. Needs python3 with venv.
set -euo pipefail
version=5.3.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
{ python3 -m venv env && env/bin/pip -q install "pytest==9.2.0" "pytest-benchmark==$version"; } || exit 2
cat >test_probe.py <<'PYTHON'
def test_call(benchmark):
    benchmark(lambda: sum(range(100)))
PYTHON
env/bin/pytest -q --benchmark-save=before . >/dev/null 2>&1
sed -i 's/range(100)/range(100000)/' test_probe.py
same=0
env/bin/pytest -q --benchmark-compare --benchmark-compare-fail=mean:5% . >log 2>&1 || same=$?
sed -i 's/test_call/test_renamed/' test_probe.py
renamed=0
env/bin/pytest -q --benchmark-compare --benchmark-compare-fail=mean:5% . >log 2>&1 || renamed=$?
echo "pytest-benchmark $version"
echo "expected: the gate fails, or says that it compared nothing, for a slower test with its name and with another"
echo "seen: status $same with the same name, $renamed with another; lines that tell: $(grep -ciE 'missing|no match|nothing|not found|performance has regressed' log || true)"
[ "$same" != 0 ] && [ "$renamed" = 0 ] && ! grep -qiE 'missing|no match|nothing|not found' log
