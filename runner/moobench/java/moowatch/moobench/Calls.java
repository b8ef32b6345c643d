package moowatch.moobench;

import java.util.Arrays;

/** What one thread measured; every array is touched before the first call. */
final class Calls {
    static final long BYTES_EACH = 2 * Long.BYTES + Integer.BYTES;

    final long[] durations;
    final long[] usedHeap;
    final int[] collections;

    Calls(final int count) {
        this.durations = new long[count];
        this.usedHeap = new long[count];
        this.collections = new int[count];
        Arrays.fill(this.durations, -1);
        Arrays.fill(this.usedHeap, -1);
        Arrays.fill(this.collections, -1);
    }
}
