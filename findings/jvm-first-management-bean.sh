#!/usr/bin/env bash
# An agent that reports a JVM's garbage collections asks ManagementFactory.getGarbageCollectorMXBeans(). The counters are in the
# JVM anyway, so one expects that asking costs a start next to nothing. The first bean loads the platform's management: with
# OpenJDK 17 and 25 an empty program takes 1.5 to 1.9 times as long, and most of it is lambdas and method handles that the
# archive of the JVM's own classes does not have. Needs a JDK.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >Probe.java <<'JAVA'
import java.lang.management.ManagementFactory;

public class Probe {
    public static void main(String[] arguments) {
        if (arguments.length > 0)
            ManagementFactory.getGarbageCollectorMXBeans();
    }
}
JAVA
java=${JAVA_HOME:+$JAVA_HOME/bin/}
"${java}javac" Probe.java || exit 2
start() { # microseconds of a process
    local begun=${EPOCHREALTIME/./}
    "${java}java" -XX:+UseSerialGC -cp . Probe "$@"
    echo $((${EPOCHREALTIME/./} - begun))
}
for _ in {1..21}; do
    start >>without
    start beans >>with
done
median() { sort -n "$1" | sed -n 11p; }
without=$(median without) with=$(median with)
"${java}java" -version 2>&1 | head -n 1
echo "expected: a start with it takes as long as without, $without us"
echo "seen: $with us"
[ $((4 * with)) -ge $((5 * without)) ]
