"""CPython's own ways to see each call of the monitored method, in the way that PROBE says."""
import os
import sys
import threading
import time

SCRATCH = os.environ["TMPDIR"]


def count_is(number):
    with open(os.path.join(SCRATCH, "count"), "w", encoding="ascii") as file:
        file.write(str(number))


def watch(code, start, end):
    """Both events of one function alone: others are not instrumented."""
    monitoring = sys.monitoring
    events, tool = monitoring.events, monitoring.PROFILER_ID
    monitoring.use_tool_id(tool, "moobench")
    monitoring.register_callback(tool, events.PY_START, start)
    monitoring.register_callback(tool, events.PY_RETURN, end)
    monitoring.set_local_events(tool, code, events.PY_START | events.PY_RETURN)


def recording(code, keep):
    """keep(begin, end) gets each activation."""
    clock, begun = time.perf_counter_ns, []
    push, pop = begun.append, begun.pop

    def start(code, offset):
        push(clock())

    def end(code, offset, value):
        now = clock()
        keep(pop(), now)
    watch(code, start, end)


def collecting(code):
    records = []
    recording(code, lambda begin, end: records.append((begin, end, code)))
    return lambda: count_is(len(records))


def text(code):
    file = open(os.path.join(SCRATCH, "records"), "w", encoding="ascii")
    recording(code, lambda begin, end: file.write(f"{begin};{end};{code.co_qualname}\n"))
    return file.close


def setprofile(code):
    # The harness calls in a thread of its own, which sys.setprofile in this one would not see.
    threading.setprofile(lambda frame, event, argument: None)


def cprofile(code):
    """Enabled by the thread that calls, before it does: what others do is not asked for."""
    import cProfile
    profile = cProfile.Profile()

    def first(frame, event, argument):
        sys.setprofile(None)
        profile.enable()
    threading.setprofile(first)

    def finish():
        profile.create_stats()
        count_is(sum(calls for (_, _, name), (_, calls, *_) in profile.stats.items() if name == code.co_name))
    return finish


def instrument(application):
    code = application.MonitoredClass.monitored_method.__code__
    probe = os.environ["PROBE"]
    if probe == "deactivated":
        disable = sys.monitoring.DISABLE
        return watch(code, lambda code, offset: disable, lambda code, offset, value: disable)
    if probe == "empty":
        return watch(code, lambda code, offset: None, lambda code, offset, value: None)
    return {"collecting": collecting, "text": text, "setprofile": setprofile, "cprofile": cprofile}[probe](code)
