"""The schema that Jenkins' xUnit plugin holds JUnit XML against (junit-10.xsd, MIT), as pytest ships it for its tests."""
import subprocess
import sys
import tarfile
import tempfile
import unittest

import moowatch

NAME = "pytest-8.3.4"


def path():
    """Fetched once per build folder; skips the test when PyPI cannot be reached."""
    schema = moowatch.BUILD / "peers" / "junit-10.xsd"
    if not schema.exists():
        schema.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:",
                                   "-d", folder, NAME.replace("-", "==")], capture_output=True, text=True, timeout=200)
            if done.returncode:
                raise unittest.SkipTest(f"{NAME} could not be fetched from PyPI")
            with tarfile.open(f"{folder}/{NAME}.tar.gz") as archive:
                text = archive.extractfile(f"{NAME}/testing/example_scripts/junit-10.xsd").read()
        schema.write_bytes(text)
    return schema


def check(file):
    """Raises what xmllint finds wrong."""
    done = subprocess.run(["xmllint", "--noout", "--schema", path(), file], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
