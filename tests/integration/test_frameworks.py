"""The project files of config/projects, with short parameters: real frameworks, and their records really counted."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import zipfile

import fetched
from frameworks_case import MAKE, PREPARE, FrameworkCase, jdks

# Where pyenv keeps those that it has built.
PYTHONS = sorted(str(one) for one in pathlib.Path.home().glob(".pyenv/versions/3.*/bin/python3"))


def newest_python(least):
    """An interpreter's path: python3 where it is new enough, else what stands beside it under another name."""
    asked = "import sys; print(*sys.version_info[:2], sys.executable)"
    found = []
    for name in ("/usr/bin/python3", *(f"python3.{minor}" for minor in range(least[1], least[1] + 8)), *PYTHONS):
        program = shutil.which(name)
        said = program and subprocess.run([program, "-c", asked], capture_output=True, text=True, timeout=60, check=False).stdout.split()
        if said and (int(said[0]), int(said[1])) >= least:
            found.append((int(said[0]), int(said[1]), said[2]))
    return max(found)[2] if found else None


class Frameworks(FrameworkCase):
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
        night, record = self.run_it(self.make("opentelemetry-api-java", "1.55.0"))
        self.assertEqual(self.portions(night), ["T", "I", "SDK idle", "C"])
        allocated = {loop["configuration"]: loop["readings"]["allocated_bytes_per_call"] for loop in record["loops"]}
        self.assertLess(allocated["none"], 8)
        self.assertGreater(allocated["api"], 24)  # the attributes are made with every call, as the scenario says
        self.assertGreater(self.median(night, "aggregating"), self.median(night, "none"))

    def test_opentelemetry_cpp(self):
        """The same scenario; a backports that moves on has another release, which is another commit."""
        self.needs("g++", "apt-get")
        self.prepares("opentelemetry-cpp", "1.19.0")
        night, record = self.run_it(self.make("opentelemetry-cpp", "1.19.0"))
        self.assertEqual(self.portions(night), ["T", "I", "C"])
        for loop in record["loops"]:
            allocated = loop["readings"]["allocated_bytes_per_call"]
            self.assertTrue(allocated > 0 if loop["configuration"] == "aggregating" else allocated == 0, loop["configuration"])
        self.assertLess(self.median(night, "api"), self.median(night, "aggregating"))
        done = self.run_it(self.make("opentelemetry-cpp", "0.0.1"), expect=3)
        self.assertIn("has no opentelemetry-cpp-dev 0.0.1; it has: 1.", done.stderr)

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
        self.assertEqual(record["environment"]["harness"], "moobench-python 3")

    def test_opentelemetry_python_of_today(self):
        """Since 1.45.2 not each release has an exporter for Zipkin."""
        night, _ = self.run_it(self.make("opentelemetry-python", "1.45.2", calls=300))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W OTLP", "W Zipkin"])

    def test_sentry_python(self):
        """Its queue drops; without a sample rate a span costs less than one that is made."""
        self.pypi("sentry-sdk==2.75.0")
        night, record = self.run_it(self.make("sentry-python", "2.75.0", calls=300))
        self.assertEqual(self.portions(night), ["T", "I", "I unsampled", "C", "W envelopes"])
        for came, expected in self.received(record, "envelopes"):
            self.assertTrue(0 < came <= expected == 3000)
        self.assertLess(self.median(night, "none"), self.median(night, "deactivated"))
        self.assertLess(self.median(night, "deactivated"), self.median(night, "collecting"))

    def test_opentelemetry_go(self):
        """What waits for room loses nothing; what does not loses most in a loop of calls."""
        go = shutil.which("go") or "/usr/local/go/bin/go"
        said = subprocess.run([go, "version"], capture_output=True, text=True, check=False).stdout if os.path.exists(go) else ""
        if not (found := re.search(r"go1\.(\d+)", said)) or int(found.group(1)) < 25:
            self.skipTest(f"needs Go 1.25 or later: {said or 'none is installed'}")
        night, record = self.run_it(self.make("opentelemetry-go", "v1.47.0"))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W OTLP", "W OTLP blocking"])
        self.assertEqual(self.received(record, "otlp-blocking"), [(20000, 20000)] * 2)
        for came, expected in self.received(record, "otlp"):
            self.assertTrue(0 < came <= expected == 20000)
        self.assertLess(self.median(night, "none"), self.median(night, "deactivated"))

    def test_opentelemetry_js(self):
        self.needs("node", "npm")
        night, record = self.run_it(self.make("opentelemetry-js", "2.12.1"))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W OTLP"])
        for came, expected in self.received(record, "otlp"):
            self.assertTrue(0 < came <= expected == 20000)
        self.assertLess(self.median(night, "none"), self.median(night, "deactivated"))

    def test_datadog_java(self):
        """Its receiver is a file of the commit."""
        fetched.maven("datadog-1.68.1", "com.datadoghq:dd-java-agent:1.68.1")
        night, record = self.run_it(self.make("datadog-java", "1.68.1"))
        self.assertEqual(self.portions(night), ["T", "I+C unsampled", "I+C", "W"])
        for came, expected in self.received(record, "agent"):
            self.assertTrue(0 < came <= expected == 20000)
        self.assertLess(self.median(night, "none"), self.median(night, "collecting"))

    def test_jfr_java(self):
        """Every event is counted in the recording by verify; a JDK that has no such events is refused."""
        if 25 not in jdks():
            self.skipTest("there is no JDK 25 in /usr/lib/jvm")
        night, record = self.run_it(self.make("jfr-java", "25"))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W disk", "W stacks", "C timing"])
        self.assertRegex(record["environment"]["runtime"], 'openjdk version "25')
        counted = {loop["configuration"]: loop["readings"]["verify"]["records"] for loop in record["loops"]
                   if "verify" in loop["readings"]}
        self.assertEqual(counted, {"collecting": 0, "disk": 20000, "stacks": 20000, "timing": 20000})
        project = self.make("jfr-java", "25")
        project.write_text(project.read_text().replace('jdk: "25"', 'jdk: "8.9"'))
        done = self.run_it(project, expect=3)
        self.assertIn("jdk: no JDK 8.9 in /usr/lib/jvm on this node", done.stderr)

    def test_jfr_java_dynamic(self):
        """The program itself counts the events of each class and the replies: one that is missing ends it with 1."""
        if max(jdks(), default=0) < 25:
            self.skipTest("there is no JDK 25 or later in /usr/lib/jvm")
        night, record = self.run_it(self.make("jfr-java-dynamic", "25"))
        self.assertEqual(self.portions(night), ["Turnaround", "Instrumenting"])
        self.assertRegex(record["environment"]["runtime"], "openjdk version \"2")

    def test_python_monitoring(self):
        """Its own node's interpreter, or the newest of those that are beside it."""
        python = newest_python((3, 12))
        if not python:
            self.skipTest("needs CPython 3.12 or later")
        project = self.make("python-monitoring", "3.12")
        project.write_text(re.sub(r"\[(\./prepare, )?python3([],])", rf"[\1{python}\2", project.read_text()))
        night, record = self.run_it(project)
        self.assertEqual(self.portions(night), ["T", "I", "I callbacks", "C", "W text", "I setprofile", "I+C cProfile"])
        for loop in record["loops"]:
            if loop["configuration"] in ("collecting", "text", "cprofile"):
                self.assertEqual(loop["readings"]["verify"], {"records": 20000, "expected": 20000})
        self.assertLess(self.median(night, "deactivated"), self.median(night, "collecting"))
        done = self.run_it(self.make("python-monitoring", "99.1"), expect=3)
        self.assertIn("sys.monitoring needs 99.1 or later", done.stderr)

    def test_tracing_rust(self):
        """What waits for room loses nothing."""
        cargo = next((one for one in (shutil.which("cargo"), "/usr/local/cargo/bin/cargo", "/root/.cargo/bin/cargo")
                      if one and os.path.exists(one)), None)
        if not cargo:
            self.skipTest("cargo is not installed")
        def crates(place):
            subprocess.run([MAKE, "tracing-rust", place, "0.1.44"], check=True, capture_output=True, timeout=120)
            fetched.run("crates.io", "env", f"CARGO_HOME={place}/cargo", cargo, "fetch", "--manifest-path", place / "tracing-rust" / "Cargo.toml")
        fetched.fetched("tracing-rust-0.1.44", crates)
        night, record = self.run_it(self.make("tracing-rust", "0.1.44"))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W JSON", "W JSON blocking", "C OpenTelemetry", "W OTLP"])
        for loop in record["loops"]:
            if loop["configuration"] == "json-blocking":
                self.assertEqual(loop["readings"]["verify"], {"records": 20000, "expected": 20000})
        for came, expected in self.received(record, "otlp"):
            self.assertTrue(0 < came <= expected == 20000)

    def test_kieker_python(self):
        self.pypi("kieker-monitoring-for-python==0.0.2")
        night, record = self.run_it(self.make("kieker-python", "0.0.2", calls=200, more="  count: always\n"))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W text", "W TCP"])
        counts = record["environment"]["detail"]["counts"]
        self.assertNotIn("failed", counts)
        counted = {name: one["allocations"] for name, one in counts["configurations"].items()}
        self.assertEqual(counted["none"], [2, 2])  # the times that the method reads
        for configuration, (once, again) in counted.items():
            # What is kept from call to call may grow once more in the calls that count.
            self.assertAlmostEqual(once, again, delta=0.05, msg=configuration)
        self.assertEqual(counted["none"], counted["deactivated"])  # a decorator that does nothing
        self.assertLess(counted["deactivated"], counted["collecting"])
        self.assertLess(counted["collecting"], counted["text"])
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
        project = self.make("opentelemetry-java", "1.15.0", "2.0.0")
        repository = project.with_suffix("")

        def git(*words):
            return subprocess.run(["git", "-C", repository, *words], check=True, capture_output=True, text=True,
                                  timeout=60).stdout.splitlines()
        self.assertEqual(git("log", "--reverse", "--format=%s", "1.15.0..2.0.0"), ["Pin 2.0.0"])
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

    def test_a_release_without_what_the_project_separates_is_refused(self):
        """1.14 knows no switch for its SDK: its deactivated would export spans."""
        done = subprocess.run([MAKE, "opentelemetry-java", self.folder, "2.0.0", "1.14.0"], capture_output=True, text=True, timeout=60,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (2, "make: opentelemetry-java takes releases since 1.15.0 (older ones cannot "
                                                             "disable their SDK), and not 1.14.0\n"))
        self.assertEqual(list(self.folder.glob("opentelemetry-java/*")), [])

    def test_new_releases_come_from_the_registry(self):
        """Each with its own date; a registry that does not answer changes nothing."""
        def make(*words, **environment):
            return subprocess.run([MAKE, *words], capture_output=True, text=True, timeout=300, check=False,
                                  env={**os.environ, **environment})
        silent = make("opentelemetry-python", self.folder, "--new", PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_RETRIES="0")
        self.assertEqual(silent.returncode, 1)
        self.assertIn("published: ", silent.stderr)
        self.assertEqual(list(self.folder.glob("opentelemetry-python*/*")), [])
        done = make("opentelemetry-python", self.folder, "--new")
        if done.returncode:
            self.skipTest(f"the registry does not answer: {done.stderr}")
        log = subprocess.run(["git", "-C", self.folder / "opentelemetry-python", "log", "--reverse", "--format=%cI %s"], check=True,
                             capture_output=True, text=True, timeout=60).stdout.splitlines()
        self.assertEqual(log[:2], ["2023-09-04T19:01:22+00:00 Pin 1.20.0", "2023-12-15T22:59:35+00:00 Pin 1.22.0"])
        self.assertIn("2026-03-04T14:17:17+00:00 Pin 1.40.0", log)
        self.assertEqual(log, sorted(log))
        again = make("opentelemetry-python", self.folder, "--new")
        self.assertEqual((again.returncode, again.stderr), (0, ""))
        follows_none = make("uftrace", self.folder, "--new")
        self.assertEqual(follows_none.returncode, 2)
        self.assertIn("uftrace follows no registry", follows_none.stderr)

    INDEX = {"opentelemetry-sdk": (("opentelemetry_sdk-98.0-py3-none-any.whl", ">=3.6"), ("opentelemetry_sdk-99.0-py3-none-any.whl", ">=99.1")),
             "opentelemetry-exporter-otlp-proto-http": (("opentelemetry_exporter_otlp_proto_http-99.0-py3-none-any.whl", ">=3.6"),),
             "opentelemetry-exporter-zipkin-json": ()}

    def indexed(self, repository):
        """An index of Python packages in the commit, and the one that pip looks into."""
        for package, wheels in self.INDEX.items():
            page = repository / "simple" / package
            page.mkdir(parents=True)
            (page / "index.html").write_text("".join(f'<a href="{name}" data-requires-python="{needs.replace(">", "&gt;")}">{name}</a>\n'
                                                     for name, needs in wheels))
        with zipfile.ZipFile(repository / "simple" / "opentelemetry-sdk" / "opentelemetry_sdk-98.0-py3-none-any.whl", "w") as wheel:
            for name, text in (("METADATA", "Metadata-Version: 2.1\nName: opentelemetry-sdk\nVersion: 98.0\n"), ("RECORD", ""),
                               ("WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")):
                wheel.writestr(f"opentelemetry_sdk-98.0.dist-info/{name}", text)
        for words in (("add", "-A"), ("-c", "user.name=x", "-c", "user.email=x@x.invalid", "commit", "-qm", "an index")):
            subprocess.run(["git", "-C", repository, *words], check=True, timeout=60)

    def test_a_release_that_cannot_be_installed_says_why(self):
        """Its pinned companion is not there; it needs a newer runtime than the node has."""
        for version, why in (("98.0", "No matching distribution found for opentelemetry-exporter-otlp-proto-http==98.0"),
                             ("99.0", "No matching distribution found for opentelemetry-sdk==99.0 (99.0 Requires-Python >=99.1)")):
            with self.subTest(version):
                project = self.make("opentelemetry-python", version, calls=200)
                self.indexed(project.with_suffix(""))
                project.write_text(project.read_text().replace(PREPARE, 'prepare: [env, "PIP_INDEX_URL=file://{checkout}/simple", ./prepare]'))
                done = self.run_it(project, expect=3)
                self.assertRegex(done.stderr, rf"prepare: env: exit status 1 after [0-9.]+ s: ERROR: {re.escape(why)}\n")
                project.unlink()
                shutil.rmtree(project.with_suffix(""))

    def test_registries_that_tell_no_time_or_no_release(self):
        """Clients in their place: what they print is all that counts here."""
        clients = self.folder / "clients"
        clients.mkdir()
        for name, text in (("mvn", 'for word; do case $word in -Dmaven.repo.local=*) repo=${word#*=};; esac; done\n'
                            'mkdir -p "$repo/net/kieker-monitoring/kieker"\nprintf "<m><version>2.0.0</version>'
                            '<version>2.0.1</version><version>9.9.9</version></m>"'
                            ' >"$repo/net/kieker-monitoring/kieker/maven-metadata-central.xml"\n'),
                           ("cargo", 'mkdir -p "$CARGO_HOME/registry/index/here/.cache/tr/ac"\n'
                            r"""printf '\1\0000.1.40\000{"vers":"0.1.40","yanked":false}\0000.1.42\000{"vers":"0.1.42","yanked":true}\000"""
                            r"""0.2.0\000{"vers":"0.2.0","yanked":false,"pubtime":"2026-11-01T10:00:00Z"}\000'"""
                            ' >"$CARGO_HOME/registry/index/here/.cache/tr/ac/tracing"\n'),
                           ("go", 'case $* in *-versions*) echo "$4 v1.0.0-rc.1";; *) exit 1;; esac\n')):
            (clients / name).write_text("#!/bin/sh\n" + text)
            (clients / name).chmod(0o755)
        (clients / "git").mkdir()
        (clients / "git" / "ignore").write_text("prepare\n")  # somebody's own, which changes no commit
        environment = {**os.environ, "PATH": f"{clients}:{os.environ['PATH']}", "XDG_CONFIG_HOME": str(clients),
                       "CARGO_HOME": str(clients / "cargo-home")}

        def run(*words):
            return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False, env=environment)
        done = run(MAKE, "kieker-java-bytebuddy", self.folder, "--new")
        self.assertEqual(done.returncode, 0, done.stderr)
        repository = self.folder / "kieker-java-bytebuddy"
        log = run("git", "-C", repository, "log", "--reverse", "--format=%cI %s").stdout.splitlines()
        self.assertEqual([line.split()[-1] for line in log], ["2.0.0", "2.0.1", "2.0.2", "9.9.9"])
        self.assertEqual(log, sorted(log))
        self.assertIn("prepare", run("git", "-C", repository, "ls-files").stdout)
        self.assertIn("make: maven no longer lists net.kieker-monitoring:kieker 2.0.2 (withdrawn?)\n", done.stderr)
        self.assertEqual(run(MAKE.parent / "published", "crates", "tracing").stdout, "0.1.40 -\n0.2.0 2026-11-01T10:00:00Z\n")
        none = run(MAKE.parent / "published", "go", "example.org/x")
        self.assertEqual((none.returncode, none.stderr), (1, "published: go lists no release of example.org/x\n"))

    REFUSING = """
public final class Agent {
    public static void premain(final String argument) {
        throw new UnsupportedOperationException("this agent does not support Java " + System.getProperty("java.version"));
    }
}
"""
    REFUSED = """name: refused
repository: {repository}
benchmark:
  driver: java
  prepare: [./prepare]
  loops: 2
  rest_seconds: 0
  total_calls: 200
  configurations:
    - {{name: none, label: None, portion: T}}
    - {{name: deactivated, label: Agent, portion: I, parent: none, options: ["-javaagent:agent.jar"]}}
"""

    def test_an_agent_that_refuses_this_jvm_is_named(self):
        repository = self.folder / "refused"
        repository.mkdir()
        (repository / "Agent.java").write_text(self.REFUSING)
        prepare = repository / "prepare"
        prepare.write_text("#!/bin/sh\nset -e\njavac -d classes Agent.java\nprintf 'Premain-Class: Agent\\n' >manifest\n"
                           "jar --create --file agent.jar --manifest manifest -C classes .\n")
        prepare.chmod(0o755)
        for words in (("init", "-q", "-b", "main"), ("add", "-A"),
                      ("-c", "user.name=x", "-c", "user.email=x@x.invalid", "commit", "-qm", "one")):
            subprocess.run(["git", "-C", repository, *words], check=True, timeout=60)
        project = self.folder / "refused.yaml"
        project.write_text(self.REFUSED.format(repository=repository))
        done = self.run_it(project, expect=3)
        self.assertIn("configuration deactivated: loop 1 failed 3 times", done.stderr)
        self.assertIn("this agent does not support Java", done.stderr)

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
        self.assertIn("no record arrived, 20000 were expected", done.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
