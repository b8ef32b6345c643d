"""Both harnesses as programs: format, bounds, method time, and no file that only looks whole."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MOOWATCH_BUILD", SOURCE / "build" / "release"))
HARNESS = BUILD / "runner" / "moobench"
DEADLINE_S = 60


class Cases:
    """What both must do. A subclass names the program and the columns of its raw file."""

    command = []
    columns = 0
    collects = True  # garbage

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-harness-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.raw = self.folder / "raw.csv"

    def run_harness(self, *arguments, environment=None):
        return subprocess.run(
            [*self.command, *arguments], cwd=self.folder, capture_output=True, text=True,
            timeout=DEADLINE_S, env={**os.environ, **(environment or {})})

    def measure(self, *arguments, **keywords):
        """Runs with --quickstart into self.raw; returns the lines as lists of numbers."""
        done = self.run_harness("--quickstart", "--output-filename", str(self.raw), *arguments, **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = self.raw.read_text()
        self.assertTrue(text.endswith("\n"))
        return [[int(number) for number in line.split(";")] for line in text.splitlines()]

    def test_a_line_a_call_thread_after_thread(self):
        lines = self.measure("--total-calls", "200", "--total-threads", "3", "--recursion-depth", "4")
        self.assertEqual([line[0] for line in lines], [1] * 200 + [2] * 200 + [3] * 200)
        self.assertEqual({len(line) for line in lines}, {self.columns})
        self.assertTrue(all(line[1] > 0 for line in lines))

    def test_method_time_is_honoured(self):
        lines = self.measure("--total-calls", "20", "--method-time", "300000", "--recursion-depth", "3")
        self.assertEqual(len(lines), 20)
        self.assertTrue(all(line[1] >= 300000 for line in lines), lines)

    def test_without_quickstart_the_format_is_the_same(self):
        done = self.run_harness("--total-calls=50", f"--output-filename={self.raw}")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(self.raw.read_text().splitlines()), 50)

    def test_a_relative_name_and_an_old_file(self):
        self.raw.write_text("old\n")
        done = self.run_harness("--quickstart", "--total-calls", "10", "--output-filename", "raw.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.raw.read_text().splitlines()), 10)
        self.assertEqual(sorted(os.listdir(self.folder)), ["raw.csv", "raw.csv.told"])

    def test_it_tells_what_its_process_used(self):
        before_ns = time.monotonic_ns()
        self.measure("--total-calls", "10")
        told = json.loads((self.folder / "raw.csv.told").read_text())
        self.assertTrue(before_ns < told["ready_ns"] < time.monotonic_ns())
        self.assertGreater(told["cpu_before_ns"], 0)
        self.assertGreater(told["peak_bytes"], 1 << 20)
        self.assertGreaterEqual(told["written_bytes"], 0)
        self.assertEqual("live_bytes" in told, self.collects)

    def test_its_own_times_are_no_memory_of_the_framework(self):
        few, many = [self.memory_after(calls) for calls in ("10", "500000")]
        self.assertLess(abs(many - few), 2 << 20)  # of 4 MB of durations, in Java 10 MB with heap and collections

    def memory_after(self, calls):
        self.measure("--total-calls", calls, "--recursion-depth", "1")
        told = json.loads((self.folder / "raw.csv.told").read_text())
        return told["live_bytes" if self.collects else "peak_bytes"]

    def test_wrong_usage_says_what_and_makes_nothing(self):
        output = f"--output-filename={self.raw}"
        for arguments, said in [
                ([], "--output-filename is missing"),
                ([output, "--total-calls", "0"], "--total-calls: '0' is not a whole number from 1 to 1000000000"),
                ([output, "--total-calls"], "--total-calls needs a value"),
                ([output, "--total-calls="], "--total-calls needs a value"),
                ([output, "--total-calls=many"], "'many' is not a whole number"),
                ([output, "--total-calls=+5"], "'+5' is not a whole number"),
                ([output, "--total-calls=99999999999999999999"], "is not a whole number"),
                ([output, "--method-time=-1"], "'-1' is not a whole number from 0"),
                ([output, "--recursion-depth=0"], "--recursion-depth: '0'"),
                ([output, "--total-threads=2000"], "from 1 to 1024"),
                ([output, "--quickstart=1"], "--quickstart takes no value"),
                ([output, "--loops=3"], "unknown option '--loops=3'"),
                ([output, "extra"], "unknown option 'extra'")]:
            with self.subTest(arguments=arguments):
                done = self.run_harness(*arguments)
                self.assertEqual(done.returncode, 2)
                self.assertIn(said, done.stderr)
                self.assertIn("--help", done.stderr)
                self.assertEqual(os.listdir(self.folder), [])

    def test_help_names_every_option(self):
        done = self.run_harness("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for option in ["--total-calls", "--method-time", "--recursion-depth", "--total-threads",
                       "--output-filename", "--quickstart"]:
            self.assertIn(option, done.stdout)

    def test_a_folder_that_is_not_there(self):
        done = self.run_harness("--output-filename", str(self.folder / "gone" / "raw.csv"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot", done.stderr)
        self.assertIn("gone/raw.csv", done.stderr)

    def test_killed_it_leaves_the_old_file(self):
        self.raw.write_text("old\n")
        process = subprocess.Popen(
            [*self.command, "--quickstart", "--method-time", "1000000000", "--total-calls", "1000",
             "--output-filename", str(self.raw)])
        try:
            part = self.folder / "raw.csv.part"
            deadline = time.monotonic() + DEADLINE_S
            while not part.exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            self.assertTrue(part.exists())
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait(DEADLINE_S)
        self.assertEqual(self.raw.read_text(), "old\n")


class Python(Cases, unittest.TestCase):
    command = ["python3", str(HARNESS / "moobench.py")]
    columns = 2

    def test_a_framework_is_attached(self):
        script = self.folder / "instrument.py"
        script.write_text("""
