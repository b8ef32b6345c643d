"""Agents for Java that send what they record, with short parameters: what came to the receiver is counted."""
import re
import sys
import unittest

import fetched
from frameworks_case import FrameworkCase, jdks


class Agents(FrameworkCase):
    def agent(self, name, version, artifact, portions, kind="", method_time_ns=0, calls=2000):
        """An agent for Java that drops what its queue cannot hold: some came, none that was not recorded."""
        fetched.artifact(f"{name}-{version}", f"{artifact}:{version}{kind}")
        more = f"  method_time_ns: {method_time_ns}\n"
        night, record = self.run_it(self.make(name, version, calls=calls, more=more))
        self.assertEqual(self.portions(night), ["T", "I", "C", portions])
        none, collecting = (self.median(night, one) - method_time_ns for one in ("none", "collecting"))
        self.assertGreater(collecting, 3 * none)
        writing = night["portions"][-1]["configuration"]
        counts = self.received(record, writing)
        for came, expected in counts:
            self.assertTrue(0 < came <= expected)
        dropped = [one["configuration"] for one in night["doubts"] if one["kind"] == "dropped"]
        self.assertEqual(dropped, [writing] if any(came < expected for came, expected in counts) else [])

    def test_elastic_apm_java(self):
        self.agent("elastic-apm-java", "1.55.1", "co.elastic.apm:elastic-apm-agent", "W intake")

    def test_skywalking_java(self):
        """It connects while it is measured already, so the calls must last for longer."""
        self.agent("skywalking-java", "9.4.0", "org.apache.skywalking:apm-agent", "W gRPC", calls=100000,
                   method_time_ns=20000)

    def test_a_jdk_that_an_agent_does_not_know(self):
        """On JDK 25 SkyWalking's agent instruments nothing and the program ends with 0: what came says so."""
        if 25 not in jdks():
            self.skipTest("there is no JDK 25 in /usr/lib/jvm")
        fetched.artifact("skywalking-java-9.4.0", "org.apache.skywalking:apm-agent:9.4.0")
        project = self.make("skywalking-java", "9.4.0", calls=100000, more='  method_time_ns: 20000\n  jdk: "25"\n')
        text = re.sub(r"    - name: (deactivated|collecting)\n(      .*\n)*", "", project.read_text())
        project.write_text(text.replace("parent: collecting", "parent: none"))
        done = self.run_it(project, expect=3)
        self.assertIn("receiver: no record arrived, 1000000 were expected", done.stderr)

    def test_pinpoint_java(self):
        self.agent("pinpoint-java", "3.0.1", "com.navercorp.pinpoint:pinpoint-agent", "W gRPC", kind=":tar.gz")

    def test_scouter_java(self):
        self.agent("scouter-java", "2.0.0", "io.github.scouter-project:scouter-agent-java", "W UDP")


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
