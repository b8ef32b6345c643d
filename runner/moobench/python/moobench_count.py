"""Counts what a call asks of the interpreter's allocator, in a process of its own that measures nothing."""
import ctypes
import gc
import itertools
import os
import random
import sys
import threading

import moobench_application

LIBRARY = "libmoobench_allocations.so"
SETTLE = 20  # rounds without a call, until reading the counters costs the same again


class CannotCount(SystemExit):
    """Said in one line, and exit status 1."""

    def __init__(self, why):
        super().__init__(f"moobench: cannot count: {why}")


class Counters(ctypes.Structure):
    _fields_ = [("allocations", ctypes.c_uint64), ("bytes", ctypes.c_uint64)]


class Allocations:
    """The interpreter's allocator, watched from now on."""

    def __init__(self):
        if sys.implementation.name != "cpython":
            raise CannotCount(f"{sys.implementation.name} has no allocator that can be watched; CPython has one")
        try:
            self._get, to_set = (ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p)
                                 for name in ("PyMem_GetAllocator", "PyMem_SetAllocator"))
        except (AttributeError, ValueError):
            raise CannotCount("this interpreter does not export PyMem_SetAllocator: it was linked without its symbols") from None
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), LIBRARY)
        try:
            library = ctypes.PyDLL(path)  # which keeps the interpreter's lock, so that nobody else runs in between
        except OSError as failure:
            raise CannotCount(f"{LIBRARY} cannot be loaded: {failure}") from None
        self._watched = library.moobench_allocations_watched
        self._watched.restype = ctypes.c_bool
        self.read = library.moobench_allocations_read
        self.read.restype = None
        library.moobench_allocations_watch.restype = None
        library.moobench_allocations_watch(self._get, to_set)

    def watched(self):
        return self._watched(self._get)


def between(read, method, arguments, calls):
    """What so many calls ask for, and the reading of the counters with them."""
    before, after = Counters(), Counters()
    begin, end = ctypes.byref(before), ctypes.byref(after)
    rounds = itertools.repeat(None, calls)
    read(begin)
    for _ in rounds:
        method(*arguments)
    read(end)
    return after.allocations - before.allocations, after.bytes - before.bytes


def count(read, options, start, counted, failures):
    """One thread: the first half of the calls settles what is kept from call to call, the second half counts."""
    method = moobench_application.MonitoredClass().monitored_method
    arguments = options["--method-time"], options["--recursion-depth"]
    calls = options["--total-calls"]
    try:
        start.wait()
        between(read, method, arguments, calls // 2)
        for _ in range(SETTLE):
            reading = between(read, method, arguments, 0)
        calls -= calls // 2
        found = between(read, method, arguments, calls)
        counted.append((calls, found[0] - reading[0], found[1] - reading[1]))
    except BaseException as failure:  # a RecursionError or the framework's own failure too
        failures.append(failure)


def counts_of(allocations, options):
    """(calls, allocations, bytes) of the second half of each thread's calls."""
    counted, failures, ended = [], [], []
    start, asleep = threading.Barrier(options["--total-threads"]), threading.Condition()

    def run():
        with asleep:  # the main thread is: else what it took from the lists of free objects, which are everybody's, would count
            pass
        count(allocations.read, options, start, counted, failures)
        with asleep:
            ended.append(True)
            if len(ended) == len(threads):
                asleep.notify()
    threads = [threading.Thread(target=run) for _ in range(options["--total-threads"])]
    random.seed(0)
    gc.collect()
    gc.disable()  # a collection empties the lists of free objects, whenever it comes
    with asleep:
        for thread in threads:
            thread.start()
        asleep.wait()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    if not allocations.watched():
        raise CannotCount("the framework has put another allocator before the one that counts (tracemalloc does)")
    return counted


def write(name, counted):
    """A line a thread: calls;allocations;bytes."""
    with open(name, "w", encoding="ascii") as file:
        file.write("".join(f"{calls};{allocations};{size}\n" for calls, allocations, size in counted))
