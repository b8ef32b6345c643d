"""Result folders and archives that are not what they should be."""
import json
import os
import shutil
import subprocess
import unittest
import zipfile

from cli_case import BUILD, moowatch, result, Temporary


class BadResults(Temporary):
    def refuse(self, path, *words, extra=()):
        _, err = moowatch("analyze", path, *extra, expect=3)
        for word in words:
            self.assertIn(word, err)
        self.assertEqual(len(err.splitlines()), 1, err)

    def archive(self, entries):
        path = self.folder / "x.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in entries.items():
                archive.writestr(name, data)
        return path

    def test_nothing_there(self):
        self.refuse(self.folder / "missing", "no such file")
        self.refuse(self.folder, "no raw-<loop>-<depth>-<configuration>.csv")

    def test_a_loop_is_missing(self):
        result(self.folder / "a")
        (self.folder / "a" / "raw-3-10-2.csv").unlink()
        self.refuse(self.folder / "a", "raw-3-10-2.csv is missing", "--allow-missing")
        night = json.loads(moowatch("analyze", self.folder / "a", "--allow-missing", "--json")[0])
        self.assertEqual(night["configurations"][2]["loops"], 3)
        self.assertEqual(night["portions"][3]["method"], "Welch t")

    def test_mixed_depths(self):
        result(self.folder / "a")
        result(self.folder / "a", depth=5)
        self.refuse(self.folder / "a", "(5, 10)", "--depth")
        moowatch("analyze", self.folder / "a", "--depth", 5)
        self.refuse(self.folder / "a", "depth 7", extra=("--depth", 7))

    def test_two_label_files(self):
        result(self.folder / "f" / "results")
        (self.folder / "f" / "labels.sh").write_text('TITLE[0]="Another"\n')
        self.refuse(self.folder / "f" / "results", "two label files", "--labels")
        moowatch("analyze", self.folder / "f" / "results", "--labels", self.folder / "f" / "labels.sh")

    def test_the_same_loop_twice(self):
        path = self.archive({"a/raw-1-10-0.csv": "1;2\n1;2\n", "b/raw-1-10-0.csv": "1;2\n1;2\n"})
        self.refuse(path, "two files for loop 1")

    def test_a_broken_line_is_named(self):
        result(self.folder / "a")
        file = self.folder / "a" / "raw-2-10-1.csv"
        file.write_text(file.read_text().replace("15;", "15,", 1))
        self.refuse(self.folder / "a", "raw-2-10-1.csv:1:3", "comma")

    def test_whatever_is_wrong_in_a_raw_file_is_named(self):
        """Each in the second loop's file, in both layouts, in a folder and in a zip."""
        def time_of_line_30(text):
            return lambda lines: lines[:29] + [";".join([lines[29].split(";")[0], text, *lines[29].split(";")[2:]])] + \
                lines[30:]
        cases = {
            "empty": (lambda lines: [], ":1:1", "empty"),
            "not a number": (time_of_line_30("NaN"), ":30:4", "'N'"),
            "infinite": (time_of_line_30("inf"), ":30:4", "'i'"),
            "negative": (time_of_line_30("-5"), ":30:4", "negative"),
            "overflowed counter": (time_of_line_30("18446744073709551615"), ":30:20", "overflowed"),
            "a fraction": (time_of_line_30("1.5"), ":30:5", "decimal point"),
            "scientific": (time_of_line_30("1E9"), ":30:5", "'E'"),
            "no time": (time_of_line_30(""), ":30:4", "empty column"),
            "CRLF": (lambda lines: [line + "\r" for line in lines], ":1:", "carriage return"),
            "cut inside a line": (lambda lines: [*lines[:-1], lines[-1][:4]], f":{400}:5", "no line end"),
            "NUL byte": (lambda lines: [*lines[:19], "\0" + lines[19], *lines[20:]], ":20:1", "NUL"),
            "commas": (lambda lines: [line.replace(";", ",") for line in lines], ":1:3", "comma"),
            "tabulators": (lambda lines: [line.replace(";", "\t") for line in lines], ":1:3", "tabulator"),
            "header": (lambda lines: ["thread;ns", *lines], ":1:1", "header"),
            "byte order mark": (lambda lines: ["\ufeff" + lines[0], *lines[1:]], ":1:1", "byte order mark"),
            "blank line": (lambda lines: [*lines, ""], ":401:1", "empty line"),
            "other columns": (lambda lines: [*lines, "15;3" if lines[0].count(";") == 3 else "15;3;4;5"], ":401:",
                              "the lines before it"),
            "three columns": (lambda lines: [";".join(line.split(";")[:2]) + ";1" for line in lines], ":1:", "3 columns"),
            "one column": (lambda lines: [line.split(";")[0] for line in lines], ":1:3", "1 columns"),
            "shorter than the others": (lambda lines: lines[:150], "", "150 calls, but 400 in"),
        }
        for columns in (2, 4):
            folder = result(self.folder / str(columns), columns=columns)
            file = folder / "raw-2-10-1.csv"
            good = file.read_text()
            for name, (damage, place, word) in cases.items():
                with self.subTest(name, columns=columns):
                    lines = damage(good.splitlines())
                    end = "" if name == "cut inside a line" else "\n" if lines else ""
                    file.write_bytes(("\n".join(lines) + end).encode())
                    self.refuse(folder, f"raw-2-10-1.csv{place}", word)
                    with zipfile.ZipFile(self.folder / "y.zip", "w") as archive:
                        for path in folder.glob("raw-*"):
                            archive.write(path, path.name)
                    self.refuse(self.folder / "y.zip", "raw-2-10-1.csv", word)
            file.write_text(good)
            shutil.copy(file, folder / "raw-02-10-1.csv")
            self.refuse(folder, "two files for loop 2", "raw-02-10-1.csv")

    def test_a_loop_cut_short_may_be_allowed(self):
        folder = result(self.folder / "a")
        file = folder / "raw-2-10-1.csv"
        file.write_text("".join(file.read_text().splitlines(True)[:150]))
        self.refuse(folder, "--allow-missing")
        out, _ = moowatch("analyze", folder, "--allow-missing")
        self.assertIn("75 to 200 calls kept of each loop (75 to 200 dropped)", out)

    def test_a_line_without_end_costs_neither_time_nor_memory(self):
        folder = result(self.folder / "a")
        with open(folder / "raw-2-10-1.csv", "r+b") as file:
            file.seek(0, os.SEEK_END)
            size = file.tell()
            file.write(b"15;")
            file.truncate(size + (1 << 30))
        with subprocess.Popen([BUILD / "ci" / "moowatch", "analyze", folder], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as child:
            err = child.stderr.read()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, 3)
        self.assertIn("raw-2-10-1.csv:401:4: a NUL byte", err)
        self.assertLess(usage.ru_maxrss, 300 * 1024, "KB")

    def test_odd_but_right(self):
        """One loop, one call, equal calls, a call of a second, threads that take turns: numbers, and the right ones."""
        def night(name, text, loops=2, extra=()):
            for loop in range(1, loops + 1):
                (self.folder / name).mkdir(exist_ok=True)
                (self.folder / name / f"raw-{loop}-10-0.csv").write_text(text)
            return json.loads(moowatch("analyze", self.folder / name, "--json", *extra)[0])
        for tail in ("", ";1000;0"):
            one = night("one" + tail[:1], f"15;70{tail}\n" * 4, loops=1)
            self.assertIsNone(one["portions"][0]["low_ns"])
            self.assertIn("One loop has no interval", moowatch("analyze", self.folder / ("one" + tail[:1]))[0])
            call = night("call" + tail[:1], f"15;70{tail}\n")
            self.assertEqual(call["configurations"][0]["statistics"]["n"], 2)
            self.assertEqual(call["portions"][0]["mean_ns"], 70)
            equal = night("equal" + tail[:1], f"15;70{tail}\n" * 100)["configurations"][0]
            self.assertEqual((equal["mean_ns"], equal["statistics"]["sd_ns"], equal["low_ns"]), (70, 0, 70))
            outlier = night("outlier" + tail[:1], f"15;70{tail}\n" * 3 + f"15;1000000000{tail}\n")["configurations"][0]
            self.assertEqual((outlier["statistics"]["max_ns"], outlier["mean_ns"]), (1e9, 500000035))
            turns = night("turns" + tail[:1], "".join(f"{15 + i % 2};{100 * (i % 2) + i // 50}{tail}\n" for i in range(100)))
            self.assertEqual(turns["configurations"][0]["mean_ns"], 51, "the second half of each thread's")
        whole = result(self.folder / "none")
        for loop in range(1, 5):
            (whole / f"raw-{loop}-10-0.csv").unlink()
        portions = json.loads(moowatch("analyze", whole, "--json")[0])["portions"]
        self.assertEqual([p["portion"] for p in portions], ["T+I", "C", "W"], "T alone was not measured")

    def test_zip_pointing_outside(self):
        for name in ("../raw-1-10-0.csv", "/raw-1-10-0.csv", "a/../../raw-1-10-0.csv", "C:raw-1-10-0.csv"):
            self.refuse(self.archive({name: "1;2\n1;2\n"}), "points out of the archive")

    def test_zip_bomb(self):
        self.refuse(self.archive({"raw-1-10-0.csv": b"1;2\n" * (16 << 20)}), "zip bomb")

    def test_damaged_zip(self):
        path = self.archive({"raw-1-10-0.csv": "1;23\n" * 1000})
        data = bytearray(path.read_bytes())
        data[45:60] = bytes(15)
        path.write_bytes(data)
        self.refuse(path, "x.zip")
        path.write_bytes(bytes(data[:100]))
        self.refuse(path, "give a folder of raw files")
        path.write_bytes(b"no zip at all")
        self.refuse(path, "give a folder of raw files")


if __name__ == "__main__":
    unittest.main()
