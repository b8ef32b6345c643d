#!/usr/bin/env bash
# OTLP lets a collector answer 200 and reject spans (partial_success.rejected_spans). One expects the exporter to say so.
# Python's exporter over HTTP answers SUCCESS and logs nothing about it, so whoever counts lost records by the exporter's
# result counts none. Needs python3 with venv.
set -euo pipefail
version=1.45.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{ python3 -m venv "$folder/env" && "$folder/env/bin/pip" -q install "opentelemetry-sdk==$version" "opentelemetry-exporter-otlp-proto-http==$version"; } || exit 2
cat >"$folder/probe.py" <<'PYTHON'
import http.server
import io
import logging
import threading

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

rejected, results, log = [0], [], io.StringIO()


class Collector(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        request = ExportTraceServiceRequest.FromString(self.rfile.read(int(self.headers["Content-Length"])))
        answer = ExportTraceServiceResponse()
        answer.partial_success.rejected_spans = sum(
            len(scope.spans) for resource in request.resource_spans for scope in resource.scope_spans)
        answer.partial_success.error_message = "over quota"
        rejected[0] += answer.partial_success.rejected_spans
        body = answer.SerializeToString()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Exporter(OTLPSpanExporter):
    def export(self, spans):
        result = super().export(spans)
        results.append(result.name)
        return result


collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
threading.Thread(target=collector.serve_forever, daemon=True).start()
logging.basicConfig(stream=log, level=logging.DEBUG)
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(Exporter(endpoint=f"http://127.0.0.1:{collector.server_port}/v1/traces")))
for _ in range(3):
    with provider.get_tracer("probe").start_as_current_span("call"):
        pass
provider.shutdown()
told = [line for line in log.getvalue().splitlines() if "reject" in line.lower() or "quota" in line or "partial" in line.lower()]
print("expected: 3 spans rejected, and the exporter says so")
print(f"seen: {rejected[0]} spans rejected, results {results}, lines of the log about it: {len(told)}")
raise SystemExit(0 if rejected[0] == 3 and results == ["SUCCESS"] * 3 and not told else 1)
PYTHON
echo "opentelemetry-exporter-otlp-proto-http $version"
"$folder/env/bin/python" "$folder/probe.py"
