-- What an export reads, and what an import looks up and writes.

-- The first line of an export.
-- export_header(ii)
SELECT 2 AS moowatch_export, name AS project, title, repository, branch, commit_url,
    detection AS "detection{", $2 AS exported_ms
FROM project WHERE id=$1

-- A benchmark as a line.
-- export_benchmark(i)
SELECT 'benchmark' AS type, body_hash AS hash, body AS "body{" FROM benchmark WHERE id=$1

-- An alert as a line, without its audit.
-- export_alert(i)
SELECT 'alert' AS type, a.configuration, a.portion, nullif(a.dimension, 'time') AS dimension, a.direction, a.state, r.sha AS "commit", e.night
FROM alert a
JOIN experiment e ON e.id=a.dated_experiment
JOIN revision r ON r.id=e.revision_id WHERE a.id=$1

-- What was done about an alert, in order.
-- export_audit(i)
SELECT at_ms, new_state AS state, author, reason FROM alert_audit
WHERE alert_id=$1 ORDER BY id

-- The benchmarks of a project's nights and its own: [int64_t] keys.
-- export_benchmarks(i)
SELECT id FROM benchmark
WHERE id IN (
    SELECT benchmark_id FROM experiment WHERE project_id=$1
    UNION
    SELECT benchmark_id FROM project WHERE id=$1)
ORDER BY id

-- The nights that are shown and did not fail, oldest first: [int64_t] keys.
-- export_nights(i)
SELECT id FROM experiment
WHERE project_id=$1 AND hidden=0 AND state<>'failed'
ORDER BY night, time_ms, id

-- The alerts that still follow from the nights: [int64_t] keys.
-- export_alerts(i)
SELECT id FROM alert WHERE project_id=$1 AND state<>'withdrawn' ORDER BY id

-- The alerts that still follow, and whose profiles are here: [int64_t] keys.
-- export_explanations(i)
SELECT a.id FROM alert a
JOIN explanation x ON x.alert_id=a.id
WHERE a.project_id=$1 AND a.state<>'withdrawn' AND x.state='done' AND x.removed_ms IS NULL
ORDER BY a.id

-- Where an alert's change is, as a line, without the profiles.
-- export_explanation(i)
SELECT 'explanation' AS type, a.configuration, nullif(a.dimension, 'time') AS dimension, a.direction, r.sha AS "commit",
    o.sha AS "before.sha", o.author AS "before.author", o.author_email AS "before.author_email",
    o.time_ms AS "before.time_ms", o.subject AS "before.subject", o.parent AS "before.parent",
    n.sha AS "after.sha", n.author AS "after.author", n.author_email AS "after.author_email",
    n.time_ms AS "after.time_ms", n.subject AS "after.subject", n.parent AS "after.parent",
    x.finished_ms AS at_ms, x.profiler AS "result.profiler", x.unit AS "result.unit", x.reason AS "result.note",
    x.allocated_profiler AS "result.allocations.profiler",
    CASE WHEN x.allocated_profiler IS NULL THEN NULL ELSE 'bytes' END AS "result.allocations.unit", x.allocated_reason AS "result.allocations.reason"
FROM alert a
JOIN explanation x ON x.alert_id=a.id
JOIN experiment e ON e.id=a.dated_experiment
JOIN revision r ON r.id=e.revision_id
JOIN revision o ON o.id=x.before_id
JOIN revision n ON n.id=x.after_id WHERE a.id=$1

-- Profiles of a dimension of an alert.
-- export_profiles(it)
SELECT c.sha AS "commit", p.configuration, p.loop, p.calls, p.stacks FROM profile p
JOIN explanation x ON x.alert_id=p.alert_id
JOIN revision c ON c.id=CASE WHEN p.before<>0 THEN x.before_id ELSE x.after_id END
WHERE p.alert_id=$1 AND p.dimension=$2
ORDER BY p.configuration, p.before, p.loop

-- An incident as a line, without its audit.
-- export_incident(i)
SELECT 'incident' AS type, i.kind, i.state, r.sha AS "commit", e.night
FROM incident i
JOIN experiment e ON e.id=i.to_experiment
JOIN revision r ON r.id=e.revision_id WHERE i.id=$1

-- What was decided of an incident, in order.
-- export_incident_audit(i)
SELECT at_ms, new_state AS state, author, reason FROM incident_audit
WHERE incident_id=$1 ORDER BY id

-- The incidents that a person decided of.
-- export_incidents(i)
SELECT id FROM incident
WHERE project_id=$1 AND state<>'withdrawn'
    AND id IN (SELECT incident_id FROM incident_audit WHERE author<>'detector')
ORDER BY id

-- The notes in force.
-- export_notes(i)
SELECT id FROM note WHERE project_id=$1 AND removed_ms IS NULL ORDER BY id

-- A note as a line.
-- export_note(i)
SELECT 'note' AS type, night, text, author, made_ms AS at_ms FROM note WHERE id=$1

