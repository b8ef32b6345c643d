import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.Arrays;
import java.util.List;
import moowatch.moobench.Benchmark;
import moowatch.moobench.Readings;
import moowatch.moobench.application.MonitoredClass;

/**
 * Overhead bare CALLS: what a call of the monitored method costs by itself, in ns.
 * Overhead naive|none …: the harness with another way of reading heap and collections; the rest of
 * the arguments are the harness's.
 */
public final class Overhead {
    private static volatile long last;

    private Overhead() {}

    public static void main(final String[] arguments) {
        final String[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
        switch (arguments[0]) {
            case "bare":
                bare(Integer.parseInt(rest[0]) / 2);
                break;
            case "naive":
                System.exit(Benchmark.run(rest, NaiveReadings::new));
                break;
            case "none":
                System.exit(Benchmark.run(rest, NoReadings::new));
                break;
            default:
                System.exit(2);
        }
    }

    private static void bare(final int half) {
        final MonitoredClass application = new MonitoredClass();
        last = calls(application, half);
        final long start = System.nanoTime();
        last = calls(application, half);
        System.out.println((System.nanoTime() - start) / (double) half);
    }

    private static long calls(final MonitoredClass application, final int count) {
        long result = 0;
        for (int i = 0; i < count; i++) {
            result = application.monitoredMethod(0, 1);
        }
        return result;
    }

    /** The management beans at every call. */
    private static final class NaiveReadings extends Readings {
        private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        private final List<GarbageCollectorMXBean> collectors =
                ManagementFactory.getGarbageCollectorMXBeans();

        @Override
        protected void take(final long nowNs) {
            this.usedHeap = this.memory.getHeapMemoryUsage().getUsed();
            long count = 0;
            for (final GarbageCollectorMXBean collector : this.collectors) {
                count += collector.getCollectionCount();
            }
            this.collections = count;
        }
    }

    /** Nothing at all. */
    private static final class NoReadings extends Readings {
        @Override
        protected void take(final long nowNs) {
            // the arrays are filled all the same
        }
    }
}
