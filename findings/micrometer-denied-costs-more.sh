#!/usr/bin/env bash
# Micrometer's MeterFilter.deny…() switches meters off. One expects a counter that is denied to cost less than one that counts, where the
# program asks the registry for it at each call, as with tags that are known only then. The registry remembers the meters that it keeps, and
# none that it denies: at each call all filters are asked again, behind one lock of the registry, and an object is made that
# does nothing. Beside five filters that leave a tag out it allocates fifteen times as much. Needs a JDK and Maven.
set -euo pipefail
version=1.17.2
. "$(dirname "$0")/maven"
fetch_jars "io.micrometer:micrometer-core:$version"
cat >Probe.java <<'JAVA'
import com.sun.management.ThreadMXBean;
import io.micrometer.core.instrument.*;
import io.micrometer.core.instrument.config.*;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.util.*;

public class Probe {
    static final int CALLS = 200_000;

    public static void main(String[] arguments) {
        Map<String, Integer> asked = new TreeMap<>();
        MeterRegistry registry = new SimpleMeterRegistry();
        for (int i = 0; i < 5; i++)
            registry.config().meterFilter(MeterFilter.ignoreTags("tag" + i));
        registry.config().meterFilter(new MeterFilter() {
            public MeterFilterReply accept(Meter.Id id) {
                asked.merge(id.getName(), 1, Integer::sum);
                return MeterFilterReply.NEUTRAL;
            }
        }).meterFilter(MeterFilter.denyNameStartsWith("denied"));
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int round = 0; round < 2; round++)
            for (String name : new String[] {"kept", "denied"}) {
                asked.clear();
                long before = thread.getThreadAllocatedBytes(Thread.currentThread().getId());
                for (int i = 0; i < CALLS; i++)
                    registry.counter(name, "status", (i & 1) == 0 ? "200" : "404").increment();
                long bytes = (thread.getThreadAllocatedBytes(Thread.currentThread().getId()) - before) / CALLS;
                if (round == 1)
                    System.out.println(name + " " + asked.getOrDefault(name, 0) + " " + bytes);
            }
    }
}
JAVA
javac -cp 'lib/*' Probe.java || exit 2
seen=$(java -cp 'lib/*:.' Probe)
echo "micrometer-core $version"
echo "expected: a denied counter asks the filters no more often than one that counts, and allocates no more"
printf 'seen (times that a filter was asked in 200,000 calls, bytes a call):\n%s\n' "$seen"
read -r _ kept kept_bytes < <(grep ^kept <<<"$seen")
read -r _ denied denied_bytes < <(grep ^denied <<<"$seen")
[ "$kept" = 0 ] && [ "$denied" = 200000 ] && [ "$denied_bytes" -gt $((5 * kept_bytes)) ]
