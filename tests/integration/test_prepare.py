"""Preparing a commit: cache, artifacts, submodules. Real everything.

Usage: test_prepare.py <moowatch-runner> <harness directory> [unittest arguments]
"""
import io
import json
import os
import subprocess
import sys
import tarfile
import zipfile

import runner_case
from prepare_case import MIB, tar, special, Base
from runner_peer import add_artifact, commit_files, git, make_configuration, make_trial, make_repository, make_seen, wait_until


class Cache(Base):
    def counting(self, extra="true"):
        """A build that says where and how often it ran."""
        self.count = os.path.join(self.folder, "count")
        return ["sh", "-c", "echo {commit} >> " + self.count + "; cat version > built; pwd >> built; "
                "ln -s built link; mkdir deep; head -c 100000 /dev/zero > deep/zeros; mkfifo pipe; " + extra]

    def built(self):
        with open(self.count, encoding="ascii") as file:
            return file.read().split()

    def two_commits(self):
        return (commit_files(self.repository, {"version": "old\n"}),
                commit_files(self.repository, {"version": "new\n"}))

    def test_no_commit_is_built_twice(self):
        old, new = self.two_commits()
        bench = make_configuration("none", command=[
            "sh", "-c", "[ \"$(cat link | sed -n 2p)\" = \"$PWD\" ] && exec \"$0\" \"$@\"", "{harness}/moobench"])
        prepare = {"prepare": self.counting()}
        trial = make_trial(3, self.repository, new, old, [bench], loops=2, **prepare)
        self.serve(self.job(1, old, bench, **prepare), self.job(2, new, bench, **prepare), trial,
                   self.job(4, new, bench, **prepare))
        self.assertEqual(self.peer.failures, {})
        self.assertEqual(self.built(), [old, new])
        self.assertEqual([p["from"] for n in (1, 2, 3, 4) for p in self.preparation(n)],
                         ["build", "build", "cache", "cache", "cache"])
        self.assertEqual([p["commit"] for p in self.preparation(3)], [new, old])
        first, again = self.preparation(2)[0], self.preparation(4)[0]
        self.assertEqual(first["seconds"], again["seconds"])  # the build's own, told again
        self.assertGreaterEqual(first["checkout_seconds"], 0)
        # how a tree was made is no part of the environment's identity
        hashes = {json.dumps({k: v for k, v in self.peer.results[n]["environment"].items() if k != "detail"},
                             sort_keys=True) for n in (1, 2, 4)}
        self.assertEqual(len(hashes), 1)

    def test_another_command_is_another_tree(self):
        self.serve(self.job(1, prepare=self.counting("true # 1")), self.job(2, prepare=self.counting("true # 2")))
        self.assertEqual(self.built(), [self.commit] * 2)

    def test_an_edited_script_of_the_node_is_noticed(self):
        """It lies outside of the repository: no commit says that it is another one now."""
        script = os.path.join(self.folder, "prepare-outside.sh")
        with open(script, "w", encoding="utf-8") as file:  # it edits itself, once: between the first two jobs
            file.write('[ "$(wc -l < "$0")" -gt 1 ] || echo "# edited" >> "$0"\n')
        os.chmod(script, 0o777)
        prepare = {"prepare": ["/bin/sh", script]}
        self.serve(self.job(1, **prepare), self.job(2, **prepare), self.job(3, **prepare))
        self.assertEqual(self.peer.failures, {})
        self.assertEqual([self.preparation(n)[0]["from"] for n in (1, 2, 3)], ["build", "build", "cache"])

    def test_code_under_test_cannot_change_what_later_jobs_get(self):
        """As the agent's own user it can write there: then the hash tells."""
        work = os.path.join(self.folder, "work")
        spoil = make_configuration("none", command=[
            "sh", "-c", "echo evil > built; for f in $(find %s/cache -name built); do echo evil > $f; done; "
            "exec \"$0\" \"$@\"" % work, "{harness}/moobench"])
        check = make_configuration("none", command=[
            "sh", "-c", "! grep evil built && exec \"$0\" \"$@\"", "{harness}/moobench"])
        _, new = self.two_commits()
        runner = self.serve(self.job(1, new, spoil, prepare=self.counting()),
                            self.job(2, new, check, prepare=self.counting()))
        self.assertEqual(self.peer.failures, {})
        self.assertIn("cache damaged", runner.text())
        self.assertEqual(self.built(), [new, new])

    def test_another_user_cannot_even_look(self):
        self.need_root()
        _, new = self.two_commits()
        look = ("exec 2>&1; ls {0}/cache; find {0}/cache; ls {0}/mirrors; touch {0}/x {0}/checkout/x "
                "{0}/scratch/x {0}/spool/x $PWD/../x; echo done").format(os.path.join(self.folder, "work"))
        out = make_seen(self.folder)
        bench = make_configuration("none", command=["sh", "-c", "(%s) > %s/log; exec \"$0\" \"$@\"" % (look, out),
                                                    "{harness}/moobench"])
        self.count = os.path.join(out, "count")
        prepare = ["sh", "-c", "echo {commit} >> " + self.count + "; echo kept > $HOME/kept; cat version > built"]
        settings = {"run_as_user": "nobody"}
        self.serve(self.job(1, new, bench, prepare=prepare), settings=settings)
        if 1 in self.peer.failures and "ermission denied" in str(self.peer.failures):
            self.skipTest("the build folder is closed to other users")
        self.assertEqual(self.peer.failures, {})
        with open(os.path.join(out, "log"), encoding="utf-8") as file:
            log = file.read()
        self.assertGreaterEqual(log.count("ermission denied"), 8, log)
        self.assertTrue(log.endswith("done\n"), log)
        # its cache outlives the agent
        self.serve(self.job(2, new, bench, prepare=prepare), settings=settings)
        self.assertEqual(self.built(), [new])
        self.assertEqual(self.preparation(2)[0]["from"], "cache")
        # what it kept in HOME is not there for the next build
        self.serve(self.job(3, new, bench, prepare=["sh", "-c", "[ -z \"$(ls -A $HOME)\" ]"]), settings=settings)
        self.assertIn(3, self.peer.results, self.peer.failures)

    def need_root(self):
        if os.geteuid() != 0:
            self.skipTest("only root can change the user")
        os.chmod(self.folder, 0o711)

    def test_least_recently_used_goes(self):
        old, new = self.two_commits()
        make = ["sh", "-c", "head -c 700000 /dev/urandom > large"]
        jobs = [self.job(n, c, prepare=make, loops=2) for n, c in enumerate((old, new, new, old), 1)]
        runner = self.serve(*jobs, settings={"prepared_cache_bytes": MIB})
        self.assertEqual([self.preparation(n)[0]["from"] for n in range(1, 5)], ["build", "build", "cache", "build"])
        self.assertIn("cache dropped", runner.text())

    def test_no_cache_and_too_large(self):
        for settings in ({"prepared_cache_bytes": 0}, {"prepared_cache_bytes": 1000}):
            with self.subTest(settings):
                self.peer.results.clear()
                make = ["sh", "-c", "head -c 700000 /dev/urandom > large"]
                self.serve(self.job(1, prepare=make), self.job(2, prepare=make), settings=settings)
                self.assertEqual(self.preparation(2)[0]["from"], "build")

    def test_kill_while_caching_leaves_nothing_half(self):
        make = ["sh", "-c", "for i in $(seq 2000); do echo $i > f$i; done"]
        self.peer.jobs.append(self.job(1, prepare=make))
        runner = self.start()
        coming = os.path.join(runner.work, "cache", "coming")
        wait_until(lambda: os.path.isdir(coming) or 1 in self.peer.results, "the copy")
        runner.process.kill()
        runner.process.wait()
        runner = self.start()
        self.assertEqual(runner.wait(), 0, runner.text())
        self.assertIn(1, self.peer.results)


