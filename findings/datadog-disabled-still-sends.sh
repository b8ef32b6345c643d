#!/usr/bin/env bash
# Datadog's agent for Java with DD_TRACE_ENABLED=false. One expects no trace, and nothing beside: no thread that wakes up, nobody who is asked.
# The debugger, too, is off by default. It starts four threads all the same, one of them the debugger's, and asks and tells the Datadog
# agent's port: telemetry and remote configuration have switches of their own. Needs a JDK, Maven and python3.
set -euo pipefail
version=1.68.1
. "$(dirname "$0")/maven"
receiver=
trap '[ -z "$receiver" ] || kill "$receiver"; rm -rf "$folder"' EXIT
fetch_jar "com.datadoghq:dd-java-agent:$version" agent
cat >receive.py <<'PYTHON'
import http.server
import pathlib


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with open("asked", "a") as asked:
            print(self.path, file=asked)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    do_GET = do_PUT = do_POST

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
pathlib.Path("port").write_text(str(server.server_port))
server.serve_forever()
PYTHON
cat >Probe.java <<'JAVA'
public class Probe {
    public static void main(String[] arguments) throws Exception {
        Thread.sleep(15000);
        System.out.println(Thread.getAllStackTraces().keySet().stream().map(Thread::getName).filter(name -> name.startsWith("dd-"))
                .sorted().collect(java.util.stream.Collectors.joining(" ")));
    }
}
JAVA
javac Probe.java || exit 2
touch asked
python3 receive.py &
receiver=$!
until [ -s port ]; do sleep 0.1; done
threads=$(DD_TRACE_ENABLED=false DD_TRACE_AGENT_URL="http://127.0.0.1:$(cat port)" java -javaagent:agent/dd-java-agent.jar -cp . Probe 2>log | tail -n 1)
paths=$(sort -u asked | tr '\n' ' ')
echo "dd-java-agent $version, with DD_TRACE_ENABLED=false"
echo "expected: no thread of the agent, no request"
echo "seen: $threads; $(wc -l <asked) requests in 15 s to $paths"
[[ $threads == *dd-telemetry* && $paths == *telemetry* ]]
