#!/usr/bin/env bash
# JDK 25 times methods by itself (JEP 520, jdk.MethodTiming: invocations and their average). One expects invocations × average
# to be the time that was spent in a method. Each level of a recursion counts with all that it calls: of a method that calls
# itself ten deep, as MooBench's does, the product is about ten times the time. Needs a JDK 25 or newer (JAVA_HOME).
set -euo pipefail
java=${JAVA_HOME:+$JAVA_HOME/bin/}
version=$("${java}java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')
[ "${version:-0}" -ge 25 ] || {
    echo "this needs a JDK of 25 or newer; JAVA_HOME says which" >&2
    exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >Probe.java <<'JAVA'
public class Probe {
    static long sink;

    static void method(int depth) {
        if (depth > 1) {
            method(depth - 1);
            return;
        }
        for (long end = System.nanoTime() + 100_000; System.nanoTime() < end;)
            sink++;
    }

    public static void main(String[] arguments) {
        long begin = System.nanoTime();
        for (int i = 0; i < 500; i++)
            method(10);
        System.out.println("wall_ms " + (System.nanoTime() - begin) / 1_000_000);
    }
}
JAVA
"${java}javac" Probe.java || exit 2
wall=$("${java}java" "-XX:StartFlightRecording:method-timing=Probe::method,filename=probe.jfr" -cp . Probe 2>/dev/null |
    sed -n 's/^wall_ms //p')
read -r count average < <("${java}jfr" print --events jdk.MethodTiming probe.jfr |
    awk '/invocations =/ { count = $3 } /average =/ { average = $3; unit = $4 } END { print count, average * (unit == "us" ? 0.001 : unit == "ns" ? 0.000001 : 1) }')
product=$(awk -v c="$count" -v a="$average" 'BEGIN { printf "%.0f", c * a }')
"${java}java" -version 2>&1 | head -n 1
echo "expected: invocations × average is at most the wall time, $wall ms"
echo "seen: $count invocations × $average ms = $product ms"
[ "$count" = 5000 ] && [ "$product" -gt $((4 * wall)) ]
