"""The service's figures are R's, to 1e-12 relative, on the raw files it hands out."""
import math
import subprocess
import unittest

import moowatch

PROJECT = """
name: exact
repository: {repository}
since: 2024-01-01
benchmark:
  driver: native
  loops: 4
  total_calls: 20000
  recursion_depth: 5
  rest_seconds: 0
  configurations:
    - {{name: none, portion: T}}
    - {{name: probe, portion: I, parent: none, command: ["{{harness}}/moobench-instrumented"]}}
"""

SCRIPT = r"""
options(digits = 17)
files <- commandArgs(trailingOnly = TRUE)
means <- list()
for (f in files) {
  x <- read.csv(f, sep = ";", header = FALSE)[[2]]
  x <- x[(length(x) / 2 + 1):length(x)]
  q <- quantile(x, c(.25, .5, .75), type = 7)
  cat(sprintf("loop %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", mean(x), sd(x), min(x), q[1], q[2], q[3], max(x)))
  means[[f]] <- mean(x)
}
m <- unlist(means); n <- length(m) / 2
a <- m[1:n]; b <- m[(n + 1):(2 * n)]
for (t in list(t.test(a), t.test(b), t.test(b, a, paired = TRUE)))
  cat(sprintf("interval %.17g %.17g %.17g\n", t$estimate, t$conf.int[1], t$conf.int[2]))
"""

KEYS = ["mean_ns", "sd_ns", "min_ns", "q1_ns", "median_ns", "q3_ns", "max_ns"]


class AgainstR(unittest.TestCase):
    def close(self, ours, theirs, what):
        self.assertTrue(math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=0), f"{what}: ours {ours!r}, R {theirs!r}")

    def test_every_figure(self):
        with moowatch.Service(runner={}) as service:
            repository = moowatch.Repository(service.folder / "repository")
            repository.commit("a night", "2024-01-01", {"x": "y"})
            service.project("exact", PROJECT.format(repository=repository.path))
            service.start()
            night = service.wait_for_nights("exact", 1)[0]
            experiment = service.get(f"/api/v1/experiments/{night['experiment']}")

            files, loops = [], []
            for configuration in experiment["configurations"]:
                for loop in configuration["loop_results"]:
                    status, _, body = service.status(loop["raw"]["url"] + "?format=csv")
                    self.assertEqual(status, 200)
                    file = service.folder / f"{configuration['name']}-{loop['loop']}.csv"
                    file.write_bytes(body)
                    files.append(str(file))
                    loops.append(loop["summary"])
            self.assertEqual(len(files), 8)
            script = service.folder / "check.R"
            script.write_text(SCRIPT)
            lines = subprocess.run(["Rscript", str(script), *files], check=True, capture_output=True,
                                   text=True).stdout.splitlines()
            theirs = [[float(word) for word in line.split()[1:]] for line in lines]

            for file, summary, values in zip(files, loops, theirs):
                for key, value in zip(KEYS, values):
                    self.close(summary[key], value, f"{file} {key}")
            intervals = [c["statistics"] for c in experiment["configurations"]] + [experiment["portions"][1]]
            for ours, (mean, low, high) in zip(intervals, theirs[len(files):]):
                self.close(ours["mean_ns"], mean, "mean of loops")
                # an interval's end can lie near zero: relative to the mean's size then
                scale = max(abs(mean), abs(low))
                self.assertLess(abs(ours["low_ns"] - low) / scale, 1e-12)
                self.assertLess(abs(ours["high_ns"] - high) / scale, 1e-12)
            self.assertEqual(experiment["portions"][1]["method"], "paired t")


if __name__ == "__main__":
    unittest.main(verbosity=2)
