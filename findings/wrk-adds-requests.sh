#!/usr/bin/env bash
# wrk prints the average latency of what it asked for, over one connection that asks again when it has its answer. One expects the
# duration divided by the requests. wrk adds requests that it never made: for an answer that took 1 s as many as would have fitted
# into that second, with what they would have waited. One pause among thousands of requests, a collection for example, makes the
# average hundreds of times what it was. Needs wrk and python3.
set -euo pipefail
command -v wrk >/dev/null || {
    echo "this needs wrk" >&2
    exit 2
}
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cat >"$folder/server.py" <<'PYTHON'
import asyncio
import pathlib
import sys


class Server(asyncio.Protocol):
    asked = 0

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        Server.asked += 1
        delay = 1 if Server.asked == 1000 else 0
        asyncio.get_running_loop().call_later(delay, self.transport.write, b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


async def main():
    server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
    pathlib.Path(sys.argv[1]).write_text(str(server.sockets[0].getsockname()[1]))
    await server.serve_forever()


asyncio.run(main())
PYTHON
python3 "$folder/server.py" "$folder/port" &
server=$!
until [ -s "$folder/port" ]; do
    kill -0 "$server" || exit 2
    sleep .1
done
wrk -t1 -c1 -d4s "http://127.0.0.1:$(cat "$folder/port")/" >"$folder/said"
{ wrk -v 2>&1 || true; } | head -n 1
read -r requests mean < <(awk '/Latency/ { mean = $2 + 0; unit = $2; sub(/[0-9.]+/, "", unit) } / requests in / { requests = $1 }
    END { print requests, mean * (unit == "s" ? 1000 : unit == "us" ? 0.001 : 1) }' "$folder/said")
most=$(awk -v n="$requests" 'BEGIN { printf "%.2f", 4000 / n }')
echo "expected: $requests requests one after the other in 4 s, of which one took 1 s: an average of at most $most ms"
echo "seen: $mean ms"
awk -v seen="$mean" -v most="$most" 'BEGIN { exit !(seen > 20 * most) }'
