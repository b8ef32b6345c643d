"""What is exported from a server, one that is made of a script, is read back by others and by us."""
import csv
import http.server
import json
import threading
import unittest
import urllib.parse

import promtool
from cli_case import moowatch, Temporary


NIGHTS = [
    {"experiment": n, "night": f"2026-01-{n:02}", "state": "measured", "reason": None, "loops": 10,
     "commit": {"sha": f"{n:02}" * 20, "short": f"{n:02}" * 4, "subject": f"commit {n}"},
     "total": {"mean_ns": 3800, "low_ns": 3700, "high_ns": 3900}, "configurations": [],
     "portions": [{"portion": name, "configuration": name, "parent": None, "mean_ns": level, "low_ns": level - 1,
                   "high_ns": level + 1, "verdict": "ok", "direction": None, "reason": f"{name} and why",
                   "reference": {"mean_ns": level / 1.08, "low_ns": 1, "high_ns": 2},
                   "difference": {"mean_ns": level - level / 1.08, "low_ns": 1, "high_ns": 2}}
                  for name, level in (("T", 70), ("I", 200), ("C", 900), ("W", 2500))]}
    for n in range(9, 0, -1)] + [
    {"experiment": None, "night": "2025-12-31", "state": "failed", "reason": "did not build", "portions": [],
     "commit": {"sha": "ff" * 20, "short": "ffffffff", "subject": "broken"}, "configurations": []}]


class Api(http.server.BaseHTTPRequestHandler):
    """Nights a page of three at a time, of which two are releases where the project has any."""

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
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
        elif path == "/api/v1/projects/a%20b/nights":
            start = int(urllib.parse.parse_qs(query).get("cursor", ["0"])[0])
            end = start + 3
            self.answer(200, {"items": NIGHTS[start:end], "next": str(end) if end < len(NIGHTS) else None})
        else:
            self.answer(404, {"title": "Not Found"})

    def log_message(self, *_):
        pass


class WithServer(Temporary):
    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def run_it(self, *arguments, expect=0):
        return moowatch(*arguments, "--server", self.url, expect=expect)

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


if __name__ == "__main__":
    unittest.main()