class Artifacts(Base):
    RUN = "#!/bin/sh\nexec \"$HARNESS/moobench\" \"$@\"\n"

    def bench(self, command, number=1, **more):
        one = make_configuration("none", command=command, environment={"HARNESS": runner_case.HARNESS})
        return self.job(number, None, one, **more)

    def test_file_is_placed(self):
        job = self.bench(["sh", "-c", "[ \"$(cat {artifact})\" = jar ] && exec $HARNESS/moobench \"$@\"", "sh"],
                         prepare=["sh", "-c", "[ $(cat {artifact}) = jar ] && ! echo x > {artifact}/x"])
        self.serve(add_artifact(self.peer, job, "agent.jar", b"jar"))
        self.assertEqual(self.peer.failures, {})
        told = self.preparation(1)[0]["artifact"]
        self.assertEqual((told["name"], told["bytes"]), ("agent.jar", 3))

    def test_archives_are_unpacked(self):
        zipped = io.BytesIO()
        with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
            info = zipfile.ZipInfo("dist/bench.sh")
            info.external_attr = 0o755 << 16
            archive.writestr(info, self.RUN)
        xz = lambda data: subprocess.run(["xz", "-c"], input=data, capture_output=True, check=True).stdout
        zstd = lambda data: subprocess.run(["zstd", "-qc"], input=data, capture_output=True, check=True).stdout
        entries = [("dist/real.sh", self.RUN), special("dist/bench.sh", tarfile.SYMTYPE, "real.sh"),
                   special("dist/hard", tarfile.LNKTYPE, "dist/real.sh")]
        files = {"a.tar.gz": tar(entries), "a.tar": tar(entries, bytes), "a.tar.xz": tar(entries, xz),
                 "a.tgz": tar(entries), "a.tar.zst": tar(entries, zstd), "a.zip": zipped.getvalue()}
        jobs = [add_artifact(self.peer, self.bench(["{artifact}/dist/bench.sh"], number), name, data)
                for number, (name, data) in enumerate(files.items(), 1)]
        self.serve(*jobs)
        self.assertEqual(self.peer.failures, {})
        # once more: neither fetched nor unpacked again
        gets = [call for call in self.peer.calls if call[0] == "GET"]
        self.assertEqual(len(gets), len(files))

    def test_trial_has_both(self):
        old, new = self.commit, commit_files(self.repository, {"version": "new\n"})
        one = make_configuration("none", command=["sh", "-c", "[ \"$(cat {artifact})\" = {commit} ] && exec \"$0\" \"$@\"",
                                                  "{harness}/moobench"])
        trial = make_trial(1, self.repository, new, old, [one], loops=2)
        add_artifact(self.peer, trial, "a", new.encode())
        add_artifact(self.peer, trial, "a", old.encode(), "before_artifact", "before")
        self.serve(trial)
        self.assertEqual(self.peer.failures, {})

    def test_archives_that_lead_out_write_nothing_there(self):
        outside = os.path.join(self.folder, "outside")
        os.mkdir(outside)
        cases = {
            "dots": [("../evil", "x")], "deep dots": [("a/../../../evil", "x")],
            "absolute": [(outside + "/evil", "x")],
            "through a link": [special("out", tarfile.SYMTYPE, outside), ("out/evil", "x")],
            "through a link twice": [special("a", tarfile.SYMTYPE, ".."), special("a/b", tarfile.SYMTYPE, outside),
                                     ("a/b/evil", "x")],
            "hard link": [special("evil", tarfile.LNKTYPE, "/etc/passwd")],
            "hard link with dots": [special("evil", tarfile.LNKTYPE, "../../../token")],
            "device": [special("evil", tarfile.CHRTYPE)], "pipe": [special("evil", tarfile.FIFOTYPE)]}
        for number, (name, entries) in enumerate(cases.items(), 1):
            with self.subTest(name):
                self.serve(add_artifact(self.peer, self.bench([], number), "a%d.tar.gz" % number, tar(entries)))
                self.assertRegex(self.peer.failures[number]["reason"], "artifact a.*unpack: ")
                self.assertFalse(self.peer.failures[number]["retry"])
                self.assertEqual(os.listdir(outside), [])
        found = [name for _, _, names in os.walk(self.folder) for name in names if name == "evil"]
        self.assertEqual(found, [])

    def test_archives_that_are_none_or_bombs(self):
        zeros = tar([("zeros", "\0" * (40 * MIB))])
        cases = {"text.tar.gz": (b"hello", "no archive|damaged|cannot open"),
                 "cut.tar.gz": (tar([("a", "x" * 100000)])[:150], "damaged"),
                 "empty.zip": (b"\0", "no archive|damaged|cannot open"),
                 "bomb.tar.gz": (zeros, "prepare_output_limit_bytes|signal 25")}
        for number, (name, (data, pattern)) in enumerate(cases.items(), 1):
            with self.subTest(name):
                self.serve(add_artifact(self.peer, self.bench([], number), name, data),
                           settings={"prepare_output_limit_bytes": 8 * MIB})
                self.assertRegex(self.peer.failures[number]["reason"], pattern)

    def test_wrong_bytes_are_not_used(self):
        job = add_artifact(self.peer, self.bench([]), "a.jar", b"right")
        self.peer.artifacts[job["artifact"]["url"]] = b"wrong"
        self.fails(job, "arrived with SHA-256", "prepare", retry=True)
        job = add_artifact(self.peer, self.bench([]), "a.jar", b"right")
        self.peer.artifacts[job["artifact"]["url"]] = b"right and more"
        self.fails(job, "more bytes than the job announced", "prepare")
        job = add_artifact(self.peer, self.bench([]), "a.jar", b"right")
        self.peer.artifacts.clear()
        self.fails(job, "artifact: the server answered 404", "prepare")
        job = add_artifact(self.peer, self.bench([]), "a.jar", b"x" * 2 * MIB)
        self.fails(job, "artifact a.jar has 2 MB; the limit is 1 MB", "prepare",
                   settings={"prepare_output_limit_bytes": MIB})

    def test_token_goes_nowhere_else(self):
        for url in ("http://example.org/a.jar", "//example.org/a.jar", "a.jar"):
            job = add_artifact(self.peer, self.bench([]), "a.jar", b"x")
            job["artifact"]["url"] = url
            self.fails(job, "\"artifact.url\" must be a path on the server", "checkout")

    def test_cut_off_download_is_repeated(self):
        self.peer.cut_downloads = 2
        job = self.bench(["sh", "-c", "[ $(wc -c < {artifact}) = 3000000 ] && exec $HARNESS/moobench \"$@\"", "sh"])
        runner = self.serve(add_artifact(self.peer, job, "a.jar", os.urandom(3000000)))
        self.assertEqual(self.peer.failures, {})
        self.assertEqual(runner.text().count("artifact repeat"), 2)


