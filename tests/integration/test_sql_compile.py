"""What server/store/sql/compile makes of statements, and what it refuses, with the file and line."""
import pathlib
import subprocess
import tempfile
import unittest

COMPILE = pathlib.Path(__file__).resolve().parents[2] / "server" / "store" / "sql" / "compile"
ABOUT = "-- What a room asks.\n\n"
GOOD = ABOUT + """-- Is p one of two?
-- {one_of a b}
p.id IN (:a, :b)

-- It has a reason.
-- first(it)
SELECT p.name AS "name?" FROM p
    WHERE {one_of $1 7} AND x=$2

-- Many of them.
-- many(k)
SELECT id FROM p WHERE id IN {keys}
"""
REFUSED = {
    "a name twice": ("-- Why.\n-- a(i)\nSELECT $1\n\n-- Why.\n-- a(i)\nSELECT $1\n", 9, "two of a"),
    "no reason": ("-- a(i)\nSELECT $1\n", 4, "says why it is asked"),
    "no name": ("-- Why.\nSELECT 1\n", 4, "no line that names it"),
    "no text": ("-- Why.\n-- a(i)\n", 4, "has no text"),
    "too few letters": ("-- Why.\n-- a(i)\nSELECT $1, $2\n", 5, "names 1 parameters and has 2"),
    "an unknown fragment": ("-- Why.\n-- a()\nSELECT {b}\n", 5, "there is no fragment {b}"),
    "a fragment without its words": ("-- Why.\n-- {b x}\n:x\n\n-- Why.\n-- a()\nSELECT {b}\n", 9, "takes 1 words"),
    "a fragment that nobody takes": ("-- Why.\n-- {b}\n1\n\n-- Why.\n-- a()\nSELECT 1\n", 6, "nobody takes {b}"),
    "a fragment in itself": ("-- Why.\n-- {b}\n{b}\n\n-- Why.\n-- a()\nSELECT {b}\n", 9, "stands in itself"),
    "a semicolon": ("-- Why.\n-- a()\nSELECT 1;\n", 5, "no semicolon"),
    "a comment in the text": ("-- Why.\n-- a()\nSELECT 1 -- one\n", 5, "above the text"),
}


class Compile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compile(self, text):
        (self.folder / "room.sql").write_text(text)
        return subprocess.run([COMPILE, self.folder / "out", self.folder / "room.sql"], capture_output=True, text=True,
                              check=False)

    def test_statements_become_constants(self):
        done = self.compile(GOOD)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        header = (self.folder / "out/sql/room.h").read_text()
        self.assertIn("extern const srv_sql srv_sql_first;", header)
        self.assertIn("extern const srv_sql srv_sql_many;", header)
        texts = (self.folder / "out/sql_texts.c").read_text()
        self.assertIn('{"first", "it",', texts)
        self.assertIn(r'"SELECT p.name AS \"name?\" FROM p\n"', texts)
        self.assertIn('"WHERE p.id IN ($1, 7) AND x=$2"', texts)
        self.assertIn('{"many", "%s",' % ("i" * 64), texts)
        self.assertIn("$63,$64)", texts)

    def test_a_header_whose_names_stay_is_not_touched(self):
        self.compile(GOOD)
        header = self.folder / "out/sql/room.h"
        before = header.stat().st_mtime_ns
        self.assertEqual(self.compile(GOOD.replace("x=$2", "y=$2")).returncode, 0)
        self.assertEqual(header.stat().st_mtime_ns, before)
        self.assertIn("y=$2", (self.folder / "out/sql_texts.c").read_text())

    def test_what_is_wrong_is_told_with_its_place(self):
        for name, (text, line, reason) in REFUSED.items():
            with self.subTest(name):
                done = self.compile(ABOUT + text)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(reason, done.stderr)
                self.assertIn(f"room.sql:{line}: ", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
