"""The kinds of faults: each makes a world, does its harm, lets it recover, and says what came of it."""
import contextlib
import http.client
import pathlib
import resource
import subprocess
import sys
import time

import faults
import git_remote
import relay
from receivers import GOOD, HANG, LOSE
from servers import Servers
from world import World, moowatch

LIBRARIES = moowatch.BUILD / "tests"
NIGHTS = 6
HERE = pathlib.Path(__file__).resolve().parent


def pause(world, shortest_s=0.05, longest_s=0.5):
    time.sleep(world.random.uniform(shortest_s, longest_s))


def kills(*victims):
    def kind(seed, quick):
        times = 8 if quick else 500
        with World(seed, LIBRARIES, NIGHTS if quick else 100) as world:
            for _ in range(times):
                pause(world)
                world.restart(*victims)
                world.injected += 1
            world.restore()
            world.kills = times
            return world.verdict()
    return kind


def two_servers(seed, quick):
    """kill -9 of one of two servers, of their PostgreSQL, of their bucket, and of the runner."""
    with Servers(seed, LIBRARIES, NIGHTS if quick else 100) as world:
        for _ in range(8 if quick else 500):
            pause(world)
            world.strike()
            world.injected += 1
        world.restore()
        return world.verdict()


def children(seed, quick):
    """A child that is killed by itself: git, a preparation, a benchmark."""
    with World(seed, LIBRARIES, NIGHTS if quick else 60) as world:
        wanted, end = (5 if quick else 200), time.monotonic() + (10 if quick else 300)
        while world.injected < wanted and time.monotonic() < end:
            pause(world, 0.05, 0.3)
            parent = world.random.choice((world.service.daemon, world.service.runner))
            world.injected += faults.kill_child(parent.pid, world.random)
        world.restore()
        return world.verdict()


def disk(kind_of_fault):
    def kind(seed, quick):
        with World(seed, LIBRARIES, NIGHTS if quick else 30) as world:
            for _ in range(3 if quick else 40):
                for name in ("moowatchd", "runner"):
                    world.disks[name].turn(kind_of_fault, world.random.choice((30, 200, 1000)))
                    pause(world, 0.2, 0.6)
                    world.disks[name].turn(0, 0)
                    pause(world)
            world.restore()
            return world.verdict()
    return kind


def clock(seed, quick):
    steps = (-86400, -3600, -10, 10, 3600, 86400)
    with World(seed, LIBRARIES, NIGHTS if quick else 60) as world:
        for _ in range(8 if quick else 200):
            pause(world)
            world.clock.step(world.random.choice(steps))
            world.injected += 1
        world.restore()
        return world.verdict()


def partition(seed, quick):
    with World(seed, LIBRARIES, NIGHTS if quick else 60) as world:
        for _ in range(6 if quick else 100):
            pause(world)
            world.relay.turn(world.random.choice((relay.CUT, relay.HOLE)))
            pause(world, 0.1, 1 if quick else 8)
            world.relay.turn(relay.OPEN)
            world.injected += 1
        world.restore()
        return world.verdict()


BAD = """
name: {mode}
repository: "{url}/{mode}.git"
benchmark:
  driver: native
  configurations:
    - {{name: none, portion: T}}
"""


def git(seed, quick):
    """Remotes that are silent, slow or lie, polled all the time beside the good one."""
    with World(seed, LIBRARIES, NIGHTS, {"poll_seconds": 1, "fetch_timeout_seconds": 2}) as world:
        bad = git_remote.Remote(world.repository.path)
        world.add_projects({mode: BAD.format(mode=mode, url=bad.url) for mode in git_remote.MODES})
        ask = lambda mode: world.service.get(f"/api/v1/projects/{mode}")["problem"]
        for _ in range(1 if quick else 20):
            polls = dict(bad.asked)
            world.service.wait(lambda was=polls: all(bad.asked.get(m, 0) > was.get(m, 0) for m in git_remote.MODES), "polls")
        for mode in git_remote.MODES:
            world.service.wait(lambda m=mode: ask(m), f"the problem of {mode}")
        if problem := ask("p"):
            world.faults.append(f"the good one: {problem}")
        bad.close()
        world.injected = sum(bad.asked.values())
        world.restore()
        return world.verdict()


