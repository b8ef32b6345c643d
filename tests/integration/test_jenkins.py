"""The Jenkins step, run by Groovy: its shell commands run for real, against a real daemon."""
import datetime
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

import fetched
import junit_schema
import made_up
import moowatch
import test_cli
import test_docs

LIBRARY = moowatch.SOURCE / "ci" / "jenkins"
UNIT = "com.lesfurets:jenkins-pipeline-unit:1.1"
# its Groovy 2.4 looks into Java's own classes
OPENS = [word for package in ("lang", "util", "lang.reflect", "io", "net", "text", "util.regex", "util.stream", "nio.file",
                              "util.concurrent", "util.concurrent.atomic")
         for word in ("--add-opens", f"java.base/java.{package}=ALL-UNNAMED")]


class Jenkins(made_up.Nights):
    @classmethod
    def setUpClass(cls):
        cls.jars = fetched.maven("jenkins-pipeline-unit-1.1", UNIT)

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="moowatch-jenkins-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def pipeline(self, text, **environment):
        """What a Jenkinsfile did, line by line."""
        (self.folder / "libraries").mkdir(exist_ok=True)
        library = self.folder / "libraries" / "moowatch@main"
        if not library.exists():
            library.symlink_to(LIBRARY)
        (self.folder / "Jenkinsfile").write_text(text)
        done = subprocess.run(
            ["java", *OPENS, "-cp", f"{self.jars}/*", "groovy.ui.GroovyMain",
             moowatch.SOURCE / "tests/integration/peers/jenkins.groovy", library.parent, self.folder / "Jenkinsfile",
             self.folder], capture_output=True, text=True, timeout=300,
            env={**os.environ, "PATH": f"{moowatch.BUILD / 'ci'}:{os.environ['PATH']}", **environment})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def step(self, options, **environment):
        return self.pipeline(f"node {{ return moowatch({options}) }}", **environment)

    def test_results_without_a_server(self):
        test_cli.result(self.folder / "it's before")
        test_cli.result(self.folder / "after", levels=(70, 270, 1150, 3100))
        calls = self.step("""[results: "after", baseline: "it's before"]""")
        self.assertIn("junit moowatch/junit.xml", calls)
        self.assertEqual(calls[-2:], ["returned false", "result UNSTABLE"])
        self.assertIn("<failure", (self.folder / "moowatch/junit.xml").read_text())
        self.assertEqual(self.step("[results: 'after']")[-2:], ["returned true", "result SUCCESS"])
        self.assertEqual(self.step("""[results: "after", baseline: "it's before", onRise: 'FAILURE']""")[-1],
                         "result FAILURE")
        calls = self.step("[results: 'none']")
        self.assertIn("error moowatch: the input is wrong", calls[-2])
        self.assertNotIn("junit moowatch/junit.xml", calls)  # that of the build before

    def test_what_is_missing_is_said(self):
        self.assertIn("server and project are needed", self.step("[:]")[-2])
        away = "[server: 'http://127.0.0.1:9', project: 'demo'%s]"
        self.assertIn("which commit?", self.step(away % "")[-2])
        self.assertIn("the server cannot be reached", self.step(away % ", commit: '1234567'")[-2])

    def test_on_a_server(self):
        service = moowatch.Service(settings={"poll_seconds": 3600})
        self.addCleanup(service.__exit__)
        type(self).service = service
        repository = moowatch.Repository(service.folder / "repository")
        today = moowatch.today()
        days = [today - datetime.timedelta(days=n) for n in range(8, 0, -1)]
        for day in days:
            repository.commit(f"night {day}", str(day), {"a": str(day)})
        slower = repository.commit("slower", str(today), {"a": "slower"}, hour=23)  # its night is not over
        service.project("demo", f"name: demo\nrepository: {repository.path}\nsince: {days[0]}\n" + made_up.BENCHMARK)
        service.start()
        service.wait(lambda: service.get("/api/v1/status")["queue"]["queued"] == 8, "eight jobs")
        type(self).runner = self.token("runner")
        for _ in range(8):
            self.measure((100, 300, 1000, 2500))
        secret = self.token("run")
        self.five_lines(service, repository, secret)
        runner = self.runner_of((100, 300, 1000, 3400))
        example = (LIBRARY / "Jenkinsfile").read_text()
        for before, after in (("https://overhead.example.org", service.url), ("kieker-java", "demo"),
                              ("allow: [W: 10]", "allow: [W: 10], wait: 250")):
            self.assertIn(before, example)
            example = example.replace(before, after)
        calls = self.pipeline(example, GIT_COMMIT=slower, JENKINS_SECRET=secret)
        runner.join()
        self.assertEqual(calls[-1], "result UNSTABLE")
        for call in ("library moowatch@main", "agent any", "junit moowatch/junit.xml", "archiveArtifacts moowatch/*",
                     "plot [moowatch/plot.csv]"):
            self.assertIn(call, calls)
        self.assertEqual((self.folder / "moowatch" / "plot.csv").read_text().splitlines()[0], '"T","I","C","W"')
        junit_schema.check(self.folder / "moowatch" / "junit.xml")
        self.assertEqual(sorted(p.name for p in (self.folder / "moowatch").iterdir()),
                         ["junit.xml", "plot.csv", "report.html", "summary.md"])

    def runner_of(self, means):
        """Measures the next job, whenever the pipeline comes to ask for it."""
        thread = threading.Thread(target=self.measure, args=(means,))
        thread.start()
        return thread

    def five_lines(self, service, repository, secret):
        """Those of docs/ci.md, in a workspace that `checkout scm` has filled."""
        subprocess.run(["git", "clone", "-q", repository.path, self.folder / "clone"], check=True, timeout=60)
        subprocess.run(["git", "-C", self.folder / "clone", "checkout", "-q", "HEAD~1"], check=True, timeout=60)
        (self.folder / "clone" / ".git").rename(self.folder / ".git")
        [lines] = [text for language, text, _ in test_docs.blocks(moowatch.SOURCE / "docs/ci.md") if language == "groovy"]
        self.assertEqual(len(lines.splitlines()), 5)
        for before, after in (("https://overhead.example.org", service.url), ("kieker-java", "demo"),
                              ("'moowatch-token'", "'moowatch-token', wait: 250")):
            self.assertIn(before, lines)
            lines = lines.replace(before, after)
        runner = self.runner_of((100, 300, 1000, 2500))
        calls = self.pipeline(lines, JENKINS_SECRET=secret)
        runner.join()
        self.assertIn("checkout scm", calls)
        self.assertEqual(calls[-1], "result SUCCESS")
        self.assertIn("junit moowatch/junit.xml", calls)


if __name__ == "__main__":
    unittest.main(verbosity=2)
