"""Incidents over HTTP: an imported history whose clock was halved, with a writer that came later, and one alternating."""
import json
import subprocess
import unittest

import moowatch
from test_import import LABELS


def history(change):
    """data.js of 40 nights; change(night, values) gives the values of a night, None where one is missing."""
    runs = []
    for night in range(40):
        jitter = 1 + ((night * 7) % 5 - 2) / 2000
        values = change(night, [v * jitter for v in (90.75, 440.3, 1836.8, 2996.1)])
        at_ms = 1715000000000 + night * 86400000
        runs.append({"commit": {"author": {"name": "N"}, "id": f"{night + 1:040x}", "message": f"Work {night}"},
                     "date": at_ms, "tool": "customSmallerIsBetter",
                     "benches": [{"name": label, "value": value, "unit": "ns", "range": value * 0.002}
                                 for label, value in zip(LABELS, values) if value]})
    return "window.BENCHMARK_DATA = " + json.dumps({"lastUpdate": 1, "repoUrl": "r", "entries": {"Kieker-java": runs}})


class Incidents(unittest.TestCase):
    def setUp(self):
        self.service = moowatch.Service()
        self.addCleanup(self.service.__exit__)
        self.config = self.service.folder / "moowatchd.yaml"
        self.config.write_text("data_dir: data\nport: 0\npublic_read: true\n")

    def take(self, name, text):
        path = self.service.folder / f"{name}.js"
        path.write_text(text)
        lines = subprocess.run([moowatch.BUILD / "ci" / "moowatch", "import", "--project", name, path], check=True,
                               capture_output=True, text=True).stdout
        return subprocess.run([moowatch.BUILD / "server" / "moowatchd", "import", "--config", self.config], input=lines,
                              check=True, capture_output=True, text=True).stderr

    def token(self, scope):
        return subprocess.run([moowatch.BUILD / "server" / "moowatchd", "token", "add", "--config", self.config, "--name",
                               scope, "--scope", scope], check=True, capture_output=True, text=True).stdout.strip()

    def post(self, path, token, body):
        status, _, answer = self.service.status(path, "POST", json.dumps(body).encode(), {
            "Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        return status, json.loads(answer)

    def test_a_halved_clock(self):
        said = self.take("halved", history(lambda night, v: [x / 2 for x in v] if night >= 36 else v))
        self.assertIn("changes found: 0, incidents: 1; results that cannot be judged: 0", said)
        run, read = self.token("run"), self.token("read")
        self.service.start(with_runner=False)
        [one] = self.service.get("/api/v1/projects/halved/incidents?state=open")["items"]
        self.assertEqual((one["kind"], one["lasts"]), ("scale", False))
        self.assertRegex(one["headline"], r"^Everything × 0\.(50*|499|501)$")
        self.assertIn("a unit or a clock, not the code", one["sentence"])
        self.assertEqual(one["to"]["night"], "2024-06-11")
        self.assertLess(one["opened_ms"], 1720000000000)  # as old as its nights
        nights = {n["night"]: n for n in self.service.nights("halved")}
        self.assertEqual(nights["2024-06-11"]["incident"]["id"], one["id"])
        self.assertEqual([n for n in nights.values() if n["incident"]], [nights["2024-06-11"]])
        self.assertEqual(self.service.alerts("halved"), [])
        status, _, chart = self.service.status("/charts/halved.svg?nights=40")
        self.assertEqual(status, 200)
        self.assertIn(one["headline"], chart.decode() if isinstance(chart, bytes) else chart)
        self.assertEqual(self.service.status(f"/incidents/{one['id']}")[0], 200)
        path = f"/api/v1/incidents/{one['id']}/state"
        for token, body, expected in ((read, {"state": "closed", "reason": "x"}, 403), (run, {"state": "closed"}, 400),
                                      (run, {"state": "fixed", "reason": "x"}, 400),
                                      (run, {"state": "closed", "reason": "x", "author": "me"}, 400)):
            self.assertEqual(self.post(path, token, body)[0], expected, body)
        self.assertEqual(self.post("/api/v1/incidents/99/state", run, {"state": "closed", "reason": "x"})[0], 404)
        status, closed = self.post(path, run, {"state": "closed", "reason": "new crystal"})
        self.assertEqual((status, closed["state"]), (200, "closed"))
        self.assertEqual([(a["author"], a["to"], a["reason"]) for a in closed["audit"]], [("run", "closed", "new crystal")])
        self.assertEqual(self.service.get("/api/v1/incidents?state=open")["items"], [])

    def test_a_writer_that_came_later(self):
        said = self.take("grown", history(lambda night, v: v[:3] + [None if night < 20 else v[3]]))
        self.assertIn("results that cannot be judged: 0; configuration binary-file has no value in 20 of them", said)
        self.service.start(with_runner=False)
        nights = self.service.nights("grown")
        self.assertEqual({n["state"] for n in nights}, {"measured"})
        oldest = min(nights, key=lambda n: n["night"])
        self.assertEqual([p["mean_ns"] is None for p in oldest["portions"]], [False, False, False])
        first = sorted(nights, key=lambda n: n["night"])[20]
        self.assertEqual([p["verdict"] for p in first["portions"]], ["ok", "ok", "ok", "first"])
        self.assertEqual(self.service.get("/api/v1/projects/grown")["import"]["gaps"],
                         [{"configuration": "binary-file", "nights": 20}])
        self.assertEqual(self.service.get("/api/v1/incidents")["items"], [])


if __name__ == "__main__":
    unittest.main()
