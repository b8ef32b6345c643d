#!/usr/bin/env bash
# wait4(2) gives the peak resident memory of the process that ended (ru_maxrss), and benchmark tools record it. One expects
# that of the program. Linux keeps in it what the process had before exec, and a child of vfork or posix_spawn has its
# parent's memory then: /bin/true needs 400 MiB when a parent of 400 MiB starts it. VmHWM of /proc/PID/status begins anew.
# Needs Linux and python3.10 or later (whose subprocess uses vfork).
set -euo pipefail
uname -sr
python3 --version
python3 - <<'PYTHON'
import os
import subprocess


def peak(command):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    text = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return usage.ru_maxrss // 1024, text


small, _ = peak(["/bin/true"])
held = bytearray(b"x") * (400 << 20)
large, _ = peak(["/bin/true"])
_, text = peak(["grep", "VmHWM", "/proc/self/status"])
own = int(text.split()[1]) // 1024
print(f"expected: /bin/true has the same peak, {small} MiB or so, whoever starts it")
print(f"seen: {large} MiB from a parent of {len(held) >> 20} MiB; by VmHWM such a child has {own} MiB")
raise SystemExit(0 if large >= 400 and own < 40 else 1)
PYTHON