import os
def instrument(application):
    method = application.MonitoredClass.monitored_method
    depths = []
    def probe(self, method_time_ns, depth):
        depths.append(depth)
        return method(self, method_time_ns, depth)
    application.MonitoredClass.monitored_method = probe
    os.chdir("/")
    def finish():
        with open(os.environ["COUNTS"], "w") as file:
            file.write(f"{len(depths)} {max(depths)}")
    return finish
""")
        counts = self.folder / "counts"
        self.measure("--total-calls", "30", "--recursion-depth", "7", "--instrument", str(script),
                     environment={"COUNTS": str(counts)})
        self.assertEqual(counts.read_text(), "210 7")  # every activation, not only the outermost

    def test_deep_recursion(self):
        self.assertEqual(len(self.measure("--total-calls", "3", "--recursion-depth", "20000")), 3)

    def test_a_failing_framework_leaves_no_raw_file(self):
        for text, said in (("def instrument(application): raise OSError('no port')", "OSError: no port"),
                           ("def instrument(application):\n application.MonitoredClass.monitored_method = None", "TypeError"),
                           ("", "KeyError")):
            script = self.folder / "instrument.py"
            script.write_text(text)
            done = self.run_harness("--total-calls", "5", "--output-filename", str(self.raw), "--instrument", str(script))
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)
            self.assertEqual(os.listdir(self.folder), ["instrument.py"])

    def test_what_is_live_at_the_end_is_listed_by_who_asked_for_it(self):
        script, heap = self.folder / "instrument.py", self.folder / "heap"
        script.write_text("kept = []\n\n\ndef keep():\n    kept.append(bytearray(8 << 20))\n    bytearray(9 << 20)\n\n\n"
                          "def instrument(application):\n    keep()\n    return lambda: kept\n")
        self.measure("--total-calls", "10", "--instrument", str(script), environment={"MOOBENCH_HEAP": str(heap)})
        stacks = dict(line.rsplit(" ", 1) for line in heap.read_text().splitlines())
        (stack, size), = [(stack, int(size)) for stack, size in stacks.items() if int(size) > 1 << 20]
        self.assertTrue(8 << 20 <= size < (8 << 20) + 1000, size)
        self.assertTrue(stack.endswith(f";instrument ({script});keep ({script})"), stack)

    # A probe round the method: what it does at each activation stands for PROBE.
    PROBED = """
