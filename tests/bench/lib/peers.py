"""What the benchmarks measure beside us, and with: installed by ci/setup, or named in one line."""
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[3]


def install(name):
    """Ends the benchmark called so when something is missing that cannot be installed here."""
    os.environ["PATH"] += os.pathsep + "/usr/sbin"  # nginx
    done = subprocess.run([SOURCE / "ci" / "setup", "build", "bench"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          check=False, text=True, errors="replace")
    if done.returncode:
        missing = re.findall(r"^missing: (\S+)", done.stderr, re.M)
        sys.exit(f"{name}: cannot be installed here: {', '.join(missing)}; run ci/setup bench as root")
