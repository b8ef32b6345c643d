"""A database of before: alerts keep their addresses, answers and searches, and nothing is lost on the way."""
import json
import re
import sqlite3
import subprocess
import unittest

import moowatch

RELEASED = moowatch.SOURCE / "tests" / "integration" / "released_schemas.sql"
APPLICATION_ID = 0x6D6F6F77


def statements(version):
    """The SQL texts of one version, as it was released."""
    return re.search(rf"^-- step {version}\n(.*?)(?=^-- step|\Z)", RELEASED.read_text(), re.S | re.M).group(1)


ROWS = """
INSERT INTO benchmark VALUES(1, 'h', 'i', '{"loops":3,"configurations":[{"name":"none","label":"none","portion":"T"},
 {"name":"probe","label":"probe","portion":"I","parent":"none"}]}');
INSERT INTO project(id, name, title, repository, branch, enabled, benchmark_id, detection)
 VALUES(1, 'old', 'Old', 'file:///nowhere', 'main', 0, 1,
 '{"confidence":0.95,"minimum_loops":2,"baseline_nights":30,"minimum_effect_percent":5,"minimum_effect_ns":1,
 "ageing_days":12,"node_labels":["quiet","x86","quiet"]}');
INSERT INTO revision(id, project_id, sha, author, author_email, time_ms, subject)
 VALUES(1, 1, 'aa', 'Ada', 'a@b', 1000, 'one'), (2, 1, 'bb', 'Ada', 'a@b', 2000, 'two');
INSERT INTO environment VALUES(1, 'e', '{}');
INSERT INTO series(id, project_id, branch, identity, environment_id) VALUES(1, 1, 'main', 'i', 1);
INSERT INTO job(id, project_id, revision_id, benchmark_id, branch, kind, priority, night, state, queued_ms)
 VALUES(1, 1, 1, 1, 'main', 'nightly', 20, '2024-01-01', 'done', 1),
 (2, 1, 2, 1, 'main', 'nightly', 20, '2024-01-02', 'done', 1);
INSERT INTO experiment(id, project_id, job_id, revision_id, benchmark_id, environment_id, series_id, kind, night,
 time_ms, state, loops) VALUES(1, 1, 1, 1, 1, 1, 1, 'nightly', '2024-01-01', 1000, 'measured', 3),
 (2, 1, 2, 2, 1, 1, 1, 'nightly', '2024-01-02', 2000, 'measured', 3);
INSERT INTO configuration(experiment_id, ordinal, name, label, loops, mean_ns, median_ns, n)
 VALUES(2, 0, 'none', 'none', 3, 10, 9, 30), (2, 1, 'probe', 'probe', 3, 30, 25, 30);
INSERT INTO portion(experiment_id, ordinal, portion, configuration, parent, mean_ns, verdict, reason)
 VALUES(2, 0, 'T', 'none', NULL, 10, 'ok', ''), (2, 1, 'I', 'probe', 'none', 20, 'anomaly', 'it rose');
INSERT INTO alert(id, project_id, series_id, portion, configuration, direction, state, from_experiment, to_experiment,
 seen_experiment, raised_ms, before_mean_ns, after_mean_ns, difference_mean_ns, difference_percent, reason)
 VALUES(7, 1, 1, 'I', 'probe', 'up', 'fixed', 1, 2, 2, 5, 10, 20, 10, 100, 'it rose'),
 (8, 1, 1, 'I', 'probe', 'down', 'open', 1, 2, 2, 6, 20, 10, -10, -50, 'it fell');
UPDATE alert SET fixed_by=8 WHERE id=7;
INSERT INTO alert_audit(alert_id, at_ms, old_state, new_state, author, reason) VALUES(7, 9, 'open', 'fixed', 'ada', 'so');
INSERT INTO bisection(alert_id, old_id, state, low, high, started_ms) VALUES(7, 1, 'found', -1, 0, 7);
INSERT INTO bisection_commit VALUES(1, 0, 2, 'new', NULL);
"""


