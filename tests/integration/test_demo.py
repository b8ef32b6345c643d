"""The README's command, as a newcomer types it: real frameworks, real nights, the truth found."""
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import moowatch

# A machine on which the method's own time wavers by more than this share, within a night or from night to night, was
# not idle: what was not found there says nothing about the service, and the run is made once more.
IDLE_SHARE = 0.10
RUNS = 3


def days_between(first, last):
    """Of two nights as dates; the demo's end with the last one."""
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days


def walk(folder, project):
    """Opens the finished demo's page in Chromium: the chart and every alert must be there."""
    browser = moowatch.SOURCE / "tests" / "browser"
    if not (browser / "node_modules").is_dir():  # ctest has browser/install do it
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--silent"], cwd=browser, check=True)
    address = folder / "data" / "moowatchd.url"
    address.unlink(missing_ok=True)
    daemon = subprocess.Popen([moowatch.BUILD / "server" / "moowatchd", "--config", folder / "moowatchd.yaml"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + moowatch.DEADLINE_S
        while not (address.exists() and address.read_text().strip()):
            if time.monotonic() > end or daemon.poll() is not None:
                raise AssertionError("the daemon did not start again")
            time.sleep(0.05)
        subprocess.run(["node", "--test", "demo.mjs"], cwd=browser, check=True, timeout=moowatch.DEADLINE_S,
                       env={**os.environ, "BASE_URL": address.read_text().strip(), "BASE_PROJECT": project})
    finally:
        daemon.terminate()
        daemon.wait(timeout=moowatch.DEADLINE_S)


def is_idle(lines):
    """By the table of the nights: was the method's own time, its first column of figures, steady?"""
    rows = [line.split() for line in lines if "±" in line and line[:2] in ("19", "20")]
    times = [(float(words[at - 1]), float(words[at + 1])) for words in rows for at in [words.index("±")]]
    means = [mean for mean, _ in times]
    steady = bool(times) and max(means) < (1 + IDLE_SHARE) * min(means)
    return steady and all(half < IDLE_SHARE * mean for mean, half in times)


def run(*options, look_at=None):
    """(last line as an object, whether the machine was idle); look_at: project to open in a browser"""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="moowatch-demo-test-"))
    try:
        done = subprocess.run(
            [moowatch.SOURCE / "ci" / "demo", *options, "--once", "--port", "0", "--dir", folder / "demo"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=sys.stderr, text=True,
            env={**os.environ, "MOOWATCH_NO_BUILD": "1"}, check=True)
        sys.stderr.write(done.stdout)
        lines = done.stdout.splitlines()
        result = json.loads(lines[-1])
        if look_at and result["alerts"]:
            walk(folder / "demo", look_at)
        return result, is_idle(lines)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Demo(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        moowatch.come_first()

    def until_idle(self, check, *options, **more):
        """check(result) holds, at the latest in the last run; it must hold in the first on an idle machine."""
        for left in reversed(range(RUNS)):
            result, idle = run(*options, **more)
            try:
                return check(result)
            except AssertionError as wrong:
                if idle or left == 0:
                    raise
                sys.stderr.write(f"{wrong}\nbut the machine was not idle: once more\n")

    def test_native_finds_each_planted_change_and_nothing_else(self):
        truth = json.loads((moowatch.SOURCE / "tests" / "native" / "nights.json").read_text())
        planted = [(days_between(truth["first"], change["night"]), change["portion"], change["direction"])
                   for change in truth["changes"]]
        self.assertGreaterEqual(len(planted), 4)

        def check(result):
            self.assertEqual(result["nights"], truth["nights"])
            self.assertEqual(days_between(result["first"], result["last"]), days_between(truth["first"], truth["last"]))
            found = [(days_between(result["first"], alert["night"]), alert["portion"], alert["direction"])
                     for alert in result["alerts"]]
            self.assertEqual(sorted(found), sorted(planted))
            functions = {(days_between(truth["first"], change["night"]), change["portion"]): change["function"]
                         for change in truth["changes"]}
            for alert in result["alerts"]:
                place = (days_between(result["first"], alert["night"]), alert["portion"])
                self.assertIn(f" in `{functions[place]}`", alert["explanation"] or "", alert)
                self.assertRegex(alert["picture"], r"^/flames/\d+/[a-z]+\.svg$")
        self.until_idle(check, "--native", look_at="native")

    def test_that_nothing_was_measured_is_said_and_an_error(self):
        with tempfile.TemporaryDirectory(prefix="moowatch-demo-test-") as folder:
            (pathlib.Path(folder) / "demo").mkdir()
            moowatch.Repository(pathlib.Path(folder) / "demo" / "repository").commit("no Makefile", "2026-01-01", {"a": "1"})
            done = subprocess.run(
                [moowatch.SOURCE / "ci" / "demo", "--native", "--once", "--port", "0", "--dir", f"{folder}/demo"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=sys.stderr, text=True,
                env={**os.environ, "MOOWATCH_NO_BUILD": "1"}, check=False)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("No night was measured", done.stdout)
        self.assertIn("measured 0 of 1 nights", done.stdout)
        self.assertNotIn("No alerts", done.stdout)

    def test_two_releases_of_kieker(self):
        def check(result):
            self.assertEqual(result["nights"], 2)
            found = [(alert["portion"], alert["direction"]) for alert in result["alerts"]]
            self.assertIn(("I", "down"), found)
            drop = next(alert for alert in result["alerts"] if alert["portion"] == "I")
            self.assertIn("1.7", drop["from"])
            self.assertIn("1.8", drop["to"])
            self.assertGreater(drop["before_ns"], 2 * drop["after_ns"])
            # the signature's text, put together at every call
            self.assertIn(" in `SignatureFirstAspect.text`", drop["explanation"] or "", drop)
            self.assertRegex(drop["picture"], r"^/flames/\d+/deactivated\.svg$")
        self.until_idle(check, "--short")


if __name__ == "__main__":
    unittest.main(verbosity=2)
