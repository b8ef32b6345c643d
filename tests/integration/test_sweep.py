"""A sweep over recursion depth: asked on the command line, measured by the real runner, shown with its fitted lines."""
import json
import subprocess
import unittest

import moowatch

PROJECT = """
name: swept
repository: {repository}
since: 2024-01-01
benchmark:
  driver: native
  loops: 3
  total_calls: 2000
  recursion_depth: 2
  rest_seconds: 0
  sweep: {{recursion_depth: [1, 2, 4, 16]}}
  configurations:
    - {{name: none, portion: T, command: ["./bench", "{{harness}}/moobench"]}}
    - {{name: probe, portion: I, parent: none, command: ["./bench", "{{harness}}/moobench-instrumented"]}}
"""

# The real harness, its figures replaced by 50 + 30 ns (probe: 50 + 230 ns) a level, and a little that differs.
BENCH = r"""#!/bin/sh
"$@" || exit 1
case $1 in *-instrumented) level=230 ;; *) level=30 ;; esac
while [ $# -gt 0 ]; do
  [ "$1" = --recursion-depth ] && depth=$2
  [ "$1" = --output-filename ] && out=$2
  shift
done
awk -v cost=$((50 + level * depth + $$ % 3)) 'BEGIN { for (i = 0; i < 2000; i++) printf "1;%d\n", cost + i % 3 }' >"$out"
"""


class Sweep(unittest.TestCase):
    def moowatch(self, *words, expect=0):
        done = subprocess.run([moowatch.BUILD / "ci" / "moowatch", *map(str, words)], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done.stdout.strip() if expect == 0 else done.stderr

    def test_portions_over_depth(self):
        with moowatch.Service(runner={}) as service:
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("one", "2024-01-01", {"bench": BENCH})
            service.project("swept", PROJECT.format(repository=repository.path))
            service.start()
            [night] = service.wait_for_nights("swept", 1)
            token = subprocess.run([moowatch.BUILD / "server" / "moowatchd", "token", "add", "--config",
                                    service.folder / "moowatchd.yaml", "--name", "maria", "--scope", "run"],
                                   check=True, capture_output=True, text=True).stdout.strip()
            secret = service.folder / "run.token"
            secret.write_text(token)
            there = ["--server", service.url, "--token-file", secret]
            commit = night["commit"]["sha"]
            self.assertIn("--night", self.moowatch("submit", "swept", commit, "--sweep", "--wait", "5", *there, expect=2))
            number = self.moowatch("submit", "swept", commit, "--sweep", *there)
            sweep = service.wait(lambda: (lambda s: s if s["state"] != "running" else None)(
                service.get(f"/api/v1/sweeps/{number}")), "the sweep")
            self.assertEqual((sweep["state"], sweep["parameter"], sweep["author"]), ("done", "recursion_depth", "maria"))
            self.assertEqual([v["value"] for v in sweep["values"]], [1, 2, 4, 16])
            self.assertEqual({v["node"] for v in sweep["values"]}, {"testnode"})
            for value in sweep["values"]:
                self.assertEqual([p["portion"] for p in value["portions"]], ["T", "I"])
                # each value is an experiment with its loops, beside the nights
                one = service.get(f"/api/v1/experiments/{value['experiment']}")
                self.assertEqual(one["benchmark"]["recursion_depth"], value["value"])
                self.assertEqual(len(one["configurations"][0]["loop_results"]), 3)
            t, i = sweep["fits"]
            for fit, slope, start in ((t, 30, 51.5), (i, 200, 0)):
                self.assertAlmostEqual(fit["slope"]["mean_ns"], slope, delta=1)
                self.assertAlmostEqual(fit["start"]["mean_ns"], start, delta=5)
                self.assertLessEqual(fit["slope"]["low_ns"], fit["slope"]["high_ns"])
                self.assertGreater(fit["r_squared"], 0.99)
                self.assertEqual([r["value"] for r in fit["residuals"]], [1, 2, 4, 16])
                self.assertLess(max(abs(r["residual_ns"]) for r in fit["residuals"]), 6)
            # none of it is a night
            self.assertEqual([n["experiment"] for n in service.nights("swept")], [night["experiment"]])
            self.assertEqual(service.get("/api/v1/projects/swept/sweeps")["items"][0]["id"], int(number))
            exported = subprocess.run([moowatch.BUILD / "server" / "moowatchd", "export", "--config",
                                       service.folder / "moowatchd.yaml", "--project", "swept"], check=True,
                                      capture_output=True, text=True).stdout
            self.assertEqual(sum(json.loads(line).get("type") == "night" for line in exported.splitlines()), 1)
            page = service.status(f"/sweeps/{number}")
            self.assertEqual((page[0], b"sweep.js" in page[2]), (200, True))
            self.assertEqual(service.status("/api/v1/sweeps/99")[0], 404)


if __name__ == "__main__":
    unittest.main(verbosity=2)
