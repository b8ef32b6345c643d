#!/usr/bin/env bash
# OperatingSystemMXBean.getProcessCpuTime() returns nanoseconds. One expects a clock as fine as the thread's, or the kernel's
# CLOCK_PROCESS_CPUTIME_ID. On Linux it moves in steps of 10 ms (it asks times(2), which counts ticks), with JDK 17 as with 25:
# processor time of a call that is taken from it is 0 or 10,000,000 ns. Needs a JDK.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >Probe.java <<'JAVA'
import java.lang.management.ManagementFactory;
import java.util.TreeSet;
import java.util.function.LongSupplier;

public class Probe {
    static long smallest(LongSupplier clock) {
        TreeSet<Long> steps = new TreeSet<>();
        long last = clock.getAsLong();
        for (long end = System.nanoTime() + 1_000_000_000L; System.nanoTime() < end;) {
            long now = clock.getAsLong();
            if (now != last)
                steps.add(now - last);
            last = now;
        }
        return steps.first();
    }

    public static void main(String[] arguments) {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var threads = ManagementFactory.getThreadMXBean();
        System.out.println(smallest(system::getProcessCpuTime) + " " + smallest(threads::getCurrentThreadCpuTime));
    }
}
JAVA
java=${JAVA_HOME:+$JAVA_HOME/bin/}
"${java}javac" Probe.java || exit 2
read -r process thread < <("${java}java" -cp . Probe)
"${java}java" -version 2>&1 | head -n 1
echo "expected: smallest step of the process' clock below a microsecond or so, as that of the thread's: $thread ns"
echo "seen: $process ns"
[ "$process" -ge 10000000 ] && [ "$thread" -lt 100000 ]
