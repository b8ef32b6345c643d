"""Histories from elsewhere in the store: github-action-benchmark's data.js, MooBench's results.yaml and raw folders."""
import http.client
import json
import os
import socket
import subprocess
import unittest
import zipfile

import moowatch

LABELS = ["No instrumentation", "Deactivated probe", "No logging", "Binary file"]
# As Kieker's public history has them: first without ranges, then with; the runner's JDK changed on 2024-05-09.
RUNS = [("2024-05-07", 435, (90.4211, 531.567, 2038.81, 3451.99), None),
        ("2024-05-08", 250, (90.5236, 535.877, 2044.68, 3443.47), None)]
for day in range(10, 31):
    RUNS.append((f"2024-05-{day}", 600 + day, tuple(v * (1 + ((day * 7) % 5 - 2) / 2000) for v in
                                                    ((90.75, 440.3, 1836.8, 2996.1) if day < 22 else
                                                     (90.75, 440.3, 2204.2, 3363.5))), 0.002))


def epoch_ms(date):
    return int(subprocess.run(["date", "-u", "-d", f"{date} 03:00", "+%s"], check=True, capture_output=True,
                              text=True).stdout) * 1000


def data_js(suites=("Kieker-java",)):
    runs = [{"commit": {"author": {"name": "DaGeRe", "email": "d@example.org"}, "id": f"{number:040x}",
                        "message": f"Work {number}\n\nand more", "timestamp": f"{date}T01:00:00Z"},
             "date": epoch_ms(date), "tool": "customSmallerIsBetter",
             "benches": [{"name": label, "value": value, "unit": "ns", **({"range": f"± {value * share}"} if share else {})}
                         for label, value in zip(LABELS, values)]} for date, number, values, share in RUNS]
    return "window.BENCHMARK_DATA = " + json.dumps({"lastUpdate": 1, "repoUrl": "https://example.org/m",
                                                    "entries": {suite: runs for suite in suites}}) + ";\n"


RESULTS_YAML = """kind: Kieker-java
experiments:
- timestamp: 1758164400.5
  measurements:
    No instrumentation: [0.0907, 0.001, 0.0001, 0.0906, 0.0907, 0.0908, 3.0, 0.08]
    Binary file: [2.585, 0.01, 0.001, 2.58, 2.585, 2.59, 9.0, 2.0]
"""


