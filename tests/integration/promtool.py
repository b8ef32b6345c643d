"""Prometheus' own check of metrics, out of Debian's package, without installing the daemon that comes with it."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import moowatch


def path():
    """promtool, unpacked once per build folder; skips the test when it cannot be had."""
    there = shutil.which("promtool")
    tool = moowatch.BUILD / "peers" / "promtool"
    if there or tool.exists():
        return pathlib.Path(there or tool)
    tool.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for command in (["apt-get", "-qq", "download", "prometheus"], ["sh", "-c", "dpkg-deb -x prometheus_*.deb ."]):
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240)
            if done.returncode:
                raise unittest.SkipTest(f"no promtool here, and Debian's prometheus cannot be fetched: {done.stderr}")
        shutil.copy(pathlib.Path(folder) / "usr" / "bin" / "promtool", tool)
    return tool


def check(text):
    """Raises what promtool finds wrong with the text of /metrics."""
    done = subprocess.run([path(), "check", "metrics"], input=text, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout + done.stderr) == (0, ""), done.stdout + done.stderr
