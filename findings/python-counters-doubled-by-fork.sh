#!/usr/bin/env bash
# A server forks its workers, as gunicorn and multiprocessing do, when it has counted and traced something itself. One expects a
# worker to export what it did. OpenTelemetry's batch processor for spans forgets in the worker what the parent has queued; the metrics next to
# it do not: each worker's counter goes on where the parent's was, and four workers that did nothing export the parent's orders four
# times more. Needs python3 with venv.
set -euo pipefail
version=1.45.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
{ python3 -m venv env && env/bin/pip -q install "opentelemetry-sdk==$version"; } >&2 || exit 2
cat >probe.py <<'PYTHON'
import os

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import MetricExporter, MetricExportResult, PeriodicExportingMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

WORKERS = 4


def write(line):
    os.write(told, (line + "\n").encode())


class Spans(SpanExporter):
    def export(self, spans):
        write(f"spans {len(spans)}")
        return SpanExportResult.SUCCESS


class Metrics(MetricExporter):
    def export(self, metrics_data, timeout_millis=10000, **_):
        for resource in metrics_data.resource_metrics:
            for scope in resource.scope_metrics:
                for metric in scope.metrics:
                    if metric.name == "orders":
                        write(f"orders {metric.data.data_points[0].value}")
        return MetricExportResult.SUCCESS

    def shutdown(self, timeout_millis=30000, **_):
        pass

    def force_flush(self, timeout_millis=10000):
        return True


told = os.open("told", os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
tracing = TracerProvider()
tracing.add_span_processor(BatchSpanProcessor(Spans(), schedule_delay_millis=600000))
counting = MeterProvider([PeriodicExportingMetricReader(Metrics(), export_interval_millis=600000)])
for _ in range(10):
    tracing.get_tracer("probe").start_span("order").end()
counting.get_meter("probe").create_counter("orders").add(10)
children = []
for _ in range(WORKERS):
    child = os.fork()
    if not child:
        tracing.force_flush()
        counting.force_flush()
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
tracing.force_flush()
counting.force_flush()
lines = open("told").read().splitlines()
spans, orders = (sum(int(line.split()[1]) for line in lines if line.startswith(kind)) for kind in ("spans", "orders"))
print("expected: 10 spans and 10 orders")
print(f"seen: {spans} spans and {orders} orders from one parent and {WORKERS} workers")
os._exit(0 if spans == 10 and orders == 10 * (1 + WORKERS) else 1)
PYTHON
echo "opentelemetry-sdk $version for Python"
env/bin/python probe.py
