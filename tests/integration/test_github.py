"""Pull requests, checks and issues on a GitHub of our own that holds every call against GitHub's published description.

The rules use a GitHub App: the server checks its JWT, gives tokens that expire, and has a clock that is wrong.
"""
import datetime
import json
import pathlib
import subprocess
import unittest
import urllib.request

import made_up
import moowatch
import peers_npm

PROJECT = """
name: demo
repository: {repository}
since: {since}
notify:
  - {{via: github-check, repository: o/r, url: "{url}", secret_file: app.pem, app_id: 4711}}
  - {{via: github-comment, repository: o/r, url: "{url}", secret_file: app.pem, app_id: 4711}}
  - {{via: github-issue, repository: o/r, url: "{url}", secret_file: app.pem, app_id: 4711, installation_id: 77,
     direction: up}}
"""


class GitHub:
    def __init__(self, folder, public_key):
        self.process = subprocess.Popen(["node", "github-server.mjs", public_key], cwd=folder, stdout=subprocess.PIPE,
                                        text=True)
        self.url = f"http://127.0.0.1:{int(self.process.stdout.readline())}"

    def call(self, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        with urllib.request.urlopen(urllib.request.Request(self.url + path, data), timeout=moowatch.DEADLINE_S) as answer:
            return json.load(answer)

    def set(self, **state):
        return self.call("/__set", state)

    def state(self):
        return self.call("/__log")

    def of(self, known):
        return [call for call in self.state()["calls"] if call["known"] == known]

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=moowatch.DEADLINE_S)


CHECKS = "/repos/{owner}/{repo}/check-runs"
COMMENTS = "/repos/{owner}/{repo}/issues/{issue_number}/comments"
COMMENT = "/repos/{owner}/{repo}/issues/comments/{comment_id}"
TOKENS = "/app/installations/{installation_id}/access_tokens"
INSTALLATION = "/repos/{owner}/{repo}/installation"


