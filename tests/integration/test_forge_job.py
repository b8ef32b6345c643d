"""A job of a forge that is the node, too: docs/runner.md's loop as it stands there, with real programs."""
import datetime
import os
import pathlib
import re
import subprocess
import unittest

import yaml

import moowatch

PAGE = (moowatch.SOURCE / "docs" / "runner.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE.split("\n## As a job of somebody else's runner\n")[1].split("\n## ")[0], re.S | re.M)
[JOB] = [job for block in BLOCKS if "--once" in block for job in yaml.safe_load(block)["jobs"].values()]
# Levels are the commit's; they scatter a little from process to process.
PROJECT = """
name: demo
repository: {repository}
since: {since}
benchmark:
  driver: command
  loops: 5
  rest_seconds: 0
  read: {{pattern: "time (?<value>[0-9]+) ns", unit: ns}}
  configurations:
    - {{name: none, portion: T, command: ["{{checkout}}/work", "1000"]}}
    - {{name: full, portion: W, parent: none, command: ["{{checkout}}/work", "1000", "{{checkout}}/overhead"]}}
"""
WORK = "#!/bin/sh\ncase $2 in '') more=0 ;; *) more=$(cat \"$2\") ;; esac\necho time $(($1 + more + $(od -An -N1 -tu1 /dev/urandom) % 7)) ns\n"


def day(ago):
    return str(moowatch.today() - datetime.timedelta(days=ago))


class Job(unittest.TestCase):
    def setUp(self):
        self.service = moowatch.Service(settings={"poll_seconds": 1})
        self.addCleanup(self.service.__exit__)
        self.repository = moowatch.Repository(self.service.folder / "repository")
        for ago in range(9, 1, -1):
            self.commit(ago, 500)
        self.service.project("demo", PROJECT.format(repository=self.repository.path, since=day(9)))
        self.service.start()
        self.secret = self.service.token("runner")

    def commit(self, ago, overhead):
        self.sha = self.repository.commit(f"overhead {overhead}", day(ago), {"work": WORK, "overhead": f"{overhead}\n"})

    def job(self, expect):
        """What the job of the newest commit printed; it must end so."""
        folder = self.service.folder
        places = [moowatch.BUILD / "ci", moowatch.BUILD / "runner", os.environ["PATH"]]
        given = {"RUNNER_TOKEN": self.secret, "NODE": "box", "MOOWATCH_SERVER": self.service.url, "PROJECT": "demo",
                 "WORK_DIR": str(folder / "work")}
        self.assertEqual(sorted(JOB["env"]), sorted(given))
        [step] = JOB["steps"]
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=folder, capture_output=True,
                              text=True, timeout=moowatch.DEADLINE_S, env={
            **given, "PATH": ":".join(map(str, places)), "HOME": str(folder), "GITHUB_SHA": self.sha})
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        self.assertNotIn(self.secret, done.stdout + done.stderr)
        self.assertFalse(pathlib.Path(folder, "runner.token").exists())
        return done.stdout

    def test_the_job_ends_as_the_commit_deserves(self):
        self.assertIn("pass", self.job(0))
        self.commit(1, 900)
        self.assertIn("fail: demo: W", self.job(1))
        self.assertNotIn("loop_done", self.job(1))  # once more, or measured by another job: it waits for nothing
        jobs = self.service.get("/api/v1/jobs?project=demo&limit=5000")["items"]
        self.assertIn(("confirmation", "done"), [(job["kind"], job["state"]) for job in jobs if job["commit"]["sha"] == self.sha])


if __name__ == "__main__":
    unittest.main(verbosity=2)
