"""ci/setup on machines that lack something, and ci/other-debian with this Debian as the other one: what goes with a command
into the root, and that all of it ends."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

import moowatch

# In mounts of its own: this Debian as the root, whose changes are lost, and authorities of this machine's own.
PREPARE = """
mount --make-rprivate /
mount --bind "$OWN" /usr/local/share/ca-certificates
mount -t tmpfs changes "$CHANGES"
mkdir "$CHANGES/above" "$CHANGES/work"
mount -t overlay -o "lowerdir=/,upperdir=$CHANGES/above,workdir=$CHANGES/work" root "$ROOT"
mkdir -p "$ROOT/moowatch" "$ROOT/build" "$ROOT/outside"
exec "$@"
"""


class Setup(unittest.TestCase):
    """It sees only what is in a folder."""

    def setup(self, user, **programs):
        """What it says of a machine where cmake is missing; programs: more of them, each with its script."""
        with tempfile.TemporaryDirectory(prefix="moowatch-setup-test-") as folder:
            place = pathlib.Path(folder)
            for name in ("bash", "cat", "env", "flock", "mktemp", "rm"):
                (place / name).symlink_to(shutil.which(name))
            packages = re.findall(r"(?m)^build +\| (\S+)", (moowatch.SOURCE / "ci" / "setup").read_text())
            known = " ".join(f"installed:{name}" for name in packages if name != "cmake")
            scripts = {"dpkg-query": f"echo '{known} '", "id": f"echo {user}", **programs}
            for name, script in scripts.items():
                (place / name.replace("_", "-")).write_text(f"#!{place}/bash\n{script}\n")
                (place / name.replace("_", "-")).chmod(0o755)
            done = subprocess.run([moowatch.SOURCE / "ci" / "setup", "build"], env={"PATH": folder}, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=600, check=False)
        self.assertRegex(done.stderr, r"^missing: cmake +the build\n")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        return done.stderr

    def test_a_machine_without_root(self):
        self.assertIn("ci/setup: installing needs root: run as root, or: apt-get install cmake\n", self.setup(1000, apt_get="exit 9"))

    def test_a_machine_that_is_no_debian(self):
        self.assertIn("ci/setup: apt-get not found, so this is not Debian: install the packages named above yourself\n", self.setup(0))

    def test_a_machine_that_reaches_no_registry(self):
        said = self.setup(0, apt_get='echo "E: no route to host" >&2; exit 100')
        self.assertRegex(said, r"E: no route to host\nci/setup: apt-get failed, see above\n$")
        said = self.setup(1000, apt_get="exit 9", sudo='echo "E: sudo $*"; exit 1')
        self.assertIn("E: sudo apt-get update", said)


@unittest.skipUnless(os.geteuid() == 0, "only root can enter another Debian")
class OtherDebian(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="moowatch-debian-test-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.checkout, self.home = self.folder / "checkout", self.folder / "home"
        (self.checkout / "ci").mkdir(parents=True)
        shutil.copy(moowatch.SOURCE / "ci" / "other-debian", self.checkout / "ci")
        self.root = self.checkout / "build" / "debian" / "trixie"
        for place in (self.root, self.home, self.folder / "own", self.folder / "changes"):
            place.mkdir(parents=True)
        apt = self.folder / "apt.conf"
        apt.write_text('Acquire::http::Proxy "http://proxy.example.org:3128";\nAcquire::Moowatch "7";\n')
        self.environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(self.home), "APT_CONFIG": str(apt)}
        probe = self.inside("true")
        if "overlay" in probe.stderr:
            self.skipTest("no overlay of this file system can be mounted")

    def words(self, *command):
        places = {"ROOT": self.root, "OWN": self.folder / "own", "CHANGES": self.folder / "changes"}
        return ["env", *(f"{name}={place}" for name, place in places.items()), "unshare", "--mount", "bash", "-euc", PREPARE, "bash",
                str(self.checkout / "ci" / "other-debian"), "trixie", *command]

    def inside(self, *command, **environment):
        return subprocess.run(self.words(*command), env={**self.environment, **environment}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120, check=False)

    def test_how_registries_are_reached_goes_with_it(self):
        for name, text in ((".npmrc", "fund=false\n"), (".config/pip/pip.conf", "[global]\nretries = 3\n"),
                           (".m2/settings.xml", "<settings/>\n")):
            (self.home / name).parent.mkdir(parents=True, exist_ok=True)
            (self.home / name).write_text(text)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", self.folder / "key", "-out",
                        self.folder / "own" / "here.crt", "-subj", "/CN=authority of this machine"], check=True, capture_output=True)
        done = self.inside(
            "sh", "-euc", "env; cat ~/.npmrc ~/.config/pip/pip.conf ~/.m2/settings.xml; apt-config dump Acquire::http::Proxy; "
            "apt-config dump Acquire::Moowatch; openssl verify -CApath /etc/ssl/certs /usr/local/share/ca-certificates/here.crt",
            http_proxy="http://proxy.example.org:3128", PIP_INDEX_URL="https://pip.example.org",
            npm_config_registry="https://npm.example.org", PIP_CERT="/here/alone.pem", SECRET="not for you")
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in ("http_proxy=http://proxy.example.org:3128", "PIP_INDEX_URL=https://pip.example.org",
                     "npm_config_registry=https://npm.example.org", "HOME=/root", "fund=false", "retries = 3", "<settings/>",
                     'Acquire::http::Proxy "http://proxy.example.org:3128";', "/usr/local/share/ca-certificates/here.crt: OK"):
            self.assertIn(f"{line}\n", done.stdout)
        for word in ("PIP_CERT", "SECRET", "Acquire::Moowatch"):
            self.assertNotIn(word, done.stdout)

    def test_all_that_runs_there_ends_with_it(self):
        mark = f"86400.{os.getpid()}"
        with subprocess.Popen(self.words("sh", "-c", f"sleep {mark} & echo begun; wait"), env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as running:
            self.assertEqual(running.stdout.readline(), "begun\n")
            running.terminate()
            running.wait(timeout=moowatch.DEADLINE_S)
            end = time.monotonic() + moowatch.DEADLINE_S
            while any(mark.encode() in command for command in commands()):
                self.assertLess(time.monotonic(), end, "it still runs")
                time.sleep(0.05)


def commands():
    """The command line of each process of this machine."""
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield path.read_bytes()
        except OSError:
            pass  # it has ended


if __name__ == "__main__":
    unittest.main(verbosity=2)
