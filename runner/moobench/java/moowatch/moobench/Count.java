package moowatch.moobench;

/**
 * The same benchmark, whose raw file has bytes allocated so far in place of the used heap: to count,
 * never to measure.
 */
public final class Count {
    private Count() {}

    /** See {@link Options#HELP}. */
    public static void main(final String[] arguments) {
        if (!Benchmark.has("com.sun.management.ThreadMXBean") || !AllocationReadings.areThere()) {
            System.err.println("moobench: this JVM does not count what a thread allocates");
            System.exit(1);
        }
        System.exit(Benchmark.run(arguments, AllocationReadings::new));
    }
}