def receivers(seed, quick):
    """Nobody takes the message, or takes it and does not say so; measuring goes on meanwhile."""
    with World(seed, LIBRARIES, NIGHTS) as world:
        for mode in ([HANG, LOSE] if quick else [HANG, LOSE] * 5):
            world.receivers.turn(mode)
            before = world.receivers.bad
            # A receiver that hangs is given up after 30 s: the long campaign waits for the second one, too.
            wanted = before + (1 if quick and mode == HANG else 2)
            world.service.wait(lambda to=wanted: world.receivers.bad >= to, f"messages to receivers that {mode}")
            world.service.wait(world.all_measured, "everything to be measured")
            world.clock.step(3 * 3600)  # the next attempt is due
            world.restart("moowatchd")
        world.injected = world.receivers.bad
        world.receivers.turn(GOOD)
        world.restore()
        return world.verdict()


def times_of(url, seconds, statuses):
    """How long a small answer takes, ms, ten times a second on a connection that is kept."""
    host, port = url.removeprefix("http://").split(":")
    connection, taken = http.client.HTTPConnection(host, int(port), timeout=moowatch.REQUEST_S), []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        begun = time.monotonic()
        connection.request("GET", "/api/v1/projects/history")
        answer = connection.getresponse()
        answer.read()
        statuses.add(answer.status)
        taken.append((time.monotonic() - begun) * 1000)
        time.sleep(0.01)
    connection.close()
    return sorted(taken)


def slow(seed, quick):
    count, seconds = (200, 4) if quick else (1000, 60)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 8192)), hard))
    p99 = lambda taken: taken[int(len(taken) * .99)]
    with moowatch.Service(settings={"poll_seconds": 86400, "webhook_secret_file": "secret", "connection_limit": count + 200,
                                    "stream_limit": count}) as service:
        (service.folder / "secret").write_text("twelve bytes\n")
        (service.folder / "data").mkdir()
        subprocess.run([moowatch.BUILD / "tests" / "bench" / "history" / "bench_history", "--fill", "200" if quick else "1000",
                        service.folder / "data" / "moowatch.db"], check=True, stdout=subprocess.DEVNULL)
        service.start()
        statuses = set()
        alone = times_of(service.url, seconds, statuses)
        with contextlib.ExitStack() as stack:
            clients = stack.enter_context(subprocess.Popen(
                [sys.executable, HERE / "slow.py", service.url.rsplit(":", 1)[1], str(count)], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, text=True))
            assert clients.stdout.readline() == "ready\n"
            beside = times_of(service.url, seconds, statuses)
            clients.stdin.close()
            ended = int(clients.stdout.readline())
        row = {"injected": count + ended, "p99_alone": p99(alone), "p99": p99(beside), "faults": [], "seed": seed}
        if statuses != {200}:
            row["faults"].append(f"others were answered {statuses}")
        if not quick and row["p99"] > 2 * row["p99_alone"]:  # on a machine that does nothing else
            row["faults"].append(f"others' p99 rose from {row['p99_alone']:.1f} to {row['p99']:.1f} ms")
        if service.daemon.poll() is not None:
            row["faults"].append("the server ended")
        return row


KINDS = {
    "kill server": kills("moowatchd"),
    "kill runner": kills("runner"),
    "kill both": kills("moowatchd", "runner"),
    "two servers": two_servers,
    "kill children": children,
    "no space": disk(faults.NO_SPACE),
    "I/O errors": disk(faults.IO_ERROR),
    "short writes": disk(faults.SHORT),
    "clock steps": clock,
    "partition": partition,
    "git remotes": git,
    "receivers": receivers,
    "slow clients": slow,
}
