-- The schema. A database is made by it, and remembers its version; one of another version is refused.
-- Until a version of moowatch is published, a change of the schema changes this text and raises its
-- version; from then on each change is a step of its own that brings databases along.
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
-- What follows the line "-- only postgresql", up to the next empty line, is for that driver alone.
-- No triggers and no cascades: what a statement writes is what its text says.
-- A statement ends with a semicolon at the end of its line.
-- Times are Unix ms, values ns, JSON is compact text.
-- version 62

-- What is measured, and how: body is the benchmark as JSON. artifact: what CI hands in for it.
CREATE TABLE benchmark(id INTEGER PRIMARY KEY, body_hash TEXT NOT NULL UNIQUE, identity TEXT NOT NULL,
  body TEXT NOT NULL, artifact TEXT, artifact_wait_s INTEGER NOT NULL DEFAULT 0);

-- A project as its file has it. detection stays the document that is shown and exported; what SQL asks for has columns of
-- its own. A further branch is kept like a project of its own; main: the name of the project, NULL: it is that itself.
-- failing_ms: when the repository could first not be asked, of all times since it was; 0: it can.
-- archived_ms: when somebody put it away; NULL: nobody did.
CREATE TABLE project(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
  repository TEXT NOT NULL, branch TEXT NOT NULL, commit_url TEXT, enabled INTEGER NOT NULL,
  benchmark_id INTEGER NOT NULL REFERENCES benchmark, detection TEXT NOT NULL, fetch_problem TEXT,
  job_problem TEXT, polled_ms INTEGER NOT NULL DEFAULT 0, next_night_ms INTEGER NOT NULL DEFAULT 0,
  served_ms INTEGER NOT NULL DEFAULT 0, ageing_days INTEGER NOT NULL DEFAULT 0,
  remeasure_minutes REAL NOT NULL DEFAULT 0, main TEXT, failing_ms INTEGER NOT NULL DEFAULT 0, archived_ms INTEGER);
CREATE INDEX project_main ON project(main) WHERE main IS NOT NULL;
CREATE INDEX project_failing ON project(failing_ms) WHERE failing_ms>0;

-- A commit; place: first parents before it.
CREATE TABLE revision(id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project, sha TEXT NOT NULL,
  author TEXT NOT NULL, author_email TEXT NOT NULL, time_ms INTEGER NOT NULL, subject TEXT NOT NULL,
  parent TEXT, release TEXT, place INTEGER, UNIQUE(project_id, sha));
CREATE INDEX revision_release ON revision(project_id) WHERE release IS NOT NULL;
CREATE INDEX revision_place ON revision(project_id, place);

-- Where nights were measured, as the runner says.
CREATE TABLE environment(id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, body TEXT NOT NULL);

-- Nights of one project's branch, measured alike in one environment. identity: of its first benchmark in the project; the
-- others continue it with more configurations or fewer.
CREATE TABLE series(id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project,
  branch TEXT NOT NULL, identity TEXT NOT NULL, environment_id INTEGER NOT NULL REFERENCES environment,
  remeasure INTEGER NOT NULL DEFAULT 0, UNIQUE(project_id, branch, identity, environment_id));

-- What a runner is to do. progress and extra are JSON.
CREATE TABLE job(id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL REFERENCES project,
  revision_id INTEGER NOT NULL REFERENCES revision, before_id INTEGER REFERENCES revision,
  benchmark_id INTEGER NOT NULL REFERENCES benchmark, branch TEXT NOT NULL, kind TEXT NOT NULL,
  priority INTEGER NOT NULL, night TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
  node TEXT, only_node TEXT, lease TEXT, lease_expires_ms INTEGER, not_before_ms INTEGER NOT NULL DEFAULT 0,
  queued_ms INTEGER NOT NULL, started_ms INTEGER, finished_ms INTEGER, error TEXT, log TEXT, progress TEXT,
  experiment_id INTEGER, extra TEXT);
CREATE INDEX job_queued ON job(priority DESC, night, id) WHERE state='queued';
CREATE INDEX job_leased ON job(lease_expires_ms) WHERE state='leased';
CREATE INDEX job_state ON job(state, project_id, id);
CREATE INDEX job_project ON job(project_id, id);
CREATE INDEX job_revision ON job(revision_id);
CREATE INDEX job_finished ON job(project_id, finished_ms);
CREATE INDEX job_night ON job(project_id, night);

