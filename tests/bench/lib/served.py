"""How fast a server serves, by many clients at once: what the benchmarks of HTTP ask for, in turn of two servers."""
import urllib.request

import bench

GZIP = "Accept-Encoding: gzip"
CONNECTIONS = 100
PATHS = {"chart": "/charts/history.svg?nights=365", "page": "/projects/history", "script": "/static/project.js",
         "data": "/api/v1/projects/history/nights?limit=30"}


def fetch(url, headers=()):
    """(headers, bytes)"""
    request = urllib.request.Request(url, headers=dict(header.split(": ", 1) for header in headers))
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.headers, answer.read()


def run_one(server, path, seconds):
    """bench.wrk of a server (address, process), and the processor time a request took in it, as cpu_us."""
    url, pid = server
    pids = bench.family(pid)
    before = bench.cpu_of(pids)
    run = bench.wrk(url + path, CONNECTIONS, seconds, [GZIP])
    return {**run, "cpu_us": (bench.cpu_of(pids) - before) / run["requests"] * 1e6}


def in_turn(ours, path, theirs, file, seconds):
    """A B B A: the runs of ours, the runs of theirs."""
    runs = [run_one(*which, seconds) for which in ((ours, path), (theirs, file), (theirs, file), (ours, path))]
    return [runs[0], runs[3]], runs[1:3]


def mean(runs, key):
    return sum(run[key] for run in runs) / len(runs)
