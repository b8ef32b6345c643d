"""From a night of sixteen commits to the one that made I slower, and to its fix: git, queue, two-stage
alarm and bisection by portion together. The runner is made up: it knows what each commit costs."""
import hashlib
import sqlite3
import subprocess
import unittest

import made_up
import moowatch

PROJECT = """
name: {name}
repository: "{repository}"
branch: main
since: 2024-01-01
"""

BEFORE = (70.0, 470.0, 1600.0, 3200.0)
AFTER = (70.0, 590.0, 1720.0, 3320.0)  # I from 400 to 520
CULPRIT = 5


class Culprit(made_up.Nights):
    def setUp(self):
        cls = type(self)
        cls.service = moowatch.Service()
        self.addCleanup(lambda: cls.service.__exit__(None, None, None))
        self.repository = moowatch.Repository(cls.service.folder / "repository")
        self.cost = {}  # commit → means
        self.broken = set()
        self.seen = []  # (kind, commit)

    def commit(self, subject, date, means):
        sha = self.repository.commit(subject, date, {"file": subject})
        self.cost[sha] = means
        return sha

    def start(self):
        self.service.project("p", PROJECT.format(name="p", repository=self.repository.path) + made_up.BENCHMARK)
        self.service.start()
        type(self).runner = self.token("runner")

    def loop(self, name, loop, order, mean, commit):
        sha = hashlib.sha256(made_up.ZSTD).hexdigest()
        mean *= 1 + ((loop * 7 + order * 3) % 5 - 2) / 300
        loop = {"configuration": name, "loop": loop, "position": order, "started_ms": 1, "seconds": 1.0, "failed": None,
                "disturbed": False, "calls": 200, "warmup_calls": 100,
                "summary": {"n": 100, "mean_ns": mean, "sd_ns": 1.0, "min_ns": mean / 2, "q1_ns": mean * .9,
                            "median_ns": mean, "q3_ns": mean * 1.1, "max_ns": mean * 2},
                "calls_per_second": [], "readings": {},
                "raw": {"sha256": sha, "bytes": len(made_up.ZSTD), "uncompressed_bytes": len(made_up.CSV)}}
        return {**loop, "commit": commit} if commit else loop

    def work(self):
        """One job, of whatever kind; its kind, or None when there was none within a second."""
        leased = self.ask("/api/v1/runner/lease", {"node": "n", "version": "0.1", "labels": [],
                                                   "can": ["confirmation"], "wait_seconds": 1})
        if not leased:
            return None
        job, lease = leased["job"], leased["lease"]
        self.seen.append((job["kind"], job["commit"]))
        if job["commit"] in self.broken:
            self.ask(f"/api/v1/runner/jobs/{job['id']}/failure", {
                "lease": lease, "phase": "prepare", "reason": "it does not build", "log": "error: no", "retry": False})
            return job["kind"]
        sha = hashlib.sha256(made_up.ZSTD).hexdigest()
        self.ask(f"/api/v1/runner/jobs/{job['id']}/raw/{sha}", made_up.ZSTD, "PUT", {"X-Moowatch-Lease": lease})
        sides = [job["commit"], job["before"]] if "before" in job else [None]
        loops = []
        for round_ in range(1, job["benchmark"]["loops"] + 1):
            for configuration in job["benchmark"]["configurations"]:
                for side in sides if round_ % 2 else sides[::-1]:
                    place = made_up.NAMES.index(configuration["name"])
                    mean = self.cost[side or job["commit"]][place]
                    loops.append(self.loop(configuration["name"], round_, len(loops), mean, side))
        self.ask(f"/api/v1/runner/jobs/{job['id']}/result", {
            "lease": lease, "node": "n", "started_ms": 1, "finished_ms": 2,
            "environment": {"node": "n", "cpu": "c", "kernel": "k"}, "loops": loops})
        return job["kind"]

    def work_until(self, condition, what):
        def step():
            self.work()
            return condition()
        return self.service.wait(step, what)

    def alert(self, **members):
        for alert in self.service.alerts("p"):
            if all(alert[key] == value for key, value in members.items()):
                return self.service.get(f"/api/v1/alerts/{alert['id']}")
        return None

    def sixteen(self):
        for night in range(1, 7):
            self.commit(f"quiet {night}", f"2024-01-{night:02}", BEFORE)
        return [self.commit(f"work {i}", "2024-01-07", AFTER if i >= CULPRIT else BEFORE) for i in range(16)]

    def test_found_among_sixteen_and_fixed_by_the_revert(self):
        commits = self.sixteen()
        self.start()
        found = self.work_until(
            lambda: self.alert(portion="I", direction="up") and
            (self.alert(portion="I", direction="up")["bisection"] or {}).get("state") == "found" and
            self.alert(portion="I", direction="up"), "the culprit")
        self.assertEqual(found["bisection"]["culprit"]["sha"], commits[CULPRIT])
        self.assertEqual(found["confirmation"]["state"], "confirmed")
        self.assertEqual(len(self.service.alerts("p")), 1)
        kinds = [kind for kind, _ in self.seen]
        self.assertIn("confirmation", kinds)
        self.assertLessEqual(kinds.count("bisection"), 10)  # about log2 of the commits, each once or twice
        night = self.service.nights("p")[-1]
        self.assertEqual([p["verdict"] for p in night["portions"]], ["ok", "anomaly", "ok", "ok"])
        for step in found["bisection"]["steps"]:  # the portion's values along the way
            self.assertAlmostEqual(step["before"]["mean_ns"], 400, delta=20)
            self.assertIn(step["state"], ("before", "after"))
        self.commit("Revert what made it slow", "2024-01-08", BEFORE)
        fixed = self.work_until(lambda: self.alert(portion="I", direction="up", state="fixed"), "the fix")
        self.assertEqual(fixed["fixed_by"], self.alert(portion="I", direction="down")["id"])

        self.check_export(commits)

    def command(self, *arguments, **how):
        return subprocess.run([moowatch.BUILD / "server" / "moowatchd", *arguments, "--config",
                               self.service.folder / "moowatchd.yaml"], capture_output=True, text=True, **how)

    def check_export(self, commits):
        """Beside the running daemon: everything as JSON lines, and back under another name."""
        lines = self.command("export", "--project", "p", check=True).stdout
        taken = self.command("import", "--project", "copy", input=lines, check=True)
        self.assertIn("results imported: 8", taken.stderr)
        values = [[[p["mean_ns"] for p in night["portions"]] for night in self.service.nights(name)]
                  for name in ("p", "copy")]
        self.assertEqual(values[0], values[1])
        self.assertIn("already present: 8", self.command("import", "--project", "copy", input=lines).stderr)
        cut = self.command("import", "--project", "cut", input=lines[:3000])
        self.assertEqual(cut.returncode, 1)
        self.assertIn("is not a JSON object", cut.stderr)
        self.assertEqual(self.command("export", "--project", "nobody").returncode, 1)

    def found(self, commit):
        alert = self.alert(portion="I", direction="up")
        return alert and ((alert["bisection"] or {}).get("culprit") or {}).get("sha") == commit and alert

    def test_a_commit_that_a_later_night_rules_out_is_taken_back(self):
        for night in range(1, 7):
            self.commit(f"quiet {night}", f"2024-01-{night:02}", BEFORE)
        commits = [self.repository.commit(f"work {i}", "2024-01-07", {"file": str(i)}, hour=i + 1) for i in range(8)]
        self.cost |= {commit: AFTER if i > 1 else BEFORE for i, commit in enumerate(commits)}
        self.start()
        self.work_until(lambda: self.found(commits[2]), "the first commit")
        self.cost |= {commit: AFTER if i > 4 else BEFORE for i, commit in enumerate(commits)}
        self.ask("/api/v1/projects/p/jobs", {"commit": commits[3]}, headers={"Authorization": f"Bearer {self.token('run')}"})
        alert = self.work_until(lambda: self.found(commits[5]), "the right commit")
        self.assertIn(f"the search had found {commits[2][:9]}; as the change is dated now, it was not that commit",
                      [line["reason"] for line in alert["audit"]])
        self.assertEqual(alert["repeat"], f"moowatch run p.yaml --commit {commits[5]} --compare {commits[4]}")
        self.assertEqual(len(self.service.alerts("p")), 1)
        gate = subprocess.run([moowatch.BUILD / "ci" / "moowatch", "gate", "p", commits[5], "--server", self.service.url],
                              capture_output=True, text=True)
        self.assertEqual(gate.returncode, 1, gate.stderr)
        self.assertIn(f"but the search for the commit of alert {alert['id']} found it: {alert['sentence']}\n", gate.stdout)

    NOTIFY = "notify:\n  - {via: webhook, url: \"http://127.0.0.1:1/\"}\n"

    def called(self):
        """How many alerts were to be told anybody."""
        with sqlite3.connect(self.service.folder / "data" / "moowatch.db") as db:
            [[count]] = db.execute("SELECT count(*) FROM outbox WHERE subject='alert'").fetchall()
        db.close()
        return count

    def announced(self, *trailers):
        """A night whose seventh commit, merged from a side branch, makes I dearer and says so; its alert."""
        for night in range(1, 7):
            self.commit(f"quiet {night}", f"2024-01-{night:02}", BEFORE)
        self.service.project("p", PROJECT.format(name="p", repository=self.repository.path) + self.NOTIFY +
                             made_up.BENCHMARK)
        self.service.start()
        type(self).runner = self.token("runner")
        self.work_until(lambda: len(self.service.nights("p")) == 6, "the quiet nights")
        self.repository._git("checkout", "-q", "-b", "side")
        said = self.repository.commit("dearer\n\n" + "".join(f"Overhead-Expected: {t}\n" for t in trailers),
                                      "2024-01-07", {"side": "1"})
        self.repository._git("checkout", "-q", "main")
        self.commit("another", "2024-01-07", BEFORE)
        when = "2024-01-07T02:00:00+00:00"
        self.repository._git("merge", "-q", "--no-ff", "-m", "merged", "side",
                             env={"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when})
        self.cost[self.repository._git("rev-parse", "HEAD")] = AFTER
        alert = self.work_until(lambda: self.alert(portion="I", direction="up"), "the alert")
        return said, alert

    def test_announced_by_a_commit_nobody_is_called(self):
        said, alert = self.announced("i +3% wrong name", "I +40% a better probe")
        self.assertEqual(alert["state"], "accepted")
        self.assertEqual([(a["to"], a["author"]) for a in alert["audit"]], [("open", "detector"), ("accepted", "Nora")])
        self.assertEqual(alert["audit"][1]["reason"],
                         f"a better probe (announced in {said[:9]}: I +40% a better probe)")
        night = self.service.get(f"/api/v1/experiments/{alert['to']['experiment']}")
        self.assertEqual([p["portion"] for p in night["portions"] if p["accepted_in_advance"]], ["I"])
        listed = [p["portion"] for n in self.service.nights("p") for p in n["portions"] if p.get("accepted_in_advance")]
        self.assertEqual(listed, ["I"])
        wrong, right = night["expectations"]
        self.assertEqual((wrong["commit"]["sha"], wrong["portions"]), (said, []))
        self.assertIn('"i" is not a portion of the project, which has T, I, C, W', wrong["problem"])
        self.assertEqual((right["portions"], right["direction"], right["percent"], right["problem"]),
                         (["I"], "up", 40, None))
        self.assertEqual(self.service.get(f"/api/v1/experiments/{alert['from']['experiment']}")["expectations"], [])
        for day in range(8, 12):
            self.commit(f"quiet {day}", f"2024-01-{day:02}", AFTER)
        self.work_until(lambda: len(self.service.nights("p")) == 11, "more nights")
        self.assertEqual(len(self.service.alerts("p")), 1)
        self.assertEqual(self.called(), 0)

    def test_larger_than_announced_is_told(self):
        said, alert = self.announced("I +5% hardly anything")
        self.assertEqual(alert["state"], "open")
        self.assertIn("I was not announced, or is larger", alert["audit"][1]["reason"])
        night = self.service.get(f"/api/v1/experiments/{alert['to']['experiment']}")
        self.assertFalse(any(p["accepted_in_advance"] for p in night["portions"]))
        self.service.wait(lambda: self.called() == 1, "the message")

    def test_commits_that_do_not_build_are_left_out(self):
        commits = self.sixteen()
        self.broken = {commits[CULPRIT], commits[CULPRIT + 1]}
        self.start()
        ended = self.work_until(
            lambda: self.alert(portion="I") and
            (self.alert(portion="I")["bisection"] or {}).get("state") in ("range", "found") and
            self.alert(portion="I"), "the end of the search")
        search = ended["bisection"]
        self.assertEqual(search["state"], "range")
        self.assertEqual(search["first"]["sha"], commits[CULPRIT])
        self.assertEqual(search["last"]["sha"], commits[CULPRIT + 2])
        self.assertIn("gave no answer", search["reason"])
        self.assertEqual({"could not be measured"}, {s["saw"] for s in search["steps"] if s["state"] == "skipped"})
        self.assertTrue(all(n["state"] == "measured" for n in self.service.nights("p")))

    def test_a_night_that_was_only_bad_luck_is_cleared(self):
        commits = self.sixteen()
        self.start()
        for commit in commits:  # only the night's own measurement is slow
            self.cost[commit] = BEFORE
        self.cost[commits[-1]] = AFTER
        self.work_until(lambda: ("backfill", commits[-1]) in self.seen or ("nightly", commits[-1]) in self.seen,
                        "the bad night")
        self.cost[commits[-1]] = BEFORE
        self.work_until(lambda: self.service.get("/api/v1/projects/p")["cleared"] == 1, "the all-clear")
        self.assertEqual(self.service.alerts("p"), [])
        self.assertEqual(self.service.nights("p")[-1]["portions"][1]["verdict"], "cleared")


if __name__ == "__main__":
    unittest.main(verbosity=2)
