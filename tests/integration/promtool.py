"""Prometheus' own check of metrics, out of Debian's package: its own from Debian 13 on, before with a daemon that is not installed."""
import pathlib
import shutil
import subprocess
import tempfile

import fetched


def path():
    """promtool, unpacked once per build folder; skips the test when it cannot be had."""
    def fetch(place):
        with tempfile.TemporaryDirectory() as folder:
            fetched.run("Debian's promtool", "sh", "-c", "apt-get -qq download promtool || apt-get -qq download prometheus", cwd=folder)
            fetched.run("Debian's promtool", "sh", "-c", "dpkg-deb -x *.deb .", cwd=folder)
            shutil.copy(pathlib.Path(folder) / "usr" / "bin" / "promtool", place)
    return shutil.which("promtool") or fetched.fetched("promtool", fetch)


def check(text):
    """Raises what promtool finds wrong with the text of /metrics."""
    done = subprocess.run([path(), "check", "metrics"], input=text, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout + done.stderr) == (0, ""), done.stdout + done.stderr
