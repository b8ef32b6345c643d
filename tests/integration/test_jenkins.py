"""The Jenkins step, run by Groovy: its shell commands run for real, against a real daemon."""
import datetime
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import unittest

import made_up
import moowatch
import test_cli

STEP = moowatch.SOURCE / "ci" / "jenkins" / "vars" / "moowatch.groovy"
GROOVY = "4.0.24"


def groovy():
    """Groovy's jar from Maven Central, fetched once per build folder; None when it cannot be had."""
    folder = moowatch.BUILD / "peers"
    jar = folder / f"groovy-{GROOVY}.jar"
    if not jar.exists():
        if not shutil.which("mvn"):
            return None
        done = subprocess.run(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact=org.apache.groovy:groovy:{GROOVY}",
                               f"-DoutputDirectory={folder}"], capture_output=True, timeout=240)
        if done.returncode:
            return None
    return jar


@unittest.skipUnless(groovy(), "Groovy could not be fetched from Maven Central")
class Jenkins(made_up.Nights):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="moowatch-jenkins-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def step(self, options, **environment):
        """What the step called, line by line."""
        done = subprocess.run(
            ["java", "-cp", groovy(), "groovy.ui.GroovyMain", moowatch.SOURCE / "tests/integration/peers/jenkins.groovy",
             STEP, self.folder, options], capture_output=True, text=True, timeout=120,
            env={**os.environ, "PATH": f"{moowatch.BUILD / 'ci'}:{os.environ['PATH']}", **environment})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def test_results_without_a_server(self):
        test_cli.result(self.folder / "it's before")
        test_cli.result(self.folder / "after", levels=(70, 270, 1150, 3100))
        calls = self.step("""[results: "after", baseline: "it's before"]""")
        self.assertIn("junit moowatch/junit.xml", calls)
        self.assertEqual(calls[-2:], ["good false", "result UNSTABLE"])
        self.assertIn("<failure", (self.folder / "moowatch/junit.xml").read_text())
        self.assertEqual(self.step("[results: 'after']")[-2:], ["good true", "result SUCCESS"])
        self.assertEqual(self.step("""[results: "after", baseline: "it's before", onSlower: 'FAILURE']""")[-1],
                         "result FAILURE")
        self.assertIn("error moowatch: ended with status 3", self.step("[results: 'none']")[-2])

    def test_what_is_missing_is_said(self):
        self.assertIn("server and project are needed", self.step("[:]")[-2])

    def test_on_a_server(self):
        service = moowatch.Service(settings={"poll_seconds": 3600})
        self.addCleanup(service.__exit__)
        type(self).service = service
        repository = moowatch.Repository(service.folder / "repository")
        today = datetime.date.today()
        days = [today - datetime.timedelta(days=n) for n in range(8, 0, -1)]
        commits = [repository.commit(f"night {day}", str(day), {"a": str(day)}) for day in days]
        service.project("demo", f"name: demo\nrepository: {repository.path}\nsince: {days[0]}\n" + made_up.BENCHMARK)
        service.start()
        service.wait(lambda: service.get("/api/v1/status")["queue"]["queued"] == 8, "eight jobs")
        type(self).runner = self.token("runner")
        for _ in range(8):
            self.measure((100, 300, 1000, 2500))
        runner = threading.Thread(target=lambda: self.measure((100, 300, 1000, 3400), 60))
        runner.start()
        calls = self.step(f"[server: '{service.url}', project: 'demo', credentials: 'token', wait: 60, portions: ['C', 'W']]",
                          GIT_COMMIT=commits[-1], JENKINS_SECRET=self.token("run"))
        runner.join()
        self.assertEqual(calls[-2:], ["good false", "result UNSTABLE"])
        self.assertIn("archiveArtifacts moowatch/*", calls)
        self.assertEqual(sorted(p.name for p in (self.folder / "moowatch").iterdir()),
                         ["junit.xml", "plot.csv", "report.html", "summary.md"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
