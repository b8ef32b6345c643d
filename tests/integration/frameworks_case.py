"""A project file of config/projects with short parameters, run for real; what it recorded is counted."""
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
from projects_try import TRY

PROGRAM = moowatch.BUILD / "ci" / "moowatch"
MAKE = moowatch.SOURCE / "config" / "projects" / "make"
# What is counted here is records: a JVM that compiles once needs half of the processor time.
QUICK_START = f"JDK_JAVA_OPTIONS={fetched.QUICK_JVM}"
PREPARE = "prepare: [./prepare]"
QUICK_PREPARE = f'prepare: [env, "MAVEN_OPTS={fetched.QUICK_JVM}", ./prepare]'


def jdks():
    """The major versions that this node has where jdk: looks for them."""
    found = (re.search(r'JAVA_VERSION="(\d+)', one.read_text()) for one in pathlib.Path("/usr/lib/jvm").glob("*/release"))
    return {int(one[1]) for one in found if one}


def quickly(configuration):
    """The text of a configuration whose JVM starts quickly."""
    text, indent = configuration.group(0), configuration.group(1)
    if QUICK_START in text:  # made once already
        return text
    if "environment: [" in text:
        return text.replace("environment: [", f'environment: ["{QUICK_START}", ')
    return f'{text}{indent}  environment: ["{QUICK_START}"]\n'


class FrameworkCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-frameworks-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def make(self, name, *versions, calls=2000, more=""):
        """The project's file with few calls and loops, and nothing else changed but for `more` of the benchmark and
        how quickly JVMs start."""
        made = subprocess.run([MAKE, name, self.folder, *versions], check=True, capture_output=True, text=True, timeout=120)
        project = pathlib.Path(made.stdout.strip())
        text = TRY.shortened(project.read_text(), calls, more, TRY.BRIEFLY.get(name))
        if "driver: java" in text:
            text = re.sub(r"( +)- name: (?:.*\n)(?:\1  .*\n)+", quickly, text).replace(PREPARE, QUICK_PREPARE)
        project.write_text(text)
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

    def needs(self, *programs):
        for program in programs:
            if not shutil.which(program):
                self.skipTest(f"{program} is not installed; ci/setup test installs it")

    def prepares(self, name, version):
        """Skips where a commit's own prepare cannot fetch what it pins."""
        def fetch(place):
            subprocess.run([MAKE, name, place, version], check=True, capture_output=True, timeout=120)
            fetched.run(f"{name} {version}", place / name / "prepare")
        fetched.fetched(f"{name}-{version}", fetch)

    def pypi(self, *requirements):
        """Skips where PyPI cannot be reached; what comes is not kept, the project's prepare fetches it itself."""
        fetched.fetched("-".join(requirements).replace("=", ""), lambda place: fetched.run(
            requirements[0], sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", place, *requirements))
