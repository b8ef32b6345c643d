-- The schema, in numbered steps. A database remembers the last one it has taken; the ones after it are
-- run in this order, each whole or not at all. A step that has been released is never changed: what is
-- to be different is a new step at the end.
--
-- The text is what SQLite and PostgreSQL both read, but for these words, which a driver of another
-- database than SQLite replaces:
--   INTEGER PRIMARY KEY [AUTOINCREMENT]   a key that the database numbers (PostgreSQL: BIGINT GENERATED
--                                         BY DEFAULT AS IDENTITY PRIMARY KEY)
--   INTEGER                               64 bits (BIGINT); a yes or no is 0 or 1
--   REAL                                  64 bits (DOUBLE PRECISION)
--   TEXT                                  compared by its bytes (TEXT COLLATE "C")
--   BLOB                                  bytes (BYTEA)
--   WITHOUT ROWID                         nothing
-- What follows the line "-- only sqlite", up to the next empty line, is for that driver alone: it brings
-- along what databases hold that were made when there was no other.
-- No triggers and no cascades: what a statement writes is what its text says (store_writes.h).
-- A statement ends with a semicolon at the end of its line.

-- step 1
-- Times are Unix ms, values ns, JSON is compact text. experiment.state: measured, quarantined, failed
-- (no result, the job is dead); a newer experiment of the same commit and benchmark hides failed and
-- quarantined ones.

CREATE TABLE benchmark(id INTEGER PRIMARY KEY, body_hash TEXT NOT NULL UNIQUE,
  identity TEXT NOT NULL, body TEXT NOT NULL);

CREATE TABLE project(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
  repository TEXT NOT NULL, branch TEXT NOT NULL, commit_url TEXT, enabled INTEGER NOT NULL,
  benchmark_id INTEGER NOT NULL REFERENCES benchmark, detection TEXT NOT NULL, fetch_problem TEXT,
  job_problem TEXT, polled_ms INTEGER NOT NULL DEFAULT 0, next_night_ms INTEGER NOT NULL DEFAULT 0,
  served_ms INTEGER NOT NULL DEFAULT 0);

CREATE TABLE revision(id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project,
  sha TEXT NOT NULL, author TEXT NOT NULL, author_email TEXT NOT NULL, time_ms INTEGER NOT NULL,
  subject TEXT NOT NULL, parent TEXT, UNIQUE(project_id, sha));

CREATE TABLE environment(id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, body TEXT NOT NULL);

CREATE TABLE series(id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project,
  branch TEXT NOT NULL, identity TEXT NOT NULL,
  environment_id INTEGER NOT NULL REFERENCES environment, state BLOB, state_experiment INTEGER,
  UNIQUE(project_id, branch, identity, environment_id));

CREATE TABLE job(id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES project, revision_id INTEGER NOT NULL REFERENCES revision,
  against_id INTEGER REFERENCES revision, benchmark_id INTEGER NOT NULL REFERENCES benchmark,
  branch TEXT NOT NULL, kind TEXT NOT NULL, priority INTEGER NOT NULL, night TEXT NOT NULL,
  state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, node TEXT, only_node TEXT, lease TEXT,
  lease_expires_ms INTEGER, not_before_ms INTEGER NOT NULL DEFAULT 0, queued_ms INTEGER NOT NULL,
  started_ms INTEGER, finished_ms INTEGER, error TEXT, log TEXT, progress TEXT,
  experiment_id INTEGER, extra TEXT);
CREATE INDEX job_queued ON job(priority DESC, night, id) WHERE state='queued';
CREATE INDEX job_leased ON job(lease_expires_ms) WHERE state='leased';
CREATE INDEX job_state ON job(state, project_id, id);
CREATE INDEX job_project ON job(project_id, id);
CREATE INDEX job_revision ON job(revision_id);

CREATE TABLE experiment(id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES project, job_id INTEGER NOT NULL REFERENCES job,
  revision_id INTEGER NOT NULL REFERENCES revision,
  benchmark_id INTEGER NOT NULL REFERENCES benchmark, environment_id INTEGER REFERENCES environment,
  series_id INTEGER REFERENCES series, kind TEXT NOT NULL, night TEXT NOT NULL,
  time_ms INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT, hidden INTEGER NOT NULL DEFAULT 0,
  node TEXT, started_ms INTEGER, finished_ms INTEGER, loops INTEGER NOT NULL DEFAULT 0,
  total_mean_ns REAL, total_low_ns REAL, total_high_ns REAL, environment_detail TEXT,
  result_hash TEXT);
CREATE INDEX experiment_night ON experiment(project_id, night, time_ms, id) WHERE hidden=0;
CREATE INDEX experiment_series ON experiment(series_id, night, time_ms, id) WHERE state='measured';
CREATE INDEX experiment_revision ON experiment(revision_id);
CREATE INDEX experiment_job ON experiment(job_id);

CREATE TABLE configuration(experiment_id INTEGER NOT NULL REFERENCES experiment,
  ordinal INTEGER NOT NULL, name TEXT NOT NULL, label TEXT NOT NULL, loops INTEGER NOT NULL,
  mean_ns REAL, sd_ns REAL, low_ns REAL, high_ns REAL, min_ns REAL, q1_ns REAL, median_ns REAL,
  q3_ns REAL, max_ns REAL, calls_low_ns REAL, calls_high_ns REAL, n INTEGER NOT NULL,
  PRIMARY KEY(experiment_id, ordinal)) WITHOUT ROWID;

CREATE TABLE loop(experiment_id INTEGER NOT NULL REFERENCES experiment, ordinal INTEGER NOT NULL,
  loop INTEGER NOT NULL, position INTEGER NOT NULL, started_ms INTEGER, seconds REAL,
  disturbed INTEGER NOT NULL, failed TEXT, used INTEGER NOT NULL, calls INTEGER,
  warmup_calls INTEGER, mean_ns REAL, sd_ns REAL, summary TEXT, calls_per_second TEXT,
  readings TEXT, raw_sha256 TEXT, raw_bytes INTEGER, raw_uncompressed_bytes INTEGER,
  PRIMARY KEY(experiment_id, ordinal, loop, position)) WITHOUT ROWID;

