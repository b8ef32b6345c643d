"""The Debian packages of this build: what lintian says, what is in them, and that the programs in them run.

The whole life of a package (installed in a bare Debian, upgraded, purged) takes minutes: tests/packages/run.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.request

import fetched
import moowatch
import yaml

PACKAGES = ("libmoowatch-detector-dev", "libmoowatch-detector0", "moowatch", "moowatch-runner", "moowatch-server")
# lintian's warnings that stay, each with its reason; an error is never let pass.
REASONED = {
    "maintscript-calls-ldconfig": "CPack writes these scripts of a library itself",
    "jar-not-in-usr-share": "the harnesses of all languages are in one folder, which project files call {harness}",
    "package-contains-vcs-control-file": "a .gitignore is a part of the example repositories",
}


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, **more)
    if done.returncode:
        raise AssertionError(f"{words[0]}: exit status {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not (moowatch.BUILD / "CPackConfig.cmake").exists():
            raise unittest.SkipTest("this build makes no packages: the preset release does")
        temporary = tempfile.TemporaryDirectory(prefix="moowatch-packages-")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        run("cpack", "--config", moowatch.BUILD / "CPackConfig.cmake", "-B", cls.folder / "debs")
        cls.debs = {re.sub("_.*", "", deb.name): deb for deb in (cls.folder / "debs").glob("*.deb")}
        cls.root = cls.folder / "root"
        for deb in cls.debs.values():
            run("dpkg-deb", "-x", deb, cls.root)

    def field(self, package, name):
        return run("dpkg-deb", "-f", self.debs[package], name).strip()

    def test_there_are_five_of_one_version(self):
        self.assertEqual(sorted(self.debs), sorted(PACKAGES))
        self.assertEqual({self.field(package, "Version") for package in PACKAGES}, {"0.1.0"})
        self.assertEqual(self.field("libmoowatch-detector-dev", "Depends"), "libmoowatch-detector0 (= 0.1.0)")
        for package, needed in (("moowatch-server", "libmicrohttpd12"), ("moowatch-runner", "libarchive13"),
                                ("moowatch", r"libzip\d"), ("libmoowatch-detector0", "libc6")):
            self.assertRegex(self.field(package, "Depends"), needed)

    def test_lintian_finds_no_error(self):
        if not shutil.which("lintian"):
            self.skipTest("lintian is not installed")
        done = subprocess.run(["lintian", "--allow-root", "--tag-display-limit", "0", *map(str, self.debs.values())],
                              capture_output=True, text=True, timeout=300)
        found = [line for line in done.stdout.splitlines() if re.match("[EW]: ", line)]
        self.assertEqual([line for line in found if line.startswith("E:")], [])
        self.assertEqual([line for line in found if line.split()[2] not in REASONED], [])
        self.assertIn(done.returncode, (0, 1, 2), done.stderr)

    def test_what_an_upgrade_keeps(self):
        self.assertEqual(run("dpkg-deb", "-I", self.debs["moowatch-server"], "conffiles").split(),
                         ["/etc/moowatch/moowatchd.yaml"])
        self.assertEqual(run("dpkg-deb", "-I", self.debs["moowatch-runner"], "conffiles").split(),
                         ["/etc/moowatch/moowatch-runner.yaml"])
        self.assertTrue((self.root / "etc/moowatch/projects.d").is_dir())
        text = (self.root / "etc/moowatch/moowatch-runner.yaml").read_text()
        for line in ("run_as_user: moowatch-bench", "git_user: moowatch-git"):
            self.assertIn(f"\n{line}\n", text)

    def test_where_the_documents_say_it_is(self):
        for path in ("usr/bin/moowatch", "usr/bin/moowatchd", "usr/bin/moowatch-runner", "usr/libexec/moowatch/moobench",
                     "usr/libexec/moowatch/moowatch-receiver", "usr/libexec/moowatch/identity", "usr/libexec/moowatch/moobench_count.py",
                     "usr/libexec/moowatch/libmoobench_allocations.so", "usr/lib/systemd/system/moowatchd.service",
                     "usr/lib/systemd/system/moowatch-runner.service",
                     "usr/lib/systemd/system/moowatch-runner.service.d/token.conf", "usr/share/doc/moowatch/install.md",
                     "usr/share/doc/moowatch/examples/moowatchd.yaml", "usr/share/man/man8/moowatchd.8.gz",
                     "usr/share/man/man1/moowatch.1.gz", "usr/share/bash-completion/completions/moowatchd"):
            self.assertTrue((self.root / path).exists(), path)
        for package in PACKAGES:
            for file in ("copyright", "changelog.gz"):
                self.assertTrue((self.root / "usr/share/doc" / package / file).exists(), (package, file))

    def test_a_stripped_harness_can_be_profiled(self):
        for name in ("moobench", "moobench-instrumented"):
            self.assertIn(" T moobench_monitored_method\n", run("nm", "-D", self.root / "usr/libexec/moowatch" / name))

    def test_every_link_of_the_installed_documents_leads_somewhere(self):
        dead, seen = [], 0
        for page in (self.root / "usr/share/doc/moowatch").rglob("*.md"):
            for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
                path = target.partition("#")[0]
                if path and ":" not in path:
                    seen += 1
                    if not (page.parent / path).exists():
                        dead.append(f"{page.relative_to(self.root)}: {target}")
        self.assertEqual(dead, [])
        self.assertGreater(seen, 100)

    def test_the_programs_name_version_and_commit(self):
        commit = subprocess.run(["git", "-C", moowatch.SOURCE, "rev-parse", "--short=12", "HEAD"], capture_output=True,
                                text=True).stdout.strip()
        for program in ("moowatch", "moowatchd", "moowatch-runner"):
            said = run(self.root / "usr/bin" / program, "--version")
            known = re.fullmatch(rf"{program} 0\.1\.0(?: \(([0-9a-f]{{12}})\+?\))?\n", said)
            self.assertTrue(known, said)
            if known[1] and commit:  # as it was when this was built
                run("git", "-C", moowatch.SOURCE, "cat-file", "-e", known[1] + "^{commit}")

    def test_the_source_of_a_release_names_its_commit(self):
        """Without a repository beside it, as a tarball of the tag is, and unpacked inside another project's repository."""
        if subprocess.run(["git", "-C", moowatch.SOURCE, "cat-file", "-e", "HEAD:config/commit"], check=False,
                          capture_output=True).returncode:
            self.skipTest("the source is no repository")
        other, header = self.folder / "other", self.folder / "version_commit.h"
        source = other / "archive"
        source.mkdir(parents=True)
        archive = subprocess.run(["git", "-C", moowatch.SOURCE, "archive", "HEAD", "config"], check=True, capture_output=True)
        subprocess.run(["tar", "-x", "-C", source], input=archive.stdout, check=True)
        commit = run("git", "-C", moowatch.SOURCE, "rev-parse", "HEAD").strip()
        for enclosed in (False, True):
            if enclosed:
                run("git", "-C", other, "init", "-q")
                run("git", "-C", other, "add", ".")
                run("git", "-C", other, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "theirs")
                header.unlink()
            run("cmake", f"-DSOURCE={source}", f"-DOUT={header}", "-P", source / "config/version.cmake")
            self.assertEqual(header.read_text(), f'#define MOOWATCH_COMMIT "{commit[:12]}"\n', enclosed)

    def test_the_server_starts_with_the_packages_configuration(self):
        """All of it but the folder of data and the port, which this test may not take."""
        (self.folder / "etc").mkdir()
        text = (self.root / "etc/moowatch/moowatchd.yaml").read_text()
        text = text.replace("/var/lib/moowatch", str(self.folder / "data")).replace("port: 8300", "port: 0")
        config = self.folder / "etc" / "moowatchd.yaml"
        config.write_text(text.replace("projects_dir: projects.d", f"projects_dir: {self.root}/etc/moowatch/projects.d"))
        daemon = subprocess.Popen([self.root / "usr/bin/moowatchd", "--config", config], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True)
        try:
            url = daemon.stdout.readline().strip()
            with urllib.request.urlopen(url + "api/v1/status", timeout=60) as answer:
                status = json.load(answer)
            said = run(self.root / "usr/bin/moowatchd", "--version")
            self.assertEqual(said, f"moowatchd {status['version']}" +
                             (f" ({status['commit']})\n" if status["commit"] else "\n"))
            with urllib.request.urlopen(url + "metrics", timeout=60) as answer:
                self.assertIn(f'moowatch_build_info{{version="0.1.0",commit="{status["commit"] or ""}"}} 1',
                              answer.read().decode())
        finally:
            daemon.send_signal(signal.SIGTERM)
            daemon.communicate(timeout=60)
        self.assertEqual(daemon.returncode, 0)

    def test_a_program_is_built_with_the_library(self):
        found = list(self.root.glob("usr/lib/**/pkgconfig"))
        self.assertEqual(len(found), 1, found)
        environment = {**os.environ, "PKG_CONFIG_PATH": str(found[0]), "PKG_CONFIG_SYSROOT_DIR": str(self.root)}
        flags = run("pkg-config", "--cflags", "--libs", "moowatch-detector", env=environment).split()
        program = self.folder / "alone"
        run("cc", "-std=c17", "-Wall", "-Werror", "-o", program, moowatch.SOURCE / "tests/unit/detector/alone.c", *flags)
        raw = self.folder / "raw.csv"
        raw.write_text("".join(f"15;{1000 + line};150000000;0\n" for line in range(1, 201)))
        said = run(program, raw, env={**os.environ, "LD_LIBRARY_PATH": str(found[0].parent)})
        self.assertIn("mean 1150.5", said)

    def apt(self, home, repository, *words):
        """apt with nothing of this machine's but its programs: one source, its own lists and caches."""
        place = home / "apt"
        for folder in ("state/lists/partial", "cache/archives/partial", "etc/preferences.d", "etc/apt.conf.d"):
            (place / folder).mkdir(parents=True, exist_ok=True)
        (place / "status").touch()
        (place / "sources.list").write_text(f"deb [signed-by={repository}/moowatch.asc] file://{repository} bookworm main\n")
        options = {"Dir::Etc": place / "etc", "Dir::Etc::sourcelist": place / "sources.list", "Dir::Etc::sourceparts": "-",
                   "Dir::State": place / "state", "Dir::Cache": place / "cache", "Dir::State::status": place / "status",
                   "APT::Sandbox::User": "root"}
        return subprocess.run(["apt-get", *[f"-o{key}={value}" for key, value in options.items()], *words], cwd=home, text=True,
                              capture_output=True, timeout=300)

    def test_a_signed_repository_for_apt(self):
        home = self.folder / "signer"
        home.mkdir(mode=0o700)
        environment = {**os.environ, "GNUPGHOME": str(home)}
        script, repository = moowatch.SOURCE / "ci/package", self.folder / "repository"
        words = [script, "--repository", repository, "--suite", "bookworm", *self.debs.values()]
        refused = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("gpg has no key to sign with. Make one, once:", refused.stderr)
        run("gpg", "--batch", "--passphrase", "", "--quick-generate-key", "moowatch packages", "ed25519", "sign", "never",
            env=environment)
        self.addCleanup(subprocess.run, ["gpgconf", "--kill", "all"], env=environment, check=False)
        run(*words, env=environment)
        run(script, "--repository", repository, "--suite", "trixie", self.debs["moowatch"], env=environment)  # beside it

        self.assertEqual(self.apt(home, repository, "update", "-qq").stderr, "")
        self.assertEqual(self.apt(home, repository, "download", "-qq", "moowatch-server").returncode, 0)
        taken = next(home.glob("moowatch-server_*.deb"))
        self.assertEqual(taken.read_bytes(), self.debs["moowatch-server"].read_bytes())
        for file in repository.glob("dists/bookworm/InRelease"):  # somebody else's list
            file.write_text(file.read_text().replace("Origin: moowatch", "Origin: somebody"))
        self.assertIn("BADSIG", self.apt(home, repository, "update", "-qq", "--error-on=any").stderr)
        no_package = subprocess.run([script, "--repository", repository, script], capture_output=True, text=True)
        self.assertIn("is no Debian package", no_package.stderr)

    def test_the_command_as_one_file(self):
        """With its own libraries and loader; unpacked once, and a second time when that was removed."""
        if moowatch.BUILD != moowatch.SOURCE / "build" / "release":
            self.skipTest("ci/package builds in build/release, and this build is elsewhere")
        single, home = self.folder / "single", self.folder / "home"
        said = run(moowatch.SOURCE / "ci/package", "--command", single).split()
        self.assertEqual(said[1], hashlib.sha256(single.read_bytes()).hexdigest())
        for _ in range(2):
            maps = run("env", "-i", f"HOME={home}", "PATH=/usr/bin:/bin", single, "--version")
            self.assertTrue(maps.startswith("moowatch 0.1.0"), maps)
            shutil.rmtree(home)
        (self.folder / "file").touch()
        done = subprocess.run([single, "--version"], env={"HOME": str(self.folder / "file"), "PATH": "/usr/bin:/bin"},
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("set XDG_CACHE_HOME to a folder that can be written", done.stderr)

    def test_pip_takes_the_python_client(self):
        """The wheel without an index, the sdist with the setuptools that are there."""
        made = self.folder / "python"
        run(moowatch.SOURCE / "ci/package", "--python", made)
        for kind, pattern, options in (("wheel", "*.whl", []), ("sdist", "*.tar.gz", ["--no-build-isolation"])):
            with self.subTest(kind):
                venv = self.folder / kind
                run("/usr/bin/python3", "-m", "venv", "--system-site-packages", venv)
                run(venv / "bin/pip", "install", "-q", "--no-index", *options, *made.glob(pattern))
                said = run(venv / "bin/python", "-c", "import moowatch_client as m, importlib.metadata as i; "
                           "about = i.metadata('moowatch-client'); print(m.__file__, m.Client, m.portion_rows, "
                           "about['License-Expression'] or about['License'])", cwd=self.folder)
                self.assertIn(str(venv), said)
                self.assertEqual(said.split()[-1], "Apache-2.0")  # in SPDX's form where this Debian's setuptools has it

    def test_every_script_of_the_packages_is_shell(self):
        for script in sorted((moowatch.SOURCE / "ci/debian").glob("*/p*")):
            run("sh", "-n", script)
            self.assertTrue(os.access(script, os.X_OK), script)


COMPOSE = moowatch.SOURCE / "ci/compose.yaml"


class Compose(unittest.TestCase):
    """A server with PostgreSQL and a receiver of its mails, in containers."""

    def composed(self, *words):
        version = "podman-compose==1.6.0"  # Debian 12's has no `config`
        place = fetched.fetched(version.replace("=", ""), lambda place: fetched.run(
            version, "/usr/bin/python3", "-m", "pip", "install", "-q", "--target", place, version))
        return run("/usr/bin/python3", "-m", "podman_compose", "-f", COMPOSE, *words, env={**os.environ, "PYTHONPATH": str(place)})

    def test_the_file_is_understood_and_names_what_is_there(self):
        services = yaml.safe_load(COMPOSE.read_text())["services"]
        understood = yaml.safe_load(self.composed("config"))["services"]
        self.assertEqual(set(understood), set(services))
        for service in understood.values():
            for volume in service.get("volumes", []):
                place = volume.split(":")[0]
                if place[0] in "./":
                    self.assertTrue((COMPOSE.parent / place).exists(), place)

    def test_its_server_s_configuration_is_valid(self):
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder) / "moowatchd.yaml"
            text = (COMPOSE.parent / "compose.d/moowatchd.yaml").read_text().replace("/var/lib/moowatch", folder)
            config.write_text(text.replace("projects.d", str(moowatch.SOURCE / "config/examples/projects.d")))
            run(moowatch.BUILD / "server" / "moowatchd", "--check", "--config", config)

    def test_it_runs(self):
        images = [service["image"] for service in yaml.safe_load(COMPOSE.read_text())["services"].values()]
        if not shutil.which("podman"):
            self.skipTest("podman is not installed")
        for image in images:
            image = re.sub(r"\$\{\w+:-(.*)\}", r"\1", image)
            tried = subprocess.run(["podman", "run", "--rm", "--pull", "missing", "--entrypoint", "/bin/sh", image, "-c", "true"],
                                   capture_output=True, text=True, timeout=600)
            if tried.returncode:
                self.skipTest(f"podman does not run {image} here: {tried.stderr.strip().splitlines()[-1]}")
        self.addCleanup(self.composed, "down", "--volumes")
        self.composed("up", "-d")
        end = time.monotonic() + moowatch.DEADLINE_S
        while not (status := asked("http://127.0.0.1:8300/api/v1/status")):
            self.assertLess(time.monotonic(), end, "the server in its container does not answer")
            time.sleep(0.2)
        self.assertEqual(status["problems"], [])
        self.assertIsNotNone(asked("http://127.0.0.1:8025/api/v1/messages"))


def asked(url):
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return json.load(answer)
    except OSError:
        return None


if __name__ == "__main__":
    unittest.main(verbosity=2)