-- A night. state: measured, quarantined, failed (no result, the job is dead); a newer one of the same commit and benchmark
-- hides (hidden) failed and quarantined ones. level: of its intervals, such as 0.95.
CREATE TABLE experiment(id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL REFERENCES project,
  job_id INTEGER NOT NULL REFERENCES job, revision_id INTEGER NOT NULL REFERENCES revision,
  benchmark_id INTEGER NOT NULL REFERENCES benchmark, environment_id INTEGER REFERENCES environment,
  series_id INTEGER REFERENCES series, kind TEXT NOT NULL, night TEXT NOT NULL, time_ms INTEGER NOT NULL,
  state TEXT NOT NULL, reason TEXT, hidden INTEGER NOT NULL DEFAULT 0, node TEXT, started_ms INTEGER,
  finished_ms INTEGER, loops INTEGER NOT NULL DEFAULT 0, total_mean_ns REAL, total_low_ns REAL,
  total_high_ns REAL, environment_detail TEXT, result_hash TEXT, remeasure INTEGER NOT NULL DEFAULT 0,
  total_median_ns REAL, total_median_low_ns REAL, total_median_high_ns REAL, level REAL);
CREATE INDEX experiment_series ON experiment(series_id, night, time_ms, id) WHERE state='measured';
CREATE INDEX experiment_revision ON experiment(revision_id);
CREATE INDEX experiment_job ON experiment(job_id);
CREATE INDEX experiment_shown ON experiment(project_id, night, time_ms, id, state) WHERE hidden=0;

-- Of a night. statistics: what its calls say, as one JSON text (config/summary_json.h): a new statistic needs no column.
CREATE TABLE configuration(experiment_id INTEGER NOT NULL REFERENCES experiment, ordinal INTEGER NOT NULL,
  name TEXT NOT NULL, label TEXT NOT NULL, loops INTEGER NOT NULL, mean_ns REAL, low_ns REAL, high_ns REAL,
  median_ns REAL, calls_low_ns REAL, calls_high_ns REAL, n INTEGER NOT NULL, median_low_ns REAL,
  median_high_ns REAL, statistics TEXT,
  PRIMARY KEY(experiment_id, ordinal)) WITHOUT ROWID;

-- One process of a configuration. summary, calls_per_second and readings are JSON.
CREATE TABLE loop(experiment_id INTEGER NOT NULL REFERENCES experiment, ordinal INTEGER NOT NULL,
  loop INTEGER NOT NULL, position INTEGER NOT NULL, started_ms INTEGER, seconds REAL,
  disturbed INTEGER NOT NULL, failed TEXT, used INTEGER NOT NULL, calls INTEGER, warmup_calls INTEGER,
  mean_ns REAL, summary TEXT, calls_per_second TEXT, readings TEXT, raw_sha256 TEXT,
  raw_bytes INTEGER, raw_uncompressed_bytes INTEGER,
  PRIMARY KEY(experiment_id, ordinal, loop, position)) WITHOUT ROWID;
CREATE INDEX loop_disturbed ON loop(experiment_id, ordinal, disturbed, failed) WHERE disturbed<>0 AND failed IS NULL;

-- Of a night: what was measured, and what it was judged by. unit: of its numbers; NULL: ns a call. better: "higher" where more
-- of it is.
CREATE TABLE portion(experiment_id INTEGER NOT NULL REFERENCES experiment, ordinal INTEGER NOT NULL,
  portion TEXT NOT NULL, configuration TEXT NOT NULL, parent TEXT, mean_ns REAL, low_ns REAL, high_ns REAL,
  method TEXT, judged_mean_ns REAL, judged_low_ns REAL, judged_high_ns REAL, verdict TEXT NOT NULL, rule TEXT,
  direction TEXT, reference_mean_ns REAL, reference_low_ns REAL, reference_high_ns REAL,
  reference_nights INTEGER, reference_from INTEGER, reference_to INTEGER, difference_mean_ns REAL,
  difference_low_ns REAL, difference_high_ns REAL, to_experiment INTEGER, from_experiment INTEGER,
  reason TEXT NOT NULL, median_ns REAL, median_low_ns REAL, median_high_ns REAL, unit TEXT, better TEXT,
  PRIMARY KEY(experiment_id, ordinal)) WITHOUT ROWID;
CREATE INDEX portion_unclear ON portion(experiment_id, verdict, rule) WHERE verdict NOT IN ('ok','cleared') OR rule='pending';

