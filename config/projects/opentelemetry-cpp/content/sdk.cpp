// The same call with the SDK, which counts in memory.
#include "scenario.h"

#include <opentelemetry/sdk/metrics/meter_provider.h>
#include <opentelemetry/sdk/metrics/metric_reader.h>

#include <memory>

namespace metrics = opentelemetry::sdk::metrics;

// It never collects by itself.
class Memory : public metrics::MetricReader {
public:
    metrics::AggregationTemporality GetAggregationTemporality(metrics::InstrumentType) const noexcept override {
        return metrics::AggregationTemporality::kCumulative;
    }

private:
    bool OnForceFlush(std::chrono::microseconds) noexcept override { return true; }
    bool OnShutDown(std::chrono::microseconds) noexcept override { return true; }
};

static void increment(benchmark::State &state) {
    auto provider = std::make_shared<metrics::MeterProvider>();
    provider->AddMetricReader(std::make_shared<Memory>());
    increment_of(state, provider);
}
BENCHMARK(increment);

BENCHMARK_MAIN();
