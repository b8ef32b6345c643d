#!/usr/bin/env bash
# force_flush(timeout_millis) of Python's tracer provider takes a limit. One expects it to return after it, and to return
# False where spans are still under way, as the specification says. It waits for the exporter as long as that
# takes, and returns True. A benchmark that ends with a flush "of at most 300 ms" measures the receiver. Needs python3 with venv.
set -euo pipefail
version=1.45.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{ python3 -m venv "$folder/env" && "$folder/env/bin/pip" -q install "opentelemetry-sdk==$version"; } || exit 2
cat >"$folder/probe.py" <<'PYTHON'
import time

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult


class Slow(SpanExporter):
    def export(self, spans):
        time.sleep(3)
        return SpanExportResult.SUCCESS


provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(Slow(), schedule_delay_millis=60000))
provider.get_tracer("probe").start_span("call").end()
begin = time.monotonic()
answer = provider.force_flush(timeout_millis=300)
took = time.monotonic() - begin
print("expected: False after .3 s, for an exporter that takes 3 s")
print(f"seen: {answer} after {took:.1f} s")
raise SystemExit(0 if answer is True and took > 2.5 else 1)
PYTHON
echo "opentelemetry-sdk $version for Python"
"$folder/env/bin/python" "$folder/probe.py"
