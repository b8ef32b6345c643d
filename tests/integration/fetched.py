"""What comes from elsewhere, fetched once per build folder, however many tests want it at the same time."""
import contextlib
import fcntl
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

import moowatch

PEERS = moowatch.BUILD / "peers"
# A JVM that lives for seconds compiles once: Maven needs 3.1 s of processor time instead of 5.1 s.
QUICK_JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@contextlib.contextmanager
def alone(name):
    """Held by one process at a time."""
    PEERS.mkdir(parents=True, exist_ok=True)
    with open(PEERS / f"{name}.lock", "w", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def fetched(name, fetch, lock=None):
    """The place below the build folder, made by fetch(place) unless it is there; never seen half made."""
    place = PEERS / name
    with alone(lock or name):
        if not place.exists():
            coming = PEERS / f"{name}.coming"
            shutil.rmtree(coming, ignore_errors=True)
            coming.unlink(missing_ok=True)
            fetch(coming)
            coming.rename(place)
    return place


def run(what, *command, env=None, timeout=500, **options):
    """Skips the test when it fails: then there is no registry to be had."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=timeout,
                              env={**(env or os.environ), "MAVEN_OPTS": f"{os.environ.get('MAVEN_OPTS', '')} {QUICK_JVM}"}, **options)
    except subprocess.TimeoutExpired as late:
        raise unittest.SkipTest(f"{what} could not be fetched in {late.timeout} s") from late
    if done.returncode:
        raise unittest.SkipTest(f"{what} could not be fetched: {(done.stderr or done.stdout)[-500:]}")


def maven(name, *artifacts):
    """A folder of jars from Maven Central: the artifacts (group:artifact:version[:type:classifier]) and what they need."""
    def fetch(place):
        keys = ("groupId", "artifactId", "version", "type", "classifier")  # as far as they are said
        dependencies = "".join("<dependency>" + "".join(
            f"<{key}>{value}</{key}>" for key, value in zip(keys, artifact.split(":"))) + "</dependency>"
                               for artifact in artifacts)
        if not shutil.which("mvn"):
            raise unittest.SkipTest("maven is not installed")
        with tempfile.TemporaryDirectory() as project:
            (pathlib.Path(project) / "pom.xml").write_text(
                '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>p</groupId>'
                f"<artifactId>p</artifactId><version>1</version><dependencies>{dependencies}</dependencies></project>")
            run(name, "mvn", "-q", "-B", "dependency:copy-dependencies", f"-DoutputDirectory={place}", cwd=project)
    return fetched(name, fetch, "maven")  # two Mavens at once spoil each other's ~/.m2


def releases(group, name, classifier=""):
    """What Maven Central lists of an artifact, oldest first; a range of versions makes Maven ask."""
    if not shutil.which("mvn"):
        raise unittest.SkipTest("maven is not installed")
    with alone("maven"), tempfile.TemporaryDirectory() as project:
        (pathlib.Path(project) / "pom.xml").write_text(
            '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>p</groupId>'
            f"<artifactId>p</artifactId><version>1</version><dependencies><dependency><groupId>{group}</groupId>"
            f"<artifactId>{name}</artifactId><version>[0,)</version><classifier>{classifier}</classifier><exclusions>"
            "<exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency></dependencies>"
            "</project>")
        run(f"the list of {name}", "mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=lib", cwd=project)
    listed = pathlib.Path.home() / ".m2" / "repository" / group.replace(".", "/") / name / "maven-metadata-central.xml"
    return [one.text for one in xml.etree.ElementTree.parse(listed).iter("version")]


def artifact(name, coordinates):
    """One artifact from Maven Central without what it needs, as config/projects/maven/copy has it."""
    def fetch(place):
        if not shutil.which("mvn"):
            raise unittest.SkipTest("maven is not installed")
        run(name, "mvn", "-q", "-B", "org.apache.maven.plugins:maven-dependency-plugin:2.10:copy",
            f"-Dartifact={coordinates}", f"-DoutputDirectory={place}")
    return fetched(name, fetch, "maven")


def jmh():
    return maven("jmh-1.37", "org.openjdk.jmh:jmh-core:1.37", "org.openjdk.jmh:jmh-generator-annprocess:1.37")
