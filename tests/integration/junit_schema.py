"""The schema that Jenkins' xUnit plugin holds JUnit XML against (junit-10.xsd, MIT), as pytest ships it for its tests."""
import subprocess
import sys
import tarfile
import tempfile

import fetched

NAME = "pytest-8.3.4"


def path():
    """Fetched once per build folder; skips the test when PyPI cannot be reached."""
    def fetch(place):
        with tempfile.TemporaryDirectory() as folder:
            fetched.run(NAME, sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", folder,
                        NAME.replace("-", "=="))
            with tarfile.open(f"{folder}/{NAME}.tar.gz") as archive:
                place.write_bytes(archive.extractfile(f"{NAME}/testing/example_scripts/junit-10.xsd").read())
    return fetched.fetched("junit-10.xsd", fetch)


def check(file):
    """Raises what xmllint finds wrong."""
    done = subprocess.run(["xmllint", "--noout", "--schema", path(), file], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
