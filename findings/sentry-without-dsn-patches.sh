#!/usr/bin/env bash
# A program calls sentry_sdk.init() and has no DSN, as where Sentry shall be off: "the SDK will not send any events". One expects a client that is not
# active, and an interpreter that is left alone. The client says that it is active; starting a thread or a program, asking for a page and logging
# go through the SDK from then on; and a transaction with a span makes about as many calls as it does with a DSN and no tracing.
# Needs python3 with venv.
set -euo pipefail
version=2.75.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/probe.py" <<'PYTHON'
import http.client
import logging
import subprocess
import sys
import threading

import sentry_sdk

PLACES = ((threading.Thread, "start"), (subprocess.Popen, "__init__"), (subprocess.Popen, "wait"), (http.client.HTTPConnection, "putrequest"),
          (logging.Logger, "callHandlers"), (sys, "excepthook"))
calls = 0


def profile(_, event, __):
    global calls
    calls += event == "call"


def counted():
    global calls
    calls = 0
    sys.setprofile(profile)
    with sentry_sdk.start_transaction(op="f", name="outer"):
        with sentry_sdk.start_span(op="f", name="inner"):
            pass
    sys.setprofile(None)
    return calls


before = [getattr(*place) for place in PLACES]
sentry_sdk.init()
active = sentry_sdk.get_client().is_active()
changed = sum(getattr(*place) is not one for place, one in zip(PLACES, before))
counted()
without = counted()
sentry_sdk.init(dsn="http://key@127.0.0.1:9/1")
counted()
with_dsn = counted()
print(f"is_active(): {active}; {changed} of {len(PLACES)} functions replaced; {without} calls for two spans, {with_dsn} with a DSN")
sys.exit(not (active and changed == len(PLACES) and abs(without - with_dsn) < 0.1 * with_dsn))
PYTHON
{ python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" -q install "sentry-sdk==$version"; } >&2 || exit 2
again=0
seen=$(timeout 60 "$folder/venv/bin/python" "$folder/probe.py") || again=1
echo "sentry-sdk $version for Python, init() without a DSN"
echo "expected: is_active(): False; 0 of 6 functions replaced; a few calls for two spans"
echo "seen: $seen"
exit "$again"
