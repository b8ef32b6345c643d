"""Repositories as they are: gone, silent, rewritten, with branches that vanish; the others go on."""
import contextlib
import datetime
import json
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import threading
import unittest

import git_remote
import moowatch

SILENT_S = 5  # a good one answers within it on a busy machine, too
PROJECT = """
name: {name}
repository: "{repository}"
branch: {branch}
{since}
benchmark:
  driver: native
  configurations:
    - {{name: none, portion: T}}
"""


def project(name, repository, branch="main", since="since: 2024-01-01"):
    return PROJECT.format(name=name, repository=repository, branch=branch, since=since)


class Repositories(unittest.TestCase):
    def problem_of(self, service, name):
        return service.get(f"/api/v1/projects/{name}")["problem"]

    def jobs(self, service, name):
        return service.get(f"/api/v1/jobs?project={name}&limit=5000")["items"][::-1]

    def wait_problem(self, service, name, *words):
        def there():
            problem = self.problem_of(service, name)
            return problem and all(word in problem for word in words)
        service.wait(there, f"the problem of {name}")

    def helper_memory(self, service):
        """What git may map at most: some bytes of a pack can stand for an object of any size."""
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError, IndexError):
                ours = (folder / "stat").read_text().rsplit(")", 1)[1].split()[1] == str(service.daemon.pid)
                if ours and b"--fetch-helper" in (folder / "cmdline").read_bytes():
                    limits = (folder / "limits").read_text()
                    return "unlimited" not in limits.split("Max address space", 1)[1][:20] and \
                        limits.split("Max address space", 1)[1].split()[0]
        return None

    def test_silent_and_missing_repositories_stop_nobody(self):
        silent = socket.create_server(("127.0.0.1", 0))  # takes connections, never says a word
        port = silent.getsockname()[1]
        held = []
        threading.Thread(target=lambda: [held.append(silent.accept()) for _ in range(100)], daemon=True).start()
        with moowatch.Service(settings={"fetch_timeout_seconds": SILENT_S}) as service:
            repository = moowatch.Repository(service.folder / "good")
            repository.commit("first", "2024-01-01", {"a": "1"})
            service.project("a-silent-http", project("silent-http", f"http://127.0.0.1:{port}/x.git"))
            service.project("b-silent-git", project("silent-git", f"git://127.0.0.1:{port}/x.git"))
            service.project("c-gone", project("gone", service.folder / "nowhere"))
            service.project("d-refused", project("refused", "http://me:s3cr3t@127.0.0.1:1/x.git"))
            service.project("e-good", project("good", repository.path))
            service.start()
            service.wait(lambda: self.jobs(service, "good"), "the good one's night")
            self.assertEqual(service.wait(lambda: self.helper_memory(service), "the helper"), str(2 << 30))
            self.wait_problem(service, "silent-http", f"did not answer within {SILENT_S} s")
            self.wait_problem(service, "silent-git", f"did not answer within {SILENT_S} s")
            self.wait_problem(service, "gone", "cannot be reached")
            self.wait_problem(service, "refused", "cannot be reached")
            self.assertIsNone(self.problem_of(service, "good"))
            self.assertNotIn("s3cr3t", service.log() + json.dumps(service.get("/api/v1/projects")))
            # the next poll goes on: a second night of the good one comes in
            repository.commit("second", "2024-01-02", {"a": "2"})
            service.wait(lambda: len(self.jobs(service, "good")) == 2, "the second night")
            # ending does not wait for the silent one
            service.daemon.send_signal(signal.SIGTERM)
            self.assertEqual(service.daemon.wait(timeout=moowatch.DEADLINE_S), 0)

    def test_a_pack_that_is_a_bomb_is_refused(self):
        """Some KiB of deltas that stand for files of 3 and of 6 GiB."""
        with moowatch.Service() as service:
            repository = moowatch.Repository(service.folder / "good")
            repository.commit("first", "2024-01-01", {"a": "1"})
            remotes = {}
            for name, gib in (("bomb3", 3), ("bomb6", 6)):
                remotes[name] = git_remote.Remote(repository.path, bomb_bytes=gib << 30)
                self.addCleanup(remotes[name].close)
                self.assertLess(len(remotes[name].bomb[1]), 64 << 10)
                service.project(name, project(name, f"{remotes[name].url}/bomb.git"))
            service.project("good", project("good", repository.path))
            service.start()
            for name in remotes:
                self.wait_problem(service, name, "needs more memory", "2 GiB")
            service.wait(lambda: self.jobs(service, "good"), "the good one's night")
            repository.commit("second", "2024-01-02", {"a": "2"})
            service.wait(lambda: len(self.jobs(service, "good")) == 2, "the second night")
            for remote in remotes.values():
                service.wait(lambda r=remote: r.asked["bomb"] > 2, "another poll of the bomb")
            self.assertIsNone(self.problem_of(service, "good"))

    def test_projects_of_one_branch_are_served_by_one_fetch(self):
        night_at = f'night_at: "{(datetime.datetime.now(datetime.timezone.utc).hour + 12) % 24:02}:00"'  # none comes meanwhile
        with moowatch.Service(settings={"poll_seconds": 3600}) as service:
            repository = moowatch.Repository(service.folder / "good")
            repository.commit("first", "2024-01-01", {"a": "1"})
            repository._git("branch", "next")
            remote = git_remote.Remote(repository.path)
            self.addCleanup(remote.close)
            together = ("core", "jdbc", "web")
            for name in (*together, "next"):
                branch = "next" if name == "next" else "main"
                service.project(name, project(name, f"{remote.url}/good.git", branch, f"since: 2024-01-01\n{night_at}"))
            service.start()
            token = service.token("run")

            def polled():
                return {name: service.get(f"/api/v1/projects/{name}")["polled_ms"] for name in (*together, "next")}

            def nights(count):
                service.wait(lambda: all(len(self.jobs(service, name)) == count for name in together), f"{count} nights of each")

            nights(1)
            service.wait(lambda: all(polled().values()), "all to be asked")
            self.assertEqual(remote.asked["good"], 2 * 2)  # of each branch its references and a pack
            repository.commit("second", "2024-01-02", {"a": "2"})
            before = polled()
            status, _, _ = service.status("/api/v1/projects/jdbc/poll", "POST", b"", {"Authorization": f"Bearer {token}"})
            self.assertEqual(status, 202)
            nights(2)
            service.wait(lambda: all(polled()[name] > before[name] for name in together), "all to be asked again")
            self.assertEqual(remote.asked["good"], 3 * 2)
            self.assertEqual(len(self.jobs(service, "next")), 1)
            self.assertEqual([self.problem_of(service, name) for name in together], [None] * 3)

    def test_repository_comes_and_goes(self):
        with moowatch.Service() as service:
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("first", "2024-01-01", {"a": "1"})
            service.project("p", project("p", repository.path))
            service.start()
            service.wait(lambda: len(self.jobs(service, "p")) == 1, "the first night")
            shutil.move(repository.path, service.folder / "away")
            self.wait_problem(service, "p", "cannot be reached")
            shutil.move(service.folder / "away", repository.path)
            repository.commit("second", "2024-01-02", {"a": "2"})
            service.wait(lambda: len(self.jobs(service, "p")) == 2, "the second night")
            service.wait(lambda: self.problem_of(service, "p") is None, "the problem to go")

    def test_branch_deleted_and_rewritten(self):
        with moowatch.Service() as service:
            repository = moowatch.Repository(service.folder / "repository")
            for day in (1, 2, 3):
                repository.commit(f"night {day}", f"2024-01-{day:02}", {"a": str(day)})
            repository._git("branch", "watched")
            service.project("p", project("p", repository.path, "watched"))
            service.start()
            service.wait(lambda: len(self.jobs(service, "p")) == 3, "three nights")

            repository._git("branch", "-D", "watched")
            self.wait_problem(service, "p", "branch watched is not (or no longer)", "which has main")

            repository._git("reset", "-q", "--hard", "HEAD~2")
            rewritten = repository.commit("another second", "2024-01-02", {"a": "other"})
            repository._git("branch", "watched")
            self.wait_problem(service, "p", "rewritten")
            service.wait(lambda: rewritten in [j["commit"]["sha"] for j in self.jobs(service, "p")], "the new night")
            repository.commit("third again", "2024-01-03", {"a": "x"})
            repository._git("branch", "-f", "watched")
            service.wait(lambda: self.problem_of(service, "p") is None, "the problem to go")

    def test_merges_count_by_first_parent(self):
        with moowatch.Service() as service:
            repository = moowatch.Repository(service.folder / "repository")
            first = repository.commit("first", "2024-01-01", {"a": "1"})
            repository._git("checkout", "-q", "-b", "side")
            repository.commit("on the side", "2024-01-02", {"b": "1"})
            repository._git("checkout", "-q", "main")
            when = "2024-01-04T01:00:00+00:00"
            repository._git("merge", "-q", "--no-ff", "-m", "merged", "side",
                            env={"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when})
            merge = repository._git("rev-parse", "HEAD")
            service.project("p", project("p", repository.path))
            service.start()
            service.wait(lambda: len(self.jobs(service, "p")) == 2, "two nights")
            self.assertEqual([(j["night"], j["commit"]["sha"]) for j in self.jobs(service, "p")],
                             [("2024-01-01", first), ("2024-01-04", merge)])

    @staticmethod
    def releases(service):
        db = sqlite3.connect(service.folder / "data" / "moowatch.db")
        with contextlib.closing(db):
            return dict(db.execute("SELECT sha, release FROM revision WHERE release IS NOT NULL"))

    def test_releases_are_measured_and_marked(self):
        with moowatch.Service() as service:
            repository = moowatch.Repository(service.folder / "repository")
            shas = {}
            for day, hour in ((1, 1), (2, 1), (2, 10), (2, 11), (3, 1)):
                shas[day, hour] = repository.commit(f"{day} {hour}", f"2024-01-{day:02}", {"a": f"{day} {hour}"},
                                                    hour=hour)
            repository._git("tag", "v1", shas[2, 10])  # between two nights
            repository._git("tag", "-a", "-m", "two", "v2", shas[3, 1])  # annotated, a night's own commit
            repository._git("tag", "other", shas[2, 11])
            repository._git("checkout", "-q", "-b", "side", shas[1, 1])
            aside = repository.commit("aside", "2024-01-02", {"b": "1"})
            repository._git("tag", "v0-side", aside)
            repository._git("checkout", "-q", "main")
            tree = repository._git("rev-parse", "HEAD^{tree}")
            repository._git("tag", "v-tree", tree)
            service.project("p", project("p", repository.path, since="since: 2024-01-01\nreleases: v*"))
            service.start()

            def nights():
                return sorted((j["night"], j["commit"]["sha"]) for j in self.jobs(service, "p"))
            # without v1, 02 10:00 and 11:00 are one night, of which the later commit counts
            expected = sorted([("2024-01-01", shas[1, 1]), ("2024-01-02", shas[2, 1]), ("2024-01-03", shas[2, 10]),
                               ("2024-01-03", shas[3, 1])])
            service.wait(lambda: nights() == expected, "the nights and the release between them")
            # a tag of an old commit that comes late; one that goes
            repository._git("tag", "v1.5", shas[2, 11])
            repository._git("tag", "-d", "v2")
            expected = sorted(expected + [("2024-01-03", shas[2, 11])])
            service.wait(lambda: nights() == expected, "the late release")
            # the poll writes the marks after the jobs
            marked = {shas[2, 10]: "v1", shas[2, 11]: "v1.5"}
            service.wait(lambda: self.releases(service) == marked, "the marks of the releases there are")
            self.assertIsNone(self.problem_of(service, "p"))

    def test_too_many_releases_are_told(self):
        with moowatch.Service() as service:
            repository = moowatch.Repository(service.folder / "repository")
            sha = repository.commit("first", "2024-01-01", {"a": "1"})
            with open(repository.path / ".git" / "packed-refs", "w") as refs:
                refs.writelines(f"{sha} refs/tags/v{i:05}\n" for i in range(1001))
            service.project("p", project("p", repository.path, since="releases: v*"))
            service.start()
            self.wait_problem(service, "p", "more than 1000 tags match releases: v*", "narrower")

    def test_without_since_only_the_latest_and_no_night_twice(self):
        with moowatch.Service() as service:
            repository = moowatch.Repository(service.folder / "repository")
            for day in range(1, 10):
                repository.commit(f"night {day}", f"2024-01-{day:02}", {"a": str(day)})
            service.project("p", project("p", repository.path, since=""))
            service.start()
            service.wait(lambda: self.jobs(service, "p"), "the latest night")
            polled = service.get("/api/v1/projects/p")["polled_ms"]
            service.wait(lambda: service.get("/api/v1/projects/p")["polled_ms"] > polled + 1000, "two more polls")
            self.assertEqual([j["night"] for j in self.jobs(service, "p")], ["2024-01-09"])
            service.stop()
            os.unlink(service.folder / "moowatchd.log")
            service.start()
            service.wait(lambda: service.get("/api/v1/projects/p")["polled_ms"] > polled + 2000, "a poll after restart")
            self.assertEqual([j["night"] for j in self.jobs(service, "p")], ["2024-01-09"])

    def test_a_strangers_text_stays_text(self):
        with moowatch.Service() as service:
            repository = moowatch.Repository(service.folder / "repository")
            nasty = "<script>alert(1)</script> \x1b[31m $(id) `id` " + "x" * 5000
            repository.commit(nasty, "2024-01-01", {"a": "1"})
            repository._git("branch", "x;touch${IFS}pwned")
            service.project("p", project("p", repository.path, "'x;touch${IFS}pwned'"))
            service.project("q", project("q", repository.path, "'--upload-pack=id'"))
            service.project("r", project("r", "ext::sh -c id"))
            service.start()
            [job] = service.wait(lambda: self.jobs(service, "p"), "the night")
            self.assertLessEqual(len(job["commit"]["subject"]), 200)
            self.assertNotIn("\x1b", job["commit"]["subject"])
            self.assertNotIn("\x1b", service.log())
            self.assertEqual(len(service.get("/api/v1/status")["problems"]), 2, service.get("/api/v1/status"))

    def test_a_schedule_that_never_fires_is_told_and_the_others_go_on(self):
        with moowatch.Service() as service:
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("first", "2024-01-01", {"a": "1"})
            for name, cron in {"good": "0 3 29 2 *", "february": "0 3 30 2 *", "april": "0 3 31 4 *"}.items():
                service.project(name, project(name, repository.path, since=f"since: 2024-01-01\nschedule: '{cron}'"))
            service.start()
            service.wait(lambda: self.jobs(service, "good"), "the good one's night")
            problems = service.get("/api/v1/status")["problems"]
            self.assertEqual(len(problems), 2, problems)
            for name in ("february", "april"):
                [told] = [problem for problem in problems if name in problem]
                self.assertIn("never", told)


if __name__ == "__main__":
    unittest.main(verbosity=2)
