-- What the JSON of docs/api.md is read with. Rows are those of the API, mostly: a view puts them together.

-- Columns of a commit, of table revision r.
-- {commit_fields r}
:r.sha AS "commit.sha", substr(:r.sha,1,9) AS "commit.short", :r.author AS "commit.author",
:r.time_ms AS "commit.time_ms", :r.subject AS "commit.subject"

-- A night that something begins or ends with, of table experiment e and its revision r.
-- {end_fields}
{commit_fields r}, e.night, e.id AS experiment,
CASE WHEN e.environment_detail LIKE '%"undated":["commit"%' THEN 1 ELSE 0 END AS "undated?"

-- Was a night measured elsewhere, and taken in here? Its job had ended before it was put down.
-- {taken_in night}
EXISTS(
    SELECT 1 FROM experiment n
    JOIN job j ON j.id=n.job_id WHERE n.id=:night AND j.finished_ms<j.queued_ms)

-- Is alert a open, and has it aged or not? Kept up in time by the alarm (srv_alerts_age): no view asks for
-- the clock.
-- {alert_aged}
(a.state='open' AND a.aged=1)

-- Is alert a open, and has it not aged?
-- {alert_fresh}
(a.state='open' AND a.aged=0)

-- Does a node measure a job of trial t just now?
-- {trial_measured}
EXISTS(
    SELECT 1 FROM trial_job x
    JOIN job y ON y.id=x.job_id
    WHERE x.trial_id=t.id AND y.state='leased')

-- A project as docs/api.md has it.
-- {project_row}
SELECT p.id, p.name, p.title, p.repository, p.branch, p.enabled AS "enabled?", p.commit_url,
    CASE WHEN p.enabled=1 THEN coalesce(p.fetch_problem, p.job_problem) END AS problem, p.archived_ms, p.polled_ms, p.next_night_ms, p.ageing_days,
    p.main,
    (SELECT coalesce(CAST(sum(c.nights) AS BIGINT), 0) FROM night_count c WHERE c.project_id=p.id) AS nights,
    (SELECT count(*) FROM job j WHERE j.state='queued' AND j.project_id=p.id) AS queued,
    (SELECT count(*) FROM job j WHERE j.state='leased' AND j.project_id=p.id) AS "open.running",
    (SELECT count(*) FROM delivery d WHERE d.state='waiting' AND d.project_id=p.id) AS "open.webhooks",
    (SELECT count(*) FROM trial t WHERE t.state='running' AND t.project_id=p.id AND {trial_measured}) AS "open.trials",
    (
        SELECT count(*) FROM trial t
        WHERE t.state='running' AND t.project_id=p.id AND NOT {trial_measured}) AS "open.trials_waiting",
    (
        SELECT count(*) FROM bisection y
        JOIN alert a ON a.id=y.alert_id
        WHERE y.state='running' AND a.project_id=p.id) AS "open.searches",
    (SELECT count(*) FROM alert a WHERE a.project_id=p.id AND {alert_fresh}) AS open_alerts,
    (SELECT count(*) FROM alert a WHERE a.project_id=p.id AND {alert_aged}) AS aged_alerts,
    (
        SELECT count(*) FROM series e
        CROSS JOIN suspicion s
        WHERE e.project_id=p.id AND s.series_id=e.id AND s.state='waiting') AS suspicions,
    (
        SELECT count(*) FROM series e
        CROSS JOIN suspicion s
        WHERE e.project_id=p.id AND s.series_id=e.id AND s.state='cleared') AS cleared,
    (
        SELECT e.id FROM experiment e WHERE e.project_id=p.id AND e.hidden=0
        ORDER BY e.night DESC, e.time_ms DESC, e.id DESC LIMIT 1) AS latest,
    (SELECT max(a.id) FROM alert a WHERE a.project_id=p.id AND {alert_fresh}) AS alert,
    (SELECT min(j.id) FROM job j WHERE j.state='leased' AND j.project_id=p.id) AS running,
    (
        SELECT CASE WHEN {servers_differ} THEN 1 ELSE 0 END
        FROM server_project x WHERE x.project_id=p.id
        GROUP BY x.project_id) AS "servers_differ?",
    CASE WHEN EXISTS(SELECT 1 FROM pull x WHERE x.project_id=p.id) THEN 1 ELSE 0 END AS "pull_requests?",
    b.body AS "benchmark{"