-- A change that is told of; its own columns are those of the largest portion when it was told. Several rows may tell of one
-- portion's change in turn. aged: open, and nothing was decided for ageing_days. dated_experiment: the night that the watch dates
-- it to, by which it knows the change; to_experiment: the alert's own (alert_begin), to_night: of that.
-- searched: its commit was looked for, or cannot be: nothing is measured for it.
CREATE TABLE alert(id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL REFERENCES project,
  series_id INTEGER NOT NULL REFERENCES series, portion TEXT NOT NULL, configuration TEXT NOT NULL,
  direction TEXT NOT NULL, state TEXT NOT NULL, from_experiment INTEGER NOT NULL REFERENCES experiment,
  to_experiment INTEGER NOT NULL REFERENCES experiment, seen_experiment INTEGER NOT NULL REFERENCES experiment,
  dated_experiment INTEGER NOT NULL REFERENCES experiment,
  raised_ms INTEGER NOT NULL, before_mean_ns REAL, before_low_ns REAL, before_high_ns REAL, after_mean_ns REAL,
  after_low_ns REAL, after_high_ns REAL, difference_mean_ns REAL, difference_low_ns REAL,
  difference_high_ns REAL, difference_percent REAL, reason TEXT NOT NULL, fixed_by INTEGER REFERENCES alert,
  aged INTEGER NOT NULL DEFAULT 0, to_night TEXT, searched INTEGER NOT NULL DEFAULT 0,
  dimension TEXT NOT NULL DEFAULT 'time');
CREATE INDEX alert_project ON alert(project_id, id);
CREATE INDEX alert_series ON alert(series_id, dated_experiment);
CREATE INDEX alert_state ON alert(state, project_id, aged, id);
CREATE INDEX alert_changed ON alert(project_id, to_night, to_experiment);
CREATE INDEX alert_unsearched ON alert(project_id, state, searched) WHERE searched=0;

-- Who decided what of an alert.
CREATE TABLE alert_audit(id INTEGER PRIMARY KEY, alert_id INTEGER NOT NULL REFERENCES alert,
  at_ms INTEGER NOT NULL, old_state TEXT, new_state TEXT NOT NULL, author TEXT NOT NULL, reason TEXT NOT NULL);
CREATE INDEX alert_audit_alert ON alert_audit(alert_id, id);

-- A raw file that is there, by the hash of its packed bytes.
CREATE TABLE raw(sha256 TEXT PRIMARY KEY, bytes INTEGER NOT NULL, uncompressed_bytes INTEGER NOT NULL,
  job_id INTEGER NOT NULL REFERENCES job) WITHOUT ROWID;
CREATE INDEX raw_of_job ON raw(job_id);

