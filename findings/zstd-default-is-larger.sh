#!/usr/bin/env bash
# A level of compression is chosen once, for the history of years. One expects a higher one to take longer and to make the file smaller. Times of
# calls, a number a line, have no phrases to find, only digits: zstd's default, level 3, makes them larger than level 1 does, and
# level 19 takes dozens of times as long for less than a hundredth. Needs zstd and python3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 - <<'PYTHON'
import math
import random

random.seed(1)
with open("calls", "w", encoding="ascii") as file:
    file.writelines(f"{int(math.exp(random.gauss(11, 0.4)))}\n" for _ in range(200000))
PYTHON
# packed LEVEL: "BYTES MILLISECONDS"
packed() {
    local begun
    begun=$(date +%s%N)
    zstd -q "-$1" -c calls >"calls.$1" || exit 2
    echo "$(stat -c %s "calls.$1") $((($(date +%s%N) - begun) / 1000000))"
}
read -r one one_ms < <(packed 1)
read -r three three_ms < <(packed 3)
read -r nineteen nineteen_ms < <(packed 19)
zstd --version | sed 's/.*CLI [^v]*\(v[0-9.]*\).*/zstd \1/'
echo "expected: 200,000 times of calls, log-normal, $(stat -c %s calls) bytes: level 3 makes less of them than level 1, and 19 much less"
echo "seen: level 1 $one bytes ($one_ms ms), 3 $three ($three_ms ms), 19 $nineteen ($nineteen_ms ms)"
[ $((three * 100)) -gt $((one * 101)) ] && [ $((nineteen * 100)) -gt $((one * 99)) ]
