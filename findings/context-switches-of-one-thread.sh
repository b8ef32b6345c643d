#!/usr/bin/env bash
# OpenTelemetry's instrumentation of system metrics for Python tells process.context_switches, by psutil. One expects those of the
# process, as its processor time, memory and number of threads are. It reads /proc/PID/status, which has those of the first thread: a
# thread that exports or samples may wake up a thousand times, and the metric does not move. getrusage(2) has them all.
# Needs python3 with venv.
set -euo pipefail
version=0.66b2 sdk=1.45.2 psutil=7.2.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{ python3 -m venv "$folder/env" &&
    "$folder/env/bin/pip" -q install "opentelemetry-instrumentation-system-metrics==$version" "opentelemetry-sdk==$sdk" \
        "psutil==$psutil"; } || exit 2
cat >"$folder/probe.py" <<'PYTHON'
import resource
import threading
import time

from opentelemetry.instrumentation.system_metrics import SystemMetricsInstrumentor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

reader = InMemoryMetricReader()
SystemMetricsInstrumentor(config={"process.context_switches": ["voluntary"]}).instrument(meter_provider=MeterProvider([reader]))


def told():
    metrics = reader.get_metrics_data().resource_metrics[0].scope_metrics[0].metrics
    return next(m for m in metrics if m.name == "process.context_switches").data.data_points[0].value


def work():
    for _ in range(1000):
        time.sleep(0.0005)


before, counted = told(), resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw
thread = threading.Thread(target=work)
thread.start()
thread.join()
print(told() - before, resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw - counted)
PYTHON
read -r told counted < <("$folder/env/bin/python" "$folder/probe.py")
echo "opentelemetry-instrumentation-system-metrics $version, psutil $psutil"
echo "expected: a thread that sleeps 1000 times makes 1000 voluntary context switches and more"
echo "seen: process.context_switches rose by $told; getrusage tells $counted"
[ "$counted" -ge 1000 ] && [ "$told" -lt 100 ]
