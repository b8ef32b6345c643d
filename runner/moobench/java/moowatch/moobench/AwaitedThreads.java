package moowatch.moobench;

/**
 * Keeps the JVM from ending before the framework's own threads have.
 *
 * <p>Many frameworks give the thread that writes a fixed time at the end (Kieker since 1.13: a second).
 * On a busy machine it is not enough, and what is queued then is lost. All shutdown hooks run side by
 * side and the JVM waits for each, so this one gives such a thread the time it needs.
 */
final class AwaitedThreads extends Thread {
    /** Names the class of the threads, and after a colon the longest wait in seconds (60). */
    static final String PROPERTY = "moowatch.moobench.await";

    private static final long DEFAULT_S = 60;
    private static final long LONGEST_S = 3600;

    private final String wanted;
    private final long limitS;

    private AwaitedThreads(final String wanted, final long limitS) {
        this.wanted = wanted;
        this.limitS = limitS;
    }

    /** Waits at the JVM's end, if the property says for whom. */
    static void register() throws UsageException {
        final String value = System.getProperty(PROPERTY);
        if (value != null) {
            final int colon = value.indexOf(':');
            final String wanted = colon < 0 ? value : value.substring(0, colon);
            final long limitS = colon < 0 ? DEFAULT_S : seconds(value, value.substring(colon + 1));
            if (wanted.isEmpty()) {
                throw new UsageException(PROPERTY + ": '" + value + "' names no class");
            }
            Runtime.getRuntime().addShutdownHook(new AwaitedThreads(wanted, limitS));
        }
    }

    private static long seconds(final String value, final String text) throws UsageException {
        try {
            final long number = Long.parseLong(text);
            if (number >= 1 && number <= LONGEST_S) {
                return number;
            }
        } catch (final NumberFormatException e) {
            // told below, as a number out of range is
        }
        throw new UsageException(PROPERTY + ": '" + value + "' does not end with seconds from 1 to " + LONGEST_S);
    }

    @Override
    public void run() {
        final long untilNs = System.nanoTime() + this.limitS * 1_000_000_000L;
        for (final Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getClass().getName().equals(this.wanted) && !ended(thread, untilNs)) {
                System.err.println("moobench: thread '" + thread.getName() + "' (" + this.wanted + ") still ran "
                        + this.limitS + " s after the last call: what it had to write is lost");
                Runtime.getRuntime().halt(1);
            }
        }
    }

    private static boolean ended(final Thread thread, final long untilNs) {
        try {
            thread.join(Math.max(1, (untilNs - System.nanoTime()) / 1_000_000L));
        } catch (final InterruptedException e) {
            return false; // nobody interrupts a hook; it would be told as what it is
        }
        return !thread.isAlive();
    }
}