CREATE TABLE portion(experiment_id INTEGER NOT NULL REFERENCES experiment, ordinal INTEGER NOT NULL,
  portion TEXT NOT NULL, configuration TEXT NOT NULL, parent TEXT, mean_ns REAL, low_ns REAL,
  high_ns REAL, method TEXT, judged_mean_ns REAL, judged_low_ns REAL, judged_high_ns REAL,
  verdict TEXT NOT NULL, rule TEXT, direction TEXT, reference_mean_ns REAL, reference_low_ns REAL,
  reference_high_ns REAL, reference_nights INTEGER, reference_from INTEGER, reference_to INTEGER,
  difference_mean_ns REAL, difference_low_ns REAL, difference_high_ns REAL, since INTEGER,
  before INTEGER, reason TEXT NOT NULL, PRIMARY KEY(experiment_id, ordinal)) WITHOUT ROWID;

CREATE TABLE alert(id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES project, series_id INTEGER NOT NULL REFERENCES series,
  portion TEXT NOT NULL, configuration TEXT NOT NULL, direction TEXT NOT NULL, state TEXT NOT NULL,
  from_experiment INTEGER NOT NULL REFERENCES experiment,
  to_experiment INTEGER NOT NULL REFERENCES experiment,
  seen_experiment INTEGER NOT NULL REFERENCES experiment, raised_ms INTEGER NOT NULL,
  before_mean_ns REAL, before_low_ns REAL, before_high_ns REAL, after_mean_ns REAL,
  after_low_ns REAL, after_high_ns REAL, difference_mean_ns REAL, difference_low_ns REAL,
  difference_high_ns REAL, difference_percent REAL, reason TEXT NOT NULL);
CREATE INDEX alert_project ON alert(project_id, id);
CREATE INDEX alert_state ON alert(state, project_id, id);

CREATE TABLE alert_audit(id INTEGER PRIMARY KEY, alert_id INTEGER NOT NULL REFERENCES alert,
  at_ms INTEGER NOT NULL, old_state TEXT, new_state TEXT NOT NULL, author TEXT NOT NULL,
  reason TEXT NOT NULL);
CREATE INDEX alert_audit_alert ON alert_audit(alert_id, id);