-- The levels that are in force.
-- export_baselines(i)
SELECT id FROM baseline WHERE project_id=$1 AND undone_ms IS NULL ORDER BY id

-- A level as a line.
-- export_baseline(i)
SELECT 'baseline' AS type, b.night, b.portions AS "portions{", b.reason, b.author, b.made_ms AS at_ms,
    a.configuration AS "alert.configuration", nullif(a.dimension, 'time') AS "alert.dimension",
    a.direction AS "alert.direction", r.sha AS "alert.commit"
FROM baseline b
LEFT JOIN alert a ON a.id=b.alert_id
LEFT JOIN experiment e ON e.id=b.to_id
LEFT JOIN revision r ON r.id=e.revision_id WHERE b.id=$1

-- The loops of a night, in the order they ran.
-- export_loops(i)
SELECT c.name AS configuration, l.loop, l.position, l.started_ms, l.seconds, l.disturbed AS "disturbed?",
    l.failed, l.calls, l.warmup_calls, l.summary AS "summary{", l.calls_per_second AS "calls_per_second{",
    l.readings AS "readings{", l.raw_sha256 AS "raw.sha256",
    CASE WHEN l.raw_sha256 IS NOT NULL THEN l.raw_bytes END AS "raw.bytes",
    CASE WHEN l.raw_sha256 IS NOT NULL THEN l.raw_uncompressed_bytes END AS "raw.uncompressed_bytes"
FROM loop l
JOIN configuration c ON c.experiment_id=l.experiment_id AND c.ordinal=l.ordinal
WHERE l.experiment_id=$1 ORDER BY l.position, l.ordinal, l.loop

-- A night as a line, without its result.
-- export_experiment(i)
SELECT 'night' AS type, e.kind, e.night, e.state, s.branch, b.body_hash AS benchmark, r.sha AS "commit.sha",
    r.author AS "commit.author", r.author_email AS "commit.author_email", r.time_ms AS "commit.time_ms",
    r.subject AS "commit.subject", r.parent AS "commit.parent", r.release AS "commit.release"
FROM experiment e
JOIN benchmark b ON b.id=e.benchmark_id
JOIN revision r ON r.id=e.revision_id
LEFT JOIN series s ON s.id=e.series_id WHERE e.id=$1

-- The result of a night, without loops.
-- export_result(i)
SELECT e.node, e.started_ms, e.finished_ms, v.body AS "environment{", e.environment_detail AS "detail{"
FROM experiment e
JOIN environment v ON v.id=e.environment_id WHERE e.id=$1

-- The key of a project, 0 when there is none.
-- import_project(t)
SELECT id FROM project WHERE name=$1

-- {"body"} of the newest night of a project.
-- import_newest_benchmark(i)
SELECT b.body AS "body{" FROM experiment e
JOIN benchmark b ON b.id=e.benchmark_id
WHERE e.project_id=$1 AND e.hidden=0
ORDER BY e.night DESC, e.time_ms DESC, e.id DESC LIMIT 1

-- {"body"} of each benchmark that a project's nights had, the newest first.
-- import_benchmarks(i)
SELECT b.body AS "body{" FROM benchmark b
JOIN (SELECT benchmark_id, MAX(id) AS newest FROM experiment
    WHERE project_id=$1 AND hidden=0 GROUP BY benchmark_id) e ON e.benchmark_id=b.id
ORDER BY e.newest DESC

-- {"name"} of each configuration that has a result in one of the $2 newest results of a project.
-- import_names_lately(ii)
SELECT DISTINCT name FROM configuration
WHERE loops>0 AND experiment_id IN (
    SELECT id FROM experiment WHERE project_id=$1 AND hidden=0
    ORDER BY night DESC, time_ms DESC, id DESC LIMIT $2)

-- A project that is not configured here, disabled, with a header's title, repository and detection.
-- import_project_insert(ttttitit)
INSERT INTO project(name, title, repository, branch, enabled, benchmark_id, detection, ageing_days, main)
VALUES($1,$2,$3,$4,0,$5,$6,$7,$8)
RETURNING id

-- What a commit was released as.
-- import_release(it)
UPDATE revision SET release=$2 WHERE id=$1

-- A benchmark's body, and a project's detection.
-- import_settings(ii)
SELECT b.body AS "body{", p.detection AS "detection{"
FROM benchmark b
JOIN project p ON p.id=$2 WHERE b.id=$1

-- 1 when a raw file is here, else 0.
-- import_raw_there(t)
SELECT count(*) FROM raw WHERE sha256=$1

-- Has a project a configuration in any night of this environment up to this date? 0 or 1.
-- import_seen(ittt)
SELECT count(*) FROM (
    SELECT c.name FROM experiment e
    JOIN configuration c ON c.experiment_id=e.id
    JOIN environment v ON v.id=e.environment_id
    WHERE e.project_id=$1 AND c.name=$2 AND e.night<=$3 AND v.hash=$4 LIMIT 1) AS seen

