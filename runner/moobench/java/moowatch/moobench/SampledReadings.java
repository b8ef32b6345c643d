package moowatch.moobench;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Reads heap and collections at most once a millisecond; calls in between repeat the last reading.
 *
 * <p>A management bean makes an object at each reading and takes longer than many a probe, so asking
 * it at every call heats the heap it is meant to watch. Nothing here allocates.
 */
final class SampledReadings extends Readings {
    /* Far below the time between collections, far above what a reading takes (about a microsecond). */
    private static final long INTERVAL_NS = 1_000_000L;

    private final Runtime runtime = Runtime.getRuntime();
    private final GarbageCollectorMXBean[] collectors;
    private long nextNs = System.nanoTime();

    SampledReadings() {
        super();
        final List<GarbageCollectorMXBean> beans = ManagementFactory.getGarbageCollectorMXBeans();
        this.collectors = beans.toArray(new GarbageCollectorMXBean[0]);
    }

    @Override
    protected void take(final long nowNs) {
        if (nowNs - this.nextNs >= 0) {
            this.nextNs = nowNs + INTERVAL_NS;
            this.read();
        }
    }

    private void read() {
        this.usedHeap = this.runtime.totalMemory() - this.runtime.freeMemory();
        long count = 0;
        for (final GarbageCollectorMXBean collector : this.collectors) {
            count += Math.max(0, collector.getCollectionCount());
        }
        this.collections = count;
    }
}
