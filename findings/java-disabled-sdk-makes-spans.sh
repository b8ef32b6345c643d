#!/usr/bin/env bash
# The specification asks of OTEL_SDK_DISABLED=true for "a no-op SDK implementation". One expects that the Java agent makes no span then.
# Up to 2.32.0 it makes each of them, with its ids, its clock and its attributes, and gives them to nobody: Span.isRecording() is true,
# so what a program guards with it is made, too. 2.33.0 makes none. Needs a JDK and Maven.
set -euo pipefail
. "$(dirname "$0")/maven"
for version in 2.32.0 2.33.0; do
    fetch_jar "io.opentelemetry.javaagent:opentelemetry-javaagent:$version" "$version"
done
for artifact in api context common; do
    fetch_jar "io.opentelemetry:opentelemetry-$artifact:1.65.0" api
done
cat >Probe.java <<'JAVA'
import io.opentelemetry.api.trace.Span;

public class Probe {
    static int call() {
        return Span.current().isRecording() ? 1 : 0;
    }

    public static void main(String[] arguments) {
        int recording = 0;
        for (int i = 0; i < 100; i++)
            recording += call();
        System.out.println(recording);
    }
}
JAVA
javac -cp 'api/*' Probe.java || exit 2
# recording VERSION: how many of 100 calls find themselves in a span that records
recording() {
    OTEL_SDK_DISABLED=true java "-javaagent:$1/opentelemetry-javaagent.jar" "-Dotel.instrumentation.methods.include=Probe[call]" \
        -Dotel.javaagent.logging=none -cp '.:api/*' Probe
}
before=$(recording 2.32.0)
after=$(recording 2.33.0)
echo "opentelemetry-javaagent 2.32.0 and 2.33.0"
echo "expected: 0 of 100 calls are in a span that records, in both"
echo "seen: $before with 2.32.0, $after with 2.33.0"
[ "$before" = 100 ] && [ "$after" = 0 ]
