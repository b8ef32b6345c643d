package moowatch.moobench;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** How long this JVM stood still to collect garbage. */
final class Pauses {
    private Pauses() {}

    /** Of all collectors since its start, in ms. What one does beside the program ("ZGC Cycles") is no pause. */
    static long totalMs() {
        long total = 0;
        for (final GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            total += collector.getName().endsWith("Cycles") ? 0 : Math.max(0, collector.getCollectionTime());
        }
        return total;
    }
}
