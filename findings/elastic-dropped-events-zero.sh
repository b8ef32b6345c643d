#!/usr/bin/env bash
# Elastic's agent for Java ends with a line that counts: "Reported events: N", "Dropped events: N". One expects the two to add
# up to what the program made. Transactions that found the queue full are not in it: of 20,000 in a loop about half arrives,
# and the line says "Dropped events: 0". Another line, of another class, has them. Needs a JDK, Maven and python3.
set -euo pipefail
version=1.55.1 api=1.54.0
. "$(dirname "$0")/maven"
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
fetch_jar "co.elastic.apm:elastic-apm-agent:$version"
fetch_jar "co.elastic.apm:apm-agent-api:$api"
cat >server.py <<'PYTHON'
import http.server
import zlib

lines = 0


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(200, b'{"version":"8.17.0","publish_ready":true}')

    def chunks(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            yield self.rfile.read(int(self.headers.get("Content-Length", 0)))
            return
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def do_POST(self):
        global lines
        inflate, text = zlib.decompressobj(), b""
        for chunk in self.chunks():
            text += inflate.decompress(chunk) if self.headers.get("Content-Encoding") == "deflate" else chunk
        if "/intake/" in self.path:
            lines += sum(line.startswith(b'{"transaction"') for line in text.splitlines())
            open("arrived", "w").write(str(lines))
        self.answer(202 if "/intake/" in self.path else 200, b"" if "/intake/" in self.path else b"{}")

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
open("port", "w").write(str(server.server_port))
server.serve_forever()
PYTHON
python3 server.py &
until [ -s port ]; do
    [ -n "$(jobs -r)" ] || exit 2
    sleep .1
done
cat >Probe.java <<'JAVA'
import co.elastic.apm.api.*;

public class Probe {
    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 20000; i++) {
            Transaction transaction = ElasticApm.startTransaction();
            transaction.setName("call");
            transaction.end();
        }
        Thread.sleep(3000);
    }
}
JAVA
javac -cp apm-agent-api.jar Probe.java || exit 2
java -javaagent:elastic-apm-agent.jar "-Delastic.apm.server_url=http://127.0.0.1:$(cat port)" -Delastic.apm.service_name=probe \
    -cp apm-agent-api.jar:. Probe >log 2>&1
arrived=$(cat arrived)
told=$(sed -n 's/.* Dropped events: //p' log | tail -n 1)
queue=$(sed -n 's/.*dropped events because of full queue: //p' log | tail -n 1)
echo "elastic-apm-agent $version"
echo "expected: what arrived and \"Dropped events\" add up to 20000"
echo "seen: $arrived arrived, \"Dropped events: $told\"; \"dropped events because of full queue: $queue\""
[ "$told" = 0 ] && [ "$arrived" -lt 19000 ] && [ "${queue:-0}" -gt 1000 ]
