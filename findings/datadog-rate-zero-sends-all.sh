#!/usr/bin/env bash
# A sampling rate of 0 tells a tracer to keep no trace. One expects it to cost and to send next to nothing, as OpenTelemetry's samplers do.
# Datadog's Java agent makes each span all the same and sends each to its agent, marked as one to drop: with
# dd.trace.sample.rate=0 as many arrive as with 1, where the agent does not say that tracers may drop them (client_drop_p0s).
# Needs a JDK, Maven and python3.
set -euo pipefail
version=1.68.1
. "$(dirname "$0")/maven"
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
fetch_jar "com.datadoghq:dd-java-agent:$version"
cat >server.py <<'PYTHON'
import http.server


class Server(http.server.BaseHTTPRequestHandler):
    """What Datadog's agent answers; the traces of a request are counted by the header that says how many there are."""
    protocol_version = "HTTP/1.1"
    traces = 0

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(b'{"version":"7.60.0","endpoints":["/v0.4/traces"],"client_drop_p0s":false}')

    def do_PUT(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                self.rfile.read(size + 2)
            self.rfile.readline()
        else:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.startswith("/v0.4/traces"):
            Server.traces += int(self.headers.get("X-Datadog-Trace-Count", 0))
            open("arrived", "w").write(str(Server.traces))
        self.answer(b'{"rate_by_service":{}}')

    do_POST = do_PUT

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
open("port", "w").write(str(server.server_port))
server.serve_forever()
PYTHON
cat >Probe.java <<'JAVA'
public class Probe {
    static long call(long x) {
        return x + 1;
    }

    public static void main(String[] arguments) throws Exception {
        long x = 0;
        while (x < 300)
            x = call(x);
        Thread.sleep(3000);
    }
}
JAVA
javac Probe.java || exit 2
# arrived RATE: of 300 traces of one span
arrived() {
    rm -f port arrived
    python3 server.py &
    until [ -s port ]; do
        [ -n "$(jobs -r)" ] || exit 2
        sleep .1
    done
    java -javaagent:dd-java-agent.jar "-Ddd.trace.methods=Probe[call]" -Ddd.trace.sample.rate="$1" -Ddd.trace.agent.host=127.0.0.1 \
        -Ddd.trace.agent.port="$(cat port)" -Ddd.service=probe -Ddd.instrumentation.telemetry.enabled=false \
        -Ddd.remote_config.enabled=false -Ddd.jmxfetch.enabled=false -Ddd.crashtracking.enabled=false -cp . Probe >log 2>&1
    kill %% || true
    wait %% || true
    came=$(cat arrived 2>/dev/null || echo 0)
}
arrived 1
all=$came
arrived 0
echo "dd-java-agent $version"
echo "expected: 300 traces arrive with a rate of 1, and none with 0"
echo "seen: $all with 1, $came with 0"
[ "$all" = 300 ] && [ "$came" = 300 ]