class Submodules(Base):
    def make(self, name, files):
        path = os.path.join(self.folder, name)
        return path, make_repository(path, files)

    def add(self, where, url, path, name=None):
        git("-c", "protocol.file.allow=always", "submodule", "add", "-q", *(["--name", name] if name else []), url, path,
            cwd=where)
        git("commit", "-qm", "submodule", cwd=where)
        return git("rev-parse", "HEAD", cwd=where)

    def modules(self, text):
        """A commit whose .gitmodules says this of the gitlink "sub"."""
        with open(os.path.join(self.repository, ".gitmodules"), "w", encoding="utf-8") as file:
            file.write(text)
        git("update-index", "--add", "--cacheinfo", "160000,%s,sub" % self.commit, cwd=self.repository)
        git("add", ".gitmodules", cwd=self.repository)
        git("commit", "-qm", "modules", cwd=self.repository)
        return git("rev-parse", "HEAD", cwd=self.repository)

    def test_nested_ones_are_there(self):
        inner, _ = self.make("inner", {"deep.txt": "deep\n"})
        middle, _ = self.make("middle", {"file.txt": "middle\n"})
        self.add(middle, "../inner", "in/inner")
        commit = self.add(self.repository, middle, "lib/middle")
        # the submodule has moved on; the commit's own version counts
        commit_files(inner, {"deep.txt": "later\n"})
        check = ["sh", "-c", "cat lib/middle/file.txt lib/middle/in/inner/deep.txt > all; "
                 "[ \"$(cat all)\" = \"$(printf 'middle\\ndeep')\" ] && ! find . -name .git | grep ."]
        self.serve(self.job(1, commit, prepare=check), self.job(2, commit, prepare=check + ["again"]))
        self.assertEqual(self.peer.failures, {})

    def test_bounds(self):
        middle, _ = self.make("middle", {"a": "1"})
        inner, _ = self.make("inner", {"a": "1"})
        self.add(middle, inner, "inner")
        commit = self.add(self.repository, middle, "middle")
        for settings in ({"submodule_limit": 1}, {"submodule_depth": 1}):
            self.fails(self.job(1, commit), "submodule middle: submodule inner: more than", "checkout", settings=settings)
        self.serve(self.job(2, commit, prepare=["sh", "-c", "[ -z \"$(ls middle)\" ]"]), settings={"submodule_limit": 0})
        self.assertIn(2, self.peer.results)

    def test_addresses_that_are_not_asked(self):
        for url in ("ext::sh -c id", "git@example.org:x.git", "ssh://-oProxyCommand=id/x", "-u/x", "fd::3", "data:x"):
            with self.subTest(url):
                commit = self.modules("[submodule \"s\"]\n path = sub\n url = \"%s\"\n" % url)
                self.fails(self.job(1, commit), "submodule sub: submodule address", "checkout")
                git("rm", "-q", "--cached", "sub", cwd=self.repository)

    def test_a_repository_from_elsewhere_cannot_reach_local_files(self):
        commit = self.modules("[submodule \"s\"]\n path = sub\n url = %s\n" % self.repository)
        git("update-server-info", cwd=self.repository)
        daemon = subprocess.Popen([sys.executable, "-m", "http.server", "0", "--bind", "127.0.0.1", "-d",
                                   os.path.join(self.repository, ".git")], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONUNBUFFERED": "1"})
        try:
            port = daemon.stdout.readline().decode().split(" port ")[1].split()[0]
            job = self.job(1, commit)
            job["repository"]["url"] = "http://someone:s3cret@127.0.0.1:%s/" % port
            failure = self.fails(job, "points to files of this machine", "checkout")
            # a password in an address is in no message
            job = self.job(1, "2" * 40)
            job["repository"]["url"] = "http://someone:s3cret@127.0.0.1:%s/" % port
            failure = self.fails(job, "the server does not have this commit:|cannot fetch", "checkout")
            self.assertNotIn("s3cret", json.dumps(failure) + self.runners[-1].text())
        finally:
            daemon.kill()
            daemon.wait()
            daemon.stdout.close()

    def test_path_without_address_stays_empty(self):
        commit = self.modules("[submodule \"other\"]\n path = other\n url = ../x\n")
        self.serve(self.job(1, commit, prepare=["sh", "-c", "[ -d sub ] && [ -z \"$(ls sub)\" ]"]))
        self.assertEqual(self.peer.failures, {})

    def test_lfs_is_a_clear_error(self):
        pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 5\n" % ("0" * 64)
        files = {".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n", "big.bin": pointer}
        commit = commit_files(self.repository, files)
        self.fails(self.job(1, commit), "1 file in Git LFS .such as big.bin", "checkout")
        # the attribute alone is nothing; and what is built elsewhere needs no such file here
        plain = commit_files(self.repository, {"big.bin": "real\n"})
        self.serve(self.job(2, plain), add_artifact(self.peer, self.job(3, commit), "a.jar", b"x"))
        self.assertEqual(sorted(self.peer.results), [2, 3])


if __name__ == "__main__":
    runner_case.main()