FROM project p
JOIN benchmark b ON b.id=p.benchmark_id

-- Columns of what measuring again has shown, of tables suspicion s and question q.
-- {confirmation_fields}
s.state AS "confirmation.state", q.trial_id AS "confirmation.trial", q.loops AS "confirmation.loops",
q.before_mean_ns AS "confirmation.before_ns", q.after_mean_ns AS "confirmation.after_ns",
q.difference_mean_ns AS "confirmation.mean_ns", q.difference_low_ns AS "confirmation.low_ns",
q.difference_high_ns AS "confirmation.high_ns", s.reason AS "confirmation.reason"

-- A sweep as docs/api.md has it.
-- {sweep}
SELECT s.id, p.name AS project, {commit_fields r}, s.parameter, s.author, s.asked_ms,
    (SELECT count(*) FROM sweep_point q WHERE q.sweep_id=s.id) AS points,
    (
        SELECT count(*) FROM sweep_point q
        JOIN job j ON j.id=q.job_id
        WHERE q.sweep_id=s.id AND j.state IN ('queued','leased')) AS waiting,
    (
        SELECT count(*) FROM sweep_point q
        JOIN job j ON j.id=q.job_id
        JOIN experiment e ON e.id=j.experiment_id
        WHERE q.sweep_id=s.id AND e.state='measured') AS measured
FROM sweep s
JOIN project p ON p.id=s.project_id
JOIN revision r ON r.id=s.revision_id

-- Columns of what was counted of a portion, of table dimension d, and what joins that of another night, b: by
-- another counter it would be another thing.
-- {dimension_fields}
d.dimension, d.counter, d.portion, d.configuration, d.parent, d.mean, d.low, d.high, d.total

-- Joins what was counted of the same in another night, b: by another counter it would be another thing.
-- {dimensions_alike}
AND b.dimension=d.dimension AND b.configuration=d.configuration
AND coalesce(b.counter,'')=coalesce(d.counter,'')

-- A job as docs/api.md has it; of j, p, r, b, the older commit o of a trial, and its trial_job q.
-- {job_columns}
j.id, p.name AS project, j.kind, j.priority, j.state, j.night, {commit_fields r}, o.sha AS "before.sha",
substr(o.sha,1,9) AS "before.short", o.author AS "before.author", o.time_ms AS "before.time_ms",
o.subject AS "before.subject", q.trial_id AS trial, j.attempts, j.node, j.queued_ms, j.started_ms,
j.finished_ms, j.error, j.experiment_id AS experiment, j.progress AS "progress{",
CASE WHEN j.state='queued' AND {artifact_missing} THEN b.artifact END AS "waiting.artifact",
CASE WHEN j.state='queued' AND {artifact_missing} THEN {artifact_until} END AS "waiting.until_ms",
CASE WHEN (
    j.state='queued' AND EXISTS(SELECT 1 FROM project_label l WHERE l.project_id=p.id)
    AND NOT EXISTS(
        SELECT 1 FROM node n
        WHERE (j.only_node IS NULL OR j.only_node=n.name)
            AND NOT EXISTS(
                SELECT 1 FROM project_label l
                WHERE l.project_id=p.id
                    AND NOT EXISTS(SELECT 1 FROM node_label h WHERE h.node=n.name AND h.label=l.label)))) THEN p.detection END AS "unmatched_labels{"

