#!/usr/bin/env bash
# The user's and the system's part of a program's processor time, as `time`, hyperfine and getrusage(2) tell them to the microsecond. One expects
# of a program that computes for three milliseconds and asks the kernel for nothing that they are the user's. The sum is exact; it
# is parted by what the ticks of the clock, 100 to 1,000 a second, have met. A short program meets one or none: its time is all the
# user's, or all the system's, and a monitor that makes system calls cannot be told from one that computes. Needs Linux and a C compiler.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >probe.c <<'C'
#include <stdlib.h>

int main(int count, char **words) {
    volatile unsigned long sum = 0;
    for (unsigned long i = strtoul(words[count - 1], NULL, 10); i > 0; i--)
        sum += i;
    return 0;
}
C
gcc -O1 -o probe probe.c || exit 2
cat >run.py <<'PYTHON'
import os
import subprocess


def took(rounds):
    """(the user's, the system's) ms"""
    process = subprocess.Popen(["./probe", str(rounds)])
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return 1e3 * usage.ru_utime, 1e3 * usage.ru_stime


rounds = 1000000
while sum(took(rounds)) < 50:
    rounds *= 2
rounds = int(rounds * 3 / sum(took(rounds)))
runs = [took(rounds) for _ in range(300)]
user, system = sum(not one[1] for one in runs), sum(not one[0] for one in runs)
print(f"expected: of 300 runs of {sorted(map(sum, runs))[150]:.1f} ms nearly all is the user's, and a little the system's, in each")
print(f"seen: {user} are the user's alone, {system} the system's alone, {300 - user - system} have both")
raise SystemExit(0 if system >= 5 and user + system >= 200 else 1)
PYTHON
uname -sr
python3 run.py
