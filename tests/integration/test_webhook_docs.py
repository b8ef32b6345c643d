"""docs/webhooks.md, run as it stands there: every provider's curl line against a real daemon."""
import json
import os
import re
import subprocess
import unittest

import moowatch
from http_case import PROJECT

PAGE = (moowatch.SOURCE / "docs" / "webhooks.md").read_text(encoding="utf-8")
SECRET = "5c3f0a9be1d24cc2"


def blocks(kind, text):
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.S | re.M)


def sections():
    """Heading -> its one shell block."""
    found = {}
    for part in PAGE.split("\n### ")[1:]:
        found[part.split("\n", 1)[0]] = blocks("sh", part)
    return found


class WebhookDocs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = moowatch.Service(settings={"poll_seconds": 3600})
        cls.addClassCleanup(cls.service.__exit__)
        (cls.service.folder / "webhook.secret").write_text(SECRET + "\n")
        cls.repository = moowatch.Repository(cls.service.folder / "repository")
        cls.repository.commit("first", "2024-01-01", {"a": "1"})
        cls.service.project("demo", PROJECT.format(repository=cls.repository.path) +
                            "webhook_secret_file: ../webhook.secret\n")
        cls.service.start()
        cls.service.wait(lambda: cls.service.get("/api/v1/jobs")["items"], "the first night")
        [cls.variables] = blocks("sh", PAGE.split("\n### ")[0])
        cls.taken, cls.refused = blocks("text", PAGE)

    def run_block(self, block, **instead):
        """What a reader sees who pastes the variables and the block into bash in their clone."""
        said = {"URL": self.service.url, **instead}
        script = self.variables + "".join(f"export {key}='{value}'\n" for key, value in said.items()) + block
        (self.repository.path / ".git" / "info" / "exclude").write_text("webhook.secret\n")
        (self.repository.path / "webhook.secret").write_text(SECRET + "\n")
        done = subprocess.run(["bash", "-euc", script], cwd=self.repository.path, capture_output=True, text=True,
                              timeout=60, env={"PATH": os.environ["PATH"], "HOME": str(self.service.folder)})
        self.assertEqual((done.returncode, done.stderr), (0, ""), script)
        return done.stdout

    def shown(self, example, commit=""):
        """The documented answer as a pattern: … is anything."""
        text = example.strip().replace("$COMMIT", commit).replace("$PROJECT", "demo")
        return "^" + re.escape(text).replace("…", '[^"]+') + "\n$"

    def test_each_provider(self):
        headings = {"GitHub": "github", "Gitea, Forgejo": "gitea", "GitLab": "gitlab", "Jenkins": "jenkins",
                    "Anything else": "generic"}
        self.assertEqual(list(sections()), list(headings))
        for number, (heading, provider) in enumerate(headings.items()):
            with self.subTest(provider):
                [block] = sections()[heading]
                self.assertIn(f"/api/v1/hooks/{provider}/$PROJECT", block)
                commit = self.repository.commit(f"for {provider}", f"2024-03-{number + 1:02}", {"a": provider})
                self.assertRegex(self.run_block(block, SECRET="not-the-secret"), self.shown(self.refused))
                self.assertRegex(self.run_block(block), self.shown(self.taken, commit))
                again = self.run_block(block)
                self.assertEqual((json.loads(again.rsplit(" ", 1)[0])["state"], again[-4:]), ("known", "200\n"))

                def jobs():
                    return [job["kind"] for job in self.service.get("/api/v1/jobs?project=demo&limit=5000")["items"]
                            if job["commit"]["sha"] == commit]
                self.assertEqual(self.service.wait(jobs, f"the job that {provider} asked for"), ["webhook"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
