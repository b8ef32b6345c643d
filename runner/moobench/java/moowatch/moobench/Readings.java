package moowatch.moobench;

/**
 * What is noted beside each duration: used heap and number of garbage collections.
 *
 * <p>One object a thread. {@link #take} runs between two measured calls, so what it costs is not
 * timed, but what it does to caches and heap is felt by the calls around it.
 */
public abstract class Readings {
    /** What the management beans say, where the JVM has these. No lambda: the first one takes 10 ms of a start. */
    static final Factory USUAL = new Factory() {
        @Override
        public Readings create() {
            return Benchmark.has("java.lang.management.ManagementFactory") ? new SampledReadings() : new None();
        }
    };

    /** Used heap in bytes as of the last {@link #take}. */
    protected long usedHeap;

    /** Garbage collections since the JVM's start as of the last {@link #take}. */
    protected long collections;

    /**
     * Brings the readings up to date.
     *
     * @param nowNs the clock's value at the end of the call just measured
     */
    protected abstract void take(long nowNs);

    /** Is nobody there to ask? */
    boolean isNone() {
        return false;
    }

    /** Nothing is noted: this JVM has no management beans, which count collections. */
    private static final class None extends Readings {
        @Override
        protected void take(final long nowNs) {
            // there is nobody to ask
        }

        @Override
        boolean isNone() {
            return true;
        }
    }

    /** Makes one {@link Readings} for each thread. */
    public interface Factory {
        Readings create();
    }
}