-- The run that is here already, of a series or of a benchmark as its file has it; alike: in the series of that lineage,
-- environment and branch, or in none; ours: of that environment, and first.
-- import_night_there(ittittt)
SELECT e.id, e.series_id AS series, e.environment_id AS environment, e.result_hash AS hash, e.hidden AS "hidden?",
    CASE WHEN coalesce(s.identity, $2)=$2 AND v.hash=$6 AND coalesce(s.branch, $7)=$7 THEN 1 ELSE 0 END AS "alike?",
    CASE WHEN v.hash=$6 THEN 1 ELSE 0 END AS "ours?"
FROM experiment e
JOIN benchmark b ON b.id=e.benchmark_id
LEFT JOIN environment v ON v.id=e.environment_id
LEFT JOIN series s ON s.id=e.series_id
WHERE e.revision_id=$1 AND (s.identity=$2 OR b.body_hash=$5 OR (s.id IS NULL AND v.hash=$6)) AND e.node=$3 AND e.started_ms=$4
ORDER BY 7 DESC, e.hidden, e.id DESC LIMIT 1

-- The values of a night's loops that did not fail, a configuration's one after the other.
-- import_values_there(i)
SELECT c.name AS configuration, c.label, p.unit, l.mean_ns FROM loop l
JOIN configuration c ON c.experiment_id=l.experiment_id AND c.ordinal=l.ordinal
JOIN portion p ON p.experiment_id=l.experiment_id AND p.ordinal=l.ordinal
WHERE l.experiment_id=$1 AND l.failed IS NULL AND l.mean_ns IS NOT NULL
ORDER BY c.ordinal, l.position, l.loop

-- How many portions of a night the detector has said nothing of.
-- import_unjudged(i)
SELECT count(*) FROM portion WHERE experiment_id=$1 AND reason=''

-- The job that an imported night had, done.
-- import_job_insert(iiittttiii)
INSERT INTO job(
    project_id, revision_id, benchmark_id, branch, kind, priority, night, state, attempts, node, queued_ms,
    started_ms, finished_ms)
VALUES($1,$2,$3,$4,$5,0,$6,'done',1,$7,$8,$9,$10)
RETURNING id

-- How often it is here already, in force or not.
-- import_note_there(ittti)
SELECT count(*) FROM note
WHERE project_id=$1 AND night=$2 AND text=$3 AND author=$4 AND made_ms=$5

-- Is this level here already?
-- import_baseline_there(ittit)
SELECT count(*) FROM baseline
WHERE project_id=$1 AND author=$2 AND reason=$3 AND made_ms=$4 AND coalesce(night,'')=$5

-- The night that a job has made.
-- import_job_close(ii)
UPDATE job SET experiment_id=$2 WHERE id=$1

-- The newest alert that tells of a portion's change at a commit, 0 when none does.
-- import_alert_find(itttt)
SELECT a.id FROM alert a
JOIN experiment e ON e.id=a.dated_experiment
JOIN alert_portion p ON p.alert_id=a.id
JOIN revision r ON r.id=e.revision_id
WHERE a.project_id=$1 AND p.configuration=$2 AND p.direction=$3 AND p.dimension=$5 AND r.sha=$4 AND a.state<>'withdrawn'
ORDER BY a.id DESC LIMIT 1

-- How often this answer is here already.
-- import_audit_there(iit)
SELECT count(*) FROM alert_audit WHERE alert_id=$1 AND at_ms=$2 AND author=$3

-- An alert to begin with: the one whose functions explain most of a time, else the newest.
-- try_alert()
SELECT a.id FROM alert a
LEFT JOIN explanation_portion x ON x.alert_id=a.id
WHERE a.state<>'withdrawn'
ORDER BY coalesce(abs(x.change_ns), -1) DESC, a.id DESC LIMIT 1

-- The newest incident.
-- try_incident()
SELECT max(id) FROM incident WHERE state<>'withdrawn'

-- The newest alert there is.
-- alert_last()
SELECT max(id) FROM alert

-- The newest incident there is.
-- incident_last()
SELECT max(id) FROM incident

-- The alerts of a project that came after this one.
-- imports_alerts(ii)
SELECT count(*) FROM alert WHERE project_id=$1 AND id>$2 AND state<>'withdrawn'

-- The incidents of a project that came after this one.
-- imports_incidents(ii)
SELECT count(*) FROM incident WHERE project_id=$1 AND id>$2 AND state<>'withdrawn'

-- An import has ended. report: its JSON (docs/api.md).
-- imports_note(iit)
INSERT INTO import(project_id, at_ms, report) VALUES($1,$2,$3)

-- {"at_ms","report"} of the newest that brought nights.
-- imports_newest(i)
SELECT at_ms, report AS "report{" FROM import WHERE project_id=$1 ORDER BY id DESC LIMIT 1
