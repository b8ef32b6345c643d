"""A service with a year of nights, and Chromium that sees its project's page for the first time."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
import moowatch  # noqa: E402

NIGHTS = 365

with moowatch.Service(settings={"poll_seconds": 86400}) as service:
    database = service.folder / "data" / "moowatch.db"
    database.parent.mkdir(mode=0o700)
    subprocess.run([moowatch.BUILD / "tests" / "bench" / "history" / "bench_history", "--fill", str(NIGHTS), database],
                   check=True)
    service.start()
    sys.exit(subprocess.run(["node", "--test", "first_load.mjs"], cwd=pathlib.Path(__file__).parent, check=False,
                            timeout=120, env={**os.environ, "BASE_URL": service.url, "BASE_PROJECT": "history"}).returncode)
