"""Every event of npm's @octokit/webhooks-examples, with right, wrong, missing and sha1 signatures."""
import hashlib
import hmac
import json
import subprocess
import tempfile
import unittest

import moowatch
from test_http import PROJECT

SECRET = "a webhook's secret"


def digest(body, algorithm):
    return hmac.new(SECRET.encode(), body, algorithm).hexdigest()


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
            service.start()
            self.assertGreater(len(events), 300)
            for number, (name, body) in enumerate(events):
                right = "sha256=" + digest(body, hashlib.sha256)
                for headers, expected in [({"X-Hub-Signature-256": right}, (200, 202)),
                                          ({"X-Hub-Signature-256": right[:-1] + ("0" if right[-1] != "0" else "1")}, (401,)),
                                          ({}, (401,)),
                                          ({"X-Hub-Signature": "sha1=" + digest(body, hashlib.sha1)}, (401,))]:
                    # many clients: one alone would be slowed down for its wrong signatures
                    status, _, answer = service.status("/api/v1/hooks/github/demo", "POST", body, {
                        "Content-Type": "application/json", "X-GitHub-Event": name, "X-GitHub-Delivery": f"d{number}",
                        "X-Forwarded-For": f"10.0.{number // 250}.{number % 250}", **headers})
                    self.assertIn(status, expected, f"{name}: {headers}: {answer}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
