#!/usr/bin/env bash
# A job that must not disturb a measurement is started with nice 19. One expects it to get some hundredth of a processor that another program wants.
# Linux gives each session its share first (autogroup) and heeds nice within it alone: from another login, cron or setsid the job
# takes half. Needs Linux with sched_autogroup_enabled and python3.
set -euo pipefail
[ "$(cat /proc/sys/kernel/sched_autogroup_enabled 2>/dev/null)" = 1 ] || {
    echo "sched_autogroup_enabled is not 1 here" >&2
    exit 2
}
uname -sr
python3 - <<'PYTHON'
import os
import time

processor = min(os.sched_getaffinity(0))


def spinning(nice, own_session):
    child = os.fork()
    if child:
        return child
    if own_session:
        os.setsid()
    os.sched_setaffinity(0, {processor})
    os.nice(nice)
    while True:
        pass


def ticks(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        return sum(map(int, file.read().rpartition(")")[2].split()[11:13]))


def share(own_session):
    """Of nice 19 beside nice 0 on one processor, in percent."""
    both = spinning(0, False), spinning(19, own_session)
    time.sleep(5)
    used = [ticks(one) for one in both]
    for one in both:
        os.kill(one, 9)
        os.waitpid(one, 0)
    return 100 * used[1] / sum(used)


same, other = share(False), share(True)
print("expected: nice 19 gets 1 or 2 % beside nice 0, wherever it was started")
print(f"seen: {same:.0f} % in the same session, {other:.0f} % in another one")
raise SystemExit(0 if same < 10 and other > 30 else 1)
PYTHON
