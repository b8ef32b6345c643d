#!/usr/bin/env bash
# To see what spans cost without sending them one builds a tracer and gives it nobody to report to. One expects spans to be made and dropped,
# as OpenTelemetry's SDK does. Brave, the tracer of Zipkin for Java, then writes each span to the log at INFO, and to stderr where nobody has
# set up a log: what is measured is the logging. Needs a JDK and Maven.
set -euo pipefail
version=6.3.0
. "$(dirname "$0")/maven"
fetch_jars "io.zipkin.brave:brave:$version"
cat >Probe.java <<'JAVA'
import brave.Tracing;

public class Probe {
    public static void main(String[] words) {
        try (Tracing tracing = Tracing.newBuilder().localServiceName("probe").build()) {
            for (int i = 0; i < 100; i++)
                tracing.tracer().nextSpan().name("call").start().finish();
        }
    }
}
JAVA
javac -cp 'lib/*' Probe.java || exit 2
java -cp '.:lib/*' Probe >out 2>&1
echo "brave $version"
echo "expected: 100 spans that nobody wants write nothing"
echo "seen: $(grep -c '"name":"call"' out) of them in the log"
[ "$(grep -c '"name":"call"' out)" = 100 ]
