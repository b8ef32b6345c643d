package moowatch.moobench;

import java.io.File;

/** The command line. The names are MooBench's; the native harness has the same. */
public final class Options {
    static final String HELP = String.join(
            "\n",
            "Usage: java [JVM options] -jar moobench.jar --output-filename FILE [options]",
            "Calls a monitored method again and again and stores how long each call took.",
            "",
            "  --total-calls N         calls of each thread (default 2000000)",
            "  --method-time NS        time the innermost call busy-waits, in ns (default 0)",
            "  --recursion-depth N     nested activations of the method in a call (default 10)",
            "  --total-threads N       threads calling at the same time (default 1)",
            "  --output-filename FILE  the raw file: a line a call,",
            "                          thread;nanoseconds;used heap bytes;garbage collections",
            "  --quickstart            measure at once, without collecting garbage first",
            "  --help, --version",
            "",
            "Exit status: 0 FILE is complete, 1 the run failed and FILE is untouched, 2 wrong usage.");

    /* Bounds that keep a typing error from asking for more memory or time than a machine has. */
    private static final long CALLS_MAX = 1_000_000_000L;
    private static final long METHOD_TIME_MAX_NS = 3_600_000_000_000L;
    private static final long DEPTH_MAX = 100_000L;
    private static final long THREADS_MAX = 1024L;

    int totalCalls = 2_000_000;
    long methodTime;
    int recursionDepth = 10;
    int totalThreads = 1;
    File outputFile;
    boolean quickstart;
    boolean help;
    boolean version;

    private Options() {}

    /** Reads arguments that may use {@code --name value} and {@code --name=value}. */
    static Options parse(final String[] arguments) throws UsageException {
        final Options options = new Options();
        int i = 0;
        while (i < arguments.length) {
            final String argument = arguments[i++];
            final int equals = argument.indexOf('=');
            final String name = equals < 0 ? argument : argument.substring(0, equals);
            if (options.setFlag(name, equals >= 0)) {
                continue;
            }
            requireKnown(name, argument);
            if (equals >= 0) {
                options.setValue(name, argument.substring(equals + 1));
            } else {
                options.setValue(name, i < arguments.length ? arguments[i++] : "");
            }
        }
        if (options.outputFile == null && !options.help && !options.version) {
            throw new UsageException("--output-filename is missing: it names the raw file");
        }
        return options;
    }

    private boolean setFlag(final String name, final boolean hasValue) throws UsageException {
        switch (name) {
            case "--quickstart":
                this.quickstart = true;
                break;
            case "--help":
                this.help = true;
                break;
            case "--version":
                this.version = true;
                break;
            default:
                return false;
        }
        if (hasValue) {
            throw new UsageException(name + " takes no value");
        }
        return true;
    }

    private static void requireKnown(final String name, final String argument)
            throws UsageException {
        switch (name) {
            case "--total-calls":
            case "--method-time":
            case "--recursion-depth":
            case "--total-threads":
            case "--output-filename":
                return;
            default:
                throw new UsageException("unknown option '" + argument + "'");
        }
    }

    private void setValue(final String name, final String value) throws UsageException {
        if (value.isEmpty()) {
            throw new UsageException(name + " needs a value");
        }
        switch (name) {
            case "--total-calls":
                this.totalCalls = (int) number(name, value, 1, CALLS_MAX);
                break;
            case "--method-time":
                this.methodTime = number(name, value, 0, METHOD_TIME_MAX_NS);
                break;
            case "--recursion-depth":
                this.recursionDepth = (int) number(name, value, 1, DEPTH_MAX);
                break;
            case "--total-threads":
                this.totalThreads = (int) number(name, value, 1, THREADS_MAX);
                break;
            default:
                this.outputFile = new File(value);
                break;
        }
    }

    private static long number(
            final String name, final String value, final long minimum, final long maximum)
            throws UsageException {
        try {
            final long number = Long.parseLong(value);
            if (number >= minimum && number <= maximum && Character.isDigit(value.charAt(0))) {
                return number;
            }
        } catch (final NumberFormatException e) {
            // told below, as a number out of range is
        }
        throw new UsageException(
                name + ": '" + value + "' is not a whole number from " + minimum + " to " + maximum);
    }
}
