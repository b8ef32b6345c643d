"""The Python package, its notebook and the R script against a real daemon, installed as docs/clients.md says."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

import fetched
import made_up
import moowatch
import test_import

CLIENTS = moowatch.SOURCE / "ci" / "clients"
NIGHTS = 4
MEANS = (70.0, 470.0, 1600.0, 3200.0)
SVG = "{http://www.w3.org/2000/svg}"


def environment():
    """A venv with the package from the checkout, pandas and what executes a notebook."""
    def fetch(place):
        fetched.run("venv", sys.executable, "-m", "venv", place)
        fetched.run("pandas and nbclient", place / "bin" / "python", "-m", "pip", "install", "-q", "--no-compile",
                    "pandas>=1.5", "nbclient>=0.7", "ipykernel>=6", "setuptools>=61", "wheel")
    venv = fetched.fetched("clients", fetch)
    with fetched.alone("clients"):  # the package itself is small and of today
        copy = pathlib.Path(shutil.copytree(CLIENTS / "python", moowatch.BUILD / "peers" / "clients-source", dirs_exist_ok=True))
        done = subprocess.run([venv / "bin" / "python", "-m", "pip", "install", "-q", "--no-compile", "--no-deps",
                               "--no-build-isolation", "--force-reinstall", copy], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return venv


class Clients(made_up.Nights):
    @classmethod
    def setUpClass(cls):
        cls.venv = environment()
        cls.service = moowatch.Service({"public_read": True, "poll_seconds": 3600})
        cls.addClassCleanup(cls.service.__exit__)
        cls.repository = moowatch.Repository(cls.service.folder / "repository")
        for day in range(1, NIGHTS + 1):
            cls.repository.commit(f"night {day}", f"2024-01-{day:02}", {"a": str(day)})
            if day % 2:
                cls.repository._git("tag", f"v1.{day}")
        cls.service.project("sample", f"name: sample\nrepository: {cls.repository.path}\nsince: 2024-01-01\n"
                            "releases: v*\n" + made_up.BENCHMARK)
        config = cls.service.folder / "moowatchd.yaml"
        config.write_text("data_dir: data\nport: 0\n")
        (cls.service.folder / "data.js").write_text(test_import.data_js())
        lines = subprocess.run([moowatch.BUILD / "ci" / "moowatch", "import", "--project", "history", "data.js"],
                               cwd=cls.service.folder, check=True, capture_output=True, text=True).stdout
        subprocess.run([moowatch.BUILD / "server" / "moowatchd", "import", "--config", config], input=lines, check=True,
                       capture_output=True, text=True)
        cls.service.start()
        cls.runner, cls.run_token = cls.token("runner"), cls.token("run")
        for _ in range(NIGHTS):
            cls.measure(MEANS, readings={"process": {"cpu_ms": 12.5}})
        cls.service.wait_for_nights("sample", NIGHTS)

    def python(self, text, **environment):
        """What a program with the installed package prints, as JSON."""
        head = "import json, sys, moowatch_client as m\ns = m.Client(sys.argv[1])\n"
        done = subprocess.run([self.venv / "bin" / "python", "-c", head + text, self.service.url], capture_output=True,
                              text=True, timeout=120, cwd=self.service.folder, env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_what_the_api_says_is_what_the_client_says(self):
        said = self.python(
            "n = list(s.nights('sample')); e = s.experiment(n[0]['experiment'])\n"
            "print(json.dumps([s.status(), s.projects(), n, e, list(s.alerts()), s.project('history'), list(s.jobs('sample')),"
            " list(s.incidents()), list(s.nights('history', since='2024-05-12', until='2024-05-20', most=3))]))")
        status, projects, nights, experiment, alerts, history, jobs, incidents, some = said
        self.assertEqual(status["version"], self.service.get("/api/v1/status")["version"])
        self.assertEqual(projects, self.service.get("/api/v1/projects")["items"])
        self.assertEqual(nights[::-1], self.service.nights("sample"))
        self.assertEqual(experiment, self.service.get(f"/api/v1/experiments/{nights[0]['experiment']}"))
        self.assertEqual(alerts, self.service.get("/api/v1/alerts")["items"])
        self.assertEqual((history["name"], len(jobs) >= NIGHTS), ("history", True))
        self.assertEqual(incidents, self.service.get("/api/v1/incidents")["items"])
        self.assertEqual([night["night"] for night in some], ["2024-05-20", "2024-05-19", "2024-05-18"])

    def test_every_page_of_a_list(self):
        said = self.python("from moowatch_client import client\nclient.PAGE = 5\n"
                           "print(json.dumps([[n['night'] for n in s.nights('history')],"
                           " [n['night'] for n in s.nights('history', most=7)]]))")
        every = [night["night"] for night in self.service.nights("history")][::-1]
        self.assertEqual(said, [every, every[:7]])

    def test_rows_are_tidy(self):
        portions, configurations, loops, alerts, raw = self.python(
            "n = list(s.nights('sample')); e = s.experiment(n[0]['experiment'])\n"
            "print(json.dumps([m.portion_rows(n), m.configuration_rows(n), m.loop_rows(e), m.alert_rows(s.alerts('history')),"
            " s.raw_calls(n[0]['experiment'], 'writing', 2).decode()], default=str))")
        self.assertEqual((len(portions), len(configurations)), (4 * NIGHTS, 4 * NIGHTS))
        nights = {night["night"]: night for night in self.service.nights("sample")}
        for row in portions:
            [one] = [p for p in nights[row["night"]]["portions"] if p["portion"] == row["portion"]]
            for key in ("mean_ns", "low_ns", "high_ns", "median_ns", "verdict"):
                self.assertEqual(row[key], one[key])
            self.assertEqual(row["time"], f"{row['night']} 00:00:00+00:00")
        self.assertEqual({row["release"] for row in portions}, {"v1.1", "v1.3", None})
        self.assertEqual((len(loops), {row["n"] for row in loops}), (20, {100}))
        moved = self.service.alerts("history")[0]["portions"][0]
        self.assertIn((moved["portion"], moved["difference"]["percent"]), [(r["portion"], r["percent"]) for r in alerts])
        self.assertEqual(raw.encode(), made_up.CSV)

    def test_what_is_beside_time(self):
        items, rows = self.python("print(json.dumps([list(s.dimension('sample', 'cpu_ms')),"
                                  " m.dimension_rows(s.dimension('sample', 'cpu_ms'), 'cpu_ms')], default=str))")
        self.assertEqual(items, self.service.get("/api/v1/projects/sample/dimensions?dimension=cpu_ms")["items"])
        self.assertEqual(len(rows), 4 * NIGHTS)
        self.assertEqual({(row["dimension"], row["portion"], row["total"]) for row in rows},
                         {("cpu_ms", portion, 12.5) for portion in "TICW"})

    def test_data_frames(self):
        said = self.python("f = m.data_frame(m.portion_rows(s.nights('sample')))\n"
                           "w = f[f.portion == 'W']\n"
                           "print(json.dumps([list(f.shape), w.mean_ns.mean(), str(f.time.dtype)]))")
        writing = [p["mean_ns"] for n in self.service.nights("sample") for p in n["portions"] if p["portion"] == "W"]
        self.assertEqual(said[0][0], 4 * NIGHTS)
        self.assertAlmostEqual(said[1], sum(writing) / len(writing), places=6)
        self.assertRegex(said[2], "datetime64.*UTC")

    def test_what_is_refused_says_why(self):
        self.assertEqual(self.python(
            "def f(call):\n    try:\n        call()\n    except (m.ApiError, ValueError) as e:\n"
            "        return [getattr(e, 'status', None), str(e)]\n"
            "print(json.dumps([f(lambda: s.project('no/such'))[0], f(lambda: s.measure('sample', 'abc'))[0],"
            " 'does not answer' in f(lambda: m.Client('http://127.0.0.1:1').status())[1],"
            " 'http://' in f(lambda: m.Client('localhost'))[1], f(lambda: s.get('/nights', x=1))[0],"
            " 'none of them is a release' in f(lambda: m.stacked_portions(s.nights('history'), releases=True))[1]]))",
            MOOWATCH_TOKEN=""), [404, 401, True, True, 404, True])

    def test_a_token_may_write(self):
        head = self.repository._git("rev-parse", "HEAD")
        alert = self.service.alerts("history")[0]["id"]
        queued, decided = self.python(
            f"print(json.dumps([s.measure('sample', '{head}', '2024-01-04'), s.set_alert({alert}, 'acknowledged', 'seen')]))",
            MOOWATCH_TOKEN=self.run_token)
        self.assertIsInstance(queued["job"], int)
        self.assertEqual(decided["state"], "acknowledged")

    def test_figures_show_what_was_measured(self):
        stacked, releases, bars = self.python(
            "n = list(s.nights('sample'))\nprint(json.dumps([m.stacked_portions(n).svg,"
            " m.stacked_portions(n, releases=True).svg, m.overhead_bars(n[0]).svg]))")
        for svg, count, words in ((stacked, 4 * NIGHTS, ["2024-01-04", "v1.3"]), (releases, 8, ["v1.1", "v1.3"]),
                                  (bars, 4, ["T", "writing"])):
            root = xml.etree.ElementTree.fromstring(svg)
            drawn = [e for e in root.iter(SVG + "rect") if e.find(SVG + "title") is not None]
            self.assertEqual(len(drawn), count)
            texts = {e.text for e in root.iter(SVG + "text")}
            for word in words:
                self.assertIn(word, texts)
        without, = self.python("n = list(s.nights('history', until='2024-05-07'))\n"
                               "print(json.dumps([m.overhead_bars(n[0]).svg + m.stacked_portions(n).svg]))")
        self.assertNotIn("<path", without)  # a night without intervals has no whiskers
        # Heights are to scale: C is (1600-470)/(470-70) times I.
        heights = {e.find(SVG + "title").text[0]: float(e.get("height"))
                   for e in xml.etree.ElementTree.fromstring(bars).iter(SVG + "rect") if e.find(SVG + "title") is not None}
        newest = {p["portion"]: p["mean_ns"] for p in self.service.nights("sample")[-1]["portions"]}
        self.assertAlmostEqual(heights["C"] / heights["I"], newest["C"] / newest["I"], delta=0.02)

    def test_the_notebook_draws(self):
        out = self.service.folder / "executed.ipynb"
        script = ("import sys, nbformat, nbclient\nn = nbformat.read(sys.argv[1], 4)\n"
                  "nbclient.NotebookClient(n, timeout=120, kernel_name='python3').execute()\nnbformat.write(n, sys.argv[2])\n")
        for project in ("sample", "history"):
            done = subprocess.run([self.venv / "bin" / "python", "-c", script, CLIENTS / "python" / "figures.ipynb", out],
                                  capture_output=True, text=True, timeout=240, cwd=self.service.folder,
                                  env={**os.environ, "MOOWATCH_URL": self.service.url, "MOOWATCH_PROJECT": project,
                                       "JUPYTER_PLATFORM_DIRS": "1"})
            self.assertEqual(done.returncode, 0, done.stderr)
            outputs = [o for cell in json.loads(out.read_text())["cells"] for o in cell.get("outputs", ())]
            drawn = [o for o in outputs if "image/svg+xml" in o.get("data", {})]
            tables = [o for o in outputs if "text/html" in o.get("data", {})]
            self.assertEqual((len(drawn), len(tables) >= 1), (2, True), project)

    def test_the_r_script_draws_and_says_the_same(self):
        probe = shutil.which("Rscript") and subprocess.run(["Rscript", "-e", "library(jsonlite)"], capture_output=True)
        if not probe or probe.returncode:
            self.skipTest("R with jsonlite (r-cran-jsonlite) is not installed")
        figures = self.service.folder / "figures.pdf"
        done = subprocess.run(["Rscript", CLIENTS / "r" / "moowatch.R", self.service.url, "sample", figures],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(figures.read_bytes()[:5], b"%PDF-")
        rows = [line.replace('"', "").split(",") for line in done.stdout.splitlines()[1:]]
        newest = self.service.nights("sample")[-1]
        self.assertEqual([row[:2] for row in rows], [[newest["night"], p["portion"]] for p in newest["portions"]])
        for row, portion in zip(rows, newest["portions"]):
            self.assertAlmostEqual(float(row[2]), portion["mean_ns"], places=3)
        text = f'source("{CLIENTS}/r/moowatch.R"); write.csv(moowatch_dimension("{self.service.url}", "sample", "cpu_ms"), "")'
        done = subprocess.run(["Rscript", "-e", text], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.replace('"', "").split(",") for line in done.stdout.splitlines()]
        self.assertEqual((rows[0][-4:], len(rows)), (["mean", "low", "high", "total"], 1 + 4 * NIGHTS))
        self.assertEqual({row[-1] for row in rows[1:]}, {"12.5"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
