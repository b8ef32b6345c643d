"""moowatch run: whole experiments without a server, by the real runner and harness, on a real repository."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import moowatch

PROGRAM = moowatch.BUILD / "ci" / "moowatch"
NATIVE = moowatch.SOURCE / "tests" / "native" / "make-repository"
PROJECT = moowatch.SOURCE / "ci" / "demo.d" / "native.yaml"
SHORT = """
name: short
repository: {repository}
benchmark:
  driver: native
  prepare: {prepare}
  loops: 2
  total_calls: 200
  recursion_depth: 2
  loop_timeout_seconds: 60
  rest_seconds: 0
  configurations:
    - {{name: none, portion: T, warmup_calls: 50}}
    - {{name: writing, portion: W, parent: none, options: {options}}}
"""

PYTHON = """
name: python
repository: {repository}
benchmark:
  driver: native
  count: auto
  loops: 2
  total_calls: 400
  recursion_depth: 2
  rest_seconds: 0
  configurations:
    - {{name: none, portion: T, command: [python3, "{{harness}}/moobench.py"]}}
    - name: kept
      portion: I
      parent: none
      command: [python3, "{{harness}}/moobench.py", --instrument, "{folder}/kept.py"]
    - name: traced
      portion: C
      parent: kept
      command: [python3, "{{harness}}/moobench.py", --instrument, "{folder}/traced.py"]
"""
KEPT = """
def instrument(application):
    method = application.MonitoredClass.monitored_method
    def monitored_method(self, method_time_ns, depth):
        self.kept = bytes(80)
        return method(self, method_time_ns, depth)
    application.MonitoredClass.monitored_method = monitored_method
"""

JAVA = """
name: java
repository: "{repository}"
benchmark:
  driver: java
  count: auto
  prepare: [javac, -d, classes, MonitoredClass.java]
  loops: 2
  total_calls: 20000
  recursion_depth: 2
  rest_seconds: 0
  configurations:
    - {{name: none, portion: T}}
    - {{name: probe, portion: I, parent: none, options: ["-Xbootclasspath/a:{{checkout}}/classes"]}}
"""
JAVA_METHOD = """package moowatch.moobench.application;
public final class MonitoredClass {
    static int last;
    static byte[] kept;
    public long monitoredMethod(final long methodTime, final int depth) {
        %s
        return depth > 1 ? this.monitoredMethod(methodTime, depth - 1) : System.nanoTime();
    }
}
"""

FIGURES = """
name: figures
repository: {repository}
benchmark:
  driver: command
  loops: 3
  rest_seconds: 0
  read: {{pattern: "time (?<value>[0-9]+) ns", unit: ns, several: samples}}
  configurations:
    - {{name: none, portion: T, command: [sh, -c, "echo time 100 ns; echo time 104 ns"]}}
    - {{name: full, portion: W, parent: none, command: [sh, -c, "echo time 300 ns; echo time 312 ns"]}}
