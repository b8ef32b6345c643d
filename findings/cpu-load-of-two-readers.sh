#!/usr/bin/env bash
# Micrometer's process.cpu.usage is the recent processor use of the JVM, from 0 to 1. A program sends it to two backends. One expects both to
# read about the same. OperatingSystemMXBean.getProcessCpuLoad() tells what was used since anybody asked last: who comes right after another
# reads 0 of a program that uses a whole processor. Two agents in one JVM take the value away from each other so, too.
# Needs a JDK and Maven.
set -euo pipefail
version=1.17.2
. "$(dirname "$0")/maven"
fetch_jars "io.micrometer:micrometer-core:$version"
cat >Probe.java <<'JAVA'
import io.micrometer.core.instrument.*;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.*;

public class Probe {
    static volatile long sink;

    static double read(MeterRegistry registry) {
        return registry.get("process.cpu.usage").gauge().value();
    }

    public static void main(String[] arguments) throws Exception {
        MeterRegistry one = new SimpleMeterRegistry(), other = new SimpleMeterRegistry();
        new ProcessorMetrics().bindTo(one);
        new ProcessorMetrics().bindTo(other);
        Thread busy = new Thread(() -> {
            while (true)
                sink++;
        });
        busy.setDaemon(true);
        busy.start();
        List<Double> first = new ArrayList<>(), second = new ArrayList<>();
        for (int i = 0; i < 21; i++) {
            Thread.sleep(200);
            double reads = read(one), then = read(other);
            if (i > 0) {
                first.add(reads);
                second.add(then);
            }
        }
        Collections.sort(first);
        Collections.sort(second);
        System.out.printf(Locale.ROOT, "%.2f %.2f%n", first.get(10), second.get(10));
    }
}
JAVA
javac -cp 'lib/*' Probe.java || exit 2
read -r first second < <(java -cp 'lib/*:.' Probe 2>/dev/null)
java -version 2>&1 | head -n 1
echo "micrometer-core $version"
echo "expected: two registries read the same use of the processor, that of one busy thread"
echo "seen (medians of 20): the first reads $first, the second $second"
awk -v first="$first" -v second="$second" 'BEGIN { exit !(first > 0 && second == 0) }'
