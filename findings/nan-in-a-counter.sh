#!/usr/bin/env bash
# A program divides 0 by 0 once and adds the result to a counter. One expects the SDKs of OpenTelemetry to agree on what
# happens: Python's leaves the value out and says so. Go's and JavaScript's add it, and the counter is NaN for the rest of
# the process; as JSON, JavaScript's is null. In Go's histogram NaN also counts as a value above the highest bound. Needs Go,
# Node and python3 with venv.
set -euo pipefail
go=v1.47.0 python=1.45.2 js=2.12.1
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder" && rm -rf "$folder"' EXIT
cd "$folder"
cat >go.mod <<'GO'
module probe

go 1.24
GO
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"math"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

func main() {
	ctx, reader := context.Background(), metric.NewManualReader()
	meter := metric.NewMeterProvider(metric.WithReader(reader)).Meter("probe")
	counter, _ := meter.Float64Counter("counter")
	histogram, _ := meter.Float64Histogram("histogram")
	for _, value := range []float64{1, math.NaN(), 1} {
		counter.Add(ctx, value)
		histogram.Record(ctx, value)
	}
	var seen metricdata.ResourceMetrics
	_ = reader.Collect(ctx, &seen)
	metrics := seen.ScopeMetrics[0].Metrics
	point := metrics[1].Data.(metricdata.Histogram[float64]).DataPoints[0]
	fmt.Println(metrics[0].Data.(metricdata.Sum[float64]).DataPoints[0].Value, point.Count, point.BucketCounts[len(point.BucketCounts)-1])
}
GO
export GOMODCACHE=$folder/modules GOFLAGS=-mod=mod
{ go get "go.opentelemetry.io/otel/sdk/metric@$go" && python3 -m venv env && env/bin/pip -q install "opentelemetry-sdk==$python" &&
    npm install --silent --no-fund "@opentelemetry/api@1.9.0" "@opentelemetry/sdk-metrics@$js"; } >log 2>&1 || {
    cat log >&2
    exit 2
}
cat >probe.mjs <<'JS'
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";

const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60000 });
const counter = new MeterProvider({ readers: [reader] }).getMeter("probe").createCounter("counter");
for (const value of [1, NaN, 1]) counter.add(value);
await reader.forceFlush();
console.log(JSON.stringify(exporter.getMetrics()[0].scopeMetrics[0].metrics[0].dataPoints[0].value));
process.exit(0);
JS
cat >probe.py <<'PYTHON'
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

reader = InMemoryMetricReader()
counter = MeterProvider([reader]).get_meter("probe").create_counter("counter")
for value in (1.0, float("nan"), 1.0):
    counter.add(value)
print(reader.get_metrics_data().resource_metrics[0].scope_metrics[0].metrics[0].data.data_points[0].value)
PYTHON
in_go=$(go run .) in_js=$(node probe.mjs) in_python=$(env/bin/python probe.py 2>said)
echo "OpenTelemetry's SDK for Go $go, JavaScript $js, Python $python"
echo "expected: 1 + NaN + 1 is one thing in all three"
echo "seen: Go $in_go (of its histogram: values, of them above all bounds), JavaScript $in_js, Python $in_python; Python says: $(head -n 1 said)"
[ "$in_go" = "NaN 3 1" ] && [ "$in_js" = null ] && [ "$in_python" = 2.0 ] && [ -s said ]
