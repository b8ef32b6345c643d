#!/usr/bin/env bash
# A call is monitored in Python, and its spans are over. One expects them to be freed at once, when the last reference to them ends:
# timeit measures with the garbage collector off. Spans of OpenTelemetry and of Sentry leave nothing behind. Each transaction of Elastic's agent
# with one span leaves 18 objects that refer to each other. They wait for the collector, whose work such a benchmark leaves
# out of the overhead, and its memory grows by each call. Needs python3 with venv.
set -euo pipefail
elastic=6.26.2 opentelemetry=1.45.2 sentry=2.75.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{ python3 -m venv "$folder/env" && "$folder/env/bin/pip" -q install "elastic-apm==$elastic" "opentelemetry-sdk==$opentelemetry" "sentry-sdk==$sentry"; } || exit 2
cat >"$folder/probe.py" <<'PYTHON'
import gc

import elasticapm
import sentry_sdk
from opentelemetry.sdk.trace import TracerProvider

tracer = TracerProvider().get_tracer("probe")
client = elasticapm.Client(service_name="probe", server_url="http://127.0.0.1:9", disable_send=True, metrics_interval="0s",
                           central_config=False, cloud_provider="none")


class Forgetting(sentry_sdk.Transport):
    def capture_envelope(self, envelope):
        pass


sentry_sdk.init(dsn="http://key@127.0.0.1:9/1", transport=Forgetting, traces_sample_rate=1.0, default_integrations=False,
                auto_enabling_integrations=False)


def elastic():
    client.begin_transaction("request")
    with elasticapm.capture_span("query"):
        pass
    client.end_transaction("call", "ok")


def opentelemetry():
    with tracer.start_as_current_span("call"), tracer.start_as_current_span("query"):
        pass


def sentry():
    with sentry_sdk.start_transaction(name="call"), sentry_sdk.start_span(name="query"):
        pass


def left(call):
    for _ in range(50):
        call()
    gc.collect()
    gc.disable()
    for _ in range(1000):
        call()
    found = gc.collect()
    gc.enable()
    return found


print(*(left(call) for call in (opentelemetry, sentry, elastic)))
PYTHON
read -r in_opentelemetry in_sentry in_elastic < <("$folder/env/bin/python" "$folder/probe.py" 2>/dev/null)
echo "elastic-apm $elastic, opentelemetry-sdk $opentelemetry, sentry-sdk $sentry for $(python3 --version)"
echo "expected: 1000 monitored calls leave nothing for the garbage collector"
echo "seen (objects that only the collector frees): OpenTelemetry $in_opentelemetry, Sentry $in_sentry, Elastic $in_elastic"
[ "$in_opentelemetry" -lt 100 ] && [ "$in_sentry" -lt 100 ] && [ "$in_elastic" -ge 10000 ]