def mentions(texts):
    """Of each text whom GitHub's renderer tells, and what it links or shows."""
    script = pathlib.Path(__file__).parent / "peers" / "mentions.rb"
    done = subprocess.run(["/usr/bin/ruby", script], input=json.dumps(texts), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class App(made_up.Nights):
    def setUp(self):
        folder = peers_npm.folder()
        self.service = type(self).service = moowatch.Service(
            settings={"poll_seconds": 3600, "public_url": "https://overhead.example.org"})
        self.addCleanup(self.service.__exit__)
        projects = self.service.folder / "projects.d"
        subprocess.run(["openssl", "genrsa", "-traditional", "-out", projects / "app.pem", "2048"], check=True,
                       capture_output=True, timeout=60)
        subprocess.run(["openssl", "rsa", "-in", projects / "app.pem", "-pubout", "-out", self.service.folder / "app.pub"],
                       check=True, capture_output=True, timeout=60)
        self.github = GitHub(folder, self.service.folder / "app.pub")
        self.addCleanup(self.github.stop)
        self.repository = moowatch.Repository(self.service.folder / "repository")
        self.days = [moowatch.today() - datetime.timedelta(days=n) for n in range(12, 0, -1)]
        first = self.days[0]
        self.commits = [self.repository.commit(f"night {first}", str(first), {"a": "0"})]
        self.service.project("demo", PROJECT.format(repository=self.repository.path, since=first, url=self.github.url)
                             + made_up.BENCHMARK)
        self.service.start()
        type(self).runner, self.submitter = self.token("runner"), self.token("run")
        self.done = 0

    def commit(self, subject="night"):
        """The next night's commit, not yet seen by the service."""
        day = self.days[len(self.commits)]
        self.commits.append(self.repository.commit(f"{subject} {day}", str(day), {"a": str(day)}))
        return self.commits[-1]

    def fail_night(self, reason):
        """The next commit cannot be built."""
        self.service.status("/api/v1/projects/demo/poll", "POST", b"", {"Authorization": f"Bearer {self.submitter}"})
        leased = self.service.wait(lambda: self.ask("/api/v1/runner/lease", {
            "node": "n", "version": "0.1", "labels": [], "wait_seconds": 20}), "a job")
        self.ask(f"/api/v1/runner/jobs/{leased['job']['id']}/failure", {
            "lease": leased["lease"], "phase": "prepare", "reason": reason, "log": "", "retry": False})
        self.done += 1

    def night(self, means=(100, 300, 1000, 2500)):
        """Have the next commit measured, and wait until it has its check."""
        if self.done == len(self.commits):
            self.commit()
        self.service.status("/api/v1/projects/demo/poll", "POST", b"", {"Authorization": f"Bearer {self.submitter}"})
        self.measure(means)
        commit = self.commits[self.done]
        self.done += 1
        self.service.wait(lambda: commit in [call["body"]["head_sha"] for call in self.good(CHECKS)], "its check")

    def nights(self, count):
        for _ in range(count):
            self.night()

    def good(self, known):
        return [call for call in self.github.of(known) if 200 <= call["status"] < 300]

    def comments(self, count):
        self.service.wait(lambda: len(self.github.of(COMMENT)) + len(
            [c for c in self.github.of(COMMENTS) if c["method"] == "post"]) >= count, f"{count} comments told")
        return self.github.state()["comments"]

    def end(self):
        self.service.daemon.terminate()
        self.assertEqual(self.service.daemon.wait(timeout=moowatch.DEADLINE_S), 0)
        log = self.service.log()
        for secret in ("ghs_", "BEGIN RSA", "eyJ"):
            self.assertNotIn(secret, log)
        self.assertEqual(self.github.state()["problems"], [])
        return log

    def test_comment_check_and_issue(self):
        others = [{"issue": 5, "id": n + 1, "body": "<!-- moowatch demo --> a stranger's"} for n in range(120)]
        self.nights(5)
        head = self.commit()
        self.github.set(comments=others, pulls={
            5: {"state": "open", "commits": [head]},            # measured as its head
            6: {"state": "closed", "commits": [head]},          # nobody reads it
            7: {"state": "open", "commits": [head, "ab" * 20]}  # moved on meanwhile
        })
        self.night()
        [ours] = self.comments(1)[120:]
        self.assertEqual(ours["issue"], 5)
        self.assertRegex(ours["body"], r"^<!-- moowatch demo [0-9a-f]{32} -->\n### Monitoring overhead of demo at ")
        self.assertIn("| W | ", ours["body"])
        self.assertIn("https://overhead.example.org/experiments/", ours["body"])
        # the next push to the same pull request: the same comment, new words
        self.github.set(pulls={5: {"state": "open", "commits": [head, self.commit()]}})
        self.night((100, 300, 1000, 3400))
        after = self.comments(2)
        self.assertEqual(len(after), 121)
        self.assertIn("▲ **rose**", after[120]["body"])
        self.assertIn(self.commits[6][:9], after[120]["body"])
        self.assertTrue(all(c["body"].endswith("stranger's") for c in after[:120]))
        # one token of each rule's repository for all of it, kept; the installation was asked for
        self.assertEqual(len(self.github.of(TOKENS)), 1)
        self.assertEqual(self.github.of(TOKENS)[0]["body"], {"repositories": ["r"]})
        checks = [call["body"] for call in self.good(CHECKS)]
        self.assertEqual([c["conclusion"] for c in checks], ["neutral"] + ["success"] * 5 + ["failure"])
        self.assertEqual(checks[-1]["name"], "overhead/demo")
        self.assertIn("| W | ", checks[-1]["output"]["text"])
        # the issue opens with the evidence, and closes when it is fixed
        self.service.wait(lambda: len(self.github.state()["issues"]) == 1, "the issue")
        issue = self.github.state()["issues"][0]
        self.assertIn("Writing (W) rose by", issue["title"])
        for word in ("µs \\(", "/alerts/", self.commits[6][:9]):
            self.assertIn(word, issue["body"])
        self.nights(3)
        self.service.wait(lambda: self.github.state()["issues"][0]["state"] == "closed", "the issue to be closed")
        self.service.wait(lambda: "fixed" in json.dumps(self.github.state()["comments"][121:]), "why it was closed")
        self.assertEqual([i["title"] for i in self.github.state()["issues"]], [issue["title"]])
        self.end()

    def test_nobody_is_called_by_a_strangers_words(self):
        """Subject, author and what a failed build printed, in all that we write, as GitHub's own renderer finds people."""
        hostile = ("@ada @o/team (@bob) &#64;cy &commat;di &amp;#64;ed [x](@fay) ![x](//x.org/p) `@gus` **@hal** _@ian_ "
                   "<b>@jo</b> <!-- --> @kim, | @lea | \\@max @@oz <@pia>")
        self.assertEqual(len(mentions([hostile])[0]), 15)
        self.nights(5)
        pulls = {5: {"state": "open", "commits": [self.commit(hostile)]}}
        self.github.set(pulls=pulls)
        self.night((100, 300, 1000, 3400))
        self.service.wait(lambda: self.github.state()["issues"], "the issue")
        pulls[5]["commits"].append(self.commit(hostile))
        self.github.set(pulls=pulls)
        self.fail_night(f"exit status 2: {hostile}")
        self.service.wait(lambda: len(self.good(CHECKS)) == 7, "the failed night's check")
        comments = self.comments(2)
        state = self.github.state()
        outputs = [call["body"]["output"] for call in self.good(CHECKS)]
        self.assertIn("exit status 2", outputs[-1]["summary"])
        self.assertIn("kim,", state["issues"][0]["body"])
        texts = [each for output in outputs for each in output.values()] + [comment["body"] for comment in comments] + [
            each for issue in state["issues"] for each in (issue["title"], issue["body"])]
        ours = "https://overhead.example.org/"
        self.assertEqual([called for called in (
            [each for each in found if not each.startswith(ours)] for found in mentions(texts)) if called], [])
        self.end()

    def test_a_wrong_clock_and_tokens_that_end(self):
        for skew in (7200, -7200):
            self.github.set(skew=skew, tokens=[])
            self.nights(1)
        # an App that was taken away and installed anew: the kept token is refused, another one is fetched
        self.github.set(tokens=[], installation=78)
        before = len(self.github.of(INSTALLATION))
        self.nights(1)
        self.assertGreater(len(self.github.of(INSTALLATION)), before)
        # tokens that live for less than our margin are fetched anew each time
        self.github.set(tokens=[], lifetime=30)
        fetched = len(self.github.of(TOKENS))
        self.nights(2)
        self.assertGreaterEqual(len(self.github.of(TOKENS)), fetched + 2)
        self.end()

    def test_a_key_that_is_none(self):
        key = self.service.folder / "projects.d" / "app.pem"
        key.write_text("-----BEGIN RSA PRIVATE KEY-----\nc2VjcmV0\n-----END RSA PRIVATE KEY-----\n")
        self.measure((100, 300, 1000, 2500))
        self.service.wait(lambda: "an RSA key in PEM format is needed" in self.service.log(), "the reason")
        self.assertNotIn("c2VjcmV0", self.service.log())
        self.assertEqual(self.github.of(CHECKS), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
