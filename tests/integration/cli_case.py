"""The command line as users start it, and a result folder to give it."""
import json
import math
import os
import pathlib
import statistics
import subprocess
import tempfile
import unittest


SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MOOWATCH_BUILD", SOURCE / "build" / "release"))


def moowatch(*arguments, expect=0):
    """Runs the command; returns (stdout, stderr)."""
    done = subprocess.run([BUILD / "ci" / "moowatch", *map(str, arguments)], capture_output=True, text=True,
                          timeout=120, stdin=subprocess.DEVNULL)
    assert done.returncode == expect, f"{arguments}: exit {done.returncode}, not {expect}\n{done.stdout}{done.stderr}"
    return done.stdout, done.stderr


def imported(path, *words):
    """What `import` makes of a file of one night: (the night, its values by name)."""
    out, _ = moowatch("import", *words, path)
    [night] = [json.loads(line) for line in out.splitlines()]
    return night, {value["name"]: value for value in night["values"]}


def calls(level, loop, count):
    """Response times that differ from call to call and from loop to loop, the same in every run."""
    return [level + loop * level % 13 + (i * 7919 + loop) % 11 + (5000 if i % 97 == 0 else 0) for i in range(count)]


def result(folder, loops=4, count=400, levels=(70, 270, 1150, 2500), depth=10, columns=4):
    """A MooBench result folder."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for loop in range(1, loops + 1):
        for number, level in enumerate(levels):
            tail = ";1000;0" if columns == 4 else ""
            (folder / f"raw-{loop}-{depth}-{number}.csv").write_text(
                "".join(f"15;{value}{tail}\n" for value in calls(level, loop, count)))
    (folder / "labels.sh").write_text('TITLE[0]="No instrumentation"\nTITLE[1]="Deactivated probe"\n')
    return folder


class Temporary(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="moowatch-cli-")
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    T_975 = {2: 12.706204736432095, 3: 4.302652729911275, 4: 3.182446305284263, 5: 2.7764451051977987}  # qt(0.975, n - 1)

    def close(self, mine, theirs, tolerance=1e-9):
        self.assertTrue(math.isclose(mine, theirs, rel_tol=tolerance), (mine, theirs))

    def hold(self, value, loops):
        """A value of loops: their mean, and Student's interval of 95 % over them."""
        self.assertEqual(value["n"], len(loops))
        for mine, their in zip(value["loops_ns"], loops):
            self.close(mine, their)
        self.close(value["mean_ns"], statistics.fmean(loops))
        if len(loops) > 1:
            half = self.T_975[len(loops)] * statistics.stdev(loops) / math.sqrt(len(loops))
            self.close(value["high_ns"] - value["mean_ns"], half)
        else:
            self.assertIsNone(value["high_ns"])
