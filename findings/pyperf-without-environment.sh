#!/usr/bin/env bash
# OTEL_SDK_DISABLED=true python3 bench.py shall measure a disabled SDK by pyperf. One expects the variable to be there, as in any child.
# pyperf measures in processes that it starts with an environment of its own making, in which PATH, HOME and little else is kept: spans are made and
# recorded, and the result is that of an SDK that is on. --inherit-environ names what shall be handed on. Needs python3 with venv.
set -euo pipefail
version=2.11.0 sdk=1.45.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{ python3 -m venv "$folder/env" && "$folder/env/bin/pip" -q install "pyperf==$version" "opentelemetry-sdk==$sdk"; } || exit 2
cd "$folder"
cat >bench.py <<'PYTHON'
import pyperf
from opentelemetry.sdk.trace import TracerProvider

tracer = TracerProvider().get_tracer("probe")
runner = pyperf.Runner(processes=1, values=1, warmups=0, loops=10)
runner.metadata["recording"] = str(tracer.start_span("call").is_recording())
runner.bench_func("span", lambda: tracer.start_span("call").end())
PYTHON
recording() { # options: whether the spans that were measured record
    OTEL_SDK_DISABLED=true env/bin/python bench.py --quiet -o out.json "$@" >said 2>&1 || {
        cat said >&2
        exit 2
    }
    env/bin/python -m pyperf metadata out.json | sed -n 's/^- recording: //p'
    rm out.json
}
plain=$(recording)
named=$(recording --inherit-environ=OTEL_SDK_DISABLED)
echo "pyperf $version, opentelemetry-sdk $sdk for Python, with OTEL_SDK_DISABLED=true"
echo "expected: the spans that are measured do not record"
echo "seen: recording: $plain; with --inherit-environ=OTEL_SDK_DISABLED: $named"
[ "$plain" = True ] && [ "$named" = False ]
