#!/usr/bin/env python3
"""moobench for Python: options, calls, raw file; as the harnesses for the JVM and for native programs."""
import array
import gc
import os
import runpy
import sys
import threading
import time

import moobench_application

# Raised when a change here can move a measured value; part of an experiment's environment.
VERSION = "moobench-python 3"
HELP = """\
Usage: moobench.py --output-filename FILE [options]
Calls a monitored method again and again and stores how long each call took.

  --total-calls N         calls of each thread (default 2000000)
  --method-time NS        time the innermost call busy-waits, in ns (default 0)
  --recursion-depth N     nested activations of the method in a call (default 10)
  --total-threads N       threads calling at the same time (default 1)
  --output-filename FILE  the raw file: a line a call, thread;nanoseconds
  --instrument FILE       Python file whose instrument(application) attaches the framework to the
                          module moobench_application; what it returns, if anything, is called at the end
  --quickstart            measure at once, without collecting garbage first
  --help, --version

With MOOBENCH_COUNTS=FILE in the environment nothing is measured: FILE gets a line a thread, calls;allocations;bytes,
of what the second half of its calls asked of the interpreter's allocator (CPython).

With MOOBENCH_HEAP=FILE every allocation is traced: FILE gets what is live after the last call, as collapsed stacks of bytes.

Exit status: 0 FILE is complete, 1 the run failed and FILE is untouched, 2 wrong usage."""
NUMBERS = {  # minimum, maximum, default
    "--total-calls": (1, 1_000_000_000, 2_000_000),
    "--method-time": (0, 3_600_000_000_000, 0),
    "--recursion-depth": (1, 100_000, 10),
    "--total-threads": (1, 1024, 1),
}
TEXTS = ("--output-filename", "--instrument")
FLAGS = ("--quickstart", "--help", "--version")
# An activation with its probe, generously.
FRAMES, FRAME_BYTES, STACK_BASE_BYTES = 20, 4096, 16 << 20


class Usage(Exception):
    pass


def number(name, text):
    low, high, _ = NUMBERS[name]
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise Usage(f"{name}: '{text}' is not a whole number from {low} to {high}")
    return int(text)


def parse(arguments):
    """name -> value; both `--name value` and `--name=value` are taken"""
    options = {name: default for name, (_, _, default) in NUMBERS.items()}
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if name in FLAGS:
            if equals:
                raise Usage(f"{name} takes no value")
            options[name] = True
            continue
        if name not in NUMBERS and name not in TEXTS:
            raise Usage(f"unknown option '{argument}'")
        value = value if equals else next(rest, "")
        if not value:
            raise Usage(f"{name} needs a value")
        options[name] = number(name, value) if name in NUMBERS else value
    if "--output-filename" not in options and not options.keys() & set(FLAGS[1:]):
        raise Usage("--output-filename is missing: it names the raw file")
    return options


def measure(durations, options, start, failures):
    """One thread: only the call lies between the two clock readings."""
    method = moobench_application.MonitoredClass().monitored_method
    clock = time.perf_counter_ns
    method_time_ns, depth = options["--method-time"], options["--recursion-depth"]
    try:
        start.wait()
        for i in range(len(durations)):
            start_ns = clock()
            method(method_time_ns, depth)
            durations[i] = clock() - start_ns
    except BaseException as failure:  # a RecursionError or the framework's own failure too
        failures.append(failure)


def deepen(options):
    """Threads that begin from now on can go as deep as they are told."""
    depth = options["--recursion-depth"]
    sys.setrecursionlimit(max(1000, FRAMES * depth + 1000))
    threading.stack_size(min(STACK_BASE_BYTES + FRAMES * FRAME_BYTES * depth, 1 << 30))


def calls_of(options):
    """An array of durations for each thread, the clock when all but these was there for the first call, and the processor time until it."""
    deepen(options)
    ready_ns = time.monotonic_ns()
    calls = [array.array("q", [-1]) * options["--total-calls"] for _ in range(options["--total-threads"])]
    start, failures = threading.Barrier(len(calls)), []
    threads = [threading.Thread(target=measure, args=(durations, options, start, failures)) for durations in calls]
    if "--quickstart" not in options:
        gc.collect()
        gc.freeze()
    cpu_before_ns = time.process_time_ns()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return calls, {"ready_ns": ready_ns, "cpu_before_ns": cpu_before_ns}


def proc_number(path, name):
    """The number behind a name such as "VmHWM:"; None: there is none."""
    with open(path, encoding="ascii", errors="replace") as file:
        return next((int(line.split()[1]) for line in file if line.startswith(name)), None)


def tell(name, told, calls):
    """NAME.told: what the process used until now, less the durations. What /proc does not say is left out."""
    own = sum(map(sys.getsizeof, calls))
    gc.unfreeze()
    gc.collect()
    for key, path, field, scale, less in (("peak_bytes", "/proc/self/status", "VmHWM:", 1024, own),
                                          ("live_bytes", "/proc/self/status", "VmRSS:", 1024, own),
                                          ("written_bytes", "/proc/self/io", "wchar:", 1, 0)):
        try:
            told[key] = proc_number(path, field) * scale - less
        except (OSError, TypeError, ValueError, IndexError):
            continue
    try:
        with open(name + ".told", "w", encoding="ascii") as file:
            file.write(str(told).replace("'", '"'))
    except OSError:
        return


def write(name, file, calls):
    """A file under its name is whole: written as NAME.part, synced and renamed."""
    for thread, durations in enumerate(calls, 1):
        for begin in range(0, len(durations), 65536):
            file.write("".join(f"{thread};{duration}\n" for duration in durations[begin:begin + 65536]))
    file.flush()
    os.fsync(file.fileno())
    os.rename(name + ".part", name)
    folder = os.open(os.path.dirname(name), os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def attach(options):
    """What is to be called at the end, if anything."""
    if "--instrument" not in options:
        return None
    return runpy.run_path(options["--instrument"])["instrument"](moobench_application)


def run(options, heap):
    name = os.path.abspath(options["--output-filename"])  # the framework may change the folder
    if heap:
        import moobench_heap  # and what it needs: no process that measures loads it
        moobench_heap.begin()
    with open(name + ".part", "w", encoding="ascii") as file:  # before measuring: a bad path is told at once
        try:
            finish = attach(options)
            calls, told = calls_of(options)
            if heap:
                gc.unfreeze()
                gc.collect()
                moobench_heap.write(heap)
            tell(name, told, calls)
            if finish:
                finish()
            write(name, file, calls)
        except BaseException:
            os.unlink(name + ".part")
            raise


def count(options, name):
    import moobench_count  # and what it needs: no process that measures loads it
    name = os.path.abspath(name)
    allocations = moobench_count.Allocations()
    finish = attach(options)
    deepen(options)
    counted = moobench_count.counts_of(allocations, options)
    if finish:
        finish()
    moobench_count.write(name, counted)


def main(arguments):
    try:
        options = parse(arguments)
    except Usage as wrong:
        print(f"moobench: {wrong}; see --help", file=sys.stderr)
        return 2
    if "--help" in options or "--version" in options:
        print(HELP if "--help" in options else VERSION)
        return 0
    counts, heap = os.environ.pop("MOOBENCH_COUNTS", None), os.environ.pop("MOOBENCH_HEAP", None)
    try:
        if counts:
            count(options, counts)
        else:
            run(options, heap)
    except Exception as failure:  # told in one line; the raw file is not there
        print(f"moobench: cannot {'count' if counts else 'measure'}: {type(failure).__name__}: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