-- A trial as it stands, as seen from one of its jobs: {"id","state","experiment",
-- "batch","loops","maximum","ends_loops"}.
-- trial_row(ii)
SELECT t.id, t.state, t.experiment_id AS experiment,
    (SELECT count(*) FROM trial_job j WHERE j.trial_id=t.id AND j.job_id<=$2) AS batch,
    (SELECT max(q.loops) FROM question q WHERE q.trial_id=t.id) AS loops, p.detection AS "maximum{",
    (SELECT max(q.ends_loops) FROM question q WHERE q.trial_id=t.id AND q.state='open') AS ends_loops
FROM trial t
JOIN project p ON p.id=t.project_id WHERE t.id=$1

-- What it asks, and what is known of each portion.
-- trial_question_rows(i)
SELECT portion, configuration, dimension,
    CASE state
        WHEN 'open' THEN 'waiting'
        WHEN 'yes' THEN 'confirmed'
        WHEN 'no' THEN 'cleared'
        ELSE state END AS state, CASE WHEN stage='alone' THEN whole END AS whole, loops, ends_loops,
    before_mean_ns AS "before.mean_ns", before_low_ns AS "before.low_ns",
    before_high_ns AS "before.high_ns", after_mean_ns AS "after.mean_ns", after_low_ns AS "after.low_ns",
    after_high_ns AS "after.high_ns", difference_mean_ns AS "difference.mean_ns",
    difference_low_ns AS "difference.low_ns", difference_high_ns AS "difference.high_ns", reason,
    counted AS "counted{",
    (
        SELECT w.unit FROM portion w
        JOIN trial t ON t.experiment_id=w.experiment_id
        WHERE t.id=$1 AND w.configuration=question.configuration AND question.dimension='time') AS unit
FROM question WHERE trial_id=$1 ORDER BY id

-- Every node as the status has it; one not heard of for silent_ms is "silent".
-- nodes_list(i)
SELECT n.name, n.version, n.labels AS "labels{", n.seen_ms, n.paused,
    CASE WHEN n.seen_ms<$1 THEN 'silent'
        WHEN j.id IS NOT NULL THEN 'busy'
        WHEN n.paused IS NOT NULL THEN 'paused'
        ELSE 'idle' END AS state, j.id AS job, j.progress AS "progress{"
FROM node n
LEFT JOIN job j ON j.id=n.job_id AND j.state='leased' ORDER BY n.name

-- {"queued","leased","failed"}.
-- queue_counts()
SELECT (SELECT count(*) FROM job WHERE state='queued') AS queued,
    (SELECT count(*) FROM job WHERE state='leased') AS leased,
    (SELECT count(*) FROM job WHERE state='failed') AS failed

-- The artifacts of a project that are there, newest first.
-- artifact_rows(iii)
{artifact_view}
WHERE f.project_id=$1 AND f.removed_ms IS NULL AND f.id<$2
ORDER BY f.id DESC LIMIT $3

-- The loops of a configuration.
-- loop_rows(ii)
SELECT loop, position, started_ms, seconds, disturbed AS "disturbed?", failed, used AS "used?", calls,
    warmup_calls, summary AS "summary{", calls_per_second AS "calls_per_second{", readings AS "readings{",
    raw_sha256 AS "raw.sha256", raw_bytes AS "raw.bytes",
    raw_uncompressed_bytes AS "raw.uncompressed_bytes",
    CASE row_number() OVER (PARTITION BY loop, raw_sha256 IS NULL ORDER BY used DESC, position DESC)
        WHEN 1 THEN 1
        ELSE 0 END AS "raw.named?"
FROM loop WHERE experiment_id=$1 AND ordinal=$2
ORDER BY loop, position

-- The configurations of a night with their statistics: what "stored" has fills the members that are NULL here, which keep
-- their order.
-- configuration_rows(i)
SELECT name, label, loops, mean_ns, low_ns, high_ns, median_ns, median_low_ns, median_high_ns,
    NULLIF(n,0) AS "statistics.n", mean_ns AS "statistics.mean_ns", NULL AS "statistics.sd_ns",
    low_ns AS "statistics.low_ns", high_ns AS "statistics.high_ns", NULL AS "statistics.min_ns",
    NULL AS "statistics.q1_ns", median_ns AS "statistics.median_ns", NULL AS "statistics.q3_ns",
    NULL AS "statistics.max_ns", calls_low_ns AS "statistics.calls_low_ns",
    calls_high_ns AS "statistics.calls_high_ns", statistics AS "stored{"
