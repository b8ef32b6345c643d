"""Prometheus' own check of metrics, out of Debian's package, without installing the daemon that comes with it."""
import pathlib
import shutil
import subprocess
import tempfile

import fetched


def path():
    """promtool, unpacked once per build folder; skips the test when it cannot be had."""
    def fetch(place):
        with tempfile.TemporaryDirectory() as folder:
            fetched.run("Debian's prometheus", "apt-get", "-qq", "download", "prometheus", cwd=folder)
            fetched.run("Debian's prometheus", "sh", "-c", "dpkg-deb -x prometheus_*.deb .", cwd=folder)
            shutil.copy(pathlib.Path(folder) / "usr" / "bin" / "promtool", place)
    return shutil.which("promtool") or fetched.fetched("promtool", fetch)


def check(text):
    """Raises what promtool finds wrong with the text of /metrics."""
    done = subprocess.run([path(), "check", "metrics"], input=text, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout + done.stderr) == (0, ""), done.stdout + done.stderr
