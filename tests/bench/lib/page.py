"""What a benchmark measured, put into its section of docs/benchmarks.md; the other sections stay.

Usage: page.py NAME LOG [--quick]   LOG: what the benchmark printed; its last line is {"bench", "figures", …}
"""
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "benchmarks.md"


def figures(log):
    """What the last line says, or None: a benchmark that has only a table, or that broke off."""
    lines = pathlib.Path(log).read_text(encoding="utf-8").splitlines()
    try:
        found = json.loads(lines[-1])["figures"] if lines else None
    except (ValueError, KeyError, TypeError):
        return None
    return found if isinstance(found, dict) else None


def processor():
    found = re.search(r"^model name[^:]*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
    return found[1] if found else platform.machine()


def section(name, found, quick):
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    day = datetime.datetime.now(datetime.timezone.utc).date()
    rows = [f"| `{key}` | {round(value, 4) if isinstance(value, float) else value} |" for key, value in found.items()]
    return (f"{name}\n`tests/bench/{name}/run{' --quick' if quick else ''}`, {day}, commit {commit.stdout.strip() or 'unknown'}, "
            f"{os.cpu_count()} cores of {processor()}, Linux {platform.release()}\n\n| figure | value |\n|---|---|\n" + "\n".join(rows))


def put(page, name, text):
    """The page with this section in the place of the one of that name, or among the others by name."""
    head, *sections = re.split(r"^## ", page, flags=re.M)
    kept = {part.split("\n", 1)[0]: part.strip() for part in sections}
    kept[name] = text
    return "\n\n## ".join([head.strip(), *(kept[key] for key in sorted(kept, key=str.lower))]) + "\n"


def main(name, log, *options):
    found = figures(log)
    if found is None:
        print(f"{name}: no figures in its last line; docs/benchmarks.md stays as it is", file=sys.stderr)
        return 1
    PAGE.write_text(put(PAGE.read_text(encoding="utf-8"), name, section(name, found, "--quick" in options)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 2 else __doc__.strip())
