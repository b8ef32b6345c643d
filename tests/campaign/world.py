"""A server, a runner and people around them, to whom faults happen; and what they have to show for it afterwards.

Real programs: webhooks bring the commits of a repository, a runner measures them by way of a relay, one commit is twice
as slow, and a receiver and a mail server are told so. What was acknowledged is compared with what is on disk by
tests/integration/test_crash.py, whose storm this is, with a real runner in place of three made-up ones.
"""
import datetime
import json
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
import moowatch  # noqa: E402
import test_crash  # noqa: E402
from faults import Clock, Disk, environment_of  # noqa: E402
from receivers import GOOD, Receivers  # noqa: E402
from relay import OPEN, Relay  # noqa: E402

CHANGED_BEFORE = 3  # so many commits from the end on the probe costs twice as much
RETRY_S = 3700  # the longest pause after a message that failed is an hour
PROJECT = """
name: p
repository: "{repository}"
webhook_secret_file: ../secret
benchmark:
  driver: native
  loops: 3
  total_calls: 200
  rest_seconds: 0
  configurations:
    - {{name: none, portion: T, command: ["./bench", none]}}
    - {{name: probe, portion: I, parent: none, command: ["./bench", probe]}}
detection:
  remeasure_loops: 5
notify:
  - {{via: webhook, url: "{hook}"}}
  - {{via: mail, to: [nora@example.org]}}
"""
# Calls of known length, so that a busy machine sees the change that is there and no other.
BENCH = """#!/bin/sh
cost=$(sed -n "s/^$1 //p" costs)
while [ $# -gt 1 ]; do
    case $1 in
        --output-filename) out=$2 ;;
        --total-calls) calls=$2 ;;
    esac
    shift
done
awk -v cost="$cost" -v calls="$calls" -v jitter="$$" 'BEGIN {
    for (i = 0; i < calls; i++) printf "0;%d\\n", cost * (1 + (jitter % 7) / 1000) + i % 7 }' >"$out"
"""


class Programs(moowatch.Service):
    """With an environment for each program; the runner asks by way of the relay, and keeps its settings over a kill."""

    def __init__(self, settings, runner):
        super().__init__(settings, runner)
        self.environment = {"moowatchd": {}, "runner": {}}

    def _spawn(self, name, command):
        with open(self.folder / f"{name}.log", "ab") as log:
            process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                       start_new_session=True, env={**os.environ, **self.environment[name]})
        self.processes.append(process)
        return process

    def spawn_runner(self):
        self.runner = self._spawn("runner", [moowatch.BUILD / "runner" / "moowatch-runner", "--config",
                                             self.folder / "runner.yaml"])

    def spawn_daemon(self):
        """Without waiting for it."""
        self.daemon = self._spawn("moowatchd", [moowatch.BUILD / "server" / "moowatchd", "--config",
                                                self.folder / "moowatchd.yaml"])

    def kill_hard(self, process):
        self.kill(process, signal.SIGKILL)
        self.processes.remove(process)


