"""Kieker for Java in all its shapes, with short parameters: every record that a writer was given is there."""
import os
import re
import subprocess
import sys
import unittest

import fetched
import moowatch
from frameworks_case import MAKE, TRY, FrameworkCase

FILES = {"pom.xml": "<project", "prepare": "#!/bin/sh\nset", "options/text": "-Xms", "options/aop.xml": "<aspectj>",
         "verify": "#!/bin/sh\n# verify"}


class KiekerJava(FrameworkCase):
    KIEKER = ("net.kieker-monitoring:kieker:2.0.2:jar:aspectj", "org.aspectj:aspectjweaver:1.9.22.1")

    def kieker_java(self, version, *artifacts):
        """Every writing loop is counted by its verify, so a failed loop would be a record too few."""
        fetched.maven(f"kieker-{version}", *artifacts, "org.aspectj:aspectjweaver:1.9.22.1")
        night, _ = self.run_it(self.make("kieker-java", version, calls=300))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W text", "W binary", "W compressed"])
        self.assertGreater(self.median(night, "collecting"), 2 * self.median(night, "none"))

    def test_the_page_step_by_step(self):
        """docs/java-driver.md: its files, then its commands, in the order of the page."""
        fetched.maven("kieker-2.0.2", *self.KIEKER)
        page = (moowatch.SOURCE / "docs" / "java-driver.md").read_text()
        blocks = re.findall(r"^```\w*\n(.*?)^```", page, re.M | re.S)

        def block(begins):
            [text] = [text for text in blocks if text.startswith(begins)]
            return text.replace("/srv/kieker-2", str(self.folder / "kieker-2"))
        (self.folder / "kieker-2" / "options").mkdir(parents=True)
        for name, begins in FILES.items():
            (self.folder / "kieker-2" / name).write_text(block(begins))
        project = self.folder / "kieker-2.yaml"
        project.write_text(TRY.shortened(block("name: "), 300))
        steps = block("head ") + block("chmod ").partition("moowatch run")[0]
        subprocess.run(["bash", "-euc", steps], cwd=self.folder / "kieker-2", check=True, env={
            **os.environ, **{f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}})
        night, _ = self.run_it(project)
        self.assertEqual(self.portions(night), ["T", "I", "C", "W"])
        self.assertGreater(self.median(night, "collecting"), 2 * self.median(night, "none"))

    def test_kieker_java(self):
        self.kieker_java("2.0.2", "net.kieker-monitoring:kieker:2.0.2:jar:aspectj")

    def test_kieker_java_1_15(self):
        self.kieker_java("1.15.4", "net.kieker-monitoring:kieker:1.15.4")

    def test_kieker_java_oldest(self):
        self.kieker_java("1.8", "net.kieker-monitoring:kieker:1.8")

    def test_kieker_java_takes_every_release(self):
        """Each that Maven Central has, from the oldest to the newest listed, can be a night; newer ones may be there."""
        there = fetched.releases("net.kieker-monitoring", "kieker", "aspectj")
        for name in ("kieker-java", "kieker-java-tcp", "kieker-java-events", "kieker-java-compressed", "kieker-java-bytebuddy",
                     "kieker-java-source", "kieker-java-queue", "kieker-java-probes", "kieker-java-live"):
            lines = (MAKE.parent / name / "releases").read_text().splitlines()
            listed = [line for line in lines if not line.startswith("#")]
            first, last = there.index(listed[0]), there.index(listed[-1])
            self.assertEqual(listed, there[first:last + 1], name)
        self.make("kieker-java")
        tags = subprocess.run(["git", "-C", self.folder / "kieker-java", "tag"], check=True, capture_output=True, text=True)
        self.assertLessEqual({"1.8", "1.12", "1.13", "1.15.3", "2.0.2"}, set(tags.stdout.split()))

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

    def test_what_bytebuddy_records_beside_the_method(self):
        """Constructor and static block up to 2.0.2: records of 56 bytes that no call made."""
        self.make("kieker-java-bytebuddy", "2.0.2", "2.0.3")
        repository, scratch = self.folder / "kieker-java-bytebuddy", self.folder / "scratch"
        scratch.mkdir()
        for version, others in (("2.0.2", 2), ("2.0.3", 0)):
            subprocess.run(["git", "-C", repository, "checkout", "-q", version], check=True, timeout=60)
            for more, status in ((0, 0), (1, 1)):
                (scratch / "a.bin").write_bytes(bytes(56 * (30 + others + more) + 20))
                done = subprocess.run(["./verify", scratch, "3", "10"], cwd=repository, capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual((done.returncode, done.stdout), (status, f'{{"records": {30 + more}, "expected": 30}}\n'), version)

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

    def kieker_java_live(self, calls):
        fetched.maven("kieker-2.0.2", *self.KIEKER)
        fetched.maven("kieker-2.0.2-analysis", "net.kieker-monitoring:kieker:2.0.2", "de.cau.cs.se.teetime:teetime:3.1.1")
        return self.make("kieker-java-live", "2.0.2", calls=calls)

    def analysed(self, record, configuration):
        """(traces, how many were given out) of each loop; none was invalid, and every activation came through all stages."""
        counts = [loop["readings"]["receiver"] for loop in record["loops"] if loop["configuration"] == configuration]
        for one in counts:
            self.assertEqual((one["records"], one["refused"]), (one["expected"], 0))
        return [(one["traces"], one["given_out"]) for one in counts]

    def test_kieker_java_live(self):
        """A call is a trace."""
        night, record = self.run_it(self.kieker_java_live(300))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W TCP", "Reconstruction", "Reduction"])
        self.assertEqual(self.analysed(record, "tcp"), [(0, 0)] * 2)
        self.assertEqual(self.analysed(record, "reconstruction"), [(300, 300)] * 2)
        for traces, given_out in self.analysed(record, "reduction"):
            self.assertEqual(traces, 300)
            self.assertTrue(1 <= given_out < 300)

    def test_kieker_java_live_loses_nothing(self):
        """More than what queue and sockets hold, by a JVM that compiles once: a call waits, and every trace comes."""
        project = self.kieker_java_live(30000)
        text = re.sub(r"    - name: (deactivated|collecting|tcp|reconstruction)\n(      .*\n)*", "", project.read_text())
        text = text.replace("parent: reconstruction", "parent: none")
        project.write_text(text.replace("[./analyse, reduction", "[env, JDK_JAVA_OPTIONS=-XX:TieredStopAtLevel=1, ./analyse, reduction"))
        _, record = self.run_it(project)
        self.assertEqual([traces for traces, _ in self.analysed(record, "reduction")], [30000] * 2)

    def test_kieker_java_before_its_queue(self):
        """1.12 sends records and strings over two connections, and has one queue for both pairs."""
        fetched.maven("kieker-1.12", "net.kieker-monitoring:kieker:1.12", "org.aspectj:aspectjweaver:1.9.22.1")
        night, record = self.run_it(self.make("kieker-java-queue", "1.12", calls=300))
        self.assertEqual(self.portions(night), ["T", "I", "C", "W discard", "W TCP", "W discard linked", "W TCP linked"])
        for configuration in ("tcp", "tcp-linked"):
            self.assertEqual(self.received(record, configuration), [(3000, 3000)] * 2)
        options = self.folder / "kieker-java-queue" / "options"
        self.assertEqual((options / "tcp").read_text(), (options / "tcp-linked").read_text())

    def test_kieker_java_with_a_linked_queue(self):
        fetched.maven("kieker-2.0.2", *self.KIEKER)
        project = self.make("kieker-java-queue", "2.0.2", calls=300)
        text = re.sub(r"    - name: (deactivated|collecting|discard|tcp)\n(      .*\n)*", "", project.read_text())
        project.write_text(text.replace("parent: collecting", "parent: none"))  # the others are run with 1.12
        night, record = self.run_it(project)
        self.assertEqual(self.portions(night), ["T", "W discard linked", "W TCP linked"])
        self.assertEqual(self.received(record, "tcp-linked"), [(3000, 3000)] * 2)
        options = self.folder / "kieker-java-queue" / "options"
        self.assertIn("LinkedBlockingQueue", (options / "discard-linked").read_text())
        self.assertNotIn("LinkedBlockingQueue", (options / "discard").read_text())

    def test_kieker_java_cheaper_probes(self):
        """Where the queue may lose records some are there, elsewhere all; source instrumentation has no weaver."""
        fetched.maven("kieker-2.0.2-source", "net.kieker-monitoring:kieker:2.0.2",
                      "de.dagere.kieker:kieker-source-instrumentation-library:2.0.1")
        project = self.make("kieker-java-probes", "2.0.2", calls=300)
        night, record = self.run_it(project)
        self.assertEqual(self.portions(night), ["T"] + [f"I+C+W {one}" for one in (
            "AspectJ", "source", "source JCTools", "duration", "source FIFO", "duration FIFO", "aggregated", "aggregated FIFO")])
        self.assertGreater(self.median(night, "source"), 2 * self.median(night, "none"))
        for configuration in ("source-fifo", "duration-fifo"):
            for found, expected in self.received(record, configuration):
                self.assertEqual(expected, 3000)
                self.assertTrue(0 < found <= expected)
        self.assertNotIn("aspectjweaver", (self.folder / "kieker-java-probes" / "options" / "linked").read_text())


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
