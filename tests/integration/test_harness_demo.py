"""ci/demo finds what was planted, and nothing else.

A machine that is not idle can hide a change or feign one, so a run that differs is repeated once:
what is really wrong differs twice.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MOOWATCH_BUILD", SOURCE / "build" / "release"))
ATTEMPTS = 2


def demo(*arguments, deadline_s):
    """Runs ci/demo --once; returns the JSON object of its last line."""
    done = subprocess.run([str(SOURCE / "ci" / "demo"), "--once", "--port", "0", *arguments],
                          capture_output=True, text=True, timeout=deadline_s,
                          env={**os.environ, "MOOWATCH_NO_BUILD": "1"})
    if done.returncode != 0:
        raise AssertionError(f"ci/demo {' '.join(arguments)}: exit status {done.returncode}\n{done.stderr[-4000:]}")
    return json.loads(done.stdout.splitlines()[-1]), done.stdout


@unittest.skipUnless(BUILD.resolve() == (SOURCE / "build" / "release").resolve(),
                     "ci/demo runs the release build")
class Demo(unittest.TestCase):
    maxDiff = None

    def until_equal(self, expected, observe):
        """observe() -> (what is compared, text for people)"""
        for _ in range(ATTEMPTS):
            observed, text = observe()
            if observed == expected:
                return
        self.assertEqual(observed, expected, text)

    def test_native_finds_what_was_planted(self):
        truth = json.loads((SOURCE / "tests" / "native" / "nights.json").read_text())
        folder = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-demo-test-"))
        self.addCleanup(shutil.rmtree, folder)
        repository = folder / "repository"
        subprocess.run([str(SOURCE / "tests" / "native" / "make-repository"), str(repository)], check=True)
        log = subprocess.run(["git", "-C", str(repository), "log", "--format=%H %cd", "--date=short"],
                             check=True, capture_output=True, text=True).stdout
        date_of = dict(line.split() for line in log.splitlines())

        def observe():
            result, text = demo("--native", deadline_s=280)
            self.assertEqual(result["nights"], truth["nights"], text)
            return sorted((date_of[alert["to_commit"]], alert["portion"], alert["direction"])
                          for alert in result["alerts"]), text

        self.until_equal(sorted((change["night"], change["portion"], change["direction"])
                                for change in truth["changes"]), observe)

    @unittest.skipUnless(shutil.which("mvn") and shutil.which("javac"), "needs Maven and a JDK")
    def test_kieker_probe_of_1_7_is_found(self):
        def observe():
            result, text = demo("--short", deadline_s=280)
            self.assertEqual(result["nights"], 2, text)
            return [(alert["portion"], alert["direction"], alert["to"]) for alert in result["alerts"]
                    if alert["portion"] == "I"], text

        self.until_equal([("I", "down", "Pin Kieker 1.8")], observe)


if __name__ == "__main__":
    unittest.main()