import gc, os, tracemalloc, weakref
kept = None
def instrument(application):
    method = application.MonitoredClass.monitored_method
    def monitored_method(self, method_time_ns, depth):
        global kept
        PROBE
        return method(self, method_time_ns, depth)
    application.MonitoredClass.monitored_method = monitored_method
    START
"""

    def count(self, *arguments, probe=None, start="pass", environment=None, harness=HARNESS):
        """The finished process, and what it counted: a list of calls, allocations, bytes for each thread."""
        counted, script = self.folder / "counted", self.folder / "instrument.py"
        counted.unlink(missing_ok=True)
        script.write_text(self.PROBED.replace("PROBE", probe or "pass").replace("START", start))
        done = subprocess.run(
            ["python3", harness / "moobench.py", "--total-calls", "3000", "--output-filename", self.raw,
             *(["--instrument", script] if probe else []), *arguments], cwd=self.folder, capture_output=True, text=True,
            timeout=DEADLINE_S, env={**os.environ, "PYTHONHASHSEED": "0", "MOOBENCH_COUNTS": "counted", **(environment or {})})
        self.assertFalse(self.raw.exists())  # nothing was measured
        lines = counted.read_text().splitlines() if counted.exists() else []
        return done, [[int(number) for number in line.split(";")] for line in lines]

    def counted(self, *arguments, **keywords):
        done, lines = self.count(*arguments, **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return lines

    def test_processes_count_alike_and_a_planted_allocation_exactly(self):
        none = self.counted("--recursion-depth", "3")
        (calls, allocations, size), = none
        self.assertEqual(calls, 1500)  # the second half
        self.assertGreater(allocations, 0)  # the times that the method reads
        empty = self.counted("--recursion-depth", "3", probe="pass")
        self.assertEqual(empty, self.counted("--recursion-depth", "3", probe="pass"))
        self.assertEqual(empty, none)
        planted = f"kept = bytes({80})"  # an object of 33 bytes and its content
        for probe, more, bytes_more in ((planted, 1, 113), (f"{planted}; {planted}", 2, 226), ("kept = bytes(9000)", 1, 9033),
                                        ("kept = {}.fromkeys(range(depth)); kept[str(depth)] = [depth]; kept = None", None, None)):
            with self.subTest(probe=probe):
                found = self.counted("--recursion-depth", "3", probe=probe)
                self.assertEqual(found, self.counted("--recursion-depth", "3", probe=probe))
                if more:  # at each of three activations
                    self.assertEqual(found, [[calls, allocations + 3 * calls * more, size + 3 * calls * bytes_more]])

    def test_each_thread_counts_its_own(self):
        one, = self.counted("--total-threads", "1", probe="kept = bytes(80)")
        self.assertEqual(self.counted("--total-threads", "3", probe="kept = bytes(80)"), [one] * 3)

    def test_a_framework_that_collects_or_forks_counts_as_others_do(self):
        child = "os.waitpid(pid, 0) if (pid := os.fork()) else os._exit(len(bytes(999)) * 0)"
        for probe in ("gc.collect(0)", f"if self is not kept: kept = self; {child}"):
            with self.subTest(probe=probe):
                found = self.counted("--recursion-depth", "1", probe=probe)
                self.assertEqual(found, self.counted("--recursion-depth", "1", probe=probe))
        fork = self.counted("--recursion-depth", "1", probe=f"if self is not kept: kept = self; {child}")
        self.assertEqual(fork, self.counted("--recursion-depth", "1", probe="kept = self"))  # it was in the first half

    def test_what_cannot_be_counted_is_said(self):
        no_library = self.folder / "harness"
        no_library.mkdir()
        for name in ("moobench.py", "moobench_application.py", "moobench_count.py"):
            shutil.copy(HARNESS / name, no_library)
        broken = shutil.copytree(no_library, self.folder / "broken")
        (broken / "libmoobench_allocations.so").write_text("no library")
        site = self.folder / "site"
        site.mkdir()
        for patch, keywords, said in (
                (None, {"probe": "pass", "start": "tracemalloc.start()"}, "the framework has put another allocator before the one"),
                (None, {"probe": "raise OSError('no port')"}, "cannot count: OSError: no port"),
                (None, {"harness": no_library}, "libmoobench_allocations.so cannot be loaded"),
                (None, {"harness": broken}, "libmoobench_allocations.so cannot be loaded"),
                ("sys.implementation.name = 'pypy'", {}, "pypy has no allocator that can be watched; CPython has one"),
                ("ctypes.pythonapi = ctypes.CDLL(None)['printf']", {}, "this interpreter does not export PyMem_SetAllocator")):
            with self.subTest(said=said):
                (site / "sitecustomize.py").write_text(f"import ctypes, sys\n{patch}\n")
                done, lines = self.count(environment={"PYTHONPATH": str(site)} if patch else None, **keywords)
                self.assertEqual((done.returncode, lines), (1, []))
                self.assertRegex(done.stderr, f"\\Amoobench: cannot count: .*{said.split(': ', 1)[-1]}.*\n\\Z")


class Native(Cases, unittest.TestCase):
    collects = False
    command = [str(HARNESS / "moobench")]
    columns = 2

    def test_more_memory_than_there_is(self):
        done = self.run_harness("--quickstart", "--total-calls", "1000000000", "--total-threads", "1024",
                                "--output-filename", str(self.raw))
        self.assertEqual(done.returncode, 1)
        self.assertIn("lower --total-calls", done.stderr)
        self.assertEqual(os.listdir(self.folder), [])


class Instrumented(Native):
    command = [str(HARNESS / "moobench-instrumented")]

    def test_a_preloaded_library_sees_every_activation(self):
        library = self.folder / "callmon"
        shutil.copytree(SOURCE / "tests" / "native" / "library", library)
        subprocess.run(["make", "-s"], cwd=library, check=True, timeout=DEADLINE_S)
        records = self.folder / "calls.bin"
        for mode, expected in [("deactivated", 0), ("collecting", 0), ("writing", 100)]:
            with self.subTest(mode=mode):
                lines = self.measure(
                    "--total-calls", "100", "--recursion-depth", "5",
                    environment={"LD_PRELOAD": str(library / "libcallmon.so"), "CALLMON_MODE": mode,
                                 "CALLMON_FILE": str(records)})
                self.assertEqual(len(lines), 100)
                done = subprocess.run([str(library / "verify"), str(records), str(expected), "5"],
                                      capture_output=True, text=True, timeout=DEADLINE_S)
                self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([str(library / "verify"), str(records), "99", "5"], capture_output=True,
                              text=True, timeout=DEADLINE_S)
        self.assertEqual(done.returncode, 1)


@unittest.skipUnless(shutil.which("java") and (HARNESS / "moobench.jar").exists(),
                     "moobench.jar was not built: no JDK")
class Java(Cases, unittest.TestCase):
    command = ["java", "-Xmx256m", "-jar", str(HARNESS / "moobench.jar")]
    columns = 4

    def test_heap_and_collections_are_plausible(self):
        lines = self.measure("--total-calls", "5000", "--total-threads", "2", "--recursion-depth", "1")
        self.assertTrue(all(0 < line[2] <= 256 << 20 for line in lines))
        for thread in (1, 2):
            collections = [line[3] for line in lines if line[0] == thread]
            self.assertEqual(collections, sorted(collections))

    def test_how_long_collections_stopped_the_calls(self):
        self.measure("--total-calls", "10")
        told = json.loads((self.folder / "raw.csv.told").read_text())
        self.assertEqual(told["pauses_ms"], 0)  # none was needed for ten calls; what settles before and counts behind is not theirs
        log = self.folder / "gc.log"
        subprocess.run(["java", "-XX:+UseSerialGC", "-Xmx24m", f"-Xlog:gc:file={log}", f"-Xbootclasspath/a:{self.garbage()}",
                        "-jar", str(HARNESS / "moobench.jar"), "--total-calls", "20000", "--recursion-depth", "1", "--quickstart",
                        "--output-filename", self.raw], check=True, timeout=DEADLINE_S)
        told = json.loads((self.folder / "raw.csv.told").read_text())
        pauses = [float(ms) for ms in re.findall(r"Pause (?!.*System.gc).* ([0-9.]+)ms", log.read_text())]
        self.assertGreater(len(pauses), 5)
        self.assertTrue(0 < told["pauses_ms"] < 2 + 1.5 * sum(pauses), (told, pauses))

    def garbage(self):
        """A monitored class whose calls allocate 64 KiB each; the folder with its class."""
        source = self.folder / "MonitoredClass.java"
        source.write_text("package moowatch.moobench.application;\npublic final class MonitoredClass {\n"
                          "    static byte[] kept;\n    public long monitoredMethod(final long time, final int depth) {\n"
                          "        kept = new byte[65536];\n        return System.nanoTime();\n    }\n}\n")
        subprocess.run(["javac", "-d", self.folder / "classes", source], check=True, timeout=DEADLINE_S)
        return self.folder / "classes"

    def test_a_virtual_machine_without_management_beans(self):
        done = subprocess.run(["java", "--limit-modules", "java.base", "-jar", str(HARNESS / "moobench.jar"), "--total-calls", "10",
                               "--output-filename", self.raw], capture_output=True, text=True, timeout=DEADLINE_S)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([line.count(";") for line in self.raw.read_text().splitlines()], [1] * 10)
        told = json.loads((self.folder / "raw.csv.told").read_text())
        self.assertIn("no management beans", told["problem"])
        self.assertGreater(told["live_bytes"], 0)
        done = subprocess.run(["java", "--limit-modules", "java.base", "-cp", str(HARNESS / "moobench.jar"), "moowatch.moobench.Count",
                               "--output-filename", self.raw], capture_output=True, text=True, timeout=DEADLINE_S)
        self.assertEqual((done.returncode, done.stderr),
                         (1, "moobench: this JVM does not count what a thread allocates\n"))

    def test_what_is_live_at_the_end_is_listed_by_class(self):
        heap = self.folder / "heap"
        subprocess.run(["java", f"-Dmoowatch.moobench.heap={heap}", "-jar", str(HARNESS / "moobench.jar"), "--total-calls", "1000000",
                        "--output-filename", self.raw], check=True, timeout=DEADLINE_S)
        lines = heap.read_text().splitlines()
        for line in lines:
            self.assertRegex(line, r"^[^\s;\[]\S* \d+$")
        sizes = {name: int(size) for name, size in (line.split(" ") for line in lines)}
        self.assertTrue(16000000 <= sizes["long[]"] < 17000000, sizes["long[]"])  # what the calls took, and the heap
        self.assertTrue({"byte[]", "char[]", "java.lang.Object[]", "java.lang.String", "int[]"} < set(sizes))
        self.assertTrue(self.raw.exists())

    def test_settling_collects_garbage_before_the_first_call(self):
        done = self.run_harness("--total-calls", "10", "--output-filename", str(self.raw))
        self.assertEqual(done.returncode, 0, done.stderr)
        first = self.raw.read_text().splitlines()[0].split(";")
        self.assertGreaterEqual(int(first[3]), 2)

    def test_more_memory_than_the_heap(self):
        done = self.run_harness("--quickstart", "--total-calls", "100000000", "--output-filename", str(self.raw))
        self.assertEqual(done.returncode, 1)
        self.assertIn("raise -Xmx", done.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_class_files_load_in_old_virtual_machines(self):
        with zipfile.ZipFile(HARNESS / "moobench.jar") as jar:
            out = jar.read("moowatch/moobench/Benchmark.class")
        self.assertEqual(int.from_bytes(out[6:8], "big"), 52)  # Java 8

    def test_counting_says_what_each_call_allocates(self):
        application = self.folder / "moowatch" / "moobench" / "application"
        application.mkdir(parents=True)
        (application / "MonitoredClass.java").write_text(
            "package moowatch.moobench.application; public class MonitoredClass { static Object kept;"
            " public long monitoredMethod(long ns, int depth) { kept = new byte[80]; return ns; } }")
        subprocess.run(["javac", application / "MonitoredClass.java"], check=True, timeout=DEADLINE_S)
        for threads in ("1", "2"):
            subprocess.run(["java", "-cp", f"{self.folder}:{HARNESS / 'moobench.jar'}", "moowatch.moobench.Count", "--quickstart",
                            "--total-calls", "20000", "--total-threads", threads, "--output-filename", self.raw],
                           check=True, timeout=DEADLINE_S)
            lines = [[int(field) for field in line.split(";")] for line in self.raw.read_text().splitlines()]
            for thread in range(1, int(threads) + 1):
                counted = [line[2] for line in lines if line[0] == thread]
                self.assertEqual(counted[-1] - counted[len(counted) // 2], 96 * (len(counted) - 1 - len(counted) // 2))

    # A framework whose hook does not wait for its writer: what the writer has to write needs a file that the test makes.
    FRAMEWORK = """
