#!/usr/bin/env bash
# A program in Java sleeps, and an agent has nothing to tell. One expects the agent to sleep, too, but for a second's tick or so, as that of
# OpenTelemetry does. Datadog's has threads that look each 10 ms whether there is something to do: the process wakes ten
# times as often as without it. Needs a JDK and Maven.
set -euo pipefail
datadog=1.68.1 opentelemetry=2.33.1
. "$(dirname "$0")/maven"
fetch_jar "com.datadoghq:dd-java-agent:$datadog"
fetch_jar "io.opentelemetry.javaagent:opentelemetry-javaagent:$opentelemetry"
cat >Probe.java <<'JAVA'
import java.io.IOException;
import java.nio.file.*;

public class Probe {
    static long wakes() throws IOException {
        long sum = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads)
                for (String line : Files.readAllLines(thread.resolve("status")))
                    if (line.startsWith("voluntary"))
                        sum += Long.parseLong(line.split("\\s+")[1]);
        }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        Thread.sleep(20_000);
        for (int tries = 0; tries < 3; tries++)
            try {
                long before = wakes();
                Thread.sleep(10_000);
                System.out.println("wakes " + (wakes() - before) / 10);
                break;
            } catch (IOException aThreadEnded) {
            }
        System.exit(0);
    }
}
JAVA
javac Probe.java || exit 2
wakes() { java "$@" -cp . Probe 2>/dev/null | sed -n 's/^wakes //p'; }
alone=$(wakes)
other=$(wakes -javaagent:opentelemetry-javaagent.jar -Dotel.{traces,metrics,logs}.exporter=none)
more=$(wakes -javaagent:dd-java-agent.jar -Ddd.agent.host=127.0.0.1 -Ddd.trace.agent.port=9)
java -version 2>&1 | head -n 1
echo "expected: a sleeping program wakes about as often with an agent, $alone times a second"
echo "seen: with opentelemetry-javaagent $opentelemetry $other times, with dd-java-agent $datadog $more times"
[ "$other" -lt $((2 * alone)) ] && [ "$more" -gt $((5 * alone)) ]
