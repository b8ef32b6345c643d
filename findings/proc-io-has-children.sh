#!/usr/bin/env bash
# /proc/PID/io says what a process has read and written. One expects that of the process, as its processor time in /proc/PID/stat has
# that of its children in fields of their own. A child that has ended and was waited for is in it, with all that it read and wrote, and
# nothing tells the two apart: a program that starts compressors or a shell is charged for their bytes when they end. Needs Linux and python3.
set -euo pipefail
uname -sr
python3 --version
python3 - <<'PYTHON'
import subprocess


def written():
    with open("/proc/self/io", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("wchar:"))


before = written()
child = subprocess.Popen(["dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=100", "status=none"])
child.wait()
mib = (written() - before) / (1 << 20)
print("expected: a process whose child wrote 100 MiB has written about 0 MiB itself")
print(f"seen: wchar rose by {mib:.1f} MiB")
raise SystemExit(not 100 <= mib < 101)
PYTHON