"""


class Run(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-run-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.repository = cls.folder / "repository"
        subprocess.run([NATIVE, cls.repository], check=True, capture_output=True, timeout=120)
        (cls.folder / "projects.d").mkdir()
        cls.project = cls.folder / "projects.d" / "native.yaml"
        shutil.copy(PROJECT, cls.project)

    def git(self, *words):
        return subprocess.run(["git", "-C", self.repository, *words], check=True, capture_output=True, text=True,
                              timeout=60).stdout.strip()

    def run_it(self, *words, expect=(0,)):
        done = subprocess.run([str(word) for word in (PROGRAM, "run", *words)], capture_output=True, text=True,
                              timeout=240, cwd=self.folder, stdin=subprocess.DEVNULL)
        self.assertIn(done.returncode, expect, done.stdout + done.stderr)
        return done

    def short(self, name, prepare="[]", options="[--quickstart]"):
        path = self.folder / f"{name}.yaml"
        path.write_text(SHORT.format(repository=self.repository, prepare=prepare, options=options))
        return path

    def test_one_commit(self):
        done = self.run_it(self.project, "--loops", 2, "--dir", "one", "--json", "--chart", "one.svg")
        night = json.loads(done.stdout)
        self.assertEqual([p["portion"] for p in night["portions"]], ["T", "I", "C", "W"])
        self.assertEqual({c["loops"] for c in night["configurations"]}, {2})
        self.assertTrue((self.folder / "one.svg").read_text().startswith("<svg"))
        record = json.loads((self.folder / "one" / "experiment.json").read_text())
        self.assertEqual(record["commit"], self.git("rev-parse", "main"))
        self.assertFalse((self.folder / "one" / "work").exists())
        # the folder is a MooBench result like any other, and says the same
        again = subprocess.run([PROGRAM, "analyze", self.folder / "one", "--project", self.project, "--json"],
                               check=True, capture_output=True, text=True, timeout=60)
        self.assertEqual(json.loads(again.stdout)["portions"], night["portions"])
        done = self.run_it(self.project, "--dir", "one", expect=(3,))
        self.assertIn("name a new folder with --dir", done.stderr)

    @unittest.skipUnless(shutil.which("valgrind"), "nothing counts without valgrind")
    def test_what_a_call_does_is_counted(self):
        path = self.short("counted")
        path.write_text(path.read_text().replace("driver: native", "driver: native\n  count: always"))
        self.run_it(path, "--dir", "counted")
        record = json.loads((self.folder / "counted" / "experiment.json").read_text())
        counts = record["environment"]["detail"]["counts"]
        self.assertNotIn("failed", counts)
        self.assertEqual(counts["counters"], {"instructions": "callgrind", "allocations": "dhat", "bytes": "dhat"})
        for name in ("none", "writing"):  # the same harness: a method that looks at the clock, and allocates nothing
            once, again = counts["configurations"][name]["instructions"]
            self.assertGreater(once, 10)
            self.assertEqual(once, again)
            self.assertEqual(counts["configurations"][name]["allocations"], [0, 0])
            self.assertEqual(counts["configurations"][name]["bytes"], [0, 0])
        self.assertEqual(counts["configurations"]["none"], counts["configurations"]["writing"])

    def test_a_program_in_python_is_counted_by_its_interpreter(self):
        (self.folder / "kept.py").write_text(KEPT)
        (self.folder / "traced.py").write_text(KEPT + "    import tracemalloc\n    tracemalloc.start()\n")
        path = self.folder / "python.yaml"
        path.write_text(PYTHON.format(repository=self.repository, folder=self.folder))
        self.run_it(path, "--dir", "python")
        record = json.loads((self.folder / "python" / "experiment.json").read_text())
        counts = record["environment"]["detail"]["counts"]
        self.assertEqual(counts["counters"], {"allocations": "the interpreter", "bytes": "the interpreter"})
        none, kept = counts["configurations"]["none"], counts["configurations"]["kept"]
        for dimension, more in (("allocations", 2), ("bytes", 2 * 113)):  # an object at each of two activations
            self.assertEqual(kept[dimension], [value + more for value in none[dimension]])
            self.assertEqual(none[dimension][0], none[dimension][1])
        (key, why), = counts["failed"].items()  # the night stands, and says so
        self.assertEqual(key, "traced the interpreter")
        self.assertIn("cannot count: the framework has put another allocator before", why)
        self.assertEqual({loop["failed"] for loop in record["loops"]}, {None})

    @unittest.skipUnless(shutil.which("javac"), "no JDK")
    def test_what_calls_in_java_allocate_is_counted_of_both_commits(self):
        repository = moowatch.Repository(self.folder / "java")
        for day, body in enumerate(("last = depth;", "kept = new byte[1000];")):
            repository.commit(f"day {day}", f"2024-01-0{day + 1}", {"MonitoredClass.java": JAVA_METHOD % body})
        path = self.folder / "java.yaml"
        path.write_text(JAVA.format(repository=repository.path))
        self.run_it(path, "--loops", 2, "--compare", "main~1", "--commit", "main", "--dir", "java-two", expect=(0, 1, 6))  # 6: a busy machine hides a doubling
        record = json.loads((self.folder / "java-two" / "experiment.json").read_text())
        counts = record["environment"]["detail"]["counts"]
        self.assertNotIn("failed", counts)
        self.assertEqual(counts["counters"], {"bytes": "the JVM"})
        before, after = (counts[of]["probe"]["bytes"] for of in ("before", "configurations"))
        for once, again in zip(before, after, strict=True):
            self.assertEqual(once, 0)
            self.assertEqual(again, 2 * 1016)  # an array with its head, in each of two activations

    def test_two_commits_in_turn(self):
        done = self.run_it(self.project, "--loops", 4, "--compare", "main~1", "--commit", "main", "--dir", "two",
                           "--json", "--junit", "two.xml", expect=(0, 1, 6))
        night = json.loads(done.stdout)
        slower = [p["portion"] for p in night["portions"] if p["verdict"] == "anomaly" and p["direction"] == "up"]
        # a busy machine hides a doubling, and says so
        self.assertEqual(done.returncode, 1 if slower else 6 if night["headline"].startswith("cannot tell") else 0)
        for portion in night["portions"]:
            self.assertLess(portion["difference"]["low_ns"], portion["difference"]["high_ns"])
        names = [{file.name for file in (self.folder / "two" / side).iterdir()} for side in ("before", "after")]
        self.assertEqual(names[0], names[1])
        self.assertEqual(len(names[0]), 4 * 4 + 1)  # and the side's own experiment.json
        record = json.loads((self.folder / "two" / "experiment.json").read_text())
        turns = {}
        for loop in record["loops"]:
            turns.setdefault(loop["configuration"], []).append(loop["commit"] == record["commit"])
        for sides in turns.values():  # A B B A, or B A A B
            self.assertEqual(sides[:4], [sides[0], not sides[0], not sides[0], sides[0]])
        self.assertIn('tests="4"', (self.folder / "two.xml").read_text())

    def test_the_project_s_warm_up_counts(self):
        night = json.loads(self.run_it(self.short("warm"), "--dir", "warm", "--json").stdout)
        dropped = [c["loop_results"][0]["warmup_calls"] for c in night["configurations"]]
        self.assertEqual(dropped, [50, 100])

    def test_a_driver_without_raw_files(self):
        path = self.folder / "figures.yaml"
        path.write_text(FIGURES.format(repository=self.repository))
        night = json.loads(self.run_it(path, "--dir", "figures", "--json").stdout)
        self.assertEqual([(p["portion"], p["mean_ns"]) for p in night["portions"]], [("T", 102), ("W", 204)])
        self.assertEqual({c["loops"] for c in night["configurations"]}, {3})
        self.assertIn("204.0", self.run_it(path, "--dir", "figures2").stdout)
        night = json.loads(self.run_it(path, "--dir", "figures3", "--compare", "main~1", "--json").stdout)
        self.assertEqual([p["verdict"] for p in night["portions"]], ["ok", "ok"])
        (self.folder / "figures" / "experiment.json").write_text("{")
        for folder, wrong in ("figures", "experiment.json"), ("figures3", "figures3/before or"):  # loops of both commits
            done = subprocess.run([PROGRAM, "analyze", self.folder / folder, "--project", path], capture_output=True,
                                  text=True, timeout=60)
            self.assertEqual((done.returncode, wrong in done.stderr, "CRITICAL" in done.stderr), (3, True, False),
                             done.stdout + done.stderr)

    def test_commits_by_name(self):
        self.git("-c", "user.name=a", "-c", "user.email=a@localhost", "tag", "-f", "-a", "v1", "-m", "x", "main~3")
        for number, (words, commit) in enumerate([
                (("--commit", "HEAD~2"), "HEAD~2"), (("--commit", "v1"), "main~3"),
                (("--commit", "v1", "--repository", f"file://{self.repository}/.git"), "main~3"),
                (("--repository", "repository"), "main")]):
            self.run_it(self.short("named"), *words, "--dir", f"named{number}")
            record = json.loads((self.folder / f"named{number}" / "experiment.json").read_text())
            self.assertEqual(record["commit"], self.git("rev-parse", commit))

    def test_what_is_wrong_is_said(self):
        short = self.short("wrong")
        for words, says, status in (
                (("--commit", "nothing"), 'no commit "nothing"', 3),
                (("--commit", "--upload-pack=x"), "no commit", 3),
                (("--commit", "ab" * 20), "ab" * 20, 3),
                (("--repository", "/nonexistent"), "/nonexistent", 3),
                (("--compare", "main"), "the same commit", 2),
                (("--loops", "1"), "--loops", 2),
                (("--rest", "3601"), "--rest: not a number of seconds from 0 to 3600: 3601", 3),
                (("--path", "bin"), "--path: not absolute folders", 3),
                (("--config", "/nonexistent.yaml"), "/nonexistent.yaml", 3)):
            with self.subTest(words=words):
                done = self.run_it(short, *words, "--dir", tempfile.mktemp(dir=self.folder), expect=(status,))
                self.assertIn(says, done.stderr)
        self.assertIn("nonsense", self.run_it(self.folder / "nonsense.yaml", expect=(3,)).stderr)

    def test_a_failing_prepare_or_benchmark(self):
        bad = self.short("prepare", prepare='[sh, -c, "echo there is no compiler >&2; exit 3"]')
        done = self.run_it(bad, "--dir", "prepare", expect=(3,))
        self.assertIn("there is no compiler", done.stderr)
        self.assertFalse((self.folder / "prepare" / "work").exists())
        done = self.run_it(self.short("loop", options="[--no-such-option]"), "--dir", "loop", expect=(3,))
        self.assertIn("writing", done.stderr)
        self.assertIn("loop/run.log, which the next run replaces", done.stderr)
        self.run_it(self.short("loop"), "--dir", "loop")

    def test_a_desk_s_own_programs_and_no_rests(self):
        tool = self.folder / "bin" / "desk-tool"
        tool.parent.mkdir()
        tool.write_text("#!/bin/sh\necho \"$PATH\" >path-of-prepare\n")
        tool.chmod(0o755)
        path = self.short("desk", prepare="[desk-tool]")
        path.write_text(path.read_text().replace("rest_seconds: 0", "rest_seconds: 3600"))
        done = self.run_it(path, "--rest", 0, "--dir", "desk", expect=(3,))
        self.assertIn("prepare: cannot start desk-tool: there is no such program in /usr/local/bin:/usr/bin:/bin; install it, or", done.stderr)
        self.run_it(path, "--rest", 0, "--path", f"{tool.parent}:/usr/bin:/bin", "--dir", "desk")
        record = json.loads((self.folder / "desk" / "experiment.json").read_text())
        self.assertEqual({loop["failed"] for loop in record["loops"]}, {None})

    def test_asked_to_end(self):
        slow = self.short("slow", prepare="[sleep, '100']")
        child = subprocess.Popen([PROGRAM, "run", slow, "--dir", "slow"], cwd=self.folder, stderr=subprocess.PIPE,
                                 stdout=subprocess.DEVNULL, text=True, start_new_session=True)
        log = self.folder / "slow" / "run.log"
        end = time.monotonic() + 60
        while not (log.exists() and "session prepare" in log.read_text()):
            self.assertLess(time.monotonic(), end, "prepare never began")
            time.sleep(0.05)
        os.killpg(child.pid, signal.SIGINT)  # as a terminal does
        _, said = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 3)
        self.assertIn("told to stop", said)
        self.assertFalse((self.folder / "slow" / "work").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
