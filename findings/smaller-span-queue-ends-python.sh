#!/usr/bin/env bash
# A small service shall hold fewer spans: OTEL_BSP_MAX_QUEUE_SIZE=100, and nothing else is set. One expects batches that become
# smaller with the queue, as in Java, JavaScript and Go. Python's batch processor raises an error, since the batch's default of 512
# is larger than the queue: a variable of the environment ends the program, or it runs on without spans. Needs python3 with venv.
set -euo pipefail
version=1.45.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{ python3 -m venv "$folder/env" && "$folder/env/bin/pip" -q install "opentelemetry-sdk==$version"; } || exit 2
cat >"$folder/probe.py" <<'PYTHON'
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

exporter = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(exporter))
for _ in range(50):
    provider.get_tracer("probe").start_span("call").end()
provider.force_flush()
print(len(exporter.get_finished_spans()), "spans")
PYTHON
export OTEL_BSP_MAX_QUEUE_SIZE=100
seen=$("$folder/env/bin/python" "$folder/probe.py" 2>&1 | tail -n 1) || true
echo "opentelemetry-sdk $version for Python, with OTEL_BSP_MAX_QUEUE_SIZE=100"
echo "expected: 50 spans"
echo "seen: $seen"
[[ $seen == ValueError:*max_export_batch_size* ]]
