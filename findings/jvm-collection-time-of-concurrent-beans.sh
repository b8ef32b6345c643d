#!/usr/bin/env bash
# Each GarbageCollectorMXBean has getCollectionTime(), and tools add them up as the time a program stood still. One expects
# the bean of what runs beside the program to mean the same with each collector. ZGC's "Cycles" tell the whole time of their
# cycles, in which the program ran on; G1's "Concurrent GC" (JDK 20 and later) tells only its pauses, so it is about 0 with
# cycles counted. A change of the collector moves "time in collections" from 0 to much, or back, and no pause has changed.
# Needs a JDK of 20 or later (JAVA_HOME).
set -euo pipefail
java=${JAVA_HOME:+$JAVA_HOME/bin/}
version=$("${java}java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')
[ "${version:-0}" -ge 20 ] || {
    echo "this needs a JDK of 20 or newer; JAVA_HOME says which" >&2
    exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >Probe.java <<'JAVA'
import java.lang.management.ManagementFactory;
import java.util.*;

public class Probe {
    public static void main(String[] arguments) {
        List<byte[]> kept = new ArrayList<>();
        for (int i = 0; i < 150_000; i++)
            kept.add(new byte[1000]);
        for (int i = 0; i < 1_000_000; i++)
            kept.set((int) (i * 7919L % kept.size()), new byte[1000]);
        long count = 0, beside = 0, stood = 0;
        for (var bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            boolean concurrent = bean.getName().contains("Cycles") || bean.getName().contains("Concurrent");
            count += concurrent ? bean.getCollectionCount() : 0;
            beside += concurrent ? bean.getCollectionTime() : 0;
            stood += bean.getName().contains("Pauses") ? bean.getCollectionTime() : 0;
        }
        System.out.println(count + " " + beside + " " + stood);
    }
}
JAVA
"${java}javac" Probe.java || exit 2
read -r z_count z_beside z_stood < <("${java}java" -XX:+UseZGC -Xmx512m -cp . Probe)
read -r g_count g_beside _ < <("${java}java" -XX:+UseG1GC -XX:InitiatingHeapOccupancyPercent=10 -Xmx512m -cp . Probe)
"${java}java" -version 2>&1 | head -n 1
echo "expected: the time of concurrent collections means one thing"
echo "seen: ZGC $z_count cycles, $z_beside ms of which the program stood $z_stood; G1 $g_count cycles, $g_beside ms"
[ "$z_count" -gt 0 ] && [ "$z_beside" -gt $((5 * (z_stood + 1))) ] && [ "$g_count" -gt 0 ] && [ "$g_beside" -lt $((5 * g_count)) ]
