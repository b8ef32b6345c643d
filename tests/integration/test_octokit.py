"""Every event of npm's @octokit/webhooks-examples: with right, wrong, missing and sha1 signatures, changed on the way, in
chunks, as a form, delivered again, cut off, and for a repository that nobody watches."""
import collections
import hashlib
import hmac
import json
import subprocess
import tempfile
import unittest
import urllib.parse

import moowatch
from http_case import PROJECT

SECRET = "a webhook's secret"


def digest(body, algorithm):
    return hmac.new(SECRET.encode(), body, algorithm).hexdigest()


def pieces(body):
    """Chunks of 1000 bytes: urllib sends an iterable as Transfer-Encoding: chunked."""
    return (body[i:i + 1000] for i in range(0, len(body), 1000))


class Octokit(unittest.TestCase):
    def test_every_event(self):
        with tempfile.TemporaryDirectory() as folder, moowatch.Service(
                settings={"poll_seconds": 3600, "webhook_secret_file": "secret", "behind_proxy": True}) as service:
            if subprocess.run(["npm", "install", "--silent", "--prefix", folder, "@octokit/webhooks-examples@7.6.1"],
                              capture_output=True, timeout=120).returncode != 0:
                self.skipTest("npm cannot fetch @octokit/webhooks-examples")
            with open(f"{folder}/node_modules/@octokit/webhooks-examples/api.github.com/index.json") as file:
                events = [(event["name"], json.dumps(body).encode()) for event in json.load(file) for body in event["examples"]]
            (service.folder / "secret").write_text(SECRET)
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("first", "2024-01-01", {"a": "1"})
            service.project("demo", PROJECT.format(repository=repository.path))
            # the examples' pull requests are to be merged into master
            service.project("pulls", PROJECT.format(repository=repository.path).replace("name: demo", "name: pulls\nbranch: master"))
            service.start()
            self.assertGreater(len(events), 300)
            states = collections.Counter()
            for number, (name, body) in enumerate(events):
                def send(signed, sent, kind="application/json", where="github/demo", **headers):
                    """(status, state) of a delivery whose signature is that of signed (None: it has none)."""
                    proof = {"X-Hub-Signature-256": "sha256=" + digest(signed, hashlib.sha256)} if signed is not None else {}
                    # many clients: one alone would be slowed down for its wrong signatures
                    status, _, answer = service.status(f"/api/v1/hooks/{where}", "POST", sent, {
                        "Content-Type": kind, "X-GitHub-Event": name, "X-GitHub-Delivery": f"d{number}",
                        "X-Forwarded-For": f"10.0.{number // 250}.{number % 250}", **proof, **headers})
                    return status, json.loads(answer).get("state")

                with self.subTest(f"{number}: {name}"):
                    for signed, sent in ((body + b" ", body), (body, body + b" "), (None, body)):
                        self.assertEqual(send(signed, sent), (401, None))
                    self.assertEqual(send(None, body, **{"X-Hub-Signature": "sha1=" + digest(body, hashlib.sha1)}), (401, None))
                    first = send(body, body)
                    self.assertIn(first, [(200, "ignored"), (200, "pong"), (202, "taken")])
                    states[first[1]] += 1
                    again = (200, "known") if first[0] == 202 else first
                    self.assertEqual(send(body, body), again)
                    self.assertEqual(send(body, pieces(body)), again)
                    form = urllib.parse.urlencode({"payload": body}).encode()
                    self.assertEqual(send(form, form, "application/x-www-form-urlencoded"), again)
                    self.assertEqual(send(body[:-1], body[:-1]), (400, None))
                    if name == "pull_request":
                        states[f"pull {send(body, body, where='github/pulls')[1]}"] += 1
                    # whoever says a commit of a repository that is none of ours
                    elsewhere = send(body, body, where="github")
                    self.assertIn(elsewhere, [(200, "ignored"), (200, "pong"), (404, None)])
                    states[elsewhere[0]] += 1
            self.assertGreater(states["ignored"], 300)
            self.assertGreater(states["pong"], 0)
            self.assertGreater(states["pull taken"], 5)
            self.assertGreater(states["pull ignored"], 5)  # assigned, edited, locked, drafts, ...
            self.assertGreater(states[404], 0)
            self.assertNotIn("webhook", {job["kind"] for job in service.get("/api/v1/jobs?limit=5000")["items"]})
            self.assertNotIn(SECRET, service.log())


if __name__ == "__main__":
    unittest.main(verbosity=2)
