"""The commands that ask a server, against one that is made of a script."""
import csv
import http.server
import json
import os
import subprocess
import threading
import unittest
import urllib.parse

import promtool
from cli_case import BUILD, moowatch, Temporary


NIGHTS = [
    {"experiment": n, "night": f"2026-01-{n:02}", "state": "measured", "reason": None, "loops": 10,
     "commit": {"sha": f"{n:02}" * 20, "short": f"{n:02}" * 4, "subject": f"commit {n}"},
     "total": {"mean_ns": 3800, "low_ns": 3700, "high_ns": 3900}, "configurations": [],
     "portions": [{"portion": name, "configuration": name, "parent": None, "mean_ns": level, "low_ns": level - 1,
                   "high_ns": level + 1, "verdict": "anomaly" if n == 7 and name == "W" else "suspect" if n == 6 and name == "C" else "ok",
                   "direction": "up" if n == 7 and name == "W" else None, "reason": f"{name} and why",
                   "reference": {"mean_ns": level / 1.08, "low_ns": 1, "high_ns": 2},
                   "difference": {"mean_ns": level - level / 1.08, "low_ns": 1, "high_ns": 2}}
                  for name, level in (("T", 70), ("I", 200), ("C", 900), ("W", 2500))]}
    for n in range(9, 0, -1)] + [
    {"experiment": None, "night": "2025-12-31", "state": "failed", "reason": "did not build", "portions": [],
     "commit": {"sha": "ff" * 20, "short": "ffffffff", "subject": "broken"}, "configurations": []}]


class Api(http.server.BaseHTTPRequestHandler):
    """The corners of the API that a healthy server does not show on demand: pages, refusals, lies."""

    def answer(self, status, body, kind="application/json", headers=()):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.server.seen.append((self.command, self.path, self.headers.get("Authorization")))
        path, _, query = self.path.partition("?")
        if path == "/api/v1/projects/released/nights":
            self.answer(200, {"items": [{**night, "release": f"1.{night['experiment']}" if night["experiment"] in (3, 8) else None}
                                        for night in NIGHTS], "next": None})
        elif path in ("/api/v1/experiments/3", "/api/v1/experiments/8"):
            number = int(path.rpartition("/")[2])
            self.answer(200, {"experiment": number, "release": f"1.{number}", "commit": {"sha": "ab" * 20, "time_ms": 1000 * number},
                              "environment_detail": {"node": "metal", "runtime": "openjdk 17", "detail": {"runner": "0.1.0"}},
                              "configurations": [{"label": "counter increment", "median_ns": 3.0 + number, "loop_results": [
                                  {"used": True, "readings": {"allocated_bytes_per_call": 104}}]}]})
        elif path.startswith("/api/v1/experiments/"):
            self.answer(200, {"experiment": int(path.rpartition("/")[2]), "limits": []})
        elif path == "/api/v1/projects/a%20b/nights":
            start = int(urllib.parse.parse_qs(query).get("cursor", ["0"])[0])
            end = start + 3
            self.answer(200, {"items": NIGHTS[start:end], "next": str(end) if end < len(NIGHTS) else None})
        elif path == "/api/v1/projects/restarted/nights":
            self.server.asked += 1
            self.answer(*((503, {"title": "Not now"}) if self.server.asked == 1 else (200, {"items": NIGHTS, "next": None})))
        elif path == "/api/v1/jobs/1":
            self.server.asked += 1
            done = self.server.asked > 1
            self.answer(200, {"id": 1, "state": "done" if done else "leased", "experiment": 5 if done else None,
                              "progress": {"phase": "measure", "done": 1, "total": 2}})
        elif path == "/api/v1/projects/busy":
            self.server.asked += 1
            settled = self.server.asked > 1
            self.answer(200, {"name": "busy", "nights": 41, "open_alerts": 1, "settled": settled,
                              "open": [] if settled else ["1 job queued", "1 search for a commit running"]})
        elif path == "/api/v1/jobs/2":
            self.answer(200, {"id": 2, "state": "failed", "error": "exit status 1"})
        elif path == "/api/v1/jobs/3":
            self.answer(200, {"id": 3, "state": "queued"})
        elif path == "/api/v1/jobs/4":
            self.answer(302, b"", headers=[("Location", "http://localhost:1/")])
        elif path == "/api/v1/projects/a%20b/alerts":
            self.answer(200, {"items": [
                {"id": n, "to": {"experiment": n}, "explanation": None if n == 6 else {
                    "state": "done", "portions": [{"portion": "W", "sentence": f"W rose: +9 ns in `f_{n}` (new)"}]}}
                for n in (8, 7, 6)], "next": None})
        elif path == "/api/v1/jobs/5":
            self.answer(200, b"<html>a login page</html>", "text/html")
        else:
            self.answer(404, {"title": "Not Found", "detail": "there is no such thing"}, "application/problem+json")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((self.command, self.path, self.headers.get("Authorization"), body))
        self.answer(201, {"job": 7, "queued": True})

    def log_message(self, *_):
        pass


