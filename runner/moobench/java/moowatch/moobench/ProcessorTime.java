package moowatch.moobench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Processor time of all threads of this process. */
final class ProcessorTime {
    private ProcessorTime() {}

    /** Until now; below 0: this JVM does not say. */
    static long ns() {
        final Object system = ManagementFactory.getOperatingSystemMXBean();
        return system instanceof OperatingSystemMXBean ? ((OperatingSystemMXBean) system).getProcessCpuTime() : -1;
    }
}
