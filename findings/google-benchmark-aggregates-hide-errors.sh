#!/usr/bin/env bash
# Google Benchmark with --benchmark_report_aggregates_only: one of four repetitions ends with SkipWithError. One expects the aggregates to say
# that they are of three, or that there was an error. Up to 1.9.5 mean and deviation are of three, and each row says repetitions 4 and
# iterations 4, without an error: who makes an interval of them has a quarter too many values. Needs Debian 12, which has 1.7.1, and g++.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >probe.cc <<'CXX'
#include <benchmark/benchmark.h>
#include <chrono>

static void probe(benchmark::State &state) {
    static int runs = 0;
    const int run = ++runs;
    for (auto _ : state) {
        if (run == 2) {
            state.SkipWithError("no receiver");
            break;
        }
        state.SetIterationTime(run * 1e-3);
    }
}
BENCHMARK(probe)->Repetitions(4)->Iterations(1)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
CXX
chmod 755 .
apt-get -q download libbenchmark-dev=1.7.1-1 libbenchmark1debian=1.7.1-1 >/dev/null 2>&1 || exit 2
for file in ./*.deb; do dpkg -x "$file" root; done
library=$(echo root/usr/lib/*/libbenchmark.so.1.7.1)
g++ -std=c++17 -Iroot/usr/include probe.cc "$library" -Wl,-rpath,"$PWD/${library%/*}" -pthread -o probe || exit 2
./probe --benchmark_report_aggregates_only --benchmark_format=json >out.json 2>/dev/null
python3 - >said <<'PYTHON'
import json

rows = json.load(open("out.json"))["benchmarks"]
mean = next(row for row in rows if row["run_name"].startswith("probe") and row.get("aggregate_name") == "mean")
print(f"{mean['real_time']:.3f}", mean["repetitions"], mean["iterations"], sum("error_occurred" in row for row in rows))
PYTHON
read -r mean repetitions iterations errors <said
echo "Google Benchmark 1.7.1, repetitions of 1, an error, 3 and 4 ms"
echo "expected: a mean of 2.667 ms of 3 values, or an error"
echo "seen: a mean of $mean ms, repetitions $repetitions, iterations $iterations, rows with an error: $errors"
[ "$mean" = 2.667 ] && [ "$repetitions" = 4 ] && [ "$iterations" = 4 ] && [ "$errors" = 0 ]