class WithServer(Temporary):
    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api)
        self.server.seen, self.server.asked = [], 0
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def run_it(self, *arguments, expect=0):
        return moowatch(*arguments, "--server", self.url, expect=expect)

    def test_history_walks_all_pages(self):
        out, _ = self.run_it("history", "a b", "--nights", 0, "--json")
        self.assertEqual([json.loads(line)["night"] for line in out.splitlines()], [n["night"] for n in NIGHTS])
        out, _ = self.run_it("history", "a b", "--nights", 4, "--chart", self.folder / "h.svg")
        self.assertEqual(len(out.splitlines()), 5)
        self.assertIn("▲", out)
        self.assertTrue((self.folder / "h.svg").read_bytes().startswith(b"<svg"))

    def test_gate(self):
        self.run_it("gate", "a b", "08" * 20)
        out, _ = self.run_it("gate", "a b", "0707", expect=1)
        self.assertIn("W and why", out)
        self.run_it("gate", "a b", "0707", "--portion", "C")
        self.run_it("gate", "a b", "0707", "--allow", "W=8.5")
        self.run_it("gate", "a b", "0707", "--allow", "W=7.5", expect=1)
        self.run_it("gate", "a b", "0707", "--portion", "Typo", expect=2)
        self.run_it("gate", "a b", "0707", "--allow", "W", expect=2)
        _, err = self.run_it("gate", "a b", "ffff", expect=3)
        self.assertIn("did not build", err)
        self.run_it("gate", "a b", "dead", expect=5)
        _, err = self.run_it("gate", "a b", "0606", expect=5)
        self.assertIn("to confirm a change", err)
        self.run_it("gate", "a b", "0707", "--markdown", self.folder / "s.md", expect=1)
        summary = (self.folder / "s.md").read_text()
        self.assertIn("\n- Where it is: W rose: \\+9 ns in `f_7` \\(new\\)\n", summary)
        self.assertNotIn("f_8", summary)
        verdict = json.loads(self.run_it("gate", "a b", "0707", "--json", "--junit", self.folder / "j.xml", expect=1)[0])
        self.assertEqual([p["portion"] for p in verdict["failed"]], ["W"])

    def test_export_is_read_back(self):
        self.run_it("export", "a b", "--format", "pdf", expect=2)
        rows = list(csv.reader(self.run_it("export", "a b")[0].splitlines()))
        self.assertEqual((len(rows), rows[1][:3]), (1 + 9 * 4, ["2026-01-01", "01" * 20, "T"]))
        lines = self.run_it("export", "a b", "-f", "json", "-n", 2)[0].splitlines()
        self.assertEqual([json.loads(line)["night"] for line in lines], ["2026-01-08", "2026-01-09"])
        for form, name in (("github", "W"), ("bmf", "a b W")):
            file = self.folder / form
            self.run_it("export", "a b", "-f", form, "-o", file)
            last = [json.loads(line) for line in moowatch("import", file)[0].splitlines()][-1]
            [value] = [v for v in last["values"] if v["name"] == name]
            self.assertEqual((value["mean_ns"], value["low_ns"]), (2500, 2499))

    def test_a_point_a_release(self):
        """As OTEP 5109 asks for it: what github-action-benchmark takes, the oldest release first."""
        points = [json.loads(line) for line in self.run_it("export", "released", "--format", "otep")[0].splitlines()]
        self.assertEqual([p["release"] for p in points], ["1.3", "1.8"])
        extra = "runner=metal\nruntime=openjdk 17\nframework=moowatch 0.1.0"
        self.assertEqual(points[1]["benches"], [
            {"name": "counter increment", "unit": "ns", "value": 11.0, "extra": extra},
            {"name": "counter increment allocations", "unit": "B/op", "value": 104.0, "extra": extra}])
        file = self.folder / "custom.json"
        file.write_text(json.dumps(points[1]["benches"]))
        [night] = [json.loads(line) for line in moowatch("import", file)[0].splitlines()]
        self.assertEqual([(v["name"], v["mean_ns"], v.get("unit")) for v in night["values"]],
                         [("counter increment", 11, None), ("counter increment allocations", 104, "B/op")])
        _, err = self.run_it("export", "a b", "--format", "otep", expect=3)
        self.assertIn("is a release", err)

    def test_openmetrics_satisfy_promtool(self):
        text, _ = self.run_it("export", "a b", "--format", "openmetrics")
        self.assertTrue(text.endswith("# EOF\n"))
        self.assertIn('overhead_portion_mean_seconds{project="a b",portion="W"} 2.5', text)
        promtool.check(text)

    def test_wait(self):
        out, _ = self.run_it("wait", "1")
        self.assertIn("experiment 5", out)
        _, err = self.run_it("wait", "2", expect=3)
        self.assertIn("exit status 1", err)
        self.run_it("wait", "3", "--timeout", 0, expect=5)
        self.run_it("wait", "x", expect=2)

    def test_wait_until_a_project_is_settled(self):
        _, err = self.run_it("wait", "--settled", "busy", "--timeout", 0, expect=5)
        self.assertIn("busy is not settled after 0 s: 1 job queued, 1 search for a commit running", err)
        out, _ = self.run_it("wait", "--settled", "busy", "--timeout", 60)
        self.assertEqual(out, "busy is settled: 41 nights, 1 open alert\n")
        out, _ = self.run_it("wait", "--settled", "busy", "--json")
        self.assertTrue(json.loads(out)["settled"])
        _, err = self.run_it("wait", "--settled", "unknown", expect=4)
        self.assertIn("there is no such thing", err)
        for wrong in (["wait"], ["wait", "1", "--settled", "busy"]):
            _, err = self.run_it(*wrong, expect=2)
            self.assertIn("either the number of a job or --settled PROJECT", err)

    def test_waiting_outlives_a_restart_but_no_refusal(self):
        self.run_it("gate", "restarted", "0101", "--timeout", 60)
        self.assertEqual(self.server.asked, 2)
        for command in (["wait", "9"], ["gate", "unknown", "0101"]):
            _, err = self.run_it(*command, "--timeout", 7200, expect=4)
            self.assertIn("there is no such thing", err)

    def test_a_pasted_token_may_end_with_a_line_break(self):
        for token, status in (("s3cret\n", 0), ("two words", 2)):
            done = subprocess.run([BUILD / "ci" / "moowatch", "submit", "p", "abc", "--server", self.url], timeout=60,
                                  capture_output=True, text=True, env={**os.environ, "MOOWATCH_TOKEN": token})
            self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(self.server.seen[-1][2], "Bearer s3cret")

    def test_submit_with_token(self):
        token = self.folder / "token"
        token.write_text("s3cret\n")
        out, err = self.run_it("submit", "a b", "abc", "--night", "2026-01-01", "--token-file", token)
        self.assertEqual(out, "7\n")
        self.assertEqual(self.server.seen[-1], ("POST", "/api/v1/projects/a%20b/jobs", "Bearer s3cret",
                                                {"commit": "abc", "night": "2026-01-01"}))
        token.write_text("two words")
        self.run_it("submit", "p", "abc", "--token-file", token, expect=2)
        self.run_it("submit", "p", "abc", "--token-file", self.folder / "none", expect=2)

    def test_refusals_are_told(self):
        _, err = self.run_it("history", "unknown", expect=4)
        self.assertIn("there is no such thing", err)
        _, err = self.run_it("wait", "4", "--timeout", 0, expect=4)
        self.assertIn("redirect", err)
        _, err = self.run_it("wait", "5", "--timeout", 0, expect=4)
        self.assertIn("is this a moowatch server", err)
        _, err = moowatch("history", "p", "--server", "http://127.0.0.1:9", expect=4)
        moowatch("history", "p", "--server", "file:///etc/passwd", expect=2)
        moowatch("history", "p", expect=2)


if __name__ == "__main__":
    unittest.main()
