#!/usr/bin/env bash
# A program sends its metrics by UDP to a port where no agent listens. One expects the client to count them all as sent (UDP
# does not know) or all as dropped. It counts half as dropped: the kernel tells of the first packet's refusal at the second
# send, which then is not sent itself, and so on in turn. Whoever takes the client's own counts of lost metrics for a rate
# sees 50 % where all are lost. Needs python3 with venv.
set -euo pipefail
version=0.56.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{ python3 -m venv "$folder/env" && "$folder/env/bin/pip" -q install "datadog==$version"; } || exit 2
cat >"$folder/probe.py" <<'PYTHON'
import socket
import time

from datadog.dogstatsd import DogStatsd

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as nobody:
    nobody.bind(("127.0.0.1", 0))
    port = nobody.getsockname()[1]
client = DogStatsd("127.0.0.1", port, disable_buffering=True)
for _ in range(1000):
    client.increment("calls")
    time.sleep(0.0002)
print("expected: 1000 sent and 0 dropped, or 0 and 1000")
print(f"seen: {client.packets_sent} sent and {client.packets_dropped} dropped")
raise SystemExit(0 if abs(client.packets_sent - 500) <= 50 and client.packets_sent + client.packets_dropped == 1000 else 1)
PYTHON
echo "datadog $version for Python, $(uname -sr)"
"$folder/env/bin/python" "$folder/probe.py"