import java.nio.file.*;
public class Framework {
    static volatile boolean ending;
    public static final class Writer extends Thread {
        public void run() {
            try {
                while (!ending || !Files.exists(Paths.get("go"))) Thread.sleep(1);
                Files.write(Paths.get("written"), new byte[1]);
            } catch (final Exception e) {
                e.printStackTrace();
            }
        }
    }
    public static void main(final String[] arguments) throws Exception {
        final Writer writer = new Writer();
        writer.setDaemon(true);
        writer.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            ending = true;
            System.out.println("hook");
            System.out.flush();
        }));
        moowatch.moobench.Benchmark.main(arguments);
    }
}
"""

    def framework(self, *options):
        """Started, and as far as its own hook."""
        (self.folder / "Framework.java").write_text(self.FRAMEWORK)
        subprocess.run(["javac", "-cp", HARNESS / "moobench.jar", "Framework.java"], cwd=self.folder, check=True,
                       timeout=DEADLINE_S)
        started = subprocess.Popen(
            ["java", *options, "-cp", f"{HARNESS / 'moobench.jar'}:.", "Framework", "--quickstart", "--total-calls", "10",
             "--output-filename", "raw.csv"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(started.communicate)
        self.addCleanup(started.kill)
        self.assertEqual(started.stdout.readline(), "hook\n")
        return started

    def test_a_writer_thread_is_awaited(self):
        started = self.framework("-Dmoowatch.moobench.await=Framework$Writer")
        self.assertFalse((self.folder / "written").exists())
        (self.folder / "go").touch()
        self.assertEqual((started.communicate(timeout=DEADLINE_S)[1], started.returncode), ("", 0))
        self.assertTrue((self.folder / "written").exists())

    def test_without_that_its_last_records_are_lost(self):
        started = self.framework()
        self.assertEqual((started.communicate(timeout=DEADLINE_S)[1], started.returncode), ("", 0))
        self.assertFalse((self.folder / "written").exists())

    def test_a_writer_thread_that_does_not_end(self):
        started = self.framework("-Dmoowatch.moobench.await=Framework$Writer:1")
        said = started.communicate(timeout=DEADLINE_S)[1]
        self.assertEqual(started.returncode, 1)
        self.assertIn("(Framework$Writer) still ran 1 s after the last call: what it had to write is lost", said)

    def test_threads_to_await_that_make_no_sense(self):
        for value, said in ((":5", "names no class"), ("Framework$Writer:0", "seconds from 1 to 3600"),
                            ("Framework$Writer:x", "seconds from 1 to 3600")):
            done = subprocess.run(["java", f"-Dmoowatch.moobench.await={value}", *self.command[2:], "--output-filename", self.raw],
                                  capture_output=True, text=True, timeout=DEADLINE_S)
            self.assertEqual(done.returncode, 2, value)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main()
