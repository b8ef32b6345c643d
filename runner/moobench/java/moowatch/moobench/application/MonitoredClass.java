package moowatch.moobench.application;

/** The class under observation; instrument {@code moowatch.moobench.application..*}, nothing else. */
public final class MonitoredClass {

    /**
     * Recurses, then busy-waits on the monotonic clock.
     *
     * @param methodTime time in ns that the innermost activation waits
     * @param recDepth activations altogether, at least 1
     * @return the clock's last value in ns, so that no compiler can leave the work out
     */
    public long monitoredMethod(final long methodTime, final int recDepth) {
        if (recDepth > 1) {
            return this.monitoredMethod(methodTime, recDepth - 1);
        }
        final long exitTime = System.nanoTime() + methodTime;
        long currentTime;
        do {
            currentTime = System.nanoTime();
        } while (currentTime < exitTime);
        return currentTime;
    }
}