FROM configuration WHERE experiment_id=$1 ORDER BY ordinal

-- Where and with what a night was measured, its job's log, the measured nights before and after
-- it ("previous", "next").
-- experiment_context(i)
SELECT e.node, e.started_ms, b.body AS "benchmark{", v.body AS "environment_detail{",
    e.environment_detail AS "detail{", k.removed_ms AS "raw_removed.at_ms",
    k.rule AS "raw_removed.rule", j.log,
    (
        SELECT p.id FROM experiment p
        WHERE p.project_id=e.project_id AND p.hidden=0 AND p.state='measured'
            AND (p.night, p.time_ms, p.id) < (e.night, e.time_ms, e.id)
        ORDER BY p.night DESC, p.time_ms DESC, p.id DESC LIMIT 1) AS previous,
    (
        SELECT n.id FROM experiment n
        WHERE n.project_id=e.project_id AND n.hidden=0 AND n.state='measured'
            AND (n.night, n.time_ms, n.id) > (e.night, e.time_ms, e.id)
        ORDER BY n.night, n.time_ms, n.id LIMIT 1) AS next
FROM experiment e
JOIN benchmark b ON b.id=e.benchmark_id
JOIN job j ON j.id=e.job_id
LEFT JOIN raw_job k ON k.job_id=e.job_id AND k.removed_ms IS NOT NULL
LEFT JOIN environment v ON v.id=e.environment_id WHERE e.id=$1

-- The environment of a night, if it has one.
-- experiment_environment(i)
SELECT v.body FROM experiment e
JOIN environment v ON v.id=e.environment_id WHERE e.id=$1

-- What the commits that came with a night's have announced.
-- expectation_rows(i)
SELECT {commit_fields x}, x.text, x.portions AS "portions{",
    CASE WHEN x.direction>0 THEN 'up'
        WHEN x.direction<0 THEN 'down' END AS direction, x.percent, x.ns, x.reason,
    x.problem
FROM experiment e
JOIN revision r ON r.id=e.revision_id
JOIN expectation x ON x.project_id=e.project_id AND x.place<=r.place
    AND x.place>coalesce(
        (
            SELECT q.place FROM revision q
            JOIN experiment o ON o.revision_id=q.id
            WHERE q.project_id=e.project_id AND o.hidden=0 AND o.state='measured' AND q.place<r.place
            ORDER BY q.place DESC LIMIT 1), r.place-1)
WHERE e.id=$1 ORDER BY x.place, x.id

-- The hash of a loop's raw file.
-- raw_of_loop(iti)
SELECT l.raw_sha256 FROM loop l
JOIN configuration c ON c.experiment_id=l.experiment_id AND c.ordinal=l.ordinal
WHERE l.experiment_id=$1 AND c.name=$2 AND l.loop=$3 AND l.raw_sha256 IS NOT NULL
ORDER BY l.used DESC, l.position DESC LIMIT 1

-- When and why the raw data of a night were removed, if they were.
-- raw_removed(i)
SELECT k.removed_ms AS "raw_removed.at_ms", k.rule AS "raw_removed.rule" FROM experiment e
JOIN raw_job k ON k.job_id=e.job_id WHERE e.id=$1 AND k.removed_ms IS NOT NULL

-- {"name","seen_ms","paused"} of the nodes that could do a job, who was heard of last first.
-- nodes_able(i)
SELECT n.name, n.seen_ms, n.paused FROM job j
JOIN project p ON p.id=j.project_id
JOIN benchmark b ON b.id=j.benchmark_id
JOIN node n ON {node_able} WHERE j.id=$1
ORDER BY n.seen_ms DESC, n.name