class Import(unittest.TestCase):
    def setUp(self):
        self.service = moowatch.Service()
        self.addCleanup(self.service.__exit__)
        self.config = self.service.folder / "moowatchd.yaml"
        self.config.write_text("data_dir: data\nport: 0\n")

    def file(self, name, text):
        path = self.service.folder / name
        path.write_text(text)
        return path

    def lines(self, *arguments, expect=0):
        done = subprocess.run([moowatch.BUILD / "ci" / "moowatch", "import", *map(str, arguments)], capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done.stdout if expect == 0 else done.stderr

    def take(self, lines, *arguments, expect=0):
        done = subprocess.run([moowatch.BUILD / "server" / "moowatchd", "import", "--config", self.config, *arguments],
                              input=lines, capture_output=True, text=True)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done.stderr

    def test_a_public_history_on_day_one(self):
        path = self.file("data.js", data_js())
        lines = self.lines(path, "--project", "kieker-history")
        self.assertIn("results imported: 23, already present: 0", self.take(lines))  # before the daemon's first start
        self.assertIn("results imported: 0, already present: 23", self.take(lines))
        self.service.start()
        self.assertIn("results imported: 0, already present: 23", self.take(lines))  # beside it
        nights = self.service.nights("kieker-history")
        self.assertEqual(len(nights), 23)
        self.assertEqual({n["state"] for n in nights}, {"measured"})
        first, last = nights[0], nights[-1]
        self.assertEqual((first["night"], first["commit"]["subject"], first["commit"]["author"]),
                         ("2024-05-07", "Work 435", "DaGeRe"))
        self.assertEqual([p["portion"] for p in first["portions"]], ["T", "I", "C", "W"])
        self.assertEqual([c["label"] for c in first["configurations"]], LABELS)
        self.assertAlmostEqual(first["portions"][1]["mean_ns"], 531.567 - 90.4211)
        self.assertIsNone(first["configurations"][0]["low_ns"])  # the file gives no interval
        self.assertIsNone(first["configurations"][0]["median_ns"])
        collecting = last["configurations"][2]
        self.assertAlmostEqual(collecting["high_ns"] - collecting["mean_ns"], collecting["mean_ns"] * 0.002, places=6)
        # what happened on the 22nd is found by the detector
        [alert] = [a for a in self.service.alerts("kieker-history") if a["to"]["night"] >= "2024-05-20"]
        self.assertEqual((alert["portion"], alert["direction"], alert["to"]["night"]), ("C", "up", "2024-05-22"))
        chart = self.service.status("/charts/kieker-history.svg?nights=30&until=2024-05-31")
        self.assertEqual(chart[0], 200)
        # the 23rd told it, since one night by itself could be an outlier; the mark is where the level began
        self.assertIn(b"Anomaly on 2024-05-22", chart[2] if len(chart) > 2 else chart[1])
        self.assertNotIn(b"Anomaly on 2024-05-23", chart[2] if len(chart) > 2 else chart[1])
        experiment = self.service.get(f"/api/v1/experiments/{last['experiment']}")
        self.assertEqual(experiment["configurations"][0]["statistics"]["q1_ns"], None)
        exported = subprocess.run([moowatch.BUILD / "server" / "moowatchd", "export", "--config", self.config,
                                   "--project", "kieker-history"], check=True, capture_output=True, text=True).stdout
        self.assertIn("results imported: 0, already present: 23", self.take(exported))

    def test_several_writers_are_called_by_their_labels(self):
        """As the public history of inspectIT has them: metrics without traces cost less than traces that nobody gets."""
        benches = dict(zip(["No instrumentation", "Deactivated probe", "No logging", "Zipkin", "Prometheus"],
                           [90.8453, 5609.42, 15861.8, 16901.6, 9681.6]))

        def history(days, labels):
            return "window.BENCHMARK_DATA = " + json.dumps({"lastUpdate": 1, "repoUrl": "r", "entries": {"inspectIT-java": [
                {"commit": {"author": {"name": "n"}, "id": f"{day:040x}", "message": "m",
                            "timestamp": f"2024-06-{day:02}T01:00:00Z"},
                 "date": epoch_ms(f"2024-06-{day:02}"), "tool": "customSmallerIsBetter",
                 "benches": [{"name": label, "value": benches[label], "unit": "ns"} for label in labels]}
                for day in days]}}) + ";\n"
        lines = self.lines(self.file("data.js", history(range(1, 6), benches)), "--project", "inspectit")
        self.take(lines)
        self.service.start()
        night = self.service.nights("inspectit")[-1]
        self.assertEqual([(p["portion"], p["parent"]) for p in night["portions"]], [
            ("T", None), ("I", "no-instrumentation"), ("C", "deactivated-probe"), ("W Zipkin", "no-logging"),
            ("C+W Prometheus", "deactivated-probe")])
        self.assertTrue(all(p["mean_ns"] > 0 for p in night["portions"]))
        joined = [p["joined"] for p in self.service.get(f"/api/v1/experiments/{night['experiment']}")["portions"]]
        self.assertEqual(joined, [None, None, None, None, "Collection and writing cannot be told apart: nothing was measured"
                                  " between \"Deactivated probe\" and \"Prometheus\", so this is what all of it adds."])
        # What an older release imported with another guess stays one history: no night comes twice.
        old = lines.replace('"portion": "C+W Prometheus", "parent": "deactivated-probe"',
                            '"portion": "W Prometheus", "parent": "no-logging"')
        old = old.replace('"portion":"C+W Prometheus","parent":"deactivated-probe"',
                          '"portion":"W Prometheus","parent":"no-logging"')
        self.assertNotEqual(old, lines)
        self.assertIn("results imported: 5", self.take(old.replace('"inspectit"', '"before"')))
        grown = self.lines(self.file("data.js", history(range(1, 8), benches)), "--project", "before")
        self.assertIn("results imported: 2, already present: 5", self.take(grown))
        nights = self.service.nights("before")
        self.assertEqual([n["night"] for n in nights], [f"2024-06-{day:02}" for day in range(1, 8)])
        self.assertEqual({n["portions"][-1]["parent"] for n in nights}, {"no-logging"})
        # A chain that a person gave is taken as it is.
        told = self.lines(self.file("data.js", history([9], benches)), "--project", "before", "--chain",
                          "T,I,C,W Zipkin:no-logging,C+W Prometheus:deactivated-probe")
        self.take(told)
        self.assertEqual(self.service.nights("before")[-1]["portions"][-1]["portion"], "C+W Prometheus")

    def test_values_of_any_unit(self):
        """As the OpenTelemetry Collector's load tests publish them: unrelated values, each in its unit."""
        def history(tool, benches):
            return [{"commit": {"author": {"name": "n"}, "id": f"{day:040x}", "message": f"Work {day}",
                                "timestamp": f"2024-06-{day:02}T01:00:00Z"},
                     "date": epoch_ms(f"2024-06-{day:02}"), "tool": tool, "benches": benches(day)} for day in range(1, 26)]

        def smaller(day):
            wavers = 1 + ((day * 7) % 5 - 2) / 100
            return [{"name": "cpu_percentage_avg", "value": (10.5 if day < 15 else 14.5) * wavers, "unit": "%",
                     "extra": "Log10kDPS/OTLP - Cpu Percentage"},
                    {"name": "cpu_percentage_avg", "value": 8.6 * wavers, "unit": "%",
                     "extra": "Log10kDPS/Zipkin - Cpu Percentage"},
                    {"name": "ram_mib_max", "value": 78 + day % 3, "unit": "MiB" if day < 20 else "KiB"},
                    {"name": "dropped_span_count", "value": 0 if day < 18 else 400 + day, "unit": "spans"},
                    {"name": "unknown", "value": 3}]
        suites = {"smaller": history("customSmallerIsBetter", smaller),
                  "bigger": history("customBiggerIsBetter", lambda day: [
                      {"name": "sent", "unit": "MB/s", "value": (50 if day < 10 else 40) * (1 + day % 3 / 100)}])}
        path = self.file("data.js", "window.BENCHMARK_DATA = " + json.dumps(
            {"lastUpdate": 1, "repoUrl": "r", "entries": suites}))
        told = subprocess.run([moowatch.BUILD / "ci" / "moowatch", "import", path, "--project", "load", "--suite",
                               "smaller"], capture_output=True, text=True).stderr
        self.assertIn("left out: unknown: it has no unit", told)
        self.assertIn('night 2024-06-20: the unit of "ram_mib_max" is KiB and was MiB: it is another series from here on,'
                      ' "ram_mib_max [KiB]"', told)
        self.take(self.lines(path, "--project", "load", "--suite", "smaller"))
        self.take(self.lines(path, "--project", "sent", "--suite", "bigger"))
        only = self.lines(path, "--project", "otlp", "--suite", "smaller", "--match", "*OTLP*")
        self.assertNotIn("Zipkin", only)
        self.service.start()
        first, last = self.service.nights("load")[0], self.service.nights("load")[-1]
        self.assertEqual([(p["portion"], p["unit"], p["parent"], p["mean_ns"]) for p in first["portions"]][2:4],
                         [("ram_mib_max", "MiB", None, 79), ("dropped_span_count", "spans", None, 0)])
        self.assertEqual([p["portion"] for p in last["portions"] if p["mean_ns"] is None], ["ram_mib_max"])
        self.assertEqual(last["portions"][-1]["unit"], "KiB")
        self.assertTrue(all("better" not in p for p in last["portions"]))
        alerts = {a["portion"]: a for a in self.service.alerts("load")}
        self.assertEqual(set(alerts), {"cpu_percentage_avg [Log10kDPS/OTLP - Cpu Percentage]", "dropped_span_count"})
        cpu = alerts["cpu_percentage_avg [Log10kDPS/OTLP - Cpu Percentage]"]
        self.assertEqual((cpu["unit"], cpu["to"]["night"]), ("%", "2024-06-15"))
        self.assertRegex(cpu["sentence"], r"rose from 10\.\d+ % to 14\.\d+ % \(\+[34]\.\d+ points, \+3\d\.\d %")
        self.assertEqual((alerts["dropped_span_count"]["unit"], alerts["dropped_span_count"]["to"]["night"]),
                         ("spans", "2024-06-18"))
        self.assertEqual(alerts["dropped_span_count"]["before"]["mean_ns"], 0)
        [fell] = self.service.alerts("sent")
        self.assertEqual((fell["direction"], fell["better"], fell["unit"]), ("down", "higher", "MB/s"))
        chart = self.service.status("/charts/sent.svg?nights=30&until=2024-06-30")
        self.assertIn(b"MB/s", chart[2] if len(chart) > 2 else chart[1])

    def test_results_yaml(self):
        lines = self.lines(self.file("results.yaml", RESULTS_YAML), "--project", "y")
        self.assertIn("results imported: 1", self.take(lines))
        self.service.start()
        [night] = self.service.nights("y")
        self.assertEqual((night["night"], [p["portion"] for p in night["portions"]]), ("2025-09-18", ["T", "I+C+W"]))
        self.assertEqual(night["commit"]["subject"], "(no commit is known)")
        self.assertAlmostEqual(night["portions"][1]["mean_ns"], 2585 - 90.7)

    def test_raw_folder_and_zip(self):
        folder = self.service.folder / "results-kieker"
        folder.mkdir()
        for c, cost in enumerate((100, 300, 1000, 2500)):
            for loop in (1, 2, 3):
                (folder / f"raw-{loop}-10-{c}.csv").write_text("".join(f"0;{cost + loop + i % 3}\n" for i in range(200)))
        packed = self.service.folder / "results.zip"
        with zipfile.ZipFile(packed, "w") as archive:
            for file in sorted(folder.iterdir()):
                archive.write(file, file.name)
        self.lines(folder, "--project", "raw", expect=2)
        for source, day in ((folder, "2024-01-01"), (packed, "2024-01-02")):
            lines = self.lines(source, "--project", "raw", "--commit", day.replace("-", "") * 5, "--night", day)
            self.assertIn("results imported: 1", self.take(lines))
            self.assertIn("already present: 1", self.take(lines))
        self.service.start()
        nights = self.service.nights("raw")
        self.assertEqual([[round(p["mean_ns"]) for p in n["portions"]] for n in nights], [[103, 200, 700, 1500]] * 2)
        self.assertEqual([p["median_ns"] for p in nights[0]["portions"]], [103, 200, 700, 1500])
        self.assertEqual(nights[0]["loops"], 3)

    def test_what_must_be_said(self):
        path = self.file("data.js", data_js(("Kieker-java", "Kieker-python")))
        self.assertIn("choose one with --suite", self.lines(path, "--project", "p", expect=2))
        self.assertIn('no suite "x"', self.lines(path, "--project", "p", "--suite", "x", expect=3))
        self.lines(path, "--project", "p", "--suite", "Kieker-python")
        self.assertIn("--chain has 2 items", self.lines(path, "--project", "p", "--suite", "Kieker-java", "--chain", "T,I",
                                                        expect=3))
        custom = self.file("custom.json", '[{"name": "W", "unit": "ns", "value": 5}]')
        self.assertIn("give --night", self.lines(custom, "--project", "p", expect=2))
        self.lines(custom, "--project", "p", "--night", "2024-01-01")

    def token(self, scope):
        path = self.service.folder / f"{scope}.token"
        path.write_text(subprocess.run(
            [moowatch.BUILD / "server" / "moowatchd", "token", "add", "--config", self.config, "--name", scope, "--scope",
             scope], check=True, capture_output=True, text=True).stdout)
        return path

    def post(self, project, body, scope="admin", headers=None):
        token = (self.service.folder / f"{scope}.token").read_text().strip()
        status, _, answer = self.service.status(f"/api/v1/projects/{project}/import", "POST", body,
                                                {"Authorization": f"Bearer {token}", **(headers or {})})
        return status, json.loads(answer)

    def leftovers(self):
        return list((self.service.folder / "data" / "imports" / "incoming").iterdir())

    def test_over_http(self):
        token = self.token("admin")
        self.token("run")
        self.service.start()
        script = self.file("data.js", data_js())
        send = ["--server", self.service.url, "--token-file", token]
        self.assertIn("results imported: 23, already present: 0", self.lines(script, "--project", "history", *send))
        self.assertEqual(json.loads(self.lines(script, "--project", "history", *send, "--json")),
                         {"project": "history", "nights": 0, "known": 23, "answers": 0, "unmatched": 0, "quarantined": 0,
                          "changes": 0, "incidents": 0, "gaps": [], "flaws": [], "differing": [], "replaced": [],
                          "apart": []})
        # a value that was corrected is told, and replaced for who wants that, here as there
        wrong = RUNS[1][2][1]
        right = self.file("right.js", data_js().replace(str(wrong), "540.25"))
        differs = f"2024-05-08: Deactivated probe: {wrong} ns here, 540.25 ns in the file"
        self.assertIn(f"already present: 22; decisions and notes imported: 0, skipped (no matching alert or night): 0\n"
                      f"left as they are, with other values here: 1 ({differs}); --replace takes the file's",
                      self.lines(right, "--project", "history", *send))
        lines = self.lines(right, "--project", "history")
        self.assertIn(differs, self.take(lines))
        probe = lambda: self.service.get(f"/api/v1/experiments/{self.service.nights('history')[1]['experiment']}")["configurations"][1]
        self.assertEqual(probe()["mean_ns"], wrong)
        self.assertIn(f"replaced, with other values here before: 1 ({differs})",
                      self.lines(right, "--project", "history", *send, "--replace"))
        self.assertEqual(probe()["mean_ns"], 540.25)
        told = self.take(self.lines(script, "--project", "history") + "{}\n", "--replace", expect=1)
        self.assertIn("nothing was taken in: line", told)
        self.assertNotIn("replaced", told)
        self.assertEqual(probe()["mean_ns"], 540.25)
        self.assertIn("replaced, with other values here before: 1", self.take(
            self.lines(script, "--project", "history"), "--replace"))
        self.assertEqual(probe()["mean_ns"], wrong)
        self.assertEqual(len(self.service.nights("history")), 23)
        # an export goes under another name, as it is
        exported = self.file("export.jsonl", subprocess.run(
            [moowatch.BUILD / "server" / "moowatchd", "export", "--config", self.config, "--project", "history"], check=True,
            capture_output=True, text=True).stdout)
        self.assertIn("results imported: 23", self.lines(exported, "--project", "copy", *send))
        self.assertEqual([n["total"] for n in self.service.nights("copy")], [n["total"] for n in self.service.nights("history")])
        [one] = [a for a in self.service.alerts("copy") if a["to"]["night"] >= "2024-05-20"]
        self.assertEqual((one["portion"], one["to"]["night"]), ("C", "2024-05-22"))
        # a line that is broken in the middle: nothing of it is taken in, and the answer says which
        good = exported.read_bytes().splitlines(keepends=True)
        for number, line in ((12, b'{"type": "night"}\n'), (20, b"\n"), (25, b"\xff\xfe\n"), (2, b'{"type":"benchmark",\n')):
            status, answer = self.post("broken", b"".join(good[:number - 1] + [line] + good[number:]))
            self.assertEqual((status, answer["line"]), (400, number), answer)
            self.assertIn(f"line {number}: ", answer["detail"])
            self.assertEqual(self.service.status("/api/v1/projects/broken")[0], 404)
        self.assertEqual(self.post("No-Name", b"".join(good))[1]["line"], 1)
        self.assertEqual(self.post("history", b"")[0], 400)
        self.assertEqual(self.post("history", b"".join(good), "run")[0], 403)
        self.assertEqual(self.service.status("/api/v1/projects/x/import", "POST", b"{}")[0], 401)
        self.assertIn("400 line 1: ", self.lines(self.file("bad.jsonl", '{"moowatch_export": 2}\n'), "--project", "p", *send,
                                                 expect=4))
        self.assertIn("--server needs --project", self.lines(script, *send, expect=2))
        self.assertEqual(self.leftovers(), [])

    def test_over_http_too_large(self):
        self.service.settings["import_limit_bytes"] = 20000
        self.token("admin")
        self.service.start()
        lines = self.lines(self.file("data.js", data_js()), "--project", "history").encode()
        self.assertGreater(len(lines), 20000)
        status, answer = self.post("history", lines)
        self.assertEqual((status, "import_limit_bytes" in answer["detail"]), (413, True), answer)
        # announced or not, the answer comes while the body does
        host, port = self.service.url.removeprefix("http://").split(":")
        token = (self.service.folder / "admin.token").read_text().strip()
        with socket.create_connection((host, int(port)), timeout=moowatch.REQUEST_S) as connection:
            connection.sendall((f"POST /api/v1/projects/history/import HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
                                "Transfer-Encoding: chunked\r\n\r\n").encode() + b"5000\r\n" + b" " * 0x5000 + b"\r\n")
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            self.assertEqual((answer.status, json.loads(answer.read())["title"]), (413, "Content too large"))
        self.assertEqual(self.service.get("/api/v1/projects")["items"], [])
        self.assertEqual(self.leftovers(), [])
        # what is cut off on the way leaves nothing
        with socket.create_connection((host, int(port)), timeout=moowatch.REQUEST_S) as connection:
            connection.sendall((f"POST /api/v1/projects/history/import HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
                                "Content-Length: 1000\r\n\r\n").encode() + lines[:500])
            self.service.wait(self.leftovers, "the half of it")
        self.service.wait(lambda: not self.leftovers(), "it to go")
        self.assertEqual(self.service.get("/api/v1/projects")["items"], [])

    def test_before_there_is_a_data_dir(self):
        done = subprocess.run([moowatch.BUILD / "server" / "moowatchd", "export", "--config", self.config, "--project", "p"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not exist, so nothing has been measured yet", done.stderr)
        if os.getuid() != 0:
            self.config.write_text("data_dir: /proc/moowatch\nport: 0\n")
        else:
            (self.service.folder / "file").write_text("")
            self.config.write_text("data_dir: file/data\nport: 0\n")
        self.assertIn("cannot create", self.take("", expect=1))


if __name__ == "__main__":
    unittest.main(verbosity=2)
