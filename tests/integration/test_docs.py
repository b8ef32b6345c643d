"""The documents hold: every example is read by the real programs, every key, option, path and link is there."""
import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import unittest
import zipfile

import yaml

import made_up
import moowatch
import test_cli

SOURCE = moowatch.SOURCE
PAGES = [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted((SOURCE / "docs").glob("*.md"))]
PROGRAMS = {"moowatch": "ci/moowatch", "moowatchd": "server/moowatchd", "moowatch-runner": "runner/moowatch-runner"}
BENCHMARK = "benchmark: {driver: native, configurations: [{name: none, portion: T}]}\n"
HEAD = "name: example\nrepository: /example\n"


def run(program, *arguments):
    """(exit status, everything it said)"""
    done = subprocess.run([moowatch.BUILD / PROGRAMS[program], *map(str, arguments)], capture_output=True, text=True,
                          timeout=60, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout + done.stderr


def blocks(page):
    """(language, text, number of its first line) of each fenced block."""
    found, start = [], None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if start is None and line.lstrip().startswith("```"):
            start, language, inside = number, line.strip().strip("`"), []
        elif start is not None and line.strip() == "```":
            found.append((language, "\n".join(inside) + "\n", start + 1))
            start = None
        elif start is not None:
            inside.append(line)
    return found


def options_of(program, command=None):
    """The long options that the program's own help names."""
    status, text = run(program, *([command] if command else []), "--help")
    assert status == 0, text
    return set(re.findall(r"--([a-z][a-z-]*)", text)) | {"help", "version"}


class Files(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="moowatch-docs-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def project(self, text):
        """What the real reader says about a project's file; "" when it is fine."""
        file = self.folder / "project.yaml"
        file.write_text(text)
        status, said = run("moowatch", "project", "check", file)
        return "" if status == 0 else said

    def server(self, text):
        (self.folder / "projects.d").mkdir(exist_ok=True)
        file = self.folder / "moowatchd.yaml"
        file.write_text(text)
        status, said = run("moowatchd", "--config", file, "--check")
        return "" if status == 0 else said

    def runner(self, text):
        """Only what is wrong with the file: the folder that it names need not be there."""
        file = self.folder / "runner.yaml"
        file.write_text(text)
        status, said = run("moowatch-runner", "restore", "--config", file)
        return said if status == 2 else ""


class Examples(Files):
    def read(self, text):
        """One block, in the file that it is a part of."""
        if "runs-on:" in text or "uses:" in text:
            return self.workflow(text)
        keys = yaml.safe_load(text)
        if isinstance(keys, list) and "portion" in keys[0]:
            chain = [{"name": "none", "portion": "T"}, {"name": keys[0]["parent"], "portion": "P", "parent": "none"}]
            benchmark = {"driver": "native", "configurations": chain + keys}
            return self.project(HEAD + yaml.safe_dump({"benchmark": benchmark}))
        if isinstance(keys, list):
            return self.project(HEAD + BENCHMARK + "notify:\n" + text)
        if "benchmark" in keys:
            return self.project(("" if "name" in keys else HEAD) + text)
        if "notify" in keys:
            return self.project(HEAD + BENCHMARK + text)
        if keys.keys() & {"pull_requests", "branches", "paths"}:
            return self.project(HEAD + BENCHMARK + text)
        if "work_dir" in keys:
            return self.runner(text)
        return self.server(("" if "data_dir" in keys else "data_dir: data\n") + text)

    def workflow(self, text):
        known = yaml.safe_load((SOURCE / "ci/github/action.yml").read_text())["inputs"]
        document = yaml.safe_load(text)
        steps = document if isinstance(document, list) else [s for j in document["jobs"].values() for s in j["steps"]]
        return "".join(f"no input {name}\n" for step in steps for name in step.get("with", {}) if name not in known)

    def test_every_yaml_block_is_read(self):
        seen = 0
        for page in PAGES:
            for language, text, line in blocks(page):
                if language == "yaml":
                    with self.subTest(page=page.name, line=line):
                        self.assertEqual(self.read(text), "")
                        seen += 1
        self.assertGreater(seen, 8)

    def test_every_json_block_is_json(self):
        seen = 0
        for page in PAGES:
            for language, text, line in blocks(page):
                if language == "json":
                    with self.subTest(page=page.name, line=line):
                        json.loads(re.sub(r'{"…[^"]*"}', "{}", text))
                        seen += 1
        self.assertGreater(seen, 5)

    def test_example_files(self):
        for file in sorted((SOURCE / "config/examples").rglob("*.yaml")) + \
                sorted((SOURCE / "config/projects").glob("*/project.yaml")) + [SOURCE / "ci/github/example.yml"]:
            with self.subTest(file=file.name):
                self.assertEqual(self.read(file.read_text()), "")

    def test_action_inputs_are_told(self):
        action = yaml.safe_load((SOURCE / "ci/github/action.yml").read_text())
        section = (SOURCE / "docs/ci.md").read_text().split("## Jenkins")[0]
        rows = " ".join(re.findall(r"^\| (`.*?) \|", section, re.M))
        self.assertEqual(set(re.findall(r"`([a-z]+)`", rows)), set(action["inputs"]))
        self.assertEqual([o for o in action["outputs"] if f"`{o}`" not in section], [])


class Keys(Files):
    """docs/configure.md against the readers in config/."""

    def rows(self, title):
        """name of each key -> (default, meaning)"""
        text = (SOURCE / "docs/configure.md").read_text()
        text = re.search(rf"^## {title}.*?(?=^## |\Z)", text, re.M | re.S).group(0)
        found = {}
        for keys, default, meaning in re.findall(r"^\| (`.*?`) \| (.*?) \| (.*) \|$", text, re.M):
            prefix = ""
            for key in re.findall(r"`(.*?)`", keys):
                if key.startswith("."):
                    key = prefix + key
                prefix = key.rpartition(".")[0]
                found[key] = (default, meaning)
        return found

    def names(self, file, table=r"\w+"):
        """The keys that a reader's tables name."""
        text = (SOURCE / "config" / file).read_text()
        names = set()
        for body in re.findall(rf"model_member {table}\[\] = {{(.*?)}};", text, re.S):
            names |= set(re.findall(r'\bMODEL\w*\([\w,\s]*?"(\w+)"', body))
            names |= set(re.findall(r"\b(?:TEXTS|PATHS)\((?:\w+, )?(\w+)\)", body))
        self.assertTrue(names, f"this test cannot read {file} any more")
        return names

    def test_no_key_is_missing_or_made_up(self):
        mail, rule = self.names("notify.c", "mail_members"), self.names("notify.c", "notify_members")
        wanted = {"A project": self.names("project.c") | self.names("benchmark.c") | self.names("driver.c") | rule,
                  "The server": self.names("server.c") | mail, "A runner": self.names("runner.c")}
        for title, keys in wanted.items():
            told = {part.replace("[]", "") for key in self.rows(title) for part in re.split(r"[.…]", key) if part}
            self.assertEqual(keys - told, set(), title)
            self.assertEqual(told - keys, set(), title)

    def longest(self, schema, path=""):
        """Each key whose text or list must end somewhere, and where."""
        for name, one in schema.get("properties", {}).items():
            for part in one.get("anyOf", [one]):
                key, inside = f"{path}{name}", part.get("items", part)
                if part.keys() & {"maxLength", "maxItems"}:
                    yield key, part.get("maxLength", part.get("maxItems"))
                yield from self.longest(inside, key + (".", "[].")["items" in part])

    def test_longest_texts_and_lists_are_told(self):
        page = (SOURCE / "docs/configure.md").read_text()
        [usual] = re.findall(r"list has at most (\d+) entries where the table says no other number", page)
        rows = self.rows("A project")
        bounds = list(self.longest(json.loads(run("moowatch", "project", "schema")[1])))
        for key, most in bounds:
            with self.subTest(key=key, most=most):
                _, meaning = rows[re.sub(r"^benchmark\.(?=configurations\[)", "…", key)]
                self.assertTrue(re.search(rf"\b{most}\b", meaning) or str(most) == usual, meaning)
        self.assertGreater(len(bounds), 20)

    PROBE = 9999999999999999999  # beyond every bound, within what the reader takes for a number
    DYNAMIC = {"benchmark.warmup_calls", "detection.minimum_loops", "…configurations[].total_calls",
               "…configurations[].warmup_calls", "…configurations[].index", "notify[].app_id", "notify[].installation_id"}

    def probe(self, title, key):
        """What the program says to a number that is too large for the key: its bounds and its default."""
        *path, last = re.sub("…", "benchmark.", key).split(".")
        if title != "A project":
            base = {"The server": {"data_dir": "data"},
                    "A runner": {"server": "http://x", "token_file": "t", "work_dir": "w"}}[title]
            base |= {path[0]: {last: self.PROBE}} if path else {last: self.PROBE}
            return {"The server": self.server, "A runner": self.runner}[title](yaml.safe_dump(base))
        configuration = {"name": "none", "portion": "T"}
        benchmark = {"driver": "native", "configurations": [configuration]}
        rule = {"via": "github-check", "repository": "o/n", "secret_file": "s"}
        base = {"name": "example", "repository": "/example", "benchmark": benchmark}
        if key.startswith("benchmark.read."):
            benchmark |= {"driver": "command", "read": {"pattern": "(?<value>[0-9]+)", "unit": "ns"}}
            configuration["command"] = ["./bench"]
        if key.startswith("benchmark.artifact_"):
            benchmark["artifact"] = "a"
        if key.startswith("notify[]."):
            base["notify"] = [rule]
        place = base
        for part in path:
            name = part.replace("[]", "")
            place = place.setdefault(name, {})
            place = place[0] if part.endswith("[]") else place
        place[last] = self.PROBE
        return self.project(yaml.safe_dump(base))

    @staticmethod
    def number(text):
        """The number that a text begins with: 8 MiB, 10⁹, 0.95; None when there is none."""
        units = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
        power = re.match("10([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", text)
        if power:
            return 10 ** int(power.group(1).translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")))
        found = re.match(r"([0-9]+(?:\.[0-9]+)?)(?: ([KMGT]iB))?", text)
        return float(found.group(1)) * units.get(found.group(2), 1) if found else None

    def test_defaults_and_bounds_are_those_of_the_programs(self):
        checked = 0
        for title in ("A project", "The server", "A runner"):
            for key, (default, meaning) in self.rows(title).items():
                said = re.search(r"between (\S+) and (\S+); the default is (\S+)", self.probe(title, key))
                if said is None or key in self.DYNAMIC:
                    continue
                with self.subTest(key=key):
                    low, high, left_out = (float(word) for word in said.groups())
                    told = re.search(r"([0-9.]+(?: [KMGT]iB)?) … (10[⁰-⁹¹²³]+|[0-9.]+(?: [KMGT]iB)?)", meaning)
                    self.assertIsNotNone(told, f"{key}: bounds {low} … {high} are not told")
                    self.assertEqual((self.number(told.group(1)), self.number(told.group(2))), (low, high))
                    self.assertEqual(self.number(default), left_out)
                    checked += 1
        self.assertGreater(checked, 50)


def commands(page):
    """(program, command or None, options) of each call of our programs in a page's examples and inline code."""
    text = page.read_text()
    texts = [inside.replace("\\\n", " ") for language, inside, _ in blocks(page) if language in ("", "sh")]
    texts += re.findall(r"`(moowatch[^`]*)`", text)
    for line in "\n".join(texts).splitlines():
        for call in re.split(r"[|;]|&&", line.split("  #")[0]):
            words = re.sub(r"^.*(?<![\w/.-])(?=moowatch)", "", call).split()
            if words and words[0] in PROGRAMS:
                command = words[1] if len(words) > 1 and re.fullmatch("[a-z]+", words[1]) else None
                yield words[0], command, {o for word in words for o in re.findall(r"^\[?--([a-z][a-z-]*)", word)}


def anchors(page):
    """The places in a page that a link can lead to, as GitHub names them."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^#+ (.*)$", text, re.M)}


class Words(unittest.TestCase):
    def test_every_command_and_option_is_there(self):
        known, seen = {}, 0
        for page in PAGES:
            for program, command, options in commands(page):
                if (program, command) not in known:
                    known[program, command] = options_of(program, command)
                with self.subTest(page=page.name, program=program, command=command):
                    self.assertEqual(options - known[program, command], set())
                    seen += 1
        self.assertGreater(seen, 30)

    def test_every_link_leads_somewhere(self):
        seen = 0
        for page in PAGES:
            for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
                path, _, anchor = target.partition("#")
                if ":" in path:
                    continue
                with self.subTest(page=page.name, link=target):
                    other = (page.parent / path).resolve() if path else page
                    self.assertTrue(other.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(other))
                        seen += 1
        self.assertGreater(seen, 20)

    def test_every_path_is_there(self):
        folders = {child.name for child in SOURCE.iterdir() if child.is_dir()}
        parts = {child.name for child in (SOURCE / "server").iterdir() if child.is_dir()}
        seen = 0
        for page in PAGES:
            for path in re.findall(r"`([a-z_.]+/[\w./*-]*)[^`]*`", page.read_text()):
                first = path.split("/")[0]
                below = SOURCE if first in folders else SOURCE / "server"
                # data_dir and work_dir have folders of the same names as parts of the server
                if first in folders or (first in parts and page.name == "architecture.md"):
                    with self.subTest(page=page.name, path=path):
                        self.assertTrue(list(below.glob(path.rstrip("/"))), path)
                        seen += 1
        self.assertGreater(seen, 50)

    def test_every_verdict_of_a_page_is_explained(self):
        table = (SOURCE / "web/words/words.c").read_text().split("web_portion_words")[1].split("web_verdict_mark")[0]
        words = re.findall(r'\{"[a-z]+", (?:NULL|"[a-z-]+"), "([^"]+)"\}', table) + re.findall(r'return "([a-z ]+)"', table)
        self.assertGreater(len(words), 12)
        for file in ("docs/reading-charts.md", "web/pages/reading.html"):
            text = re.split("(?:## |<h2>)Verdicts", (SOURCE / file).read_text())[1]
            for word in words:
                with self.subTest(file=file, word=word):
                    self.assertIn(word, text)

    def test_manual_pages_name_every_option(self):
        page = (SOURCE / "ci/man/moowatch.1").read_text()
        listed = re.findall(r"^  ([a-z]+) ", run("moowatch", "--help")[1], re.M)
        self.assertGreaterEqual(len(listed), 18)
        for command in listed:
            program = "moowatchd" if command in ("token", "backup", "restore") else "moowatch"
            text = (SOURCE / "ci/man/moowatchd.8").read_text() if program == "moowatchd" else page
            for option in sorted(options_of(program, command) - {"help", "version"}):
                with self.subTest(command=command, option=option):
                    self.assertTrue(re.search(rf"(?:Fl|,) -{option}(?![\w-])", text), "is not in the manual page")

    def test_manual_pages_render(self):
        manuals = sorted((SOURCE / "ci/man").glob("*.[1-8]"))
        self.assertEqual(len(manuals), 3)
        for file in manuals:
            done = subprocess.run(["mandoc", "-Tlint", "-Wwarning", file], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.stdout, "")

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_completion_for_zsh(self):
        """The function with zsh's own helpers told aloud: what it would offer."""
        def offered(*words):
            script = """
                _describe() { print -l -- ${(P)@[-1]} }
                _files() { print FILES }
                _call_program() { shift; eval "$*" }
                complete() { words=("$@"); CURRENT=$#; PREFIX=${@[-1]}; source $FUNCTION }
                complete "$@" """
            done = subprocess.run(["zsh", "-f", "-c", script, "zsh", *map(str, words)], capture_output=True, text=True, timeout=60,
                                  env={**os.environ, "FUNCTION": str(SOURCE / "ci/completion/_moowatch")}, check=True)
            return {line.split(":")[0] for line in done.stdout.splitlines()}
        programs = {name: moowatch.BUILD / path for name, path in PROGRAMS.items()}
        listed = set(re.findall(r"^  ([a-z]+) ", run("moowatch", "--help")[1], re.M))
        self.assertEqual(offered(programs["moowatch"], ""), listed)
        self.assertEqual(offered(programs["moowatchd"], ""), {"token", "export", "import", "backup", "restore", "migrate", "storage", "site", "try", "notify"})
        self.assertEqual(offered(programs["moowatch-runner"], ""), {"doctor", "restore", "measure"})
        self.assertEqual(offered(programs["moowatch"], "gate", "--"), {f"--{o}" for o in options_of("moowatch", "gate")} - {"--version"})
        self.assertEqual(offered(programs["moowatchd"], "token", ""), {"add", "list", "revoke"})
        self.assertEqual(offered(programs["moowatch"], "analyze", "x"), {"FILES"})

    def test_completion_for_bash_knows_all_three(self):
        def offered(*words):
            script = (f"source {SOURCE}/ci/completion/moowatch.bash; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _moowatch; "
                      "printf '%s\\n' \"${COMPREPLY[@]}\"")
            return set(subprocess.run(["bash", "-c", script, "bash", *map(str, words)], capture_output=True, text=True,
                                      timeout=60, check=True).stdout.split())
        programs = {name: moowatch.BUILD / path for name, path in PROGRAMS.items()}
        self.assertEqual(offered(programs["moowatchd"], ""), {"token", "export", "import", "backup", "restore", "migrate", "storage", "site", "try", "notify"})
        self.assertEqual(offered(programs["moowatchd"], "--w"), {"--with-runner"})
        self.assertEqual(offered(programs["moowatchd"], "backup", "--t"), {"--to"})
        self.assertEqual(offered(programs["moowatch-runner"], ""), {"doctor", "restore", "measure"})
        self.assertEqual(offered(programs["moowatch-runner"], "--config", "x", "--on"), {"--once"})


class Contract(unittest.TestCase):
    """docs/api.md against server/openapi.yaml, which every answer is held against; lines of logs against the sources."""
    OTHERS = {"/metrics", "/healthz", "/readyz"}  # told as pages
    OTHER_PAGES = ("protocol.md", "explain.md", "export.md", "runner.md")  # that api.md refers to
    TOLD_BY_IT = {"Problem", "PullRequest", "Sweep", "Fitted", "Flame", "NightColumns"}  # by the contract alone

    @classmethod
    def setUpClass(cls):
        cls.contract = yaml.safe_load((SOURCE / "server/openapi.yaml").read_text())
        cls.text = (SOURCE / "docs/api.md").read_text()
        cls.pages = cls.text + "".join((SOURCE / "docs" / page).read_text() for page in cls.OTHER_PAGES)

    @staticmethod
    def shape(path):
        path = re.sub(r"\{[^}]*\}", "{}", path.split("?")[0])
        return re.sub(r"^/(charts|flames/\{\})/\{\}.*", r"/\1/{}", path)

    def test_every_call_is_told(self):
        told = {self.shape(path) for path in re.findall(r"(?:GET|POST|PUT|DELETE) (/[^\s`]*)", self.pages) if "NAME" not in path}
        tails = {self.shape(path) for path in re.findall(r"`(?:[A-Z]+ )?…(/[^\s`]*)`", self.text)}
        known = {self.shape(path) for path in self.contract["paths"]}
        self.assertEqual(told - known, set(), "told, and not there")
        self.assertEqual({path for path in known - told - self.OTHERS if not any(path.endswith(tail) for tail in tails)
                          and path.replace(".json", ".svg") not in told}, set(), "there, and not told")

    def properties(self, schema):
        """The names of all members that a schema gives, of what it refers to none."""
        if isinstance(schema, list):
            return set().union(*map(self.properties, schema))
        if not isinstance(schema, dict):
            return set()
        inside = {name for name, value in schema.get("properties", {}).items() if isinstance(value, dict)}
        return inside.union(*map(self.properties, schema.values()))

    def test_every_member_is_told(self):
        for name, schema in self.contract["components"]["schemas"].items():
            with self.subTest(schema=name):
                missing = {member for member in self.properties(schema) if f'"{member}"' not in self.pages and f"`{member}`" not in self.pages}
                self.assertEqual(missing if name not in self.TOLD_BY_IT else set(), set())

    def members(self, value):
        if isinstance(value, list):
            return set().union(*map(self.members, value))
        return set(value).union(*map(self.members, value.values())) if isinstance(value, dict) else set()

    def test_every_member_told_is_there(self):
        files = [SOURCE / "server/openapi.yaml", *(SOURCE / "config/model").glob("*.c"), *(SOURCE / "web/static").glob("*.js")]
        known, seen = {word for file in files for word in re.findall(r"\w+", file.read_text())}, 0
        for language, text, line in blocks(SOURCE / "docs/api.md"):
            if language == "json":
                with self.subTest(line=line):
                    told = self.members(json.loads(re.sub(r'{"…[^"]*"}', "{}", text)))
                    self.assertEqual({member for member in told if "…" not in member} - known, set())
                    seen += len(told)
        self.assertGreater(seen, 100)

    def test_every_line_of_a_log_is_written(self):
        sources = [file.read_text() for room in ("server", "runner") for file in (SOURCE / room).rglob("*.c")]
        seen = 0
        for page in PAGES:
            for component, event in re.findall(r"`(?:debug|info|warning|error) (\w+) (\w+)", page.read_text()):
                with self.subTest(page=page.name, line=f"{component} {event}"):
                    self.assertTrue([text for text in sources if f'"{component}"' in text and f'"{event}"' in text])
                    seen += 1
        self.assertGreater(seen, 10)

    @staticmethod
    def tables(page):
        """The lines of each table."""
        text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
        return [table.splitlines() for table in re.findall(r"(?:^\|.*\n)+", text, re.M)]

    def test_every_table_has_a_head(self):
        for page in PAGES:
            for table in self.tables(page):
                with self.subTest(page=page.name, table=table[0]):
                    self.assertRegex(table[1] if len(table) > 1 else "", r"^\|[-:| ]+\|$")

    def test_every_test_that_is_named_is_there(self):
        """The last column of a table that is headed so: a/b of unit tests, or the name of one of integration."""
        seen = 0
        for page in PAGES:
            for line in [line for table in self.tables(page) if table[0].endswith("| test |") for line in table[2:]]:
                for name in line.strip("| ").split("|")[-1].split(","):
                    folder, _, noun = name.strip().rpartition("/")
                    noun = noun.removeprefix("test_")
                    if "`" in name:
                        continue  # a path, which another test looks at
                    with self.subTest(page=page.name, test=name):
                        self.assertTrue([*(SOURCE / "tests").glob(f"unit/**/{folder}/test_{noun}.c" if folder else f"**/test_{noun}.*")])
                        seen += 1
        self.assertGreater(seen, 50)


class Shell(made_up.Nights):
    """The examples for a shell, as they stand, with this server's address for the one in the text."""
    @classmethod
    def setUpClass(cls):
        cls.service = moowatch.Service(settings={"poll_seconds": 3600})
        cls.repository = moowatch.Repository(cls.service.folder / "repository")
        today = moowatch.today()
        days = [today - datetime.timedelta(days=n) for n in range(4, 0, -1)]
        for day in days:
            cls.repository.commit(f"night {day}", str(day), {"a": str(day)})
        cls.service.project("demo", f"name: demo\nrepository: {cls.repository.path}\nsince: {days[0]}\n" + made_up.BENCHMARK)
        cls.service.start()
        cls.service.wait(lambda: cls.service.get("/api/v1/status")["queue"]["queued"] == 4, "four jobs")
        cls.runner = cls.token("runner")
        for _ in range(4):
            cls.measure((100, 300, 1000, 2500))
        cls.secret = cls.token("run")

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()

    def example(self, page, *words):
        """The shell block of a page that has these words."""
        [text] = [text for language, text, _ in blocks(SOURCE / "docs" / page)
                  if language in ("", "sh") and all(word in text for word in words)]
        return text

    def shell(self, text, replacements, folder=None):
        for before, after in replacements.items():
            self.assertIn(before, text)
            text = text.replace(before, str(after))
        folders = ":".join(str((moowatch.BUILD / program).parent) for program in PROGRAMS.values())
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=folder or self.repository.path, capture_output=True,
                              text=True, timeout=120, stdin=subprocess.DEVNULL,
                              env={**os.environ, "PATH": f"{folders}:{os.environ['PATH']}", "MOOWATCH_SERVER": self.service.url,
                                   "MOOWATCH_TOKEN": self.secret, "URL": self.service.url, "TOKEN": self.secret,
                                   "COMMIT": self.repository._git("rev-parse", "HEAD")})
        self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}{done.stderr}")
        return done.stdout

    def test_artifact(self):
        (self.repository.path / "agent.jar").write_text("built")
        out = self.shell(self.example("api.md", "curl", "agent.jar"), {"PROJECT": "demo"})
        self.assertEqual(json.loads(out)["sha256"], hashlib.sha256(b"built").hexdigest())

    def test_note(self):
        self.assertIn("note", json.loads(self.shell(self.example("api.md", "curl", "JDK updated"), {"PROJECT": "demo"})))

    def test_taking_a_node_out(self):
        [text] = re.findall(r"`(curl -X POST [^`]*)`", (SOURCE / "docs/operate.md").read_text())
        out = self.shell(text, {"blade1": "n"})
        self.assertIn("run: new kernel", out)
        self.shell(text, {"blade1": "n", '"paused": true': '"paused": false'})

    def test_pipeline(self):
        asked = threading.Thread(target=self.measure, args=((100, 300, 1000, 2500),))
        asked.start()
        folder = self.service.folder / "pipeline"
        folder.mkdir()
        self.shell(self.example("ci.md", "export MOOWATCH_SERVER"), {
            "https://overhead.example.org": self.service.url, "MOOWATCH_TOKEN=…": f"MOOWATCH_TOKEN={self.secret}",
            "kieker-java": "demo"}, folder)
        asked.join()
        self.assertEqual(sorted(file.name for file in folder.iterdir()), ["overhead.xml", "summary.md"])

    def test_without_a_server(self):
        folder = self.service.folder / "plain"
        for name in ("last-release/results", "this-release/results"):
            test_cli.result(folder / name)
        with zipfile.ZipFile(folder / "results.zip", "w") as archive:
            for file in (folder / "last-release/results").iterdir():
                archive.write(file, file.name)
        out = self.shell(self.example("ci.md", "moowatch analyze"), {}, folder)
        self.assertIn("nothing changed", out.lower())
        self.assertTrue((folder / "night.svg").exists() and (folder / "overhead.xml").exists())

    def test_tokens_and_backup(self):
        out = self.shell(self.example("operate.md", "token add"), {}, self.service.folder)
        self.assertIn("blade1", out)
        text = self.example("operate.md", "moowatchd backup")
        elsewhere = self.service.folder / "elsewhere.yaml"
        elsewhere.write_text("data_dir: elsewhere\n")
        out = self.shell(text, {"/backup/moowatch": self.service.folder / "copy",
                                "restore --config moowatchd.yaml": f"restore --config {elsewhere}"}, self.service.folder)
        self.assertTrue((self.service.folder / "elsewhere/moowatch.db").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