CREATE TABLE raw(sha256 TEXT PRIMARY KEY, bytes INTEGER NOT NULL,
  uncompressed_bytes INTEGER NOT NULL, lines INTEGER NOT NULL,
  job_id INTEGER NOT NULL REFERENCES job, stored_ms INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE node(name TEXT PRIMARY KEY, version TEXT NOT NULL, labels TEXT NOT NULL,
  seen_ms INTEGER NOT NULL, job_id INTEGER REFERENCES job) WITHOUT ROWID;

-- step 2
-- channel.after_*: what was there when the channel was first seen is history for it.

CREATE TABLE channel(id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project,
  name TEXT NOT NULL, opened_ms INTEGER NOT NULL, after_alert INTEGER NOT NULL,
  after_experiment INTEGER NOT NULL, UNIQUE(project_id, name));

CREATE TABLE outbox(id INTEGER PRIMARY KEY AUTOINCREMENT,
  channel_id INTEGER NOT NULL REFERENCES channel, subject TEXT NOT NULL,
  subject_id INTEGER NOT NULL, event TEXT NOT NULL, state TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, made_ms INTEGER NOT NULL, not_before_ms INTEGER NOT NULL,
  closed_ms INTEGER, reference TEXT, note TEXT, UNIQUE(channel_id, subject, subject_id, event));
CREATE INDEX outbox_waiting ON outbox(not_before_ms) WHERE state='waiting';

-- step 3
-- Measuring again: trials of two commits, suspicions, bisections; what a node can do.

ALTER TABLE node ADD COLUMN can TEXT NOT NULL DEFAULT '[]';
ALTER TABLE experiment ADD COLUMN remeasure INTEGER NOT NULL DEFAULT 0;
ALTER TABLE series ADD COLUMN remeasure INTEGER NOT NULL DEFAULT 0;

CREATE TABLE trial(id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,
  project_id INTEGER NOT NULL REFERENCES project, series_id INTEGER NOT NULL REFERENCES series,
  revision_id INTEGER NOT NULL REFERENCES revision, against_id INTEGER NOT NULL REFERENCES revision,
  experiment_id INTEGER NOT NULL REFERENCES experiment, node TEXT, state TEXT NOT NULL,
  batches INTEGER NOT NULL DEFAULT 0, started_ms INTEGER NOT NULL, finished_ms INTEGER);

CREATE TABLE trial_job(job_id INTEGER PRIMARY KEY REFERENCES job,
  trial_id INTEGER NOT NULL REFERENCES trial, result_hash TEXT);
CREATE INDEX trial_job_trial ON trial_job(trial_id);

CREATE TABLE trial_loop(trial_id INTEGER NOT NULL REFERENCES trial,
  job_id INTEGER NOT NULL REFERENCES job, place INTEGER NOT NULL, configuration TEXT NOT NULL,
  side INTEGER NOT NULL, loop INTEGER NOT NULL, position INTEGER NOT NULL, used INTEGER NOT NULL,
  failed TEXT, seconds REAL, mean_ns REAL, summary TEXT, readings TEXT, raw_sha256 TEXT,
  PRIMARY KEY(trial_id, job_id, place)) WITHOUT ROWID;

CREATE TABLE question(id INTEGER PRIMARY KEY AUTOINCREMENT,
  trial_id INTEGER NOT NULL REFERENCES trial, configuration TEXT NOT NULL, parent TEXT,
  portion TEXT NOT NULL, expected_ns REAL NOT NULL, state TEXT NOT NULL,
  loops INTEGER NOT NULL DEFAULT 0, evidence REAL, before_mean_ns REAL, before_low_ns REAL,
  before_high_ns REAL, after_mean_ns REAL, after_low_ns REAL, after_high_ns REAL,
  difference_mean_ns REAL, difference_low_ns REAL, difference_high_ns REAL, reason TEXT);
CREATE INDEX question_trial ON question(trial_id);

CREATE TABLE suspicion(id INTEGER PRIMARY KEY AUTOINCREMENT,
  series_id INTEGER NOT NULL REFERENCES series, configuration TEXT NOT NULL,
  direction INTEGER NOT NULL, seen_experiment INTEGER NOT NULL REFERENCES experiment,
  since_experiment INTEGER NOT NULL REFERENCES experiment,
  before_experiment INTEGER NOT NULL REFERENCES experiment,
  question_id INTEGER NOT NULL REFERENCES question, state TEXT NOT NULL, reason TEXT,
  raised_ms INTEGER NOT NULL, settled_ms INTEGER, UNIQUE(series_id, configuration, seen_experiment,
  since_experiment));
CREATE INDEX suspicion_seen ON suspicion(seen_experiment);
CREATE INDEX suspicion_question ON suspicion(question_id);
CREATE INDEX suspicion_state ON suspicion(state, series_id);

-- step 4
-- Webhooks taken in; state: waiting, queued, dead.

CREATE TABLE delivery(id INTEGER PRIMARY KEY AUTOINCREMENT, provider TEXT NOT NULL,
  delivery TEXT NOT NULL, project_id INTEGER NOT NULL REFERENCES project, sha TEXT NOT NULL,
  received_ms INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
  job_id INTEGER, note TEXT, UNIQUE(provider, delivery, project_id));
CREATE INDEX delivery_waiting ON delivery(project_id, sha) WHERE state='waiting';

-- step 5
-- The search for culprits; place counts the commits of a range from the oldest.

ALTER TABLE alert ADD COLUMN fixed_by INTEGER REFERENCES alert;

CREATE TABLE bisection(id INTEGER PRIMARY KEY AUTOINCREMENT,
  alert_id INTEGER NOT NULL UNIQUE REFERENCES alert, old_id INTEGER NOT NULL REFERENCES revision,
  state TEXT NOT NULL, low INTEGER, high INTEGER, reason TEXT, started_ms INTEGER NOT NULL,
  finished_ms INTEGER);

CREATE TABLE bisection_commit(bisection_id INTEGER NOT NULL REFERENCES bisection,
  place INTEGER NOT NULL, revision_id INTEGER NOT NULL REFERENCES revision, state TEXT NOT NULL,
  question_id INTEGER REFERENCES question, PRIMARY KEY(bisection_id, place)) WITHOUT ROWID;
CREATE INDEX bisection_question ON bisection_commit(question_id);

-- step 6
-- What CI hands in. A row whose bytes have gone (removed_ms) still says what they were.

ALTER TABLE benchmark ADD COLUMN artifact TEXT;
ALTER TABLE benchmark ADD COLUMN artifact_wait_s INTEGER NOT NULL DEFAULT 0;

CREATE TABLE artifact(id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES project, sha TEXT NOT NULL, name TEXT NOT NULL,
  sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, author TEXT, stored_ms INTEGER NOT NULL,
  removed_ms INTEGER, UNIQUE(project_id, sha, name));
CREATE INDEX artifact_sha256 ON artifact(sha256) WHERE removed_ms IS NULL;
CREATE INDEX artifact_age ON artifact(project_id, stored_ms) WHERE removed_ms IS NULL;

-- step 7
-- Releases and medians; what was measured before keeps its medians, their intervals are unknown.
-- node.paused: who and why; NULL: it works. revision.place: first parents before it.
-- series_state: the detector after a night; place: that night's in the series, from 1.
-- alert_portion: the portions of an alert; the alert's own columns are those of the guilty one, when it
-- was told.

ALTER TABLE node ADD COLUMN paused TEXT;
ALTER TABLE revision ADD COLUMN release TEXT;
ALTER TABLE revision ADD COLUMN place INTEGER;

CREATE TABLE series_state(series_id INTEGER NOT NULL REFERENCES series, place INTEGER NOT NULL,
  experiment_id INTEGER NOT NULL REFERENCES experiment, state BLOB NOT NULL, PRIMARY KEY(series_id,
  place)) WITHOUT ROWID;
UPDATE series SET state=NULL, state_experiment=NULL;

CREATE TABLE expectation(id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project,
  place INTEGER NOT NULL, sha TEXT NOT NULL, author TEXT NOT NULL, time_ms INTEGER NOT NULL,
  subject TEXT NOT NULL, text TEXT NOT NULL, portions TEXT NOT NULL, direction INTEGER NOT NULL,
  percent REAL, ns REAL, reason TEXT, problem TEXT, UNIQUE(project_id, place, sha, text));
CREATE INDEX revision_release ON revision(project_id) WHERE release IS NOT NULL;
ALTER TABLE configuration ADD COLUMN median_low_ns REAL;
ALTER TABLE configuration ADD COLUMN median_high_ns REAL;
ALTER TABLE portion ADD COLUMN median_ns REAL;
ALTER TABLE portion ADD COLUMN median_low_ns REAL;
ALTER TABLE portion ADD COLUMN median_high_ns REAL;
ALTER TABLE experiment ADD COLUMN total_median_ns REAL;
ALTER TABLE experiment ADD COLUMN total_median_low_ns REAL;
ALTER TABLE experiment ADD COLUMN total_median_high_ns REAL;
UPDATE portion SET median_ns=(SELECT c.median_ns FROM configuration c
  WHERE c.experiment_id=portion.experiment_id AND c.ordinal=portion.ordinal)
  - CASE WHEN parent IS NULL THEN 0 ELSE (SELECT c.median_ns FROM configuration c
  WHERE c.experiment_id=portion.experiment_id AND c.name=portion.parent) END;

CREATE TABLE alert_portion(alert_id INTEGER NOT NULL REFERENCES alert, configuration TEXT NOT NULL,
  portion TEXT NOT NULL, direction TEXT NOT NULL,
  seen_experiment INTEGER NOT NULL REFERENCES experiment, before_mean_ns REAL, before_low_ns REAL,
  before_high_ns REAL, after_mean_ns REAL, after_low_ns REAL, after_high_ns REAL,
  difference_mean_ns REAL, difference_low_ns REAL, difference_high_ns REAL, difference_percent REAL,
  reason TEXT NOT NULL, fixed_by INTEGER REFERENCES alert, PRIMARY KEY(alert_id, configuration))
  WITHOUT ROWID;

-- only sqlite
-- The alerts, without the unique key that they had: what is unique now is the portion's change, which
-- several rows here may tell of in turn.
CREATE TABLE alert_new(id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES project, series_id INTEGER NOT NULL REFERENCES series,
  portion TEXT NOT NULL, configuration TEXT NOT NULL, direction TEXT NOT NULL, state TEXT NOT NULL,
  from_experiment INTEGER NOT NULL REFERENCES experiment,
  to_experiment INTEGER NOT NULL REFERENCES experiment,
  seen_experiment INTEGER NOT NULL REFERENCES experiment, raised_ms INTEGER NOT NULL,
  before_mean_ns REAL, before_low_ns REAL, before_high_ns REAL, after_mean_ns REAL,
  after_low_ns REAL, after_high_ns REAL, difference_mean_ns REAL, difference_low_ns REAL,
  difference_high_ns REAL, difference_percent REAL, reason TEXT NOT NULL,
  fixed_by INTEGER REFERENCES alert);
INSERT INTO alert_new SELECT id, project_id, series_id, portion, configuration, direction, state,
  from_experiment, to_experiment, seen_experiment, raised_ms, before_mean_ns, before_low_ns,
  before_high_ns, after_mean_ns, after_low_ns, after_high_ns, difference_mean_ns, difference_low_ns,
  difference_high_ns, difference_percent, reason, fixed_by FROM alert;
DROP TABLE alert;
ALTER TABLE alert_new RENAME TO alert;
CREATE INDEX alert_project ON alert(project_id, id);
CREATE INDEX alert_state ON alert(state, project_id, id);

CREATE INDEX alert_series ON alert(series_id, to_experiment);
INSERT INTO alert_portion SELECT id, configuration, portion, direction, seen_experiment,
  before_mean_ns, before_low_ns, before_high_ns, after_mean_ns, after_low_ns, after_high_ns,
  difference_mean_ns, difference_low_ns, difference_high_ns, difference_percent, reason, fixed_by
  FROM alert;

-- step 8
-- What is asked for in SQL has columns and rows of its own. project.detection and node.labels stay as the
-- documents that are shown and exported. alert.aged: open, and nothing was decided for ageing_days.

ALTER TABLE project ADD COLUMN ageing_days INTEGER NOT NULL DEFAULT 0;
ALTER TABLE node ADD COLUMN can_confirm INTEGER NOT NULL DEFAULT 0;
ALTER TABLE node ADD COLUMN can_artifact INTEGER NOT NULL DEFAULT 0;
ALTER TABLE alert ADD COLUMN aged INTEGER NOT NULL DEFAULT 0;

CREATE TABLE project_label(project_id INTEGER NOT NULL REFERENCES project, label TEXT NOT NULL,
  PRIMARY KEY(project_id, label)) WITHOUT ROWID;

CREATE TABLE node_label(node TEXT NOT NULL REFERENCES node, label TEXT NOT NULL,
  PRIMARY KEY(node, label)) WITHOUT ROWID;

-- only sqlite
UPDATE project SET ageing_days=json_extract(detection, '$.ageing_days')
  WHERE json_type(detection, '$.ageing_days')='integer';
INSERT INTO project_label SELECT DISTINCT p.id, l.value
  FROM project p, json_each(p.detection, '$.node_labels') l WHERE l.type='text';
INSERT INTO node_label SELECT DISTINCT n.name, l.value
  FROM node n, json_each(n.labels) l WHERE l.type='text';
UPDATE node SET can_confirm=(can LIKE '%"confirmation"%'), can_artifact=(can LIKE '%"artifact"%');

-- step 9
-- The level of a night's intervals, such as 0.95: detection.confidence when it came in.

ALTER TABLE experiment ADD COLUMN level REAL;

-- only sqlite
UPDATE experiment SET level=(SELECT json_extract(b.body, '$.confidence') FROM benchmark b
  WHERE b.id=experiment.benchmark_id) WHERE state<>'failed';

-- step 10
-- What a configuration's calls say, as one JSON text (config/summary_json.h): a new statistic needs
-- no column. sd_ns, min_ns, q1_ns, q3_ns and max_ns stay for the nights of before.

ALTER TABLE configuration ADD COLUMN statistics TEXT;

-- step 11
-- The commits of a trial are before and after; the ends of a change are from and to.

ALTER TABLE job RENAME COLUMN against_id TO before_id;
ALTER TABLE trial RENAME COLUMN against_id TO before_id;
ALTER TABLE trial RENAME COLUMN revision_id TO after_id;
ALTER TABLE trial_loop RENAME COLUMN side TO before;
ALTER TABLE bisection RENAME COLUMN old_id TO from_id;

UPDATE bisection_commit SET state=CASE state WHEN 'old' THEN 'before' ELSE 'after' END
  WHERE state IN ('old', 'new');

-- step 12
-- What names the series of a benchmark's nights: its identity, or that of the benchmark that it continues
-- with more configurations or fewer.

ALTER TABLE benchmark ADD COLUMN lineage TEXT;

UPDATE benchmark SET lineage=identity;

-- step 13
-- How many loops in all a question of a trial will take if what is known stays as it is.

ALTER TABLE question ADD COLUMN ends_loops INTEGER;

-- step 14
-- The ends of a change are from and to, of suspicions and verdicts, too.

ALTER TABLE suspicion RENAME COLUMN since_experiment TO to_experiment;
ALTER TABLE suspicion RENAME COLUMN before_experiment TO from_experiment;
ALTER TABLE portion RENAME COLUMN since TO to_experiment;
ALTER TABLE portion RENAME COLUMN before TO from_experiment;

-- step 15
-- What measuring again may take is asked in SQL. New nights never wait for it.

ALTER TABLE project ADD COLUMN remeasure_minutes REAL NOT NULL DEFAULT 0;

CREATE INDEX job_finished ON job(project_id, finished_ms);

UPDATE job SET priority=18 WHERE kind='confirmation' AND state='queued';

-- step 16
-- What happened to machine or harness. from, to, seen: the last night before it, its first, and the one
-- that opened it; lasts: the nights to come may still show it; over: the night that shows it no more.
-- moved of configurations. channel.after_incident: as after_alert.

CREATE TABLE incident(id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES project, series_id INTEGER NOT NULL REFERENCES series,
  kind TEXT NOT NULL, state TEXT NOT NULL, from_experiment INTEGER REFERENCES experiment,
  to_experiment INTEGER NOT NULL REFERENCES experiment,
  seen_experiment INTEGER NOT NULL REFERENCES experiment,
  over_experiment INTEGER REFERENCES experiment, lasts INTEGER NOT NULL, factor REAL,
  factor_low REAL, factor_high REAL, moved INTEGER NOT NULL, configurations INTEGER NOT NULL,
  opened_ms INTEGER NOT NULL, reason TEXT NOT NULL, UNIQUE(series_id, kind, to_experiment));
CREATE INDEX incident_project ON incident(project_id, id);
CREATE INDEX incident_since ON incident(to_experiment);

CREATE TABLE incident_audit(id INTEGER PRIMARY KEY,
  incident_id INTEGER NOT NULL REFERENCES incident, at_ms INTEGER NOT NULL, old_state TEXT,
  new_state TEXT NOT NULL, author TEXT NOT NULL, reason TEXT NOT NULL);
CREATE INDEX incident_audit_incident ON incident_audit(incident_id, id);

ALTER TABLE channel ADD COLUMN after_incident INTEGER NOT NULL DEFAULT 0;

-- step 17
-- What taking in a history has brought: a row an import that brought nights; report is its JSON.

CREATE TABLE import(id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project,
  at_ms INTEGER NOT NULL, report TEXT NOT NULL);
CREATE INDEX import_project ON import(project_id, id);

-- step 18
-- What one of several servers on a database does for all of them: who, and a number that it raises
-- while it lives.

CREATE TABLE duty(name TEXT PRIMARY KEY, holder TEXT NOT NULL, beat INTEGER NOT NULL) WITHOUT ROWID;

-- step 19
-- Who was refused, and who changed what. Of refusals a row an hour for all that are alike: period is that hour,
-- count how many; last_ms: the newest. Of a change period is NULL. Both are bounded (store_audit.h).

CREATE TABLE audit(id INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL,
  period INTEGER, kind TEXT NOT NULL, who TEXT NOT NULL, client TEXT NOT NULL, what TEXT NOT NULL,
  why TEXT NOT NULL, count INTEGER NOT NULL, UNIQUE(period, client, who, what, why));
CREATE INDEX audit_kind ON audit(kind, id);

-- step 20
-- Of several imported writers each is called by its label: "W Zipkin", not "W-3".

-- only sqlite
UPDATE benchmark SET body=(SELECT json_set(benchmark.body, '$.configurations', json_group_array(json(
  CASE WHEN json_extract(c.value, '$.portion') GLOB '*W-[0-9]*' AND json_extract(c.value, '$.label')<>''
  THEN json_set(c.value, '$.portion', substr(json_extract(c.value, '$.portion'), 1,
  instr(json_extract(c.value, '$.portion'), '-')-1) || ' ' || substr(json_extract(c.value, '$.label'), 1, 40))
  ELSE c.value END))) FROM json_each(benchmark.body, '$.configurations') c)
  WHERE json_extract(body, '$.driver')='imported';
UPDATE portion SET portion=coalesce((SELECT json_extract(c.value, '$.portion') FROM experiment e
  JOIN benchmark b ON b.id=e.benchmark_id, json_each(b.body, '$.configurations') c
  WHERE e.id=portion.experiment_id AND json_extract(b.body, '$.driver')='imported'
  AND json_extract(c.value, '$.name')=portion.configuration), portion) WHERE portion GLOB '*W-[0-9]*';

UPDATE alert SET portion=(SELECT o.portion FROM portion o WHERE o.experiment_id=alert.to_experiment
  AND o.configuration=alert.configuration) WHERE EXISTS(SELECT 1 FROM portion o
  WHERE o.experiment_id=alert.to_experiment AND o.configuration=alert.configuration
  AND o.portion<>alert.portion);
UPDATE alert_portion SET portion=(SELECT o.portion FROM portion o
  WHERE o.experiment_id=alert_portion.seen_experiment AND o.configuration=alert_portion.configuration)
  WHERE EXISTS(SELECT 1 FROM portion o WHERE o.experiment_id=alert_portion.seen_experiment
  AND o.configuration=alert_portion.configuration AND o.portion<>alert_portion.portion);

-- step 21
-- One parameter at several values, each with its job; their experiments are hidden: they are no nights.

CREATE TABLE sweep(id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES project, revision_id INTEGER NOT NULL REFERENCES revision,
  parameter TEXT NOT NULL, author TEXT NOT NULL, asked_ms INTEGER NOT NULL);
CREATE INDEX sweep_project ON sweep(project_id, id);

CREATE TABLE sweep_point(sweep_id INTEGER NOT NULL REFERENCES sweep, place INTEGER NOT NULL,
  value INTEGER NOT NULL, job_id INTEGER NOT NULL UNIQUE REFERENCES job, PRIMARY KEY(sweep_id, place))
  WITHOUT ROWID;

-- step 22
-- The last commit of the environment before, measured again in the new one; trial_id NULL: the night that
-- began it is of the same commit. state: open, done, failed; reason: what came of it, in words.

CREATE TABLE bridge(incident_id INTEGER PRIMARY KEY REFERENCES incident,
  trial_id INTEGER REFERENCES trial, state TEXT NOT NULL, reason TEXT NOT NULL);
CREATE INDEX bridge_trial ON bridge(trial_id);

-- step 23
-- Where an alert's change is: profiles of two commits, and what they say of each portion. before, after: the
-- commits that were compared; profile.before: is it of the older one? functions is JSON (docs/api.md).

ALTER TABLE node ADD COLUMN can_explain INTEGER NOT NULL DEFAULT 0;

CREATE TABLE explanation(alert_id INTEGER PRIMARY KEY REFERENCES alert,
  job_id INTEGER REFERENCES job, before_id INTEGER NOT NULL REFERENCES revision,
  after_id INTEGER NOT NULL REFERENCES revision, state TEXT NOT NULL, reason TEXT, profiler TEXT,
  unit TEXT, result_hash TEXT, started_ms INTEGER NOT NULL, finished_ms INTEGER);
CREATE INDEX explanation_job ON explanation(job_id);

CREATE TABLE explanation_portion(alert_id INTEGER NOT NULL REFERENCES alert,
  configuration TEXT NOT NULL, parent TEXT, portion TEXT NOT NULL, sentence TEXT NOT NULL,
  change_ns REAL, before_units REAL, after_units REAL, functions TEXT NOT NULL,
  PRIMARY KEY(alert_id, configuration)) WITHOUT ROWID;

CREATE TABLE profile(alert_id INTEGER NOT NULL REFERENCES alert, configuration TEXT NOT NULL,
  before INTEGER NOT NULL, loop INTEGER NOT NULL, calls INTEGER NOT NULL, stacks TEXT NOT NULL,
  PRIMARY KEY(alert_id, configuration, before, loop)) WITHOUT ROWID;

-- step 24
-- Who was told of a change is told where it is, once it is known. What was known before stays as it was told.
-- explanation.pruned_ms: when its profiles were removed; its sentences stay.

ALTER TABLE explanation ADD COLUMN pruned_ms INTEGER;

INSERT INTO outbox(channel_id, subject, subject_id, event, state, made_ms, not_before_ms, closed_ms,
  note) SELECT o.channel_id, 'alert', o.subject_id, 'explained', 'over', x.finished_ms, x.finished_ms,
  x.finished_ms, 'it was known before such messages were sent' FROM outbox o
  JOIN explanation x ON x.alert_id=o.subject_id WHERE o.subject='alert' AND o.event='raised'
  AND x.finished_ms IS NOT NULL;

-- step 25
-- What is counted beside the time of a call, a row a dimension and configuration: mean, low, high of the portion,
-- total of the configuration; per what: detector/statistics/dimension.h.

CREATE TABLE dimension(experiment_id INTEGER NOT NULL REFERENCES experiment, dimension TEXT NOT NULL,
  ordinal INTEGER NOT NULL, counter TEXT, configuration TEXT NOT NULL, parent TEXT, portion TEXT NOT NULL,
  mean REAL, low REAL, high REAL, total REAL, PRIMARY KEY(experiment_id, dimension, ordinal)) WITHOUT ROWID;

-- step 26
-- Before the merge: a commit measured in turn with its merge base. state: held (a fork's, until a maintainer
-- lets it in), waiting (for its commits), measuring, done, failed, dropped (another one came, or it was closed).
-- labelled: was the label there at the last event? delivery.pull: what a webhook says of one, JSON.

ALTER TABLE delivery ADD COLUMN pull TEXT;

CREATE TABLE pull(id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES project, provider TEXT NOT NULL, number INTEGER,
  title TEXT NOT NULL, author TEXT NOT NULL, url TEXT, ref TEXT, fork INTEGER NOT NULL,
  labelled INTEGER NOT NULL, head TEXT NOT NULL, branch TEXT NOT NULL, state TEXT NOT NULL,
  reason TEXT, attempts INTEGER NOT NULL DEFAULT 0, minutes REAL NOT NULL, percent REAL NOT NULL,
  after_id INTEGER REFERENCES revision, before_id INTEGER REFERENCES revision,
  benchmark_id INTEGER REFERENCES benchmark, node TEXT, batches INTEGER NOT NULL DEFAULT 0,
  asked_ms INTEGER NOT NULL, started_ms INTEGER, finished_ms INTEGER);
CREATE INDEX pull_project ON pull(project_id, id);
CREATE INDEX pull_number ON pull(project_id, provider, number);
CREATE INDEX pull_waiting ON pull(project_id) WHERE state='waiting';

CREATE TABLE pull_job(job_id INTEGER PRIMARY KEY REFERENCES job,
  pull_id INTEGER NOT NULL REFERENCES pull, loops INTEGER NOT NULL, result_hash TEXT);
CREATE INDEX pull_job_pull ON pull_job(pull_id);

CREATE TABLE pull_loop(pull_id INTEGER NOT NULL REFERENCES pull,
  job_id INTEGER NOT NULL REFERENCES job, place INTEGER NOT NULL, configuration TEXT NOT NULL,
  before INTEGER NOT NULL, loop INTEGER NOT NULL, position INTEGER NOT NULL, used INTEGER NOT NULL,
  failed TEXT, seconds REAL, mean_ns REAL, raw_sha256 TEXT,
  PRIMARY KEY(pull_id, job_id, place)) WITHOUT ROWID;

CREATE TABLE pull_portion(pull_id INTEGER NOT NULL REFERENCES pull, ordinal INTEGER NOT NULL,
  configuration TEXT NOT NULL, parent TEXT, portion TEXT NOT NULL, answer TEXT NOT NULL,
  loops INTEGER NOT NULL DEFAULT 0, before_mean_ns REAL, before_low_ns REAL, before_high_ns REAL,
  after_mean_ns REAL, after_low_ns REAL, after_high_ns REAL, difference_mean_ns REAL,
  difference_low_ns REAL, difference_high_ns REAL, least_ns REAL, seen_ns REAL, sentence TEXT,
  PRIMARY KEY(pull_id, ordinal)) WITHOUT ROWID;

-- step 27
-- What a page counts is not counted anew: nights that are shown (hidden=0) by year, and how many of them were
-- measured. Kept by the statements that insert and hide experiments.

CREATE TABLE night_count(project_id INTEGER NOT NULL REFERENCES project, year TEXT NOT NULL,
  nights INTEGER NOT NULL, measured INTEGER NOT NULL, PRIMARY KEY(project_id, year)) WITHOUT ROWID;
INSERT INTO night_count SELECT project_id, substr(night, 1, 4), count(*),
  sum(CASE WHEN state='measured' THEN 1 ELSE 0 END) FROM experiment WHERE hidden=0
  GROUP BY project_id, substr(night, 1, 4);
DROP INDEX experiment_night;
CREATE INDEX experiment_shown ON experiment(project_id, night, time_ms, id, state) WHERE hidden=0;
CREATE INDEX job_night ON job(project_id, night);
CREATE INDEX trial_running ON trial(project_id) WHERE state='running';
CREATE INDEX bisection_running ON bisection(alert_id) WHERE state='running';
CREATE INDEX revision_place ON revision(project_id, place);

-- step 28
-- The servers on this database, and what each has of a project (a hash of its configuration): a page says when
-- they differ.

CREATE TABLE server(name TEXT PRIMARY KEY, called TEXT NOT NULL, beat INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE server_project(server TEXT NOT NULL REFERENCES server,
  project_id INTEGER NOT NULL REFERENCES project, hash TEXT NOT NULL, PRIMARY KEY(server, project_id))
  WITHOUT ROWID;

-- step 29
-- What people say of a night. A removed one stays, and is shown no more.

CREATE TABLE note(id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES project, night TEXT NOT NULL, text TEXT NOT NULL,
  author TEXT NOT NULL, made_ms INTEGER NOT NULL, removed_ms INTEGER, removed_by TEXT);
CREATE INDEX note_night ON note(project_id, night) WHERE removed_ms IS NULL;

-- step 30
-- A further branch of a project is kept like a project of its own; main: the name of the project, NULL: it is
-- that itself.

ALTER TABLE project ADD COLUMN main TEXT;
CREATE INDEX project_main ON project(main) WHERE main IS NOT NULL;

-- step 31
-- Does another branch, kept as project_id, have the commit behind an alert? state: has, picked (as sha), lacks,
-- unknown (nobody has the commit any more); head: of that branch when it was asked.

CREATE TABLE backport(alert_id INTEGER NOT NULL REFERENCES alert,
  project_id INTEGER NOT NULL REFERENCES project, head TEXT NOT NULL, state TEXT NOT NULL, sha TEXT,
  PRIMARY KEY(alert_id, project_id)) WITHOUT ROWID;

-- step 32
-- How much raw data each job has; pruned_ms: when they were removed, rule: what for (age, budget), files and bytes: how
-- much that was. raw_share: other jobs whose loops have the same bytes as a file of raw.job_id. gone: files of a
-- folder (raw, artifacts) that no row names; they go after a while (store/gone.h); removing: somebody is about it.

CREATE TABLE raw_job(job_id INTEGER PRIMARY KEY REFERENCES job,
  project_id INTEGER NOT NULL REFERENCES project, files INTEGER NOT NULL, bytes INTEGER NOT NULL,
  stored_ms INTEGER NOT NULL, pruned_ms INTEGER, rule TEXT);
CREATE INDEX raw_job_there ON raw_job(project_id, stored_ms, job_id) WHERE pruned_ms IS NULL;
CREATE INDEX raw_of_job ON raw(job_id);

CREATE TABLE raw_share(sha256 TEXT NOT NULL, job_id INTEGER NOT NULL REFERENCES job,
  PRIMARY KEY(sha256, job_id)) WITHOUT ROWID;
CREATE INDEX raw_share_job ON raw_share(job_id);

CREATE TABLE gone(folder TEXT NOT NULL, sha256 TEXT NOT NULL, at_ms INTEGER NOT NULL,
  removing INTEGER NOT NULL, PRIMARY KEY(folder, sha256)) WITHOUT ROWID;

INSERT INTO raw_share SELECT DISTINCT r.sha256, e.job_id FROM raw r JOIN loop l ON l.raw_sha256=r.sha256
  JOIN experiment e ON e.id=l.experiment_id WHERE e.job_id<>r.job_id
  UNION SELECT r.sha256, t.job_id FROM raw r JOIN trial_loop t ON t.raw_sha256=r.sha256 WHERE t.job_id<>r.job_id
  UNION SELECT r.sha256, p.job_id FROM raw r JOIN pull_loop p ON p.raw_sha256=r.sha256 WHERE p.job_id<>r.job_id;
INSERT INTO raw_job(job_id, project_id, files, bytes, stored_ms) SELECT r.job_id, j.project_id, count(*),
  sum(r.bytes), max(r.stored_ms) FROM raw r JOIN job j ON j.id=r.job_id GROUP BY r.job_id, j.project_id;
INSERT INTO raw_job(job_id, project_id, files, bytes, stored_ms) SELECT DISTINCT s.job_id, j.project_id, 0, 0,
  coalesce(j.finished_ms, j.queued_ms) FROM raw_share s JOIN job j ON j.id=s.job_id
  WHERE s.job_id NOT IN (SELECT job_id FROM raw_job);

-- step 33
-- What people say of levels: one begins with a night (of these portions, [{"portion","configuration"}], NULL: of
-- all), an alert's with another night than the detector found, or, without a night, with none. The alert's nights and
-- state as they were are kept, for who undoes it.

CREATE TABLE baseline(id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES project, night TEXT, portions TEXT,
  alert_id INTEGER REFERENCES alert, from_id INTEGER REFERENCES experiment,
  to_id INTEGER REFERENCES experiment, old_state TEXT, reason TEXT NOT NULL, author TEXT NOT NULL,
  made_ms INTEGER NOT NULL, undone_ms INTEGER, undone_by TEXT);
CREATE INDEX baseline_night ON baseline(project_id, night) WHERE undone_ms IS NULL;
CREATE INDEX baseline_alert ON baseline(alert_id) WHERE undone_ms IS NULL;

-- step 34
-- What the watch of counts said of a portion on a night, and what it knows of it from then on: before, the
-- level that was compared; slow, in steps that were each too small. NULL: not watched, or of an older release.

ALTER TABLE dimension ADD COLUMN verdict TEXT;
ALTER TABLE dimension ADD COLUMN direction TEXT;
ALTER TABLE dimension ADD COLUMN slow INTEGER;
ALTER TABLE dimension ADD COLUMN before_mean REAL;
ALTER TABLE dimension ADD COLUMN before_low REAL;
ALTER TABLE dimension ADD COLUMN before_high REAL;
ALTER TABLE dimension ADD COLUMN from_experiment INTEGER;
ALTER TABLE dimension ADD COLUMN level_mean REAL;
ALTER TABLE dimension ADD COLUMN level_half REAL;
ALTER TABLE dimension ADD COLUMN level_nights INTEGER;
ALTER TABLE dimension ADD COLUMN level_to INTEGER;

-- step 35
-- A branch that could not be asked for an alert's commit, and how often: the others are asked first.

CREATE TABLE backport_try(alert_id INTEGER NOT NULL REFERENCES alert,
  project_id INTEGER NOT NULL REFERENCES project, tries INTEGER NOT NULL,
  PRIMARY KEY(alert_id, project_id)) WITHOUT ROWID;

-- step 36
-- As profile and explanation_portion, of the bytes that are allocated: a second look at the same alerts.
-- change_ns stays empty. explanation.allocated_profiler, allocated_reason: what took those profiles, or why there are none.

CREATE TABLE allocated_profile(alert_id INTEGER NOT NULL REFERENCES alert, configuration TEXT NOT NULL,
  before INTEGER NOT NULL, loop INTEGER NOT NULL, calls INTEGER NOT NULL, stacks TEXT NOT NULL,
  PRIMARY KEY(alert_id, configuration, before, loop)) WITHOUT ROWID;

CREATE TABLE allocated_portion(alert_id INTEGER NOT NULL REFERENCES alert,
  configuration TEXT NOT NULL, parent TEXT, portion TEXT NOT NULL, sentence TEXT NOT NULL,
  change_ns REAL, before_units REAL, after_units REAL, functions TEXT NOT NULL,
  PRIMARY KEY(alert_id, configuration)) WITHOUT ROWID;

ALTER TABLE explanation ADD COLUMN allocated_profiler TEXT;
ALTER TABLE explanation ADD COLUMN allocated_reason TEXT;

-- step 37
-- What a trial's first job counted of a question's portion: {"before": {"mean","low","high"},"after": {…}}.

ALTER TABLE question ADD COLUMN instructions TEXT;

-- step 38
-- What is known of both commits from the start, from their nights or from counting first, of one dimension:
-- {"dimension": "bytes", "before": {"mean","low","high"},"after": {…}}; without "dimension": instructions.

ALTER TABLE question RENAME COLUMN instructions TO counted;

-- step 39
-- Finds the changes that a night has told of without reading all alerts of its project.

CREATE INDEX alert_portion_seen ON alert_portion(seen_experiment);

-- step 40
-- What a project's page asks of its alerts, without reading them all: the newest change, how many are open, and whose commit is to be
-- looked for. to_night, to_time_ms: of to_experiment. searched: its commit was looked for, or cannot be: nothing is measured for it.

ALTER TABLE alert ADD COLUMN to_night TEXT;
ALTER TABLE alert ADD COLUMN to_time_ms INTEGER;
ALTER TABLE alert ADD COLUMN searched INTEGER NOT NULL DEFAULT 0;
UPDATE alert SET to_night=(SELECT e.night FROM experiment e WHERE e.id=to_experiment),
  to_time_ms=(SELECT e.time_ms FROM experiment e WHERE e.id=to_experiment);
UPDATE alert SET searched=1 WHERE EXISTS(SELECT 1 FROM bisection b WHERE b.alert_id=alert.id)
  OR EXISTS(SELECT 1 FROM experiment e WHERE e.id=to_experiment AND e.remeasure=0);
DROP INDEX alert_state;
CREATE INDEX alert_state ON alert(state, project_id, aged, id);
CREATE INDEX alert_changed ON alert(project_id, to_night, to_time_ms, to_experiment);
CREATE INDEX alert_unsearched ON alert(project_id, state, searched) WHERE searched=0;

-- step 41
-- A state of the detector is packed already, and large: PostgreSQL need not try to pack it once more, and SQLite reads a
-- row of a table WITHOUT ROWID as a whole when it looks for another one.

-- only postgresql
ALTER TABLE series_state ALTER COLUMN state SET STORAGE EXTERNAL;

-- only sqlite
CREATE TABLE series_state_new(series_id INTEGER NOT NULL REFERENCES series, place INTEGER NOT NULL,
  experiment_id INTEGER NOT NULL REFERENCES experiment, state BLOB NOT NULL, PRIMARY KEY(series_id, place));
INSERT INTO series_state_new SELECT series_id, place, experiment_id, state FROM series_state;
DROP TABLE series_state;
ALTER TABLE series_state_new RENAME TO series_state;

-- step 42
-- What is measured of a question: its configuration and the parent of that ("both"), the configuration "alone", or both since it
-- "moved" alone. whole: what the configuration measures, "T + I + C + W"; alone, that is what the figures are of, and
-- level_ns the portion's level, of which the minimum effect is a share.

ALTER TABLE question ADD COLUMN stage TEXT NOT NULL DEFAULT 'both';
ALTER TABLE question ADD COLUMN whole TEXT;
ALTER TABLE question ADD COLUMN level_ns REAL;

-- step 43
-- Whether the other commit's process ran at the same time: such loops are judged in pairs.

ALTER TABLE trial_loop ADD COLUMN duet INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pull_loop ADD COLUMN duet INTEGER NOT NULL DEFAULT 0;

-- step 45
-- A raw file is not unpacked any more when it comes in: its lines are the calls that its loop says.

ALTER TABLE raw DROP COLUMN lines;