class World(test_crash.Storm):
    later = (0, 503, 507)  # 507: the disk is full, or fails

    def __init__(self, seed, libraries, nights, settings=None):  # pylint: disable=super-init-not-called
        self.kills, self.random, self.died = 0, random.Random(seed), 0
        self.port, self.receivers = moowatch.Port(), Receivers()
        self.relay = Relay(self.port.number)
        self.service = Programs({
            "port": self.port.number, "poll_seconds": 3600, "lease_seconds": 5, "attempts": 100,
            "mail": {"url": self.receivers.mail_url, "from": "moowatch@example.org"}, **(settings or {})},
            {"server": self.relay.url, "poll_wait_seconds": 1, "disturbed_repeats": 0})
        folder = self.service.folder
        (folder / "work").mkdir()
        self.disks = {"moowatchd": Disk(libraries / "campaign" / "libdisk_fault.so", folder / "disk-server", folder / "data", seed),
                      "runner": Disk(libraries / "campaign" / "libdisk_fault.so", folder / "disk-runner", folder / "work", seed)}
        self.clock = Clock(libraries / "integration" / "libclock_step.so", folder / "clock")
        for name, disk in self.disks.items():
            self.service.environment[name] = environment_of(disk, self.clock)
        (folder / "secret").write_text(test_crash.SECRET + "\n")
        self.repository = moowatch.Repository(folder / "repository")
        self.commits = self.make_nights(nights)
        self.left = list(self.commits)
        self.service.project("p", PROJECT.format(repository=self.repository.path, hook=self.receivers.url))
        self.lock, self.stop, self.drained = threading.Lock(), threading.Event(), threading.Event()
        self.deliveries, self.uploads, self.results = set(), set(), {}
        self.again, self.faults, self.injected = 0, [], 0

    def make_nights(self, nights):
        """The newest first, as Storm has them."""
        today = moowatch.today()
        return [self.repository.commit(f"night {n}", today - datetime.timedelta(days=nights - n), {
            "bench": BENCH, "costs": f"none 1000\nprobe {5000 if n >= nights - CHANGED_BEFORE else 3000}\n", "night": str(n)})
            for n in range(nights)][::-1]

    def add_projects(self, texts):
        for name, text in texts.items():
            self.service.project(name, text)
        self.service.daemon.send_signal(signal.SIGHUP)

    def __enter__(self):
        self.service.start(with_runner=False)
        self.service.start_runner()
        self.threads = [threading.Thread(target=self.hooks, args=("hook",), daemon=True),
                        threading.Thread(target=self.reads, daemon=True)]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.left.clear()
        self.drained.set()
        self.receivers.close()
        self.relay.close()
        self.service.__exit__()
        self.port.close()
        for disk in self.disks.values():
            disk.close()

    def restart(self, *names):
        """After kill -9, each of "moowatchd" and "runner"; a program that had ended by itself is told."""
        for name in names:
            process = self.service.daemon if name == "moowatchd" else self.service.runner
            self.living(name, process)
            self.service.kill_hard(process)
        if "moowatchd" in names:
            self.service.start(with_runner=False)
        if "runner" in names:
            self.service.spawn_runner()

    def living(self, name, process):
        if process.poll() is not None:
            self.died += 1
            self.faults.append(f"{name} ended by itself, status {process.returncode}: {self.service.log(name)[-600:]}")

    def restore(self):
        """The world is well again; what is left to be done is done, and messages do not wait for their minute."""
        for name, disk in self.disks.items():
            self.injected += disk.injected()
            disk.turn(0, 0)
        self.relay.turn(OPEN)
        self.receivers.turn(GOOD)
        self.living("moowatchd", self.service.daemon)
        self.living("runner", self.service.runner)
        self.stop.set()
        self.threads[0].join(120)
        if self.threads[0].is_alive():
            raise AssertionError(f"webhooks are not acknowledged: {self.service.log()[-2000:]}")
        # Half a minute a night: beside others one has taken as long.
        self.service.wait(self.all_done, "everything to be measured", moowatch.DEADLINE_S + 30 * len(self.commits))
        while self.waiting():
            self.clock.step(RETRY_S)
            self.restart("moowatchd")
            rounds = len(self.receivers.told)
            self.service.wait(lambda: not self.waiting() or len(self.receivers.told) > rounds, "the messages")
        self.drained.set()
        self.threads[1].join(60)
        for process in (self.service.runner, self.service.daemon):
            self.service.kill(process, signal.SIGTERM)

    def rows(self, sql):
        with sqlite3.connect(f"file:{self.service.folder}/data/moowatch.db?mode=ro", uri=True) as database:
            return database.execute(sql).fetchall()

    def all_measured(self):
        """While webhooks go on coming."""
        return self.rows("SELECT count(*) FROM job WHERE state IN ('queued','leased')") == [(0,)]

    def waiting(self):
        """Also what is not in the outbox yet: after a kill nobody tells for a while."""
        return self.rows("SELECT (SELECT count(*) FROM outbox WHERE state='waiting') + (SELECT count(*) FROM alert a"
                         " WHERE a.state='open' AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.subject='alert'"
                         " AND o.subject_id=a.id))")[0][0]

    def heard(self):
        """What the relay saw the server acknowledge; results of a trial or of profiles make no experiment, their job is done."""
        trials = {job: state for job, state in self.rows("SELECT id, state FROM job WHERE kind IN"
                                                         " ('confirmation','bisection','explain')")}
        for method, path, answer in self.relay.acknowledged:
            if raw := re.fullmatch(r"/api/v1/runner/jobs/\d+/raw/([0-9a-f]{64})", path):
                self.uploads.add(raw[1])
            elif result := re.fullmatch(r"/api/v1/runner/jobs/(\d+)/result", path):
                if (job := int(result[1])) not in trials:
                    self.results[job] = answer.get("experiment")
                elif trials[job] != "done":
                    self.faults.append(f"{method} {path} was acknowledged, and its job is {trials[job]}")

    def told(self):
        """(messages, told twice, repeated under the same id, not told) of the alerts in the database."""
        ids, twice, repeated = {}, 0, 0
        for channel, delivery, content, _ in self.receivers.told:
            alerts = [alert["id"] for alert in content["alerts"]] if channel == "webhook" else [delivery]
            event = content["event"] if channel == "webhook" else ""
            for alert in alerts:
                known = ids.setdefault((channel, event, alert), set())
                twice += bool(known) and delivery not in known
                repeated += delivery in known
                known.add(delivery)
        missing = [row for row in self.rows("SELECT c.name, o.subject_id, o.state FROM outbox o JOIN channel c"
                                            " ON c.id=o.channel_id WHERE o.state NOT IN ('sent','over')")]
        missing += [("alert", alert) for alert, in self.rows("SELECT id FROM alert WHERE state='open'")
                    if not any(channel == "webhook" and each == alert for channel, _, each in ids)]
        return len(self.receivers.told), twice, repeated, missing

    def verdict(self):
        self.heard()
        row = super().verdict()
        messages, twice, repeated, missing = self.told()
        alerts = self.rows("SELECT state, direction, portion FROM alert")
        if [each for each in alerts if each[0] == "open"] != [("open", "up", "I")]:
            self.faults.append(f"alerts: {alerts}")
        return {**row, "injected": self.injected, "lost": row["lost"] + len(missing), "missing": row["missing"] + missing, "messages": messages,
                "twice": twice, "repeated": repeated, "died": self.died, "faults": self.faults[:5]}
