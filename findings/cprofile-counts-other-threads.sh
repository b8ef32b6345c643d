#!/usr/bin/env bash
# cProfile profiles the thread that enables it: so it did until 3.11. Since 3.12 it is built on sys.monitoring (PEP 669), whose events
# are the interpreter's and not the thread's: calls of other threads, that never enabled a profile, are counted into the same one, and a
# second thread that enables a profile of its own gets an error. Needs Python 3.12 or later (PYTHON says which).
set -euo pipefail
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' || {
    echo "this needs Python 3.12 or later; PYTHON says which" >&2
    exit 2
}
"$python" - <<'PYTHON'
import cProfile
import sys
import threading

go, done, failed = threading.Event(), threading.Event(), []


def called():
    pass


def other():
    go.wait()
    for _ in range(1000):
        called()
    try:
        cProfile.Profile().enable()
    except ValueError as problem:
        failed.append(str(problem))
    done.set()


thread = threading.Thread(target=other)
thread.start()
profile = cProfile.Profile()
profile.enable()
go.set()
done.wait()
profile.disable()
thread.join()
profile.create_stats()
calls = sum(count for (_, _, name), (_, count, *_) in profile.stats.items() if name == "called")
print("Python", sys.version.split()[0])
print("expected: none of the 1000 calls of a thread without a profile; a second thread may have one of its own")
print(f"seen: {calls} of them; in the second thread: {failed[0] if failed else 'no error'}")
raise SystemExit(0 if calls == 1000 and failed else 1)
PYTHON
