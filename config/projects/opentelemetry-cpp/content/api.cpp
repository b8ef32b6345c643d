// The API alone: there is no SDK to see.
#include "scenario.h"

#include <opentelemetry/metrics/provider.h>

static void nothing(benchmark::State &state) {
    measure(state, [] { benchmark::ClobberMemory(); });
}
BENCHMARK(nothing);

static void increment(benchmark::State &state) {
    auto provider = opentelemetry::metrics::Provider::GetMeterProvider();
    increment_of(state, provider);
}
BENCHMARK(increment);

BENCHMARK_MAIN();
