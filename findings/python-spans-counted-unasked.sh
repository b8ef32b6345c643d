#!/usr/bin/env bash
# A program makes spans with OpenTelemetry's SDK for Python and has no metrics. One expects that nothing is counted then, and that with
# metrics of its own it exports those. In 1.40.0 and 1.41.1 each recorded span adds to two counters of the SDK when it starts and to one when it
# ends, also when nobody collects them, and who exports metrics sends the SDK's, too. There is no switch. Since 1.42.0
# OTEL_PYTHON_SDK_INTERNAL_METRICS_ENABLED=true asks for it. Needs python3 with venv.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/probe.py" <<'PYTHON'
import sys

from opentelemetry import metrics
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider

added = 0


def profile(frame, event, _):
    global added
    if event == "call" and frame.f_code.co_name == "add" and "metrics" in frame.f_code.co_filename:
        added += 1


def spans():
    tracer = TracerProvider().get_tracer("probe")
    sys.setprofile(profile)
    for _ in range(100):
        tracer.start_span("call").end()
    sys.setprofile(None)


spans()
unasked = added
reader = InMemoryMetricReader()
metrics.set_meter_provider(MeterProvider([reader]))
metrics.get_meter("probe").create_counter("orders").add(1)
spans()
names = sorted(metric.name for resource in reader.get_metrics_data().resource_metrics
               for scope in resource.scope_metrics for metric in scope.metrics)
print(f"{unasked} counted of 100 spans without metrics; exported: {' '.join(names)}")
PYTHON
# seen VERSION
seen() {
    { python3 -m venv "$folder/$1" && "$folder/$1/bin/pip" -q install "opentelemetry-sdk==$1"; } >&2 || exit 2
    "$folder/$1/bin/python" "$folder/probe.py"
}
dear=$(seen 1.41.1)
cheap=$(seen 1.42.1)
echo "opentelemetry-sdk 1.41.1 and 1.42.1 for Python"
echo "expected: 0 counted of 100 spans without metrics; exported: orders"
echo "seen: $dear with 1.41.1"
echo "      $cheap with 1.42.1"
[[ $dear != 0\ * && $dear == *otel.sdk.span.started* && $cheap == "0 counted"*"exported: orders" ]]