-- {"id","project_id","trial","artifact","off","only_node"} of the queued jobs from one key to another for which no
-- node that could do them asks, or whose project is not measured.
-- jobs_unasked(iii)
SELECT j.id, j.project_id, j.kind IN ('confirmation','bisection','pull') AS "trial?",
    b.artifact IS NOT NULL AS "artifact?", p.enabled=0 AS "off?", j.only_node
FROM job j
JOIN project p ON p.id=j.project_id
JOIN benchmark b ON b.id=j.benchmark_id
WHERE j.state='queued' AND j.id BETWEEN $1 AND $2
    AND (
        p.enabled=0
        OR NOT EXISTS(SELECT 1 FROM node n WHERE n.seen_ms>=$3 AND n.paused IS NULL AND {node_able}))

-- Queued jobs between two numbers that measure again and have no minutes left: {"id","spent","allowed"}, in
-- minutes of the last 24 hours.
-- jobs_over_budget(iii)
SELECT j.id, CAST({remeasure_spent $3} AS DOUBLE PRECISION)/60000 AS spent,
    CAST({remeasure_allowed $3} AS DOUBLE PRECISION)/60000 AS allowed
FROM job j
JOIN project p ON p.id=j.project_id
WHERE j.state='queued' AND j.id BETWEEN $1 AND $2 AND {remeasure_over $3}

-- A page of a project's alerts, as alert_keys.
-- alert_keys_of_project(tiii)
SELECT a.id FROM alert a
WHERE a.project_id=$4 AND (a.state=$1 OR $1 IS NULL OR ($1='aged' AND {alert_aged})) AND a.id<$2
ORDER BY a.id DESC LIMIT $3

-- A page of the alerts, newest first; state "aged": the open ones that have aged, NULL: any.
-- alert_keys(tii)
SELECT a.id FROM alert a
WHERE (a.state=$1 OR $1 IS NULL OR ($1='aged' AND {alert_aged})) AND a.id<$2
ORDER BY a.id DESC LIMIT $3

-- A page of a project's jobs, newest first; state NULL: any.
-- job_keys_of_project(tiii)
SELECT id FROM job
WHERE project_id=$4 AND (state=$1 OR $1 IS NULL) AND id<$2
ORDER BY id DESC LIMIT $3

-- A page of the jobs, newest first; state NULL: any.
-- job_keys(tii)
SELECT id FROM job WHERE (state=$1 OR $1 IS NULL) AND id<$2 ORDER BY id DESC LIMIT $3

-- The newest night that told people of a change which stands, or from which on a portion that moved otherwise than the
-- machine is compared with nothing before. The change may be dated to an earlier night.
-- project_told_last(i)
SELECT e.night FROM alert a
JOIN alert_portion m ON m.alert_id=a.id
JOIN experiment e ON e.id=m.seen_experiment
WHERE a.project_id=$1 AND a.state NOT IN ('withdrawn','false')
UNION ALL
SELECT e.night FROM incident i
JOIN experiment e ON e.id=i.seen_experiment
JOIN portion o ON o.experiment_id=e.id AND o.verdict='environment' AND o.rule='not-scaled'
WHERE i.project_id=$1 AND i.state<>'withdrawn'
ORDER BY night DESC LIMIT 1

-- How often measuring failed since the last night that was measured, 0: none ever was, and in how many "later" nights.
-- One that was tried again counts once; that a newer night of its commit hides one makes it no less unmeasured.
-- project_unmeasured(i)
SELECT count(*) AS failed, count(DISTINCT CASE WHEN e.night>l.night THEN e.night END) AS later FROM job j
JOIN experiment e ON e.job_id=j.id
JOIN (
    SELECT m.night, m.time_ms, m.id FROM experiment m
    WHERE m.project_id=$1 AND m.hidden=0 AND m.state='measured'
    ORDER BY m.night DESC, m.time_ms DESC, m.id DESC LIMIT 1) l ON (e.night, e.time_ms, e.id)>(l.night, l.time_ms, l.id)
