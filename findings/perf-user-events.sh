#!/usr/bin/env bash
# `perf stat` of a user who is not root counts with :u, what the program itself does outside the kernel. One expects task-clock:u to be the
# user's part of the processor time. It is all of it, the kernel's part, too, and the instructions beside it are not; context
# switches happen in the kernel, so context-switches:u is 0 whatever happens. Needs Linux, perf that may count, and python3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/probe.py" <<'PYTHON'
import os
import resource
import time

zero, null = os.open("/dev/zero", os.O_RDONLY), os.open("/dev/null", os.O_WRONLY)
buffer = bytearray(1 << 20)
for _ in range(5000):
    os.readv(zero, [buffer])
for _ in range(100):
    time.sleep(0.001)
usage = resource.getrusage(resource.RUSAGE_SELF)
print(int(1000 * usage.ru_utime), int(1000 * usage.ru_stime), usage.ru_nvcsw)
PYTHON
perf stat -x ' ' -o "$folder/told" -e task-clock:u,context-switches:u python3 "$folder/probe.py" >"$folder/said" || exit 2
read -r user system switches <"$folder/said"
clock=$(awk '/task-clock/ { printf "%.0f", $1 }' "$folder/told")
counted=$(awk '/context-switches/ { print $1 }' "$folder/told")
uname -sr
perf --version
echo "expected: task-clock:u is about $user ms, as the other $system ms are the kernel's; $switches context switches or more"
echo "seen: task-clock:u $clock ms, context-switches:u $counted"
[ "$system" -gt $((2 * user)) ] && [ "$clock" -ge "$system" ] && [ "$switches" -ge 100 ] && [ "$counted" = 0 ]
