#!/usr/bin/env bash
# hyperfine's JSON has memory_usage_byte for each run of each command, as it has times. One expects the memory of that run. It is the most
# that any child of hyperfine has needed so far: after a program of 300 MB each later command needs 300 MB, too, so
# "with" and "without" a monitor are the same when the larger one comes first. Needs cargo and python3.
set -euo pipefail
version=1.20.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cargo install --quiet --root "$folder" --locked "hyperfine@$version" >"$folder/log" 2>&1 || {
    cat "$folder/log" >&2
    exit 2
}
memory() { # commands: the memory of each in MiB, of its median run
    "$folder/bin/hyperfine" --shell=none --runs 3 --export-json "$folder/out.json" "$@" >/dev/null 2>&1
    python3 -c 'import json, statistics, sys
print(*(round(statistics.median(r["memory_usage_byte"]) / 2**20) for r in json.load(open(sys.argv[1]))["results"]))' "$folder/out.json"
}
large="python3 -c 'bytearray(300 << 20)'"
alone=$(memory /bin/true)
read -r first second < <(memory "$large" /bin/true)
"$folder/bin/hyperfine" --version
echo "expected: /bin/true needs $alone MiB, whatever was measured before it"
echo "seen: after a program of $first MiB it needs $second MiB"
[ "$alone" -lt 50 ] && [ "$first" -ge 300 ] && [ "$second" -ge 300 ]
