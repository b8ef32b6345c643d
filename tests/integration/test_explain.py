"""Where a change is, for each driver but native (whose is in test_demo): the nights are made up, the commits, the
profilers and the sentence are real. The planted function is named first, and samples come with an interval."""
import hashlib
import unittest

import made_up
import moowatch

PROJECT = """
name: {name}
repository: "{repository}"
branch: main
since: 2024-01-01
benchmark:
  driver: {driver}
{benchmark}
  loops: 5
  total_calls: {calls}
  recursion_depth: 10
  rest_seconds: 0
{detection}
"""
SHA256 = hashlib.sha256(made_up.ZSTD).hexdigest()
QUIET, MEANS = 6, {False: (100.0, 500.0), True: (100.0, 900.0)}

# The benchmark's method as a weaver would leave it: the boot loader finds this class before the harness' own.
METHOD = """package moowatch.moobench.application;
public final class MonitoredClass {
    public long monitoredMethod(final long methodTime, final int depth) {
        probe.Probe.enter(depth);
        return depth > 1 ? this.monitoredMethod(methodTime, depth - 1) : System.nanoTime();
    }
}
"""
PROBE = """package probe;
public final class Probe {
    static volatile Object last;
    public static void enter(final int depth) {
        if (depth < 0 || %s)
            last = text(depth);
    }
    /** The signature's text, put together at every call. */
    static String text(final int depth) {
        final StringBuilder text = new StringBuilder(16);
        for (final String part : "public static void a.b.C.operation".split("[.]"))
            text.append(part).append(depth);
        return text.toString();
    }
}
"""
JAVA = """  prepare: [javac, -d, classes, probe/Probe.java, MonitoredClass.java]
  configurations:
    - {name: none, portion: T}
    - {name: deactivated, portion: I, parent: none, options: ["-Xbootclasspath/a:{checkout}/classes"]}"""

# What is of a whole process: a class that loads slowly and keeps something, once.
PROBE_ONCE = """package probe;
public final class Probe {
    static volatile Object last;
    static { if (%s) load(); }
    public static void enter(final int depth) {
        if (depth < 0) last = null;
    }
    static void load() {
        final long end = System.nanoTime() + 300_000_000L;
        while (System.nanoTime() < end) last = Long.toString(end);
        last = new byte[8 << 20];
    }
}
"""
PYTHON_ONCE = """def enter(depth):
    pass


def keep():
    return bytearray(8 << 20)


kept = keep() if %s else None
"""
INSTRUMENT = """import probe

def instrument(application):
    original = application.MonitoredClass.monitored_method

    def monitored_method(self, method_time_ns, depth):
        probe.enter(depth)
        return original(self, method_time_ns, depth)

    application.MonitoredClass.monitored_method = monitored_method
"""
PYTHON = """  configurations:
    - name: none
      portion: T
      command: [python3, "{harness}/moobench.py"]
    - name: deactivated
      portion: I
      parent: none
      command: [python3, "{harness}/moobench.py"]
      environment: ["PYTHONPATH={checkout}"]
      options: [--instrument, "{checkout}/instrument.py"]"""
PYTHON_PROBE = """def enter(depth):
    if depth < 0 or %s:
        text(depth)


def text(depth):
    made = ""
    for part in range(8):
        made += str(part) + str(depth)
    return made
"""

COMMAND = """  read: {pattern: "(?<value>[0-9]+)", unit: ns}
  configurations:
    - {name: none, portion: T, command: [./bench, none]}
    - {name: deactivated, portion: I, parent: none, command: [./bench, deactivated]}"""
OWN = """detection:
  profile_command: [./profile, "{profile}"]
  profile_root: bench"""
PROFILE = """#!/bin/sh
# profile FILE BENCHMARK: the benchmark, and what a sampler would have seen of it.
out=$1
shift
"$@" >&2
echo "start;main;bench 100" >"$out"
test "$2" = none || echo "start;main;bench;enter;text SAMPLES" >>"$out"
"""


