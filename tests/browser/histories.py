"""A real service with real histories: upstream's public nights (tests/bench/detector/data/suites), or those of
MOOWATCH_HISTORIES, a folder of github-action-benchmark's data.js (or .js.gz). The newest night of the longest comes
while its page is looked at. Then histories.mjs walks the pages; with --serve the service stays until it is interrupted."""
import csv
import datetime
import gzip
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "integration"))
import moowatch  # noqa: E402

SUITES = HERE.parent / "bench" / "detector" / "data" / "suites"
FIRST = datetime.datetime(2024, 5, 8, 3, tzinfo=datetime.timezone.utc)
COMMIT_NIGHTS = 25  # the benchmark's own repository: night after night the same commit
PREFIX = "window.BENCHMARK_DATA = "


def suite_entries(path):
    """A suite's nights as github-action-benchmark publishes them, oldest first."""
    head, *rows = csv.reader(path.read_text().splitlines())
    names = [name.split(" ", 1)[1] for name in head[::2]]
    entries = []
    for i, row in enumerate(rows):
        date = FIRST + datetime.timedelta(days=i)
        commit = i // COMMIT_NIGHTS
        entries.append({
            "commit": {"id": f"{commit:040x}", "message": f"Update number {commit}", "timestamp": date.isoformat(),
                       "author": {"name": "Nora", "email": "nora@example.org"}},
            "date": int(date.timestamp() * 1000), "tool": "customSmallerIsBetter",
            "benches": [{"name": name, "value": float(row[2 * k]), "unit": "ns",
                         **({"range": row[2 * k + 1]} if row[2 * k + 1] else {})}
                        for k, name in enumerate(names) if row[2 * k]]})
    return [entry for entry in entries if entry["benches"]]


def histories():
    """Of every suite its name and its nights, oldest first."""
    folder = os.environ.get("MOOWATCH_HISTORIES")
    if not folder:
        return {path.stem: suite_entries(path) for path in sorted(SUITES.glob("*.csv"))}
    found = {}
    for path in sorted(pathlib.Path(folder).glob("*.js*")):
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        found.update(json.loads(data.decode().split("=", 1)[1])["entries"])
    return found


def write(path, name, entries):
    path.write_text(PREFIX + json.dumps({"entries": {name: entries}}))
    return path


def command(service, name, file, *more):
    return [str(part) for part in (moowatch.BUILD / "ci" / "moowatch", "import", "--project", name.lower(),
                                   "--suite", name, file, "--server", service.url,
                                   "--token-file", service.folder / "admin.token", *more)]


def token(service):
    text = subprocess.run([moowatch.BUILD / "server" / "moowatchd", "token", "add", "--config",
                           service.folder / "moowatchd.yaml", "--name", "admin", "--scope", "admin"],
                          check=True, capture_output=True, text=True).stdout.split()[-1]
    (service.folder / "admin.token").write_text(text)
    (service.folder / "admin.token").chmod(0o600)


def main():
    with moowatch.Service(settings={"poll_seconds": 86400}) as service:
        service.start()
        token(service)
        found = histories()
        longest = max(found, key=lambda name: len(found[name]))
        for name, entries in found.items():
            known = entries[:-1] if name == longest else entries
            file = write(service.folder / f"{name}.js", name, known)
            subprocess.run(command(service, name, file), check=True, stdout=subprocess.DEVNULL)
        late = command(service, longest, write(service.folder / "late.js", longest, found[longest][-1:]))
        if "--serve" in sys.argv:
            print(service.url, json.dumps(late), flush=True)
            while True:
                time.sleep(3600)
        return subprocess.run(
            ["node", "--test", "histories.mjs"], cwd=HERE, check=False,
            env={**os.environ, "BASE_URL": service.url, "LATE_PROJECT": longest.lower(),
                 "LATE_NIGHT": json.dumps(late)}).returncode


if __name__ == "__main__":
    sys.exit(main())
