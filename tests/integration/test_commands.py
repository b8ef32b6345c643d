"""moowatchd's commands, called wrongly or too early: each says what is wrong and what to do."""
import pathlib
import subprocess
import tempfile
import time
import unittest

import moowatch

DAEMON = moowatch.BUILD / "server" / "moowatchd"


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="moowatch-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "projects.d").mkdir()
        (self.folder / "file").write_text("")
        (self.folder / "damaged").mkdir()
        (self.folder / "damaged" / "moowatch.db").write_text("this is no database")
        (self.folder / "folder" / "moowatch.db").mkdir(parents=True)
        for name in ("data", "file/data", "damaged", "folder"):
            self.config(name.replace("/", "-"), f"data_dir: {name}\nport: 0\n")
        self.config("no-projects", "data_dir: data\nprojects_dir: elsewhere\nport: 0\n")

    def config(self, name, text):
        (self.folder / f"{name}.yaml").write_text(text)

    def call(self, *arguments):
        done = subprocess.run([DAEMON, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60)
        return done.returncode, done.stdout, done.stderr

    def test_before_the_first_start(self):
        for command, says in ((["export", "-p", "p"], "nothing has been measured yet"), (["site", "x"], "so nothing has been measured yet"), (["backup", "--to", "b"], "start moowatchd first"),
                              (["restore", "--from", "b"], "holds no backup"), (["import"], "standard input is empty"),
                              (["notify", "-p", "p"], "--check says what is wrong")):
            status, _, error = self.call(command[0], "--config", "data.yaml", *command[1:])
            self.assertEqual((status, says in error), (1, True), (command, error))
            self.assertTrue(error.startswith(("moowatchd " + command[0] + ": ", "0 nights")), error)
        self.assertFalse((self.folder / "b").exists())
        self.assertEqual(self.call("token", "list", "--config", "data.yaml")[::2],
                         (0, "there are no tokens; moowatchd token add creates one\n"))

    def test_check_tells_of_messages_that_would_not_arrive(self):
        (self.folder / "told.d").mkdir()
        (self.folder / "told.d" / "p.yaml").write_text(
            "name: p\ntitle: P\nrepository: /nowhere\nbranch: main\nbenchmark:\n  driver: native\n"
            "  configurations:\n    - {name: none, portion: T, command: [b]}\n"
            "notify:\n  - {via: mail, to: [a@example.org]}\n"
            "  - {via: webhook, url: 'https://example.org/', secret_file: /no/such/secret}\n# CHANGE THIS: a guess\n")
        self.config("told", "data_dir: data\nprojects_dir: told.d\nport: 8300\n")
        status, out, error = self.call("--config", "told.yaml", "--check")
        self.assertEqual((status, out), (0, "valid projects: 1, invalid: 0\n"), error)
        for told in ("p: notify: secret_file: /no/such/secret: No such file", "via mail, but the server's file has no mail:",
                     "public_url is not set: messages link to http://127.0.0.1:8300"):
            self.assertIn("warning: " + ("" if told.startswith(("p:", "public")) else "p: notify: ") + told, error)
        self.assertRegex(error, r"(?m)^warning: \S*/told\.d/p\.yaml:12: do this, then remove the comment: CHANGE THIS: a guess$")

    def test_check_counts_a_project_once_with_all_its_branches(self):
        (self.folder / "many.d").mkdir()
        for name, url in (("p", "https://git.example.org/p.git"), ("q", "/srv/a b.git")):
            (self.folder / "many.d" / f"{name}.yaml").write_text(
                f"name: {name}\ntitle: P\nrepository: '{url}'\nbranches: [main, 1.x, 2.x]\nbenchmark:\n  driver: native\n"
                "  configurations:\n    - {name: none, portion: T, command: [b]}\n"
                "notify:\n  - {via: webhook, url: 'https://example.org/', secret_file: /no/such/secret}\n")
        self.config("many", "data_dir: data\nprojects_dir: many.d\nport: 8301\n")
        status, out, error = self.call("--config", "many.yaml", "--check")
        self.assertEqual((status, out), (1, "valid projects: 1 (with 2 further branches), invalid: 1\n"), error)
        self.assertEqual((error.count("project q"), error.count("secret_file")), (1, 1), error)

    def test_called_wrongly(self):
        for command, says in (
                ([], "--config FILE"), (["serve"], "unknown command serve; commands are token, export"), (["--config"], "Missing argument"),
                (["import"], "needs --config FILE"), (["export", "--config", "data.yaml"], "and --project NAME"),
                (["import", "--config", "data.yaml", "x.jsonl"], "write < x.jsonl"), (["backup"], "--to FOLDER"),
                (["restore"], "--from FOLDER"), (["notify"], "--project NAME"), (["site", "x"], "needs --config FILE or --export FILE"), (["token"], "add|list|rotate|bind|revoke"),
                (["token", "drop", "--config", "data.yaml"], "commands are add, list, rotate, bind and revoke"),
                (["token", "add", "--config", "data.yaml"], "--scope read|submit|run|admin|runner"),
                (["token", "revoke", "--config", "data.yaml"], "list shows them"),
                (["token", "rotate", "--config", "data.yaml"], "rotate needs --name NAME"),
                (["token", "add", "a", "-s", "run", "--expires", "soon", "--config", "data.yaml"], "soon: must be a whole number"), (["import", "--nope"], "--nope")):
            status, out, error = self.call(*command)
            self.assertEqual((status, out, says in error), (2, "", True), (command, error))

    def test_folders_and_files_that_cannot_be_used(self):
        for command, says in (
                (["--config", "gone.yaml"], "gone.yaml"), (["--config", "no-projects.yaml"], "projects_dir (create it"),
                (["--config", "file-data.yaml"], "data_dir: create it"), (["--config", "damaged.yaml"], "restore the last backup"),
                (["--config", "folder.yaml"], "it must be a file in an existing folder"),
                (["import", "--config", "file-data.yaml"], "or correct data_dir"),
                (["token", "list", "--config", "file-data.yaml"], "or correct data_dir"),
                (["export", "--config", "file-data.yaml", "-p", "p"], "correct data_dir"),
                (["export", "--config", "damaged.yaml", "-p", "p"], "restore the last backup"),
                (["backup", "--config", "damaged.yaml", "--to", "b"], "damaged/moowatch.db: file is not a database"),
                (["backup", "--config", "file-data.yaml", "--to", "b"], "nothing has been measured yet")):
            status, out, error = self.call(*command)
            self.assertEqual((status, out, says in error), (1, "", True), (command, error))

    def test_the_hosted_runner_keeps_its_settings(self):
        self.config("hosted", "data_dir: hosted\nport: 0\nrunner:\n  node: own\n  gate_wait_seconds: 600\n  disturbed_repeats: 3\n"
                              "  run_as_user: nobody\n  benchmark_cpus: \"0\"\n")
        (self.folder / "projects.d").mkdir(exist_ok=True)
        written = self.folder / "hosted" / "runner.yaml"
        for _ in range(2):  # it is written anew at each start
            written.unlink(missing_ok=True)
            with subprocess.Popen([DAEMON, "--config", "hosted.yaml", "--with-runner"], cwd=self.folder,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as served:
                try:
                    end = time.monotonic() + 60
                    while not (self.folder / "hosted" / "moowatchd.url").exists() and time.monotonic() < end:
                        time.sleep(0.05)
                    text = written.read_text()
                finally:
                    served.terminate()
            for line in ("node: \"own\"", "gate_wait_seconds: 600", "disturbed_repeats: 3", "run_as_user: \"nobody\""):
                self.assertIn(line + "\n", text)
            self.assertIn("work_dir: '" + str(self.folder.resolve() / "hosted" / "runner"), text)

    def test_every_command_has_help(self):
        for command in ("token", "export", "import", "backup", "restore", "site", "notify"):
            status, out, _ = self.call(command, "--help")
            self.assertEqual((status, f"moowatchd {command} [OPTION" in out, "--config=FILE" in out), (0, True, True), out)
            self.assertIn(f"moowatchd {command} ", self.call("--help")[1])


if __name__ == "__main__":
    unittest.main(verbosity=2)