-- A node as it says of itself; labels and can stay the documents that are shown. paused: who and why; NULL: it works.
CREATE TABLE node(name TEXT PRIMARY KEY, version TEXT NOT NULL, labels TEXT NOT NULL, seen_ms INTEGER NOT NULL,
  job_id INTEGER REFERENCES job, can TEXT NOT NULL DEFAULT '[]', paused TEXT,
  can_confirm INTEGER NOT NULL DEFAULT 0, can_artifact INTEGER NOT NULL DEFAULT 0,
  can_explain INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;

-- Where messages go. after_*: what was there when the channel was first seen is history for it.
CREATE TABLE channel(id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project, name TEXT NOT NULL,
  opened_ms INTEGER NOT NULL, after_alert INTEGER NOT NULL, after_experiment INTEGER NOT NULL,
  after_incident INTEGER NOT NULL DEFAULT 0, UNIQUE(project_id, name));

-- What is to be told, and what became of it.
CREATE TABLE outbox(id INTEGER PRIMARY KEY AUTOINCREMENT, channel_id INTEGER NOT NULL REFERENCES channel,
  subject TEXT NOT NULL, subject_id INTEGER NOT NULL, event TEXT NOT NULL, state TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, made_ms INTEGER NOT NULL, not_before_ms INTEGER NOT NULL,
  closed_ms INTEGER, reference TEXT, note TEXT, UNIQUE(channel_id, subject, subject_id, event));
CREATE INDEX outbox_waiting ON outbox(not_before_ms) WHERE state='waiting';

-- Two commits, measured again in turn.
CREATE TABLE trial(id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,
  project_id INTEGER NOT NULL REFERENCES project, series_id INTEGER NOT NULL REFERENCES series,
  after_id INTEGER NOT NULL REFERENCES revision, before_id INTEGER NOT NULL REFERENCES revision,
  experiment_id INTEGER NOT NULL REFERENCES experiment, node TEXT, state TEXT NOT NULL,
  batches INTEGER NOT NULL DEFAULT 0, started_ms INTEGER NOT NULL, finished_ms INTEGER);
CREATE INDEX trial_running ON trial(project_id) WHERE state='running';

-- A job of a trial.
CREATE TABLE trial_job(job_id INTEGER PRIMARY KEY REFERENCES job, trial_id INTEGER NOT NULL REFERENCES trial,
  result_hash TEXT);
CREATE INDEX trial_job_trial ON trial_job(trial_id);

-- A loop of a trial. duet: the other commit's process ran at the same time; such loops are judged in pairs.
CREATE TABLE trial_loop(trial_id INTEGER NOT NULL REFERENCES trial, job_id INTEGER NOT NULL REFERENCES job,
  place INTEGER NOT NULL, configuration TEXT NOT NULL, before INTEGER NOT NULL, loop INTEGER NOT NULL,
  used INTEGER NOT NULL, mean_ns REAL, summary TEXT, readings TEXT, duet INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(trial_id, job_id, place)) WITHOUT ROWID;
CREATE INDEX trial_loop_job ON trial_loop(job_id);

-- What a trial is asked of a portion. ends_loops: how many loops in all it will take if what is known stays as it is. counted:
-- {"before": {"mean","low","high"},"after": {…}}. stage: its configuration and the parent of that ("both"), the configuration
-- "alone", or both since it "moved" alone. whole: what the configuration measures, "T + I + C + W"; alone, that is what the
-- figures are of, and level_ns the portion's level, of which the minimum effect is a share. dimension: 'time', or another one, whose
-- unit all figures have; so of suspicion, alert and alert_portion.
CREATE TABLE question(id INTEGER PRIMARY KEY AUTOINCREMENT, trial_id INTEGER NOT NULL REFERENCES trial,
  configuration TEXT NOT NULL, parent TEXT, portion TEXT NOT NULL, expected_ns REAL NOT NULL,
  state TEXT NOT NULL, loops INTEGER NOT NULL DEFAULT 0, before_mean_ns REAL, before_low_ns REAL,
  before_high_ns REAL, after_mean_ns REAL, after_low_ns REAL, after_high_ns REAL, difference_mean_ns REAL,
  difference_low_ns REAL, difference_high_ns REAL, reason TEXT, ends_loops INTEGER, counted TEXT,
  stage TEXT NOT NULL DEFAULT 'both', whole TEXT, level_ns REAL, dimension TEXT NOT NULL DEFAULT 'time');
CREATE INDEX question_trial ON question(trial_id);

-- A change that is measured again before anybody is told.
CREATE TABLE suspicion(id INTEGER PRIMARY KEY AUTOINCREMENT, series_id INTEGER NOT NULL REFERENCES series,
  configuration TEXT NOT NULL, direction INTEGER NOT NULL,
  seen_experiment INTEGER NOT NULL REFERENCES experiment, to_experiment INTEGER NOT NULL REFERENCES experiment,
  from_experiment INTEGER NOT NULL REFERENCES experiment, question_id INTEGER NOT NULL REFERENCES question,
  state TEXT NOT NULL, reason TEXT, raised_ms INTEGER NOT NULL, settled_ms INTEGER,
  dimension TEXT NOT NULL DEFAULT 'time',
  UNIQUE(series_id, dimension, configuration, seen_experiment, to_experiment));
CREATE INDEX suspicion_seen ON suspicion(seen_experiment);
CREATE INDEX suspicion_question ON suspicion(question_id);
CREATE INDEX suspicion_state ON suspicion(state, series_id);

-- Webhooks taken in; state: waiting (for a commit), said (of a pull request: pull, JSON), done: it is remembered.
CREATE TABLE delivery(id INTEGER PRIMARY KEY AUTOINCREMENT, provider TEXT NOT NULL, delivery TEXT NOT NULL,
  project_id INTEGER NOT NULL REFERENCES project, sha TEXT NOT NULL, state TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, pull TEXT, UNIQUE(provider, delivery, project_id));
CREATE INDEX delivery_waiting ON delivery(project_id, sha) WHERE state='waiting';

-- The search for an alert's commit.
CREATE TABLE bisection(id INTEGER PRIMARY KEY AUTOINCREMENT, alert_id INTEGER NOT NULL UNIQUE REFERENCES alert,
  from_id INTEGER NOT NULL REFERENCES revision, state TEXT NOT NULL, low INTEGER, high INTEGER, reason TEXT,
  started_ms INTEGER NOT NULL, finished_ms INTEGER);
CREATE INDEX bisection_running ON bisection(alert_id) WHERE state='running';

-- The commits of a search; place counts them from the oldest.
CREATE TABLE bisection_commit(bisection_id INTEGER NOT NULL REFERENCES bisection, place INTEGER NOT NULL,
  revision_id INTEGER NOT NULL REFERENCES revision, state TEXT NOT NULL,
  question_id INTEGER REFERENCES question, PRIMARY KEY(bisection_id, place)) WITHOUT ROWID;
CREATE INDEX bisection_question ON bisection_commit(question_id);

-- What CI hands in. A row whose bytes have gone (removed_ms) still says what they were.
CREATE TABLE artifact(id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL REFERENCES project,
  sha TEXT NOT NULL, name TEXT NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, author TEXT,
  stored_ms INTEGER NOT NULL, removed_ms INTEGER, UNIQUE(project_id, sha, name));
CREATE INDEX artifact_sha256 ON artifact(sha256) WHERE removed_ms IS NULL;
CREATE INDEX artifact_age ON artifact(project_id, stored_ms) WHERE removed_ms IS NULL;

-- The detector of a dimension ('time', or what dimension.dimension says) after a night; place: that night's in the series, from 1.
CREATE TABLE series_state(series_id INTEGER NOT NULL REFERENCES series, place INTEGER NOT NULL,
  dimension TEXT NOT NULL, experiment_id INTEGER NOT NULL REFERENCES experiment, state BLOB NOT NULL,
  PRIMARY KEY(series_id, dimension, place));

-- What a commit announces.
CREATE TABLE expectation(id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project,
  place INTEGER NOT NULL, sha TEXT NOT NULL, author TEXT NOT NULL, time_ms INTEGER NOT NULL,
  subject TEXT NOT NULL, text TEXT NOT NULL, portions TEXT NOT NULL, direction INTEGER NOT NULL, percent REAL,
  ns REAL, reason TEXT, problem TEXT, UNIQUE(project_id, place, sha, text));

-- The portions of an alert.
CREATE TABLE alert_portion(alert_id INTEGER NOT NULL REFERENCES alert,
  dimension TEXT NOT NULL DEFAULT 'time', configuration TEXT NOT NULL,
  portion TEXT NOT NULL, direction TEXT NOT NULL, seen_experiment INTEGER NOT NULL REFERENCES experiment,
  before_mean_ns REAL, before_low_ns REAL, before_high_ns REAL, after_mean_ns REAL, after_low_ns REAL,
  after_high_ns REAL, difference_mean_ns REAL, difference_low_ns REAL, difference_high_ns REAL,
  difference_percent REAL, reason TEXT NOT NULL, fixed_by INTEGER REFERENCES alert,
  PRIMARY KEY(alert_id, dimension, configuration)) WITHOUT ROWID;
CREATE INDEX alert_portion_seen ON alert_portion(seen_experiment);

-- A label that a node must carry to measure the project.
CREATE TABLE project_label(project_id INTEGER NOT NULL REFERENCES project, label TEXT NOT NULL,
  PRIMARY KEY(project_id, label)) WITHOUT ROWID;

-- A label that a node carries.
CREATE TABLE node_label(node TEXT NOT NULL REFERENCES node, label TEXT NOT NULL,
  PRIMARY KEY(node, label)) WITHOUT ROWID;

-- What happened to machine or harness. from, to, seen: the last night before it, its first, and the one that opened it; lasts:
-- the nights to come may still show it; over: the night that shows it no more; moved of configurations.
CREATE TABLE incident(id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL REFERENCES project,
  series_id INTEGER NOT NULL REFERENCES series, kind TEXT NOT NULL, state TEXT NOT NULL,
  from_experiment INTEGER REFERENCES experiment, to_experiment INTEGER NOT NULL REFERENCES experiment,
  seen_experiment INTEGER NOT NULL REFERENCES experiment, over_experiment INTEGER REFERENCES experiment,
  lasts INTEGER NOT NULL, factor REAL, factor_low REAL, factor_high REAL, moved INTEGER NOT NULL,
  configurations INTEGER NOT NULL, opened_ms INTEGER NOT NULL, who TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL,
  UNIQUE(series_id, kind, to_experiment));
CREATE INDEX incident_project ON incident(project_id, id);
CREATE INDEX incident_since ON incident(to_experiment);

-- Who decided what of an incident.
CREATE TABLE incident_audit(id INTEGER PRIMARY KEY, incident_id INTEGER NOT NULL REFERENCES incident,
  at_ms INTEGER NOT NULL, old_state TEXT, new_state TEXT NOT NULL, author TEXT NOT NULL, reason TEXT NOT NULL);
CREATE INDEX incident_audit_incident ON incident_audit(incident_id, id);

-- What taking in a history has brought: a row an import that brought nights; report is its JSON.
CREATE TABLE import(id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project,
  at_ms INTEGER NOT NULL, report TEXT NOT NULL);
CREATE INDEX import_project ON import(project_id, id);

-- Who was refused, and who changed what. Of refusals a row an hour for all that are alike: period is that hour, count how many;
-- last_ms: the newest. Of a change period is NULL. Both are bounded (store_audit.h).
CREATE TABLE audit(id INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL,
  period INTEGER, kind TEXT NOT NULL, who TEXT NOT NULL, client TEXT NOT NULL, what TEXT NOT NULL,
  why TEXT NOT NULL, count INTEGER NOT NULL, UNIQUE(period, client, who, what, why));
CREATE INDEX audit_kind ON audit(kind, id);

-- One parameter at several values; its experiments are hidden: they are no nights.
CREATE TABLE sweep(id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL REFERENCES project,
  revision_id INTEGER NOT NULL REFERENCES revision, parameter TEXT NOT NULL, author TEXT NOT NULL,
  asked_ms INTEGER NOT NULL);
CREATE INDEX sweep_project ON sweep(project_id, id);

-- One of the values, and its job.
CREATE TABLE sweep_point(sweep_id INTEGER NOT NULL REFERENCES sweep, place INTEGER NOT NULL,
  value INTEGER NOT NULL, job_id INTEGER NOT NULL UNIQUE REFERENCES job,
  PRIMARY KEY(sweep_id, place)) WITHOUT ROWID;

-- The last commit of the environment before, measured again in the new one; trial_id NULL: the night that began it is of the
-- same commit. state: open, done, failed; reason: what came of it, in words.
CREATE TABLE bridge(incident_id INTEGER PRIMARY KEY REFERENCES incident, trial_id INTEGER REFERENCES trial,
  state TEXT NOT NULL, reason TEXT NOT NULL);
CREATE INDEX bridge_trial ON bridge(trial_id);

-- Where an alert's change is. before, after: the commits that were compared. removed_ms: when its profiles were removed; its
-- sentences stay. allocated_profiler, allocated_reason: what took the profiles of bytes, or why there are none.
CREATE TABLE explanation(alert_id INTEGER PRIMARY KEY REFERENCES alert, job_id INTEGER REFERENCES job,
  before_id INTEGER NOT NULL REFERENCES revision, after_id INTEGER NOT NULL REFERENCES revision,
  state TEXT NOT NULL, reason TEXT, profiler TEXT, unit TEXT, result_hash TEXT, finished_ms INTEGER,
  removed_ms INTEGER, allocated_profiler TEXT, allocated_reason TEXT);
CREATE INDEX explanation_job ON explanation(job_id);

-- What profiles say of a portion; functions is JSON (docs/api.md). dimension: 'time', also where the explanation's unit is an
-- amount, or 'bytes' that are allocated. change_ns: empty of an amount.
CREATE TABLE explanation_portion(alert_id INTEGER NOT NULL REFERENCES alert, configuration TEXT NOT NULL,
  parent TEXT, portion TEXT NOT NULL, sentence TEXT NOT NULL, change_ns REAL, before_units REAL,
  after_units REAL, functions TEXT NOT NULL, dimension TEXT NOT NULL,
  PRIMARY KEY(alert_id, dimension, configuration)) WITHOUT ROWID;

-- before: is it of the older commit? dimension: as above.
CREATE TABLE profile(alert_id INTEGER NOT NULL REFERENCES alert, configuration TEXT NOT NULL,
  before INTEGER NOT NULL, loop INTEGER NOT NULL, calls INTEGER NOT NULL, stacks TEXT NOT NULL,
  dimension TEXT NOT NULL, PRIMARY KEY(alert_id, dimension, configuration, before, loop)) WITHOUT ROWID;

-- What is counted beside the time of a call, a row a dimension and configuration: mean, low, high of the portion, total of the
-- configuration; per what: detector/statistics/dimension.h. Then what its watch said of it: before, the level that was compared;
-- rule, as of a portion; level_*: what the watch of counts knows from then on. NULL: not watched. loops: JSON, of
-- what goes through the watch of times: the values of the loops that count, in their order.
CREATE TABLE dimension(experiment_id INTEGER NOT NULL REFERENCES experiment, dimension TEXT NOT NULL,
  ordinal INTEGER NOT NULL, counter TEXT, configuration TEXT NOT NULL, parent TEXT, portion TEXT NOT NULL,
  mean REAL, low REAL, high REAL, total REAL, verdict TEXT, direction TEXT, rule TEXT, before_mean REAL,
  before_low REAL, before_high REAL, from_experiment INTEGER, level_mean REAL, level_half REAL,
  level_nights INTEGER, level_to INTEGER, reason TEXT, loops TEXT,
  PRIMARY KEY(experiment_id, dimension, ordinal)) WITHOUT ROWID;
CREATE INDEX dimension_pending ON dimension(experiment_id) WHERE rule='pending';

-- Before the merge: a commit measured in turn with its merge base. state: held (a fork's, until a maintainer lets it in),
-- waiting (for its commits), measuring, done, failed, dropped (another one came, or it was closed). labelled: was the label
-- there at the last event?
CREATE TABLE pull(id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL REFERENCES project,
  provider TEXT NOT NULL, number INTEGER, title TEXT NOT NULL, author TEXT NOT NULL, url TEXT, ref TEXT,
  fork INTEGER NOT NULL, labelled INTEGER NOT NULL, head TEXT NOT NULL, branch TEXT NOT NULL,
  state TEXT NOT NULL, reason TEXT, attempts INTEGER NOT NULL DEFAULT 0, minutes REAL NOT NULL,
  percent REAL NOT NULL, after_id INTEGER REFERENCES revision, before_id INTEGER REFERENCES revision,
  benchmark_id INTEGER REFERENCES benchmark, node TEXT, batches INTEGER NOT NULL DEFAULT 0,
  asked_ms INTEGER NOT NULL, started_ms INTEGER, finished_ms INTEGER);
CREATE INDEX pull_project ON pull(project_id, id);
CREATE INDEX pull_number ON pull(project_id, provider, number);
CREATE INDEX pull_waiting ON pull(project_id) WHERE state='waiting';

-- A job of a pull request.
CREATE TABLE pull_job(job_id INTEGER PRIMARY KEY REFERENCES job, pull_id INTEGER NOT NULL REFERENCES pull,
  loops INTEGER NOT NULL, result_hash TEXT);
CREATE INDEX pull_job_pull ON pull_job(pull_id);

-- As trial_loop.
CREATE TABLE pull_loop(pull_id INTEGER NOT NULL REFERENCES pull, job_id INTEGER NOT NULL REFERENCES job,
  place INTEGER NOT NULL, configuration TEXT NOT NULL, before INTEGER NOT NULL, loop INTEGER NOT NULL,
  used INTEGER NOT NULL, seconds REAL, mean_ns REAL, duet INTEGER NOT NULL DEFAULT 0, lost_percent REAL,
  PRIMARY KEY(pull_id, job_id, place)) WITHOUT ROWID;
CREATE INDEX pull_loop_job ON pull_loop(job_id);

-- What a pull request is asked of a portion, and its answer.
CREATE TABLE pull_portion(pull_id INTEGER NOT NULL REFERENCES pull, ordinal INTEGER NOT NULL,
  configuration TEXT NOT NULL, parent TEXT, portion TEXT NOT NULL, answer TEXT NOT NULL,
  loops INTEGER NOT NULL DEFAULT 0, before_mean_ns REAL, before_low_ns REAL, before_high_ns REAL,
  after_mean_ns REAL, after_low_ns REAL, after_high_ns REAL, difference_mean_ns REAL, difference_low_ns REAL,
  difference_high_ns REAL, least_ns REAL, seen_ns REAL, sentence TEXT,
  PRIMARY KEY(pull_id, ordinal)) WITHOUT ROWID;

-- What a page counts is not counted anew: nights that are shown (hidden=0) by year. Kept by the statements that insert and
-- hide experiments.
CREATE TABLE night_count(project_id INTEGER NOT NULL REFERENCES project, year TEXT NOT NULL,
  nights INTEGER NOT NULL, PRIMARY KEY(project_id, year)) WITHOUT ROWID;

-- The servers on this database.
CREATE TABLE server(name TEXT PRIMARY KEY) WITHOUT ROWID;

-- What each has of a project (a hash of its configuration): a page says when they differ.
CREATE TABLE server_project(server TEXT NOT NULL REFERENCES server,
  project_id INTEGER NOT NULL REFERENCES project, hash TEXT NOT NULL,
  PRIMARY KEY(server, project_id)) WITHOUT ROWID;

-- What people say of a night. A removed one stays, and is shown no more.
CREATE TABLE note(id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL REFERENCES project,
  night TEXT NOT NULL, text TEXT NOT NULL, author TEXT NOT NULL, made_ms INTEGER NOT NULL, removed_ms INTEGER);
CREATE INDEX note_night ON note(project_id, night) WHERE removed_ms IS NULL;

-- Does another branch, kept as project_id, have the commit behind an alert? state: has, picked (as sha), lacks, unknown (nobody
-- has the commit any more); head: of that branch when it was asked.
CREATE TABLE backport(alert_id INTEGER NOT NULL REFERENCES alert,
  project_id INTEGER NOT NULL REFERENCES project, head TEXT NOT NULL, state TEXT NOT NULL, sha TEXT,
  PRIMARY KEY(alert_id, project_id)) WITHOUT ROWID;

-- How much raw data each job has; removed_ms: when they were removed, rule: what for (age, budget); files and bytes: how much
-- that was.
CREATE TABLE raw_job(job_id INTEGER PRIMARY KEY REFERENCES job, project_id INTEGER NOT NULL REFERENCES project,
  files INTEGER NOT NULL, bytes INTEGER NOT NULL, stored_ms INTEGER NOT NULL, removed_ms INTEGER, rule TEXT);
CREATE INDEX raw_job_there ON raw_job(project_id, stored_ms, job_id) WHERE removed_ms IS NULL;

-- Other jobs whose loops have the same bytes as a file of raw.job_id.
CREATE TABLE raw_share(sha256 TEXT NOT NULL, job_id INTEGER NOT NULL REFERENCES job,
  PRIMARY KEY(sha256, job_id)) WITHOUT ROWID;
CREATE INDEX raw_share_job ON raw_share(job_id);

-- Files of a folder (raw, artifacts) that no row names; they go after a while (store/files.h); removing: somebody is about it.
CREATE TABLE gone(folder TEXT NOT NULL, sha256 TEXT NOT NULL, at_ms INTEGER NOT NULL, removing INTEGER NOT NULL,
  PRIMARY KEY(folder, sha256)) WITHOUT ROWID;

-- What people say of levels: one begins with a night (of these portions, [{"portion","configuration"}], NULL: of all), an
-- alert's with another night than the detector found, or, without a night, with none. The alert's nights and state as they were
-- are kept, for who undoes it.
CREATE TABLE baseline(id INTEGER PRIMARY KEY AUTOINCREMENT, project_id INTEGER NOT NULL REFERENCES project,
  night TEXT, portions TEXT, alert_id INTEGER REFERENCES alert, from_id INTEGER REFERENCES experiment,
  to_id INTEGER REFERENCES experiment, old_state TEXT, reason TEXT NOT NULL, author TEXT NOT NULL,
  made_ms INTEGER NOT NULL, undone_ms INTEGER);
CREATE INDEX baseline_night ON baseline(project_id, night) WHERE undone_ms IS NULL;
CREATE INDEX baseline_alert ON baseline(alert_id) WHERE undone_ms IS NULL;

-- A branch that could not be asked for an alert's commit, and how often: the others are asked first.
CREATE TABLE backport_try(alert_id INTEGER NOT NULL REFERENCES alert,
  project_id INTEGER NOT NULL REFERENCES project, tries INTEGER NOT NULL,
  PRIMARY KEY(alert_id, project_id)) WITHOUT ROWID;

-- Which kinds of trouble whoever runs the servers was told of, and when each was there last.
CREATE TABLE trouble(kind TEXT PRIMARY KEY, seen_ms INTEGER NOT NULL) WITHOUT ROWID;

-- A name that a project had until then.
CREATE TABLE former_name(name TEXT PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project,
  until_ms INTEGER NOT NULL) WITHOUT ROWID;

-- only postgresql
ALTER TABLE series_state ALTER COLUMN state SET STORAGE EXTERNAL;
