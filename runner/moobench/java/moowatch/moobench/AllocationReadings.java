package moowatch.moobench;

import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Bytes that this thread's calls have allocated, exactly, instead of the used heap.
 *
 * <p>Asking may itself allocate, and how much changes when it is compiled. So each reading asks twice:
 * what lies between the two is the price of asking, and is taken off.
 */
final class AllocationReadings extends Readings {
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final List<GarbageCollectorMXBean> collectors =
            ManagementFactory.getGarbageCollectorMXBeans();
    private long thread;
    private long lastBytes;

    AllocationReadings() {
        super();
        this.threads.setThreadAllocatedMemoryEnabled(true);
    }

    static boolean areThere() {
        return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean
                && ((ThreadMXBean) ManagementFactory.getThreadMXBean())
                        .isThreadAllocatedMemorySupported();
    }

    @Override
    protected void take(final long nowNs) {
        if (this.thread == 0) { // the first call: what came before it is not its own
            this.thread = Thread.currentThread().getId();
            this.lastBytes = this.threads.getThreadAllocatedBytes(this.thread);
        }
        final long bytes = this.threads.getThreadAllocatedBytes(this.thread);
        final long again = this.threads.getThreadAllocatedBytes(this.thread);
        this.usedHeap += bytes - this.lastBytes - (again - bytes);
        this.lastBytes = again;
        this.collections = 0;
        for (int i = 0; i < this.collectors.size(); i++) {
            this.collections += this.collectors.get(i).getCollectionCount();
        }
        this.lastBytes = this.threads.getThreadAllocatedBytes(this.thread);
    }
}
