package moowatch.moobench;

import java.util.concurrent.CountDownLatch;
import moowatch.moobench.application.MonitoredClass;

/** Calls the monitored method and keeps each duration. Allocates and prints nothing meanwhile. */
final class BenchmarkThread extends Thread {
    /* An activation of the method with its probe, generously. */
    private static final long FRAME_BYTES = 1024;
    private static final long STACK_BASE_BYTES = 8L << 20;

    /** What ended the thread before its time, or null. */
    volatile Throwable failure;

    /** Set before the start. */
    Readings readings;

    private final MonitoredClass application = new MonitoredClass();
    private final Options options;
    private final Calls calls;
    private final CountDownLatch start;
    private volatile long last;

    BenchmarkThread(
            final int number,
            final Options options,
            final Calls calls,
            final CountDownLatch start) {
        super(null, null, "benchmark-" + number, STACK_BASE_BYTES + FRAME_BYTES * options.recursionDepth);
        this.options = options;
        this.calls = calls;
        this.start = start;
        this.setDaemon(true);
    }

    @Override
    public void run() {
        try {
            this.start.await();
            this.last = this.measure();
        } catch (final Throwable e) { // a StackOverflowError or the framework's own failure too
            this.failure = e;
        }
    }

    private long measure() {
        final MonitoredClass app = this.application;
        final Readings read = this.readings;
        final long methodTime = this.options.methodTime;
        final int depth = this.options.recursionDepth;
        final long[] durations = this.calls.durations;
        final long[] usedHeap = this.calls.usedHeap;
        final int[] collections = this.calls.collections;
        long result = 0;
        for (int i = 0; i < durations.length; i++) {
            final long startNs = System.nanoTime();
            result = app.monitoredMethod(methodTime, depth);
            final long stopNs = System.nanoTime();
            durations[i] = stopNs - startNs;
            read.take(stopNs);
            usedHeap[i] = read.usedHeap;
            collections[i] = (int) read.collections;
        }
        return result;
    }
}