class Upgrade(unittest.TestCase):
    @staticmethod
    def of_version(number, service, rows):
        """The path of a data_dir's database, as that version left it."""
        (service.folder / "data").mkdir()
        path = service.folder / "data" / "moowatch.db"
        with sqlite3.connect(path) as db:
            for version in range(1, number + 1):
                db.executescript(statements(version))
            db.executescript(rows)
            db.execute(f"PRAGMA application_id={APPLICATION_ID}")
            db.execute(f"PRAGMA user_version={number}")
        db.close()
        return path

    @staticmethod
    def shape(path):
        """What a database's tables look like: columns (without their order) and indexes."""
        with sqlite3.connect(path) as db:
            tables = [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type='table' ORDER BY name")]
            shape = {table: (sorted(row[1:] for row in db.execute(f"PRAGMA table_info({table})")),
                             sorted(row[2:] for row in db.execute(f"PRAGMA foreign_key_list({table})")),
                             sorted(row[2:] for row in db.execute(f"PRAGMA index_list({table})")))
                     for table in tables}
            indexes = db.execute("SELECT name, sql FROM sqlite_schema WHERE type='index' AND sql IS NOT NULL").fetchall()
        db.close()
        return shape, sorted(indexes)

    @staticmethod
    def version(path):
        with sqlite3.connect(path) as db:
            number = db.execute("PRAGMA user_version").fetchone()[0]
        db.close()
        return number

    def test_a_backup_of_before_is_that_version_and_is_taken_in_by_this_one(self):
        with moowatch.Service() as service:
            path = self.of_version(5, service, ROWS)
            config = service.folder / "moowatchd.yaml"
            config.write_text("data_dir: data\nport: 0\n")
            copy = service.folder / "copy"

            def command(*words):
                done = subprocess.run([moowatch.BUILD / "server" / "moowatchd", *words, "--config", config],
                                      capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 0, done.stderr)
            command("backup", "--to", copy)
            [made] = copy.glob("000001-*")
            self.assertEqual((self.version(path), self.version(made / "moowatch.db")), (5, 5))
            (service.folder / "data").rename(service.folder / "old")
            command("restore", "--from", copy)
            self.assertEqual(self.version(path), 5)
            service.start()
            self.assertEqual(service.get("/api/v1/alerts/7")["fixed_by"], 8)
            service.stop()
            self.assertGreater(self.version(path), 5)

    def test_from_version_5(self):
        with moowatch.Service() as service:
            path = self.of_version(5, service, ROWS)
            service.start()
            old, new = service.get("/api/v1/alerts/7"), service.get("/api/v1/alerts/8")
            self.assertEqual((old["state"], old["fixed_by"], old["portion"]), ("fixed", 8, "I"))
            self.assertEqual([(p["configuration"], p["direction"], p["difference"]["mean_ns"], p["fixed_by"])
                              for p in old["portions"]], [("probe", "up", 10, 8)])
            self.assertEqual([a["author"] for a in old["audit"]], ["ada"])
            self.assertEqual(old["bisection"]["culprit"]["sha"], "bb")
            self.assertEqual(new["portions"][0]["direction"], "down")
            night = service.get("/api/v1/projects/old/nights")["items"][0]
            self.assertEqual([p["median_ns"] for p in night["portions"]], [9, 16])
            self.assertEqual([p["median_low_ns"] for p in night["portions"]], [None, None])
            self.assertIsNone(night["release"])
            service.stop()
            with sqlite3.connect(path) as db:
                self.assertEqual(db.execute("PRAGMA foreign_key_check").fetchall(), [])
                self.assertEqual(db.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
                with self.assertRaises(sqlite3.IntegrityError):
                    db.execute("PRAGMA foreign_keys=ON")
                    db.execute("DELETE FROM alert WHERE id=7")
            db.close()

    def test_from_every_version_to_the_same_tables(self):
        with moowatch.Service() as service:
            service.start()
            service.stop()
            new = self.shape(service.folder / "data" / "moowatch.db")
        for number in range(1, 8):
            with self.subTest(version=number), moowatch.Service() as service:
                path = self.of_version(number, service, "")
                service.start()
                service.stop()
                self.assertEqual(self.shape(path), new)

    def test_what_is_asked_for_gets_columns_and_rows(self):
        nodes = """INSERT INTO node(name, version, labels, seen_ms, can) VALUES
            ('a', '1', '["quiet","x86","quiet"]', 1, '["confirmation","artifact"]'),
            ('b', '1', '[]', 1, '["artifact"]'), ('c', '1', '["quiet"]', 1, '[]');"""
        with moowatch.Service() as service:
            path = self.of_version(5, service, ROWS + nodes)
            service.start()
            service.stop()
            with sqlite3.connect(path) as db:
                def rows(sql):
                    return db.execute(sql).fetchall()
                self.assertEqual(rows("SELECT name, ageing_days FROM project"), [("old", 12)])
                self.assertEqual(rows("SELECT project_id, label FROM project_label ORDER BY label"),
                                 [(1, "quiet"), (1, "x86")])
                self.assertEqual(rows("SELECT node, label FROM node_label ORDER BY node, label"),
                                 [("a", "quiet"), ("a", "x86"), ("c", "quiet")])
                self.assertEqual(rows("SELECT name, can_confirm, can_artifact FROM node ORDER BY name"),
                                 [("a", 1, 1), ("b", 0, 1), ("c", 0, 0)])
            db.close()

    def test_the_commits_of_a_trial_are_before_and_after(self):
        trials = """INSERT INTO job(id, project_id, revision_id, against_id, benchmark_id, branch, kind, priority, night, state,
             queued_ms) VALUES(3, 1, 2, 1, 1, 'main', 'bisection', 5, '2024-01-02', 'done', 1);
            INSERT INTO trial(id, kind, project_id, series_id, revision_id, against_id, experiment_id, node, state, started_ms)
             VALUES(1, 'bisection', 1, 1, 2, 1, 2, 'a', 'done', 1);
            INSERT INTO trial_loop(trial_id, job_id, place, configuration, side, loop, position, used)
             VALUES(1, 3, 0, 'none', 1, 1, 0, 1);
            INSERT INTO revision(id, project_id, sha, author, author_email, time_ms, subject)
             VALUES(3, 1, 'cc', 'Ada', 'a@b', 3000, 'three'), (4, 1, 'dd', 'Ada', 'a@b', 4000, 'four');
            INSERT INTO bisection_commit VALUES(1, 1, 3, 'old', NULL), (1, 2, 4, 'unknown', NULL);"""
        with moowatch.Service() as service:
            path = self.of_version(5, service, ROWS + trials)
            service.start()
            service.stop()
            with sqlite3.connect(path) as db:
                def rows(sql):
                    return db.execute(sql).fetchall()
                self.assertEqual(rows("SELECT revision_id, before_id FROM job ORDER BY id"), [(1, None), (2, None), (2, 1)])
                self.assertEqual(rows("SELECT after_id, before_id FROM trial"), [(2, 1)])
                self.assertEqual(rows("SELECT before FROM trial_loop"), [(1,)])
                self.assertEqual(rows("SELECT from_id FROM bisection"), [(1,)])
                self.assertEqual(rows("SELECT state FROM bisection_commit ORDER BY place"),
                                 [("after",), ("before",), ("unknown",)])
            db.close()

    def test_imported_writers_get_their_names(self):
        imported = """INSERT INTO benchmark(id, body_hash, identity, body) VALUES(2, 'h2', 'i2', '{"driver":"imported","loops":2,"configurations":[
             {"name":"none","label":"No instrumentation","portion":"T","parent":null},
             {"name":"zipkin","label":"Zipkin","portion":"I+C+W-3","parent":"none"},
             {"name":"prometheus","label":"Prometheus","portion":"I+C+W-14","parent":"none"}]}'),
             (3, 'h3', 'i3', '{"driver":"java","configurations":[{"name":"none","label":"None","portion":"T"},
             {"name":"w","label":"Writing","portion":"W-3","parent":"none"}]}');
            INSERT INTO experiment(id, project_id, job_id, revision_id, benchmark_id, environment_id, series_id, kind, night,
             time_ms, state, loops) VALUES(3, 1, 1, 1, 2, 1, 1, 'backfill', '2024-01-03', 1000, 'measured', 2),
             (4, 1, 1, 1, 3, 1, 1, 'nightly', '2024-01-04', 1000, 'measured', 2);
            INSERT INTO portion(experiment_id, ordinal, portion, configuration, parent, mean_ns, verdict, reason)
             VALUES(3, 0, 'T', 'none', NULL, 10, 'ok', ''), (3, 1, 'I+C+W-3', 'zipkin', 'none', 20, 'ok', ''),
             (3, 2, 'I+C+W-14', 'prometheus', 'none', 20, 'ok', ''), (4, 1, 'W-3', 'w', 'none', 20, 'ok', '');
            INSERT INTO alert(id, project_id, series_id, portion, configuration, direction, state, from_experiment,
             to_experiment, seen_experiment, raised_ms, reason)
             VALUES(9, 1, 1, 'I+C+W-3', 'zipkin', 'up', 'open', 2, 3, 3, 5, 'it rose');"""
        with moowatch.Service() as service:
            path = self.of_version(5, service, ROWS + imported)
            service.start()
            nights = {n["night"]: n for n in service.nights("old")}
            self.assertEqual([p["portion"] for p in nights["2024-01-03"]["portions"]],
                             ["T", "I+C+W Zipkin", "I+C+W Prometheus"])
            self.assertEqual([p["portion"] for p in nights["2024-01-04"]["portions"]], ["W-3"])  # the project's own
            self.assertEqual(service.get("/api/v1/alerts/9")["portion"], "I+C+W Zipkin")
            service.stop()
            with sqlite3.connect(path) as db:
                [(body,)] = db.execute("SELECT body FROM benchmark WHERE id=2").fetchall()
                self.assertEqual([c["portion"] for c in json.loads(body)["configurations"]],
                                 ["T", "I+C+W Zipkin", "I+C+W Prometheus"])
                self.assertIn('"W-3"', db.execute("SELECT body FROM benchmark WHERE id=3").fetchone()[0])
            db.close()

    def test_a_broken_one_is_left_as_it_was(self):
        with moowatch.Service() as service:
            path = self.of_version(5, service, "INSERT INTO alert_audit VALUES(1, 99, 1, NULL, 'open', 'x', 'y')")
            config = service.folder / "moowatchd.yaml"
            config.write_text("data_dir: data\nport: 0\n")
            done = subprocess.run([moowatch.BUILD / "server" / "moowatchd", "--config", config], capture_output=True,
                                  text=True, timeout=60)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("table alert_audit refers to missing rows", done.stdout + done.stderr)
            self.assertIn(self.version(path), (5, 6))


if __name__ == "__main__":
    unittest.main(verbosity=2)
