"""What the benchmarks of the server share: a daemon of its own, its use of the machine, tables, the last line."""
import argparse
import json
import math
import os
import pathlib
import platform
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[3]
RELEASE = SOURCE / "build" / "release"
os.environ.setdefault("MOOWATCH_BUILD", str(RELEASE))
sys.path.insert(0, str(SOURCE / "tests" / "integration"))
import moowatch  # noqa: E402  (needs MOOWATCH_BUILD)
import peers  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")
# Else a daemon and its runner outlive a bench that is ended, and disturb what is measured next.
signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))


def arguments(text, quick, other=None, values=None, **flags):
    """--quick: what it shortens; --build DIR: programs built already; --FLAG of {FLAG: help}; other: what OTHER is; --NAME VALUE
    of values {NAME: (default, help)}."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--build", type=pathlib.Path, default=RELEASE, help="(default: build/release, made current)")
    if other:
        parser.add_argument("other", type=pathlib.Path, metavar="OTHER", help=other)
    for flag, meaning in flags.items():
        parser.add_argument(f"--{flag}", action="store_true", help=meaning)
    for name, (default, meaning) in (values or {}).items():
        parser.add_argument(f"--{name}", type=type(default), default=default, help=meaning)
    options = parser.parse_args()
    peers.install(pathlib.Path(sys.argv[0]).resolve().parent.name)
    moowatch.BUILD = options.build.resolve()
    moowatch.HARNESS = moowatch.BUILD / "runner" / "moobench"
    return options


def quantile(df):
    """Student's t, 97.5 %, by its expansion in 1/df: to two digits from 3 degrees on."""
    z = 1.959964
    return (z + (z ** 3 + z) / (4 * df) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * df ** 2)
            + (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * df ** 3))


def trimmed(values, least=0):
    """(mean, its variance, degrees of freedom): a tenth is cut at each end, `least` at least from four values on; the
    variance is of winsorized values (Yuen)."""
    x = sorted(values)
    cut = max(len(x) // 10, least if len(x) >= 4 else 0)
    kept = x[cut:len(x) - cut]
    wide = [kept[0]] * cut + kept + [kept[-1]] * cut
    df = max(len(kept) - 1, 1)
    return statistics.fmean(kept), statistics.variance(wide) * (len(wide) - 1) / (len(kept) * df), df


def together(parts):
    """Of [(sign, trimmed)], measured apart: (sum, half width of its 95 % interval)."""
    total = sum(sign * one[0] for sign, one in parts)
    variance = sum(one[1] for _, one in parts)
    df = variance ** 2 / sum(one[1] ** 2 / one[2] for _, one in parts) if variance > 0 else 1e9
    return total, quantile(df) * math.sqrt(variance)


def require(name, programs):
    """Ends the benchmark in one line where one of {program: package} is not installed."""
    missing = [package for program, package in programs.items() if not shutil.which(program)]
    if missing:
        sys.exit(f"{name}: missing: {', '.join(missing)}; ci/setup bench installs it")


def build(options, *targets):
    """Brings build/release up to date, unless another build was named."""
    if options.build != RELEASE:
        return
    subprocess.run(["cmake", "--preset", "release"], cwd=SOURCE, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "--preset", "release", "-j2", "--target", *targets], cwd=SOURCE, check=True,
                   stdout=subprocess.DEVNULL)


def wait_alive(service, condition, seconds):
    """Until the condition holds or the time is over; ends the benchmark when one of the programs does."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        if any(process.poll() is not None for process in service.processes):
            sys.exit("a program ended\n" + service.log()[-3000:] + service.log("runner")[-3000:])
        time.sleep(1)


def history(nights, database):
    """A database with a project `history` of so many nights."""
    database.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([moowatch.BUILD / "tests" / "bench" / "history" / "bench_history", "--fill", str(nights), database],
                   check=True)


def cpu_seconds(pid, waited=True):
    """Of the process and, unless told otherwise, the children it has waited for."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return sum(int(fields[at]) for at in ((11, 12, 13, 14) if waited else (11, 12))) / TICKS


def family(pid):
    """The process and its living children's children."""
    pids = [pid]
    for at in pids:
        for task in pathlib.Path(f"/proc/{at}/task").iterdir():
            pids += [int(child) for child in (task / "children").read_text().split()]
    return pids


def cpu_of(pids):
    """Seconds of processor, to a microsecond, of processes that live on."""
    return sum(int(task.joinpath("schedstat").read_text().split()[0]) for pid in pids
               for task in pathlib.Path(f"/proc/{pid}/task").iterdir()) / 1e9


def status(pid, *keys):
    """Numbers of /proc/PID/status; memory in KiB."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return [int(re.search(rf"^{key}:\s+(\d+)", text, re.M).group(1)) for key in keys]


def switches(pid):
    """Voluntary context switches of all threads: how often the process woke up."""
    total = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        total += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text(), re.M).group(1))
    return total


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


UNITS = {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4}


def wrk(url, connections, seconds, headers=(), script=None):
    """{"per_s", "p50_ms", "p99_ms", "bad"}: answers other than 2xx and 3xx, and failed connections."""
    command = ["wrk", "-t2", f"-c{connections}", f"-d{seconds}", "--latency", *[f"-H{header}" for header in headers],
               *(["-s", str(script)] if script else []), url]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def latency(which):
        number, unit = re.search(rf"^\s+{which}%\s+([\d.]+)(us|ms|s|m)$", text, re.M).groups()
        return float(number) * UNITS[unit]
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    errors = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", text)
    return {"requests": int(re.search(r"(\d+) requests in", text).group(1)),
            "per_s": float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)), "p50_ms": latency(50),
            "p99_ms": latency(99), "bad": int(bad.group(1) if bad else 0) + sum(map(int, errors.groups() if errors else []))}


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "|".join("---" if i == 0 else "---:" for i in range(len(head))) + "|")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def put(file, text):
    """Into a document, in place of what stands between the marks of this benchmark; ends it where there are none."""
    name = "tests/bench/" + pathlib.Path(sys.argv[0]).resolve().parent.name
    before = file.read_text(encoding="utf-8")
    after, places = re.subn(rf"(<!-- figures of {name} -->\n).*?(<!-- end -->)", lambda place: place.group(1) + text + place.group(2),
                            before, flags=re.S)
    if places != 1:
        sys.exit(f"{name}: {file} has no place, or several, for these figures")
    file.write_text(after, encoding="utf-8")


def report(name, figures):
    """key=value lines, and the last line for tests/bench/all."""
    for key, value in figures.items():
        print(f"{key}={value}")
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=SOURCE, check=False, capture_output=True,
                            text=True).stdout.strip() or "unknown"
    print(json.dumps({"bench": name, "figures": figures, "machine": {
        "system": platform.platform(), "processors": len(os.sched_getaffinity(0))}, "commit": commit}))
