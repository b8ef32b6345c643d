#!/usr/bin/env bash
# A batch span processor whose queue is full drops spans. One expects the new ones to be dropped. Python's
# drops the oldest that wait: what arrives is the beginning and the end of a burst, with a hole in between, and the log says
# "Queue full" once for 85 that are lost. Who counts lost records by the last one that arrived
# sees none. Needs python3 with venv.
set -euo pipefail
version=1.45.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{ python3 -m venv "$folder/env" && "$folder/env/bin/pip" -q install "opentelemetry-sdk==$version"; } || exit 2
cat >"$folder/probe.py" <<'PYTHON'
import io
import logging
import threading

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

gate, taken, seen, log = threading.Event(), threading.Event(), [], io.StringIO()


class Slow(SpanExporter):
    def export(self, spans):
        taken.set()
        gate.wait()
        seen.extend(int(span.name) for span in spans)
        return SpanExportResult.SUCCESS


logging.basicConfig(stream=log)
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(Slow(), max_queue_size=10, max_export_batch_size=5, schedule_delay_millis=60000))
tracer = provider.get_tracer("probe")
for number in range(100):
    tracer.start_span(str(number)).end()
    if number == 4:
        taken.wait()
gate.set()
provider.shutdown()
print("expected: of 100 spans with room for 5 + 10 the first 15 arrive")
print(f"seen: {seen[0]}-{seen[4]} and {seen[5]}-{seen[-1]} arrive, {log.getvalue().count('Queue full')} line of the log for {100 - len(seen)} lost")
raise SystemExit(0 if seen == list(range(5)) + list(range(90, 100)) and log.getvalue().count("Queue full") == 1 else 1)
PYTHON
echo "opentelemetry-sdk $version for Python"
"$folder/env/bin/python" "$folder/probe.py"