class Explain(made_up.Nights):
    NAMES = ("java", "python", "own", "none", "broken", "starts", "classes", "heap")

    @classmethod
    def setUpClass(cls):
        moowatch.come_first()
        cls.service = moowatch.Service(settings={"poll_seconds": 1}, runner={
            "node": "n"})
        cls.addClassCleanup(lambda: cls.service.__exit__(None, None, None))
        cls.shas, cls.beside = {}, {}
        cls.plant("java", "java", JAVA, 300000, {"MonitoredClass.java": METHOD, "probe/Probe.java": PROBE % "false"},
                  {"probe/Probe.java": PROBE % "true"})
        cls.plant("python", "native", PYTHON, 100000, {"instrument.py": INSTRUMENT, "probe.py": PYTHON_PROBE % "False"},
                  {"probe.py": PYTHON_PROBE % "True"})
        cls.plant("own", "command", COMMAND, 1000, {"bench": "#!/bin/sh\necho 100\n", "profile": PROFILE.replace("SAMPLES", "1")},
                  {"profile": PROFILE.replace("SAMPLES", "400")}, OWN)
        cls.plant("none", "command", COMMAND, 1000, {"bench": "#!/bin/sh\necho 100\n"}, {"bench": "#!/bin/sh\necho 9\n"})
        cls.plant("broken", "java", JAVA, 300000, {"MonitoredClass.java": METHOD, "probe/Probe.java": PROBE % "false"},
                  {"probe/Probe.java": "no Java"})
        for name in ("starts", "classes"):
            cls.plant(name, "java", JAVA, 20000, {"MonitoredClass.java": METHOD, "probe/Probe.java": PROBE_ONCE % "false"},
                      {"probe/Probe.java": PROBE_ONCE % "true"}, beside="start_ms" if name == "starts" else "live_mb")
        cls.plant("heap", "native", PYTHON, 20000, {"instrument.py": INSTRUMENT, "probe.py": PYTHON_ONCE % "False"},
                  {"probe.py": PYTHON_ONCE % "True"}, beside="live_mb")
        cls.service.start(with_runner=False)
        cls.runner = cls.token("runner")
        cls.make_nights()
        cls.service.start_runner()

    @classmethod
    def plant(cls, name, driver, benchmark, calls, before, after, detection="", beside=None):
        """A project of QUIET commits without the cost and one with it, of time or of what the harness tells beside it."""
        repository = moowatch.Repository(cls.service.folder / name)
        for day in range(1, QUIET + 2):
            files = {**before, **(after if day > QUIET else {}), "day": f"{name} {day}"}
            sha = repository.commit(f"Day {day}", f"2024-01-{day:02}", files)
            cls.shas[sha] = MEANS[day > QUIET and not beside]
            cls.beside[sha] = (beside, MEANS[day > QUIET])
        cls.service.project(name, PROJECT.format(name=name, repository=repository.path, driver=driver, calls=calls,
                                                 benchmark=benchmark, detection=detection))

    @classmethod
    def make_nights(cls):
        """What a runner would have found, until every change is confirmed; profiling is left to the real one."""
        def work():
            if all(job["kind"] == "explain" for job in cls.service.get("/api/v1/jobs?state=queued")["items"]):
                return all(cls.explanation(name) for name in cls.NAMES)
            leased = cls.ask("/api/v1/runner/lease", {"node": "n", "version": "0.1", "labels": [],
                                                      "can": ["confirmation", "explain"], "wait_seconds": 1})
            if leased["job"]["kind"] == "explain":  # goes before nights of the past: given back, for later
                cls.ask(f"/api/v1/runner/jobs/{leased['job']['id']}/failure",
                        {"lease": leased["lease"], "phase": "prepare", "reason": "later", "retry": True})
            else:
                cls.answer(**leased)
            return False
        cls.service.wait(work, "all alerts")

    @classmethod
    def explanation(cls, project):
        alerts = cls.service.alerts(project)
        return cls.service.get(f"/api/v1/alerts/{alerts[0]['id']}")["explanation"] if alerts else None

    @classmethod
    def loop(cls, job, name, loop, position, commit):
        """As it is found of a commit; of a trial's it is named."""
        place = made_up.NAMES.index(name)
        factor = 1 + ((loop * 7 + place * 3) % 5 - 2) / 300
        value = cls.shas[commit or job["commit"]][place] * factor
        beside, levels = cls.beside[commit or job["commit"]]
        raw = job["benchmark"]["driver"] != "command"
        counts = {"calls": 200, "warmup_calls": 100} if raw else {"calls": 100, "warmup_calls": 0}
        if raw:
            counts["raw"] = {"sha256": SHA256, "bytes": len(made_up.ZSTD), "uncompressed_bytes": len(made_up.CSV)}
        return {"configuration": name, "loop": loop, "position": position, "started_ms": 1, "seconds": 1.0,
                "failed": None, "disturbed": False, "calls_per_second": [],
                "readings": {"harness": {beside: levels[place] * factor}} if beside else {},
                "summary": {"n": 100, "mean_ns": value, "sd_ns": 1.0, "min_ns": value / 2, "q1_ns": value * .9,
                            "median_ns": value, "q3_ns": value * 1.1, "max_ns": value * 2},
                **counts, **({"commit": commit} if commit else {})}

    @classmethod
    def answer(cls, job, lease, **_):
        sides = [job["commit"], job["before"]] if "before" in job else [None]
        if job["benchmark"]["driver"] != "command":
            cls.ask(f"/api/v1/runner/jobs/{job['id']}/raw/{SHA256}", made_up.ZSTD, "PUT", {"X-Moowatch-Lease": lease})
        loops = []
        for round_ in range(1, job["benchmark"]["loops"] + 1):
            for configuration in job["benchmark"]["configurations"]:
                for side in sides if round_ % 2 else sides[::-1]:
                    loops.append(cls.loop(job, configuration["name"], round_, len(loops), side))
        cls.ask(f"/api/v1/runner/jobs/{job['id']}/result", {
            "lease": lease, "node": "n", "started_ms": 1, "finished_ms": 2,
            "environment": {"node": "n", "cpu": "c", "kernel": "k"}, "loops": loops})

    def explained(self, project):
        alert, = self.service.alerts(project)
        self.assertEqual((alert["portion"], alert["direction"]), ("I", "up"))

        def done():
            found = self.explanation(project)
            return found if found["state"] != "waiting" else None
        return self.service.wait(done, f"where the change of {project} is")

    def named(self, project, function, profilers, loops=5):
        found = self.explained(project)
        self.assertEqual(found["state"], "done", found["reason"])
        self.assertIn(found["profiler"], profilers)
        portion, = found["portions"]
        first = portion["functions"][0]
        self.assertIn(function, first["name"])
        self.assertIn(f" in `{first['name'].rsplit('/', 1)[-1] if '(' not in first['name'] else first['name']}`",
                      portion["sentence"])
        self.assertIn("about +", portion["sentence"])
        self.assertLessEqual(first["change"]["low_ns"], first["change"]["mean_ns"])
        self.assertEqual({one["loops"] for one in found["profiles"]}, {loops})
        return found

    def test_java(self):
        found = self.named("java", "probe/Probe.text", ("async-profiler", "JFR"))
        self.assertEqual(found["unit"], "ns")
        self.assertEqual(found["reason"] is None, found["profiler"] == "async-profiler")
        self.assertEqual(found["allocations"]["reason"] is None, found["profiler"] == "async-profiler")
        if found["allocations"]["reason"] is None:
            self.allocates(found["allocations"])
        print(found["profiler"], found["portions"][0]["sentence"], flush=True)

    def allocates(self, found):
        """Some 14,800 bytes in ten activations; the portion is theirs, and its picture is in bytes."""
        portion, = found["portions"]
        print(portion["sentence"], flush=True)
        self.assertEqual(portion["functions"][0]["name"], "probe/Probe.text")
        self.assertLess(abs(portion["functions"][0]["change"]["mean_units"] / 14800 - 1), 0.1)
        self.assertIn(" in `Probe.text` (not seen before), called from `Probe.enter`", portion["sentence"])
        url, = (one["url"] for one in found["profiles"] if (one["configuration"], one["end"]) == ("deactivated", "after"))
        status, _, stacks = self.service.status(url)
        self.assertEqual(status, 200)
        self.assertIn(b";new java.lang.String ", stacks)
        alert, = self.service.alerts("java")
        picture = self.service.get(f"/flames/{alert['id']}/deactivated.json?dimension=bytes&view=after")
        self.assertTrue(any("new java.lang.String" in frame["words"] and "bytes" in frame["words"]
                            for frame in picture["frames"]), picture)

    def test_python(self):
        found = self.explained("python")
        if found["state"] == "failed" and "cannot be fetched" in found["reason"]:
            self.skipTest(found["reason"])
        found = self.named("python", "text (probe.py)", ("py-spy",))
        print(found["portions"][0]["sentence"], flush=True)

    def whole(self, project, function, unit, begins):
        """Of a dimension of whole processes: the sentence, and the stacks of the configuration after the change."""
        found = self.explained(project)
        if found["state"] == "failed" and "cannot be fetched" in found["reason"]:
            self.skipTest(found["reason"])
        self.assertEqual((found["state"], found["unit"]), ("done", unit), found["reason"])
        portion, = found["portions"]
        print(found["profiler"], portion["sentence"], flush=True)
        self.assertIn(begins, portion["sentence"])
        self.assertEqual(portion["functions"][0]["name"], function)
        self.assertIsNone(portion["change_ns"])
        url, = (one["url"] for one in found["profiles"] if (one["configuration"], one["end"]) == ("deactivated", "after"))
        status, _, stacks = self.service.status(url)
        self.assertEqual(status, 200)
        alert, = self.service.alerts(project)
        picture = self.service.get(f"/flames/{alert['id']}/deactivated.json?view=after")
        self.assertTrue(all(frame["words"].endswith((" ms", " MB")) for frame in picture["frames"]), picture)
        return stacks.decode()

    def test_a_start_is_profiled_thread_by_thread(self):
        stacks = self.whole("starts", "probe/Probe.load", "ns a start", "start of I takes ")
        self.assertRegex(stacks, r"(?m)^thread benchmark-;.*probe/Probe\.load")
        self.assertRegex(stacks, r"(?m)^thread (C2|C1) CompilerThre")
        self.assertRegex(stacks, r"(?m)^thread main;|^thread java;")

    def test_what_a_jvm_keeps_is_told_by_class(self):
        stacks = self.whole("classes", "byte[]", "bytes a process", "I keeps 8.0")
        self.assertRegex(stacks, r"(?m)^java\.lang\.String \d+$")

    def test_what_a_python_keeps_is_told_by_caller(self):
        stacks = self.whole("heap", "keep (probe.py)", "bytes a process", "I keeps 8.0")
        self.assertRegex(stacks, r"(?m);<module> \(probe\.py\);keep \(probe\.py\) \d+$")

    def test_a_profiler_of_the_projects_own(self):
        found = self.named("own", "text", ("profile_command",))
        self.assertEqual(found["unit"], "samples")
        self.assertIsNone(found["allocations"])
        self.assertIn("called from `enter`", found["portions"][0]["sentence"])
        status, _, stacks = self.service.status(found["profiles"][0]["url"])
        self.assertEqual(status, 200)
        self.assertTrue(all(line.startswith(b"bench") for line in stacks.splitlines()), stacks)

    def test_what_cannot_be_profiled_is_said_on_the_alert(self):
        for project, says in (("none", "detection.profile_command"), ("broken", "prepare")):
            found = self.explained(project)
            self.assertEqual(found["state"], "failed")
            self.assertIn(says, found["reason"])
            self.assertEqual(found["portions"], [])

    def test_a_commit_that_no_longer_builds_is_named(self):
        found = self.explained("broken")
        alert, = self.service.alerts("broken")
        self.assertIn(f"commit {alert['to']['commit']['sha'][:12]} (after): prepare: javac: exit status 1",
                      found["reason"])
        self.assertEqual(alert["state"], "open")


if __name__ == "__main__":
    unittest.main(verbosity=2)
