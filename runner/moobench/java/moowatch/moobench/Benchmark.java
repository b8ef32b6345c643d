package moowatch.moobench;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** The Java harness: options → calls → raw file. */
public final class Benchmark {
    /* Raised when a change here can move a measured value; part of an experiment's environment. */
    private static final String VERSION = "moobench-java 3";
    private static final int SETTLE_COLLECTIONS = 4;

    private Benchmark() {}

    /** See {@link Options#HELP}. */
    public static void main(final String[] arguments) {
        System.exit(run(arguments, Readings.USUAL));
    }

    /* A JVM may be built without its management beans. */
    static boolean has(final String className) {
        try {
            Class.forName(className);
            return true;
        } catch (final ClassNotFoundException e) {
            return false;
        }
    }

    /** Runs with readings of the caller's choice; returns the exit status. */
    public static int run(final String[] arguments, final Readings.Factory readings) {
        try {
            final Options options = Options.parse(arguments);
            if (options.help || options.version) {
                System.out.println(options.help ? Options.HELP : VERSION);
            } else {
                AwaitedThreads.register();
                benchmark(options, readings);
            }
            return 0;
        } catch (final UsageException e) {
            System.err.println("moobench: " + e.getMessage() + "; see --help");
            return 2;
        } catch (final IOException e) {
            System.err.println("moobench: cannot write the raw file: " + e);
        } catch (final OutOfMemoryError e) {
            System.err.println("moobench: not enough memory (" + e.getMessage()
                    + "): a call needs " + Calls.BYTES_EACH + " bytes of heap; raise -Xmx, or lower --total-calls or"
                    + " --total-threads");
        } catch (final InterruptedException e) {
            System.err.println("moobench: interrupted");
        } catch (final IllegalStateException e) {
            System.err.println("moobench: " + e.getMessage());
            e.getCause().printStackTrace();
        }
        return 1;
    }

    private static void benchmark(final Options options, final Readings.Factory readings)
            throws IOException, InterruptedException {
        final long beganNs = System.nanoTime();
        try (RawFile raw = new RawFile(options.outputFile)) {
            final Calls[] calls = new Calls[options.totalThreads];
            for (int i = 0; i < calls.length; i++) {
                calls[i] = new Calls(options.totalCalls);
            }
            final long ownNs = System.nanoTime() - beganNs; // of the harness alone
            final BenchmarkThread[] threads = new BenchmarkThread[options.totalThreads];
            final CountDownLatch start = new CountDownLatch(1);
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new BenchmarkThread(i + 1, options, calls[i], start);
                threads[i].start();
            }
            final long readyNs = System.nanoTime() - ownNs;
            // Management beans take longer to load than many a framework: these are not its start.
            for (final BenchmarkThread thread : threads) {
                thread.readings = readings.create();
            }
            final boolean timesAlone = threads[0].readings.isNone();
            if (!options.quickstart) {
                settle();
            }
            final long pausedMs = timesAlone ? 0 : Pauses.totalMs();
            final long cpuBeforeNs = has("com.sun.management.OperatingSystemMXBean") ? ProcessorTime.ns() : -1;
            start.countDown();
            for (final BenchmarkThread thread : threads) {
                thread.join();
            }
            for (final BenchmarkThread thread : threads) {
                if (thread.failure != null) {
                    throw new IllegalStateException(
                            thread.getName() + " ended early; no raw file was written", thread.failure);
                }
            }
            if (System.getProperty(Heap.PROPERTY) != null) {
                Heap.list(System.getProperty(Heap.PROPERTY));
            }
            raw.tell(readyNs, cpuBeforeNs, timesAlone ? -1 : Pauses.totalMs() - pausedMs,
                    Calls.BYTES_EACH * options.totalCalls * options.totalThreads);
            raw.write(calls, timesAlone);
            raw.commit();
        }
    }

    /* Collects garbage of the start-up until nothing more goes, so that none of it is collected later. */
    private static void settle() {
        final Runtime runtime = Runtime.getRuntime();
        long before = Long.MAX_VALUE;
        for (int i = 0; i < SETTLE_COLLECTIONS; i++) {
            System.gc();
            final long used = runtime.totalMemory() - runtime.freeMemory();
            if (used >= before) {
                return;
            }
            before = used;
        }
    }
}