WHERE j.project_id=$1 AND j.night>=l.night AND e.state<>'measured' AND e.kind<>'sweep'

-- {configuration: [its portion's value in each of the last nights, oldest first]}.
-- project_sparks(ii)
SELECT e.place, o.configuration, o.mean_ns, e.places
FROM (
    SELECT id, night, time_ms, row_number() OVER (ORDER BY night, time_ms, id)-1 AS place,
        count(*) OVER () AS places
    FROM (
        SELECT id, night, time_ms FROM experiment
        WHERE project_id=$1 AND hidden=0 AND state='measured'
        ORDER BY night DESC, time_ms DESC, id DESC LIMIT $2) AS newest) e
JOIN portion o ON o.experiment_id=e.id ORDER BY e.place

-- All projects, with "id", the "benchmark" and the keys of "latest", "alert" and "running".
-- $1: 0: without those that were put away; 1: these alone; 2: all.
-- project_rows(i)
{project_row} WHERE $1=2 OR $1=CASE WHEN p.archived_ms IS NULL THEN 0 ELSE 1 END ORDER BY p.name

-- So many projects ($2) behind a name, as project_rows.
-- project_page(ti)
{project_row} WHERE p.archived_ms IS NULL AND p.name>$1 ORDER BY p.name LIMIT $2

-- What is counted of each project; columns as in project_row.
-- project_counts()
SELECT p.name, p.polled_ms,
    CASE WHEN p.enabled=1 THEN coalesce(p.fetch_problem, p.job_problem) END AS problem,
    (SELECT coalesce(CAST(sum(c.nights) AS BIGINT), 0) FROM night_count c WHERE c.project_id=p.id) AS nights,
    (SELECT count(*) FROM job j WHERE j.state='queued' AND j.project_id=p.id) AS queued,
    (SELECT count(*) FROM alert a WHERE a.project_id=p.id AND {alert_fresh}) AS open_alerts
FROM project p WHERE p.archived_ms IS NULL ORDER BY p.name

-- Means of the newest night of each project; unit: of values that are no times.
-- project_means()
SELECT p.name AS project, o.portion, o.configuration, o.mean_ns, o.unit
FROM project p
JOIN experiment e ON e.id=(
    SELECT x.id FROM experiment x WHERE x.project_id=p.id AND x.hidden=0
    ORDER BY x.night DESC, x.time_ms DESC, x.id DESC LIMIT 1)
JOIN portion o ON o.experiment_id=e.id
WHERE o.mean_ns IS NOT NULL AND p.archived_ms IS NULL
ORDER BY p.name, o.ordinal

-- A project, as project_rows.
-- project_row(t)
{project_row} WHERE p.name=$1

-- {"branch","project","enabled"} of all branches of a project, by any of them, the main one first.
-- project_branches(i)
SELECT o.branch, o.name AS project, o.enabled AS "enabled?"
FROM project p
JOIN project o ON o.name=coalesce(p.main, p.name) OR o.main=coalesce(p.main, p.name)
WHERE p.id=$1
ORDER BY CASE WHEN o.main IS NULL THEN 0 ELSE 1 END, o.id

-- The notes of a project that were not removed, with keys below this one.
-- note_rows(iii)
SELECT n.id, p.name AS project, n.night, n.text, n.author, n.made_ms
FROM note n
JOIN project p ON p.id=n.project_id
WHERE n.project_id=$1 AND n.removed_ms IS NULL AND n.id<$2
ORDER BY n.id DESC LIMIT $3

-- The levels of a project in force, with keys below this one.
-- baseline_rows(iii)
SELECT b.id, p.name AS project, b.night, b.portions AS "portions{", b.alert_id AS alert, t.night AS was,
    b.reason, b.author, b.made_ms
FROM baseline b
JOIN project p ON p.id=b.project_id
LEFT JOIN experiment t ON t.id=b.to_id
WHERE b.project_id=$1 AND b.undone_ms IS NULL AND b.id<$2
ORDER BY b.id DESC LIMIT $3

-- A project's, newest first, those with a smaller number.
-- sweep_rows(iii)
{sweep} WHERE s.project_id=$1 AND s.id<$2 ORDER BY s.id DESC LIMIT $3

-- A sweep.
-- sweep_row_get(i)
{sweep} WHERE s.id=$1

-- Each value of a sweep, in order: {"value","job","state","error","node","experiment","level"}.
-- sweep_value_rows(i)
SELECT q.value, j.id AS job,
    CASE WHEN e.state='measured' THEN 'measured'
        WHEN e.state='quarantined' THEN 'quarantined'
        ELSE j.state END AS state, coalesce(e.reason, j.error) AS error, j.node, e.id AS experiment, e.level
FROM sweep_point q
JOIN job j ON j.id=q.job_id
LEFT JOIN experiment e ON e.id=j.experiment_id WHERE q.sweep_id=$1
ORDER BY q.place

-- The portions that a sweep has measured, point by point.
-- sweep_portion_rows(i)
SELECT q.value, o.portion, o.configuration, o.parent, o.mean_ns, o.low_ns, o.high_ns
FROM sweep_point q
JOIN job j ON j.id=q.job_id
JOIN experiment e ON e.id=j.experiment_id AND e.state='measured'
JOIN portion o ON o.experiment_id=e.id WHERE q.sweep_id=$1
ORDER BY q.place, o.ordinal

-- A job as docs/api.md has it, but "waiting" is there in any case.
-- job_row(i)
SELECT {job_columns} FROM job j
JOIN project p ON p.id=j.project_id
JOIN revision r ON r.id=j.revision_id
JOIN benchmark b ON b.id=j.benchmark_id
LEFT JOIN revision o ON o.id=j.before_id
LEFT JOIN trial_job q ON q.job_id=j.id WHERE j.id=$1

-- A job as job_row, with what its runner printed.
-- job_row_with_log(i)
SELECT {job_columns}, j.log FROM job j
JOIN project p ON p.id=j.project_id
JOIN revision r ON r.id=j.revision_id
JOIN benchmark b ON b.id=j.benchmark_id
LEFT JOIN revision o ON o.id=j.before_id
LEFT JOIN trial_job q ON q.job_id=j.id WHERE j.id=$1

-- Whose night it is: {"project","experiment"}.
-- night_event(i)
SELECT p.name AS project, e.id AS experiment FROM experiment e
JOIN project p ON p.id=e.project_id WHERE e.id=$1

-- Profiles of one dimension, configuration and commit of an alert, by loop: {"loop","calls","stacks"}.
-- profile_rows(itti)
SELECT loop, calls, stacks FROM profile
WHERE alert_id=$1 AND dimension=$2 AND configuration=$3 AND before=$4 ORDER BY loop

-- The project that a thing is of, which the table names that keeps it.
-- project_of(it)
SELECT p.name FROM project p
WHERE p.id=CASE $2
    WHEN 'job' THEN (SELECT t.project_id FROM job t WHERE t.id=$1)
    WHEN 'sweep' THEN (SELECT t.project_id FROM sweep t WHERE t.id=$1)
    WHEN 'alert' THEN (SELECT t.project_id FROM alert t WHERE t.id=$1)
    WHEN 'incident' THEN (SELECT t.project_id FROM incident t WHERE t.id=$1)
    WHEN 'pull' THEN (SELECT t.project_id FROM pull t WHERE t.id=$1)
    WHEN 'note' THEN (SELECT t.project_id FROM note t WHERE t.id=$1)
    WHEN 'baseline' THEN (SELECT t.project_id FROM baseline t WHERE t.id=$1)
    WHEN 'experiment' THEN (SELECT t.project_id FROM experiment t WHERE t.id=$1) END
