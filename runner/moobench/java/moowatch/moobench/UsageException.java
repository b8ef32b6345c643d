package moowatch.moobench;

/** A command line that cannot be obeyed; the message says what is wrong and what is allowed. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    UsageException(final String message) {
        super(message);
    }
}
