"""What is monitored: instrument this module and nothing else."""
import time


class MonitoredClass:
    def monitored_method(self, method_time_ns, depth):
        """As deep as it is told; the innermost activation waits busily."""
        if depth > 1:
            return self.monitored_method(method_time_ns, depth - 1)
        now_ns = time.perf_counter_ns()
        exit_ns = now_ns + method_time_ns
        while now_ns < exit_ns:
            now_ns = time.perf_counter_ns()
        return now_ns
