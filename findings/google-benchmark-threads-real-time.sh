#!/usr/bin/env bash
# Google Benchmark with UseRealTime() and Threads(4): each of four threads sleeps 2 ms a call. One expects 2 ms of real time a call. Up to
# 1.8 it is divided by the threads, 0.5 ms, since 1.9.0 it is not: who upgrades sees each benchmark of several threads get slower by as
# many times, and the file tells of no change but the version. Needs Debian 12, which has 1.7.1, and g++.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >probe.cc <<'CXX'
#include <benchmark/benchmark.h>
#include <chrono>
#include <thread>

static void probe(benchmark::State &state) {
    for (auto _ : state)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
}
BENCHMARK(probe)->ThreadRange(1, 4)->UseRealTime()->Iterations(100)->Unit(benchmark::kMicrosecond);
BENCHMARK_MAIN();
CXX
chmod 755 .
apt-get -q download libbenchmark-dev=1.7.1-1 libbenchmark1debian=1.7.1-1 >/dev/null 2>&1 || exit 2
for file in ./*.deb; do dpkg -x "$file" root; done
library=$(echo root/usr/lib/*/libbenchmark.so.1.7.1)
g++ -std=c++17 -Iroot/usr/include probe.cc "$library" -Wl,-rpath,"$PWD/${library%/*}" -pthread -o probe || exit 2
./probe --benchmark_format=csv 2>/dev/null >said
one=$(awk -F, '/threads:1/ { printf "%.0f", $3 }' said)
four=$(awk -F, '/threads:4/ { printf "%.0f", $3 }' said)
echo "Google Benchmark 1.7.1, threads that sleep 2,000 µs a call"
echo "expected: 2,000 µs or more of one thread and of four"
echo "seen: $one µs of one, $four µs of four"
[ "$one" -ge 2000 ] && [ "$four" -lt 1000 ]
