"""The systemd units as systemd itself rates them: 0 is best, 10 is worst.

Usage: test_units.py <folder of the units> [unittest arguments]
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

UNITS = pathlib.Path()


class UnitsTest(unittest.TestCase):
    def rate(self, name):
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd-analyze is not installed")
        done = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", str(UNITS / name)],
                              capture_output=True, text=True, check=False)
        found = re.search(r"Overall exposure level for %s: ([0-9.]+)" % re.escape(name), done.stdout)
        if not found:
            self.skipTest("systemd-analyze rates no files here: " + done.stderr.strip())
        print(name, found.group(1))
        return float(found.group(1))

    def test_systemd_knows_every_line(self):
        """What it does not know it leaves out, so a misspelt line confines nothing, and nothing fails."""
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd-analyze is not installed")
        with tempfile.TemporaryDirectory() as folder:
            for unit in UNITS.glob("*.service"):
                text = re.sub(r"/usr/bin/moowatch\S*", "/bin/true", unit.read_text(encoding="utf-8"))
                for words, wanted in ((text, ""), (text.replace("ProtectClock=", "ProtectClok="), "ProtectClok")):
                    with self.subTest(unit=unit.name, wanted=wanted):
                        (pathlib.Path(folder) / unit.name).write_text(words, encoding="utf-8")
                        done = subprocess.run(["systemd-analyze", "verify", "--man=no", unit.name], cwd=folder, check=False,
                                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                        said = "".join(line for line in done.stdout.splitlines(True) if unit.name in line)
                        self.assertTrue(wanted in said and bool(wanted) == bool(said), said)

    def test_neither_takes_all(self):
        """One that forks or grows without end is the unit's loss, not the machine's."""
        for name, keys in (("moowatchd.service", ("TasksMax", "MemoryMax")), ("moowatch-runner.service", ("TasksMax",))):
            text = (UNITS / name).read_text(encoding="utf-8")
            for key in keys:
                self.assertRegex(text, rf"(?m)^{key}=[0-9]+%?$", name)

    def test_server(self):
        self.assertLessEqual(self.rate("moowatchd.service"), 2.0)

    def test_runner(self):
        """Root, which makes namespaces and mounts, changes users and turns knobs: docs/security.md says why not less."""
        self.assertLessEqual(self.rate("moowatch-runner.service"), 4.5)


if __name__ == "__main__":
    UNITS = pathlib.Path(sys.argv[1])
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
