"""A night that goes wrong says why, harms nothing, and the next night is unaffected."""
import unittest

import moowatch

PROJECT = """
name: victim
repository: {repository}
since: 2024-01-01
benchmark:
  driver: native
  prepare: [./prepare]
  prepare_timeout_seconds: 5
  loops: 2
  total_calls: 4000
  recursion_depth: 1
  loop_timeout_seconds: 4
  rest_seconds: 0
  configurations:
    - {{name: none, portion: T, command: ["./bench", "{{harness}}/moobench"]}}
    - {{name: probe, portion: I, parent: none, command: ["./bench", "{{harness}}/moobench-instrumented"]}}
"""

# The real harness, its figures replaced: whether two nights are alike shall not hang on what else the machine does.
GOOD = {"prepare": "#!/bin/sh\nexit 0\n", "bench": r"""#!/bin/sh
"$@" || exit 1
case $1 in *-instrumented) cost=2000 ;; *) cost=1000 ;; esac
while [ "$1" != --output-filename ]; do shift; done
awk -v cost=$((cost + $$ % 5)) 'BEGIN { for (i = 0; i < 4000; i++) printf "1;%d\n", cost + i % 7 }' >"$2"
"""}

# what the commit does | its files | words that must be in the reason
BAD = [
    ("does not build", {"prepare": "#!/bin/sh\necho main.c:3: syntax error >&2\nexit 2\n"}, ["syntax error"]),
    ("build hangs", {"prepare": "#!/bin/sh\nsleep 1000 & wait\n"}, ["prepare"]),
    ("crashes", {"bench": "#!/bin/sh\necho about to die >&2\nkill -SEGV $$\n"}, ["signal"]),
    ("exits with an error", {"bench": "#!/bin/sh\nexit 7\n"}, ["7"]),
    ("hangs", {"bench": "#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 100; done\n"}, ["4 s"]),
    ("writes nothing", {"bench": "#!/bin/sh\necho all fine\n"}, []),
    ("writes text", {"bench": "#!/bin/sh\nfor a; do out=$next; [ \"$a\" = --output-filename ] && take=1 && continue;"
                              " [ \"$take\" ] && echo hello world >\"$a\" && take=; done\n"}, ["line 1"]),
    ("truncates its result", {"bench": "#!/bin/sh\n\"$@\" || exit 1\nfor a; do [ \"$take\" ] && truncate -s -3 \"$a\" && exit;"
                                       " [ \"$a\" = --output-filename ] && take=1; done\n"}, []),
    ("measures too few calls", {"bench": "#!/bin/sh\n\"$@\" || exit 1\nfor a; do [ \"$take\" ] && sed -i '$d' \"$a\" && exit;"
                                         " [ \"$a\" = --output-filename ] && take=1; done\n"}, ["3999", "4000"]),
    ("fills the disk", {"bench": "#!/bin/sh\nexec cat /dev/zero >flood\n"}, []),
]


class BadNights(unittest.TestCase):
    def test_each_bad_night_says_why_and_the_next_is_unaffected(self):
        with moowatch.Service(runner={"loop_output_limit_bytes": 16 << 20}) as service:
            repository = moowatch.Repository(service.folder / "repository")
            day = 1
            repository.commit("a good night", f"2024-01-{day:02}", GOOD)
            for what, files, _ in BAD:
                day += 1
                repository.commit(what, f"2024-01-{day:02}", {**GOOD, **files})
            repository.commit("good again", f"2024-01-{day + 1:02}", GOOD)
            service.project("victim", PROJECT.format(repository=repository.path))
            service.settings["attempts"] = 1
            service.settings["public_details"] = True  # logs are read below
            service.start()
            nights = service.wait_for_nights("victim", len(BAD) + 2, seconds=240)

            self.assertEqual(nights[0]["state"], "measured", nights[0])
            self.assertEqual(nights[-1]["state"], "measured", nights[-1])
            self.assertEqual(nights[-1]["portions"][1]["reference"]["nights"], 1)
            for night, (what, _, words) in zip(nights[1:-1], BAD):
                with self.subTest(what):
                    self.assertEqual(night["commit"]["subject"], what)
                    self.assertEqual(night["state"], "failed")
                    self.assertTrue(night["reason"], "a reason for people")
                    job = service.get(f"/api/v1/jobs/{night['job']}")
                    told = night["reason"] + (job.get("log") or "")
                    for word in words:
                        self.assertIn(word, told)
            self.assertEqual(service.alerts("victim"), [])
            self.assertEqual(service.daemon.poll(), None, "the daemon lives")
            self.assertEqual(service.runner.poll(), None, "the runner lives")


class BadSurroundings(unittest.TestCase):
    def test_broken_yaml_and_gone_repository_are_told_and_others_go_on(self):
        with moowatch.Service(runner={}) as service:
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("a good night", "2024-01-01", GOOD)
            text = PROJECT.format(repository=repository.path)
            service.project("victim", text)
            service.project("broken", "name: broken\nrepositry: /x\n")
            service.project("wrong", text.replace("victim", "wrong").replace("loops: 2", "loops: many"))
            service.project("gone", text.replace("victim", "gone").replace(str(repository.path), "/nonexistent/r.git"))
            service.start()
            service.wait_for_nights("victim", 1)
            status = service.get("/api/v1/status")
            problems = "\n".join(status["problems"])
            self.assertIn("broken.yaml:2: ", problems)
            self.assertIn("repositry", problems)
            self.assertIn("wrong.yaml:9: ", problems)
            gone = service.wait(lambda: service.get("/api/v1/projects/gone")["problem"], "the problem of the gone one")
            self.assertIn("/nonexistent/r.git", gone)
            self.assertIn("broken.yaml:2", service.log())

    def test_full_disk_refuses_results_and_loses_nothing(self):
        port = moowatch.Port()  # the runner goes on asking there while the daemon is away
        self.addCleanup(port.close)
        with moowatch.Service({"port": port.number, "lease_seconds": 10}, runner={}) as service:
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("a good night", "2024-01-01", GOOD)
            service.project("victim", PROJECT.format(repository=repository.path))
            service.start(with_runner=False)
            service.wait(lambda: service.get("/api/v1/jobs")["items"], "the night to be queued")
            # the disk fills up before its result comes: nothing is fetched any more, nor taken in
            service.kill(service.daemon, moowatch.signal.SIGTERM)
            service.settings["disk_reserve_bytes"] = 1 << 40
            service.start()
            service.wait(lambda: "must stay free" in service.log(), "nothing to be fetched")
            service.wait(lambda: "507" in service.log("runner") or "full" in service.log("runner").lower(),
                         "the runner to be refused")
            self.assertEqual(service.nights("victim"), [])
            spooled = list((service.folder / "work" / "spool").glob("job-*/*.csv.zst"))
            self.assertEqual(len(spooled), 4, "every finished loop is kept")
            # space comes back: the same measurement is sent, not a new one
            service.kill(service.daemon, moowatch.signal.SIGTERM)
            service.settings["disk_reserve_bytes"] = 0
            service.start(with_runner=False)
            night = service.wait_for_nights("victim", 1)[0]
            self.assertEqual(night["state"], "measured")


if __name__ == "__main__":
    unittest.main(verbosity=2)
