"""The npm packages that the tests check our messages with: GitHub's API description, its webhook library, a validator."""
import shutil
import subprocess
import unittest

import moowatch

PEERS = moowatch.SOURCE / "tests" / "integration" / "peers"


def folder():
    """Where they are, installed once per build folder; skips the test when npm has no registry."""
    place = moowatch.BUILD / "peers"
    if not (place / "node_modules" / "@octokit").is_dir():
        place.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(PEERS / name, place)
        done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=place,
                              capture_output=True, text=True, timeout=240)
        if done.returncode:
            raise unittest.SkipTest("the npm packages could not be installed")
    for script in PEERS.glob("*.mjs"):
        shutil.copy(script, place)
    return place
