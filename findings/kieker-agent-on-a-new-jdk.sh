#!/usr/bin/env bash
# Kieker's ByteBuddy agent on a JDK that is newer than its ByteBuddy. One expects it to refuse to start, or to instrument
# classes that were compiled for Java 8. On JDK 25 each class fails inside the agent, the program runs on without a probe and
# ends with 0: a benchmark sees a framework that costs next to nothing. Needs Maven and a JDK of 25 or later (JAVA_HOME).
set -euo pipefail
version=2.0.2
java=${JAVA_HOME:+$JAVA_HOME/bin/}
jdk=$("${java}java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')
[ "${jdk:-0}" -ge 25 ] || {
    echo "this needs a JDK of 25 or newer; JAVA_HOME says which" >&2
    exit 2
}
. "$(dirname "$0")/maven"
fetch_jar "net.kieker-monitoring:kieker:$version:jar:bytebuddy"
cat >Probe.java <<'JAVA'
public class Probe {
    public static long call(long x) {
        return x + 1;
    }

    public static void main(String[] arguments) {
        long x = 0;
        while (x < 100)
            x = call(x);
    }
}
JAVA
"${java}javac" --release 8 -Xlint:-options Probe.java || exit 2
mkdir records
status=0
KIEKER_SIGNATURES_INCLUDE="public static long Probe.call(long)" "${java}java" -javaagent:kieker-bytebuddy.jar \
    -Dkieker.monitoring.writer=kieker.monitoring.writer.filesystem.FileWriter \
    -Dkieker.monitoring.writer.filesystem.FileWriter.customStoragePath=records -cp . Probe >log 2>&1 || status=$?
records=$(cat records/*/*.dat 2>/dev/null | grep -c '^[$]1' || true)
echo "kieker $version on JDK $jdk"
echo "expected: 100 records of class files of Java 8, or a status that is not 0"
echo "seen: $records records, status $status; $(grep -o 'Java [0-9]* ([0-9]*) is not supported' log | head -n 1)"
[ "$status" = 0 ] && [ "$records" = 0 ]
