"""The project files of config/projects, with short parameters: real frameworks, and their records really counted."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import fetched
import moowatch

PROGRAM = moowatch.BUILD / "ci" / "moowatch"
MAKE = moowatch.SOURCE / "config" / "projects" / "make"


class Frameworks(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-frameworks-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def make(self, name, *versions, calls=2000, more=""):
        """The project's file with few calls and loops, and nothing else changed but for `more` of the benchmark."""
        made = subprocess.run([MAKE, name, self.folder, *versions], check=True, capture_output=True, text=True, timeout=120)
        project = pathlib.Path(made.stdout.strip())
        text = re.sub(r"total_calls: \d+", f"total_calls: {calls}", project.read_text())
        text = re.sub(r"\bloops: \d+", "loops: 2", text)
        text = re.sub(r"\n  rest_seconds: \d+", "", text)
        project.write_text(text.replace("  recursion_depth: 10", f"  recursion_depth: 10\n  rest_seconds: 0\n{more}".rstrip()))
        return project

    def run_it(self, project, *words, expect=0):
        place = pathlib.Path(tempfile.mkdtemp(dir=self.folder)) / "out"
        done = subprocess.run([str(word) for word in (PROGRAM, "run", project, "--dir", place, "--json", *words)],
                              capture_output=True, text=True, timeout=500, stdin=subprocess.DEVNULL)
        log = place / "run.log"
        self.assertEqual(done.returncode, expect, done.stderr + (log.read_text() if log.exists() else ""))
        if expect:
            return done
        record = json.loads((place / "experiment.json").read_text())
        self.assertEqual([loop["failed"] for loop in record["loops"] if loop["failed"]], [])
        return json.loads(done.stdout), record

    def portions(self, night):
        return [one["portion"] for one in night["portions"]]

    def median(self, night, configuration):
        """Of the calls of its loops: a probe that does nothing cannot be told from none by it."""
        loops = [one for one in night["configurations"] if one["name"] == configuration][0]["loop_results"]
        return min(one["summary"]["median_ns"] for one in loops)

    def received(self, record, configuration):
        """(what came, what was expected) of each loop"""
        counts = [loop["readings"]["receiver"] for loop in record["loops"] if loop["configuration"] == configuration]
        self.assertEqual(len(counts), 2)
        for one in counts:
            self.assertEqual(one["refused"], 0)
        return [(one["records"], one["expected"]) for one in counts]

    def test_opentelemetry_java(self):
        fetched.maven("opentelemetry-2.33.1", "io.opentelemetry.javaagent:opentelemetry-javaagent:2.33.1")
        night, record = self.run_it(self.make("opentelemetry-java", "2.33.1"))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W OTLP", "W Zipkin"])
        self.assertGreater(self.median(night, "deactivated"), 2 * self.median(night, "none"))
        for configuration in ("otlp", "zipkin"):
            for came, expected in self.received(record, configuration):
                self.assertEqual(expected, 20000)
                self.assertTrue(0 < came <= expected)

    def test_opentelemetry_api_java(self):
        """Scenario S001 of OTEP 5109, and what the SDK adds."""
        fetched.maven("opentelemetry-sdk-1.55.0", "io.opentelemetry:opentelemetry-sdk:1.55.0",
                      "org.openjdk.jmh:jmh-core:1.37", "org.openjdk.jmh:jmh-generator-annprocess:1.37")
        project = self.make("opentelemetry-api-java", "1.55.0")
        short = 'environment: ["OTEP_TIME=-wi 1 -w 200ms -i 3 -r 200ms"]'
        text = re.sub(r"(\n +)command:", rf"\1{short}\1command:", project.read_text())
        project.write_text(text.replace("rest_seconds: 5", "rest_seconds: 0"))
        night, record = self.run_it(project)
        self.assertEqual(self.portions(night), ["T", "I", "SDK idle", "C"])
        allocated = {loop["configuration"]: loop["readings"]["allocated_bytes_per_call"] for loop in record["loops"]}
        self.assertLess(allocated["none"], 8)
        self.assertGreater(allocated["api"], 24)  # the attributes are made with every call, as the scenario says
        self.assertGreater(self.median(night, "aggregating"), self.median(night, "none"))

    def needs(self, *programs):
        for program in programs:
            if not shutil.which(program):
                self.skipTest(f"{program} is not installed; ci/setup test installs it")

    def pypi(self, *requirements):
        """Skips where PyPI cannot be reached; what comes is not kept, the project's prepare fetches it itself."""
        fetched.fetched("-".join(requirements).replace("=", ""), lambda place: fetched.run(
            requirements[0], sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", place, *requirements))

    def test_opentelemetry_python(self):
        self.pypi("opentelemetry-sdk==1.38.0")
        night, record = self.run_it(self.make("opentelemetry-python", "1.38.0", calls=300))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W OTLP", "W Zipkin"])
        self.assertGreater(self.median(night, "deactivated"), 2 * self.median(night, "none"))
        for configuration in ("otlp", "zipkin"):
            for came, expected in self.received(record, configuration):
                self.assertEqual(expected, 3000)
                self.assertTrue(0 < came <= expected)
        self.assertIn("Python 3", record["environment"]["runtime"])
        self.assertEqual(record["environment"]["harness"], "moobench-python 1")

    KIEKER = ("net.kieker-monitoring:kieker:2.0.2:jar:aspectj", "org.aspectj:aspectjweaver:1.9.22.1")

    def kieker_java(self, version, *artifacts):
        """Every writing loop is counted by its verify, so a failed loop would be a record too few."""
        fetched.maven(f"kieker-{version}", *artifacts, "org.aspectj:aspectjweaver:1.9.22.1")
        night, _ = self.run_it(self.make("kieker-java", version, calls=300))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W text", "W binary", "W compressed"])
        self.assertGreater(self.median(night, "collecting"), 2 * self.median(night, "none"))

    def test_kieker_java(self):
        self.kieker_java("2.0.2", "net.kieker-monitoring:kieker:2.0.2:jar:aspectj")

    def test_kieker_java_1_15(self):
        self.kieker_java("1.15.4", "net.kieker-monitoring:kieker:1.15.4")

    def test_kieker_java_oldest(self):
        self.kieker_java("1.8", "net.kieker-monitoring:kieker:1.8")

    def test_kieker_java_events(self):
        """Each activation has an event before and one after it; TCP's are counted by the latter."""
        fetched.maven("kieker-2.0.2", *self.KIEKER)
        night, record = self.run_it(self.make("kieker-java-events", "2.0.2", calls=300))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W text", "W TCP"])
        self.assertEqual(self.received(record, "tcp"), [(3000, 3000)] * 2)

    def test_kieker_java_compressed(self):
        fetched.maven("kieker-2.0.2-compressed", *self.KIEKER, "org.tukaani:xz:1.9", "org.apache.commons:commons-compress:1.21")
        night, _ = self.run_it(self.make("kieker-java-compressed", "2.0.2", calls=300))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W binary", "W gzip", "W zip", "W deflate", "W xz", "W bzip2"])

    def test_kieker_java_by_bytebuddy(self):
        fetched.maven("kieker-2.0.2-bytebuddy", "net.kieker-monitoring:kieker:2.0.2:jar:bytebuddy")
        night, _ = self.run_it(self.make("kieker-java-bytebuddy", "2.0.2", calls=300))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W text", "W binary"])
        self.assertGreater(self.median(night, "collecting"), 2 * self.median(night, "none"))

    def test_kieker_java_by_source(self):
        """Duration records have no trace; of the aggregated there is one for 1000 activations."""
        fetched.maven("kieker-2.0.2-source", "net.kieker-monitoring:kieker:2.0.2",
                      "de.dagere.kieker:kieker-source-instrumentation-library:2.0.1")
        night, _ = self.run_it(self.make("kieker-java-source", "2.0.2", calls=300))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W text", "I+C+W duration", "I+C+W aggregated"])
        self.assertGreater(self.median(night, "collecting"), 2 * self.median(night, "none"))

    def test_kieker_java_over_tcp(self):
        fetched.maven("kieker-2.0.2", *self.KIEKER)
        night, record = self.run_it(self.make("kieker-java-tcp", "2.0.2", calls=300))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W TCP"])
        self.assertEqual(self.received(record, "tcp"), [(3000, 3000)] * 2)

    def agent(self, name, version, artifact, portions, kind="", method_time_ns=0, calls=2000):
        """An agent for Java that drops what its queue cannot hold: some came, none that was not recorded."""
        fetched.artifact(f"{name}-{version}", f"{artifact}:{version}{kind}")
        more = f"  method_time_ns: {method_time_ns}\n"
        night, record = self.run_it(self.make(name, version, calls=calls, more=more))
        self.assertEqual(self.portions(night), ["T", "I", "C", portions])
        none, collecting = (self.median(night, one) - method_time_ns for one in ("none", "collecting"))
        self.assertGreater(collecting, 3 * none)
        writing = night["portions"][-1]["configuration"]
        for came, expected in self.received(record, writing):
            self.assertTrue(0 < came <= expected)

    def test_elastic_apm_java(self):
        self.agent("elastic-apm-java", "1.55.1", "co.elastic.apm:elastic-apm-agent", "W intake")

    def test_skywalking_java(self):
        """It connects while it is measured already, so the calls must last for longer."""
        self.agent("skywalking-java", "9.4.0", "org.apache.skywalking:apm-agent", "W gRPC", calls=100000,
                   method_time_ns=20000)

    def test_pinpoint_java(self):
        self.agent("pinpoint-java", "3.0.1", "com.navercorp.pinpoint:pinpoint-agent", "W gRPC", kind=":tar.gz")

    def test_scouter_java(self):
        self.agent("scouter-java", "2.0.0", "io.github.scouter-project:scouter-agent-java", "W UDP")

    def test_kieker_python(self):
        self.pypi("kieker-monitoring-for-python==0.0.2")
        night, record = self.run_it(self.make("kieker-python", "0.0.2", calls=200))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W text", "W TCP"])
        self.assertGreater(self.median(night, "collecting"), 2 * self.median(night, "none"))
        self.assertEqual(self.received(record, "tcp"), [(2000, 2000)] * 2)  # records: all; text has its verify

    def test_lttng(self):
        self.needs("lttng", "babeltrace2")
        version = subprocess.run(["lttng", "--version"], check=True, capture_output=True, text=True, timeout=60).stdout
        night, _ = self.run_it(self.make("lttng-ust", re.search(r"Control\) ([0-9.]+)", version).group(1)))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W"])  # and verify has counted what is in the traces
        done = self.run_it(self.make("lttng-ust", "1.0"), expect=3)
        self.assertIn("the commit pins 1.0", done.stderr)

    def test_uftrace(self):
        self.needs("uftrace")
        version = subprocess.run(["uftrace", "--version"], check=True, capture_output=True, text=True, timeout=60).stdout
        night, _ = self.run_it(self.make("uftrace", re.search(r"v([0-9.]+)", version).group(1)))
        self.assertEqual(self.portions(night), ["T", "I", "C+W"])

    def test_releases_become_nights(self):
        project = self.make("opentelemetry-java", "1.12.0", "2.0.0")
        repository = project.with_suffix("")

        def git(*words):
            return subprocess.run(["git", "-C", repository, *words], check=True, capture_output=True, text=True,
                                  timeout=60).stdout.splitlines()
        self.assertEqual(git("log", "--reverse", "--format=%s", "1.12.0..2.0.0"), ["Pin 2.0.0"])
        days = [int(seconds) // 86400 for seconds in git("log", "--reverse", "--format=%at", "2.0.0")]
        self.assertEqual(days, sorted(set(days)))
        self.assertIn("<version>2.0.0</version>", "\n".join(git("show", "2.0.0:pom.xml")))
        self.make("opentelemetry-java", "2.0.0", "9.9.9-rc1")  # what is there stays, what is new is added
        self.assertEqual(git("log", "--reverse", "--format=%s", "2.0.0..main")[-1], "Pin 9.9.9-rc1")
        for words in (("no-such", "x"), ("../opentelemetry-java", "x"), ("opentelemetry-java",),
                      ("opentelemetry-java", self.folder, "1 ; rm"), ("opentelemetry-java", self.folder, "-v")):
            done = subprocess.run([MAKE, *words], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn("make", done.stderr)

    def test_a_receiver_that_nothing_comes_to_fails_the_loop(self):
        """An agent whose method does not exist: without the count it would look very fast."""
        fetched.maven("opentelemetry-2.33.1", "io.opentelemetry.javaagent:opentelemetry-javaagent:2.33.1")
        project = self.make("opentelemetry-java", "2.33.1")
        project.write_text(project.read_text().replace(
            "        - -Dotel.traces.exporter=otlp\n",
            "        - -Dotel.traces.exporter=otlp\n        - -Dotel.instrumentation.methods.include=x.Y[z]\n"))
        text = re.sub(r"    - name: (deactivated|collecting|zipkin)\n(      .*\n)*", "", project.read_text())
        project.write_text(text.replace("parent: collecting", "parent: none"))
        done = self.run_it(project, expect=3)
        self.assertIn("no record came, 20000 were expected", done.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
