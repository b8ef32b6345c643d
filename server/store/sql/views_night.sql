-- Nights, their portions and configurations, as docs/api.md has them.

-- A night without portions and configurations.
-- {night_columns}
SELECT e.id AS experiment, e.job_id AS job, p.name AS project, e.night, e.state, e.reason,
    {commit_fields r}, substr(v.hash,1,12) AS environment,
    coalesce(
        (
            SELECT o.environment_id<>e.environment_id FROM experiment o
            WHERE o.project_id=e.project_id AND o.hidden=0 AND o.state='measured'
                AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id)
            ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1), FALSE) AS "environment_changed?",
    CASE WHEN e.state='measured' AND (e.environment_id IS NULL OR e.node='imported') THEN 1 ELSE 0 END
        AS "environment_unknown?",
    EXISTS(
        SELECT 1 FROM alert x WHERE x.series_id=e.series_id AND x.to_experiment=e.id AND x.state='accepted') AS "accepted?",
    e.finished_ms, e.loops, e.total_mean_ns AS "total.mean_ns", e.total_low_ns AS "total.low_ns",
    e.total_high_ns AS "total.high_ns", e.total_median_ns AS "total.median_ns",
    e.total_median_low_ns AS "total.median_low_ns", e.total_median_high_ns AS "total.median_high_ns",
    r.release,
    (
        SELECT n.text FROM note n
        WHERE n.project_id=e.project_id AND n.night=e.night AND n.removed_ms IS NULL
        ORDER BY n.id DESC LIMIT 1) AS note,
    (
        SELECT m.reason FROM baseline m
        WHERE m.project_id=e.project_id AND m.night=e.night AND m.undone_ms IS NULL
        ORDER BY m.id DESC LIMIT 1) AS baseline, e.level

-- A portion, whole.
-- {portion_columns}
o.portion, o.configuration, o.parent, o.unit, o.better, o.mean_ns, o.low_ns, o.high_ns, o.median_ns,
o.median_low_ns, o.median_high_ns, o.method, o.judged_mean_ns AS "judged.mean_ns", o.judged_low_ns AS "judged.low_ns",
o.judged_high_ns AS "judged.high_ns", o.verdict, o.rule, o.direction,
o.reference_mean_ns AS "reference.mean_ns", o.reference_low_ns AS "reference.low_ns",
o.reference_high_ns AS "reference.high_ns", o.reference_nights AS "reference.nights",
o.reference_from AS "reference.from_experiment", o.reference_to AS "reference.to_experiment",
o.difference_mean_ns AS "difference.mean_ns", o.difference_low_ns AS "difference.low_ns",
o.difference_high_ns AS "difference.high_ns", o.reason, {confirmation_fields}

-- What measuring a portion again has shown, when it was.
-- {portion_tables}
LEFT JOIN suspicion s ON s.id=(
    SELECT max(x.id) FROM suspicion x
    WHERE x.seen_experiment=o.experiment_id AND x.configuration=o.configuration AND x.dimension='time')
LEFT JOIN question q ON q.id=s.question_id

-- A configuration without its statistics.
-- {configuration_columns}
c.name, c.label, c.loops, c.mean_ns, c.low_ns, c.high_ns, c.median_ns, c.median_low_ns, c.median_high_ns

-- The shown nights of a project from one to another, newest first. What the rows say of the night alone
-- stands there once more: so a planner knows that they are few.
-- {nights_between}
WHERE e.project_id=$1 AND e.hidden=0 AND (e.night, e.time_ms, e.id)>=($2, $3, $4)
    AND (e.night, e.time_ms, e.id)<=($5, $6, $7) AND e.night>=$2 AND e.night<=$5
ORDER BY e.night DESC, e.time_ms DESC, e.id DESC,

-- A night without portions and configurations.
-- night_row(i)
{night_columns}
FROM experiment e
JOIN project p ON p.id=e.project_id
JOIN revision r ON r.id=e.revision_id
LEFT JOIN environment v ON v.id=e.environment_id WHERE e.id=$1

-- The nights of a page.
-- night_rows(itiitti)
{night_columns}
FROM experiment e
JOIN project p ON p.id=e.project_id
JOIN revision r ON r.id=e.revision_id
LEFT JOIN environment v ON v.id=e.environment_id
WHERE e.project_id=$1 AND e.hidden=0 AND (e.night, e.time_ms, e.id)<($2, $3, $4) AND e.night<=$5
    AND e.night>=$6
ORDER BY e.night DESC, e.time_ms DESC, e.id DESC LIMIT $7

-- {"detection"} of a project: what has to be told of its nights.
-- project_detection(i)
SELECT detection AS "detection{" FROM project WHERE id=$1

-- The portions of a night.
-- portion_rows(i)
SELECT {portion_columns} FROM portion o {portion_tables}
WHERE o.experiment_id=$1 ORDER BY o.ordinal

-- The configurations of a span, newest night first, each with its night's key.
-- configuration_heads_between(itiitii)
SELECT e.id, {configuration_columns} FROM experiment e
JOIN configuration c ON c.experiment_id=e.id {nights_between} c.ordinal

-- May alert a tell of nights among the dates? It is dated back by no more than the nights that a watch looks at.
-- {alert_reaches}
a.to_night BETWEEN coalesce(
        (
            SELECT o.night FROM experiment o
            WHERE o.project_id=$1 AND o.hidden=0 AND o.night<$2
            ORDER BY o.night DESC LIMIT 1 OFFSET 63), '') AND $3

-- The changes whose new level began before the night that told: {"seen","began" (experiments),"night" (it began with),
-- "configuration","direction"}. Of the nights between both each is "between". slow: it came slowly. A part of a
-- change that its search found began with the night of its own commit, where the one that it names comes later.
-- changes_dated_back(itt)
SELECT p.seen_experiment AS seen, t.id AS began, t.night, p.configuration, p.direction, a.id AS alert, 0 AS "between",
    {slow_shift p} AS "slow?"
FROM alert a
JOIN alert_portion p ON p.alert_id=a.id AND p.dimension='time'
JOIN experiment t ON t.id=a.to_experiment
WHERE a.project_id=$1 AND a.state NOT IN ('withdrawn','false') AND p.seen_experiment<>t.id AND {alert_reaches}
UNION
SELECT 0 AS seen, 0 AS began, t.night, p.configuration, p.direction, a.id AS alert, e.id AS "between",
    {slow_shift p} AS "slow?"
FROM alert a
JOIN alert_portion p ON p.alert_id=a.id AND p.dimension='time'
JOIN experiment t ON t.id=a.to_experiment
JOIN experiment s ON s.id=p.seen_experiment
JOIN experiment e ON e.series_id=a.series_id AND e.state='measured' AND e.hidden=0
    AND (e.night, e.time_ms, e.id)>(t.night, t.time_ms, t.id)
    AND (e.night, e.time_ms, e.id)<(s.night, s.time_ms, s.id) AND e.night>=$2 AND e.night<=$3
WHERE a.project_id=$1 AND a.state NOT IN ('withdrawn','false') AND {alert_reaches}
UNION
SELECT 0 AS seen, e.id AS began, e.night, p.configuration, p.direction, a.id AS alert, 0 AS "between", FALSE AS "slow?"
FROM alert a
JOIN bisection b ON b.alert_id=a.id
JOIN bisection_commit k ON k.bisection_id=b.id AND k.state='part'
JOIN question q ON q.id=k.question_id
JOIN alert_portion p ON p.alert_id=a.id AND p.dimension='time' AND q.dimension=p.dimension
    AND q.configuration=p.configuration
JOIN experiment t ON t.id=a.to_experiment
JOIN experiment e ON e.series_id=a.series_id AND e.revision_id=k.revision_id AND e.state='measured' AND e.hidden=0
    AND (e.night, e.time_ms, e.id)<(t.night, t.time_ms, t.id) AND e.night>=$2 AND e.night<=$3
WHERE a.project_id=$1 AND a.to_night>=$2 AND a.state NOT IN ('withdrawn','false')
ORDER BY 6, 4

-- The portions whose change came slowly, as the night that told has them.
-- changes_slow(itt)
SELECT p.seen_experiment AS seen, p.configuration
FROM experiment s
JOIN alert_portion p ON p.seen_experiment=s.id
JOIN alert a ON a.id=p.alert_id
WHERE s.project_id=$1 AND s.hidden=0 AND s.night>=$2 AND s.night<=$3 AND a.state NOT IN ('withdrawn','false')
    AND p.dimension='time' AND {slow_shift p}

-- Of changes that somebody has answered nothing changed, what their nights say: the one that told, the one that it was
-- dated to, and those between.
-- changes_answered(itt)
SELECT e.id AS seen, p.configuration, p.direction, u.author, u.reason
FROM alert a
JOIN alert_portion p ON p.alert_id=a.id AND p.dimension='time'
JOIN alert_audit u ON u.id=(
    SELECT max(x.id) FROM alert_audit x
    WHERE x.alert_id=a.id AND x.new_state='false' AND coalesce(x.old_state, '')<>'false')
JOIN experiment t ON t.id=a.to_experiment
JOIN experiment s ON s.id=p.seen_experiment
JOIN experiment e ON e.series_id=a.series_id AND e.hidden=0
    AND (e.night, e.time_ms, e.id)>=(t.night, t.time_ms, t.id)
    AND (e.night, e.time_ms, e.id)<=(s.night, s.time_ms, s.id) AND e.night>=$2 AND e.night<=$3
WHERE a.project_id=$1 AND a.state='false' AND {alert_reaches}
ORDER BY a.id, e.id, p.configuration

-- The portions that moved with the machine as a later night told, and its rule.
-- changes_of_machine(itt)
SELECT DISTINCT x.id AS seen, o.configuration, o.direction, o.rule AS reason {machine_later $1} AND x.night>=$2 AND x.night<=$3
ORDER BY 1, 2

-- What the configurations of changes lost of their records before and lost then, as the alerts say it: of the night that
-- a change is dated to, of the one that told, and of those between. Times first.
-- changes_lost(itt)
SELECT e.id AS seen, p.configuration, p.dimension, p.direction, k.mean AS before_mean, k.low AS before_low, k.high AS before_high,
    l.mean AS after_mean, l.low AS after_low, l.high AS after_high
FROM alert a
JOIN alert_portion p ON p.alert_id=a.id
JOIN dimension k ON k.experiment_id=a.from_experiment AND k.configuration=p.configuration
    AND k.dimension='lost_percent'
JOIN dimension l ON l.experiment_id=a.seen_experiment AND l.configuration=k.configuration AND l.dimension=k.dimension
JOIN experiment t ON t.id=a.to_experiment
JOIN experiment s ON s.id=p.seen_experiment
JOIN experiment e ON e.series_id=a.series_id AND e.hidden=0
    AND (e.night, e.time_ms, e.id)>=(t.night, t.time_ms, t.id)
    AND (e.night, e.time_ms, e.id)<=(s.night, s.time_ms, s.id) AND e.night>=$2 AND e.night<=$3
WHERE a.project_id=$1 AND a.state NOT IN ('withdrawn','false') AND a.to_night<=$3
ORDER BY p.dimension<>'time', a.id, e.id, p.configuration, p.dimension

-- What alert a told of what was counted, d, in night e: from the night that it began with to the one that told.
-- {counted_told}
FROM alert a
JOIN alert_portion p ON p.alert_id=a.id AND p.dimension=d.dimension AND p.configuration=d.configuration
JOIN experiment t ON t.id=a.to_experiment
JOIN experiment l ON l.id=p.seen_experiment
WHERE a.series_id=e.series_id AND a.state NOT IN ('withdrawn','false')
    AND (t.night, t.time_ms, t.id)<=(e.night, e.time_ms, e.id)
    AND (l.night, l.time_ms, l.id)>=(e.night, e.time_ms, e.id)

-- What the nights among the dates told of beside time, what is suspected and being measured again, and what they had
-- in question: no longer, where a later night has told of it. What a night tells began with it, or with that of the date
-- "night"; "later": a later one told of it. What follows from the time of the same configuration is told with that.
-- A result that came again of the commit and date of a change has no other level before it: it tells of time, too.
-- changes_beside(itt)
SELECT e.id AS seen, p.dimension, p.direction, FALSE AS "suspected?", p.configuration, p.portion,
    CASE WHEN e.id=t.id THEN '' ELSE t.night END AS night,
    (e.night, e.time_ms, e.id)<(l.night, l.time_ms, l.id) AS "later?", {slow_shift p} AS "slow?"
FROM alert a
JOIN alert_portion p ON p.alert_id=a.id
JOIN experiment t ON t.id=a.to_experiment
JOIN experiment l ON l.id=p.seen_experiment
JOIN experiment e ON e.series_id=a.series_id AND e.state='measured' AND e.hidden=0
    AND (e.night, e.time_ms, e.id)>=(t.night, t.time_ms, t.id) AND e.night>=$2 AND e.night<=$3
    AND (
        (p.dimension<>'time' AND (e.night, e.time_ms, e.id)<=(l.night, l.time_ms, l.id))
        OR (e.id<>t.id AND (e.night, e.revision_id)=(t.night, t.revision_id)
            AND (e.night, e.time_ms, e.id)>(l.night, l.time_ms, l.id)))
WHERE a.project_id=$1 AND a.state NOT IN ('withdrawn','false') AND {alert_reaches}
    AND NOT (
        p.dimension IN ('cpu_ms','p99_ns')
        AND EXISTS(
            SELECT 1 FROM alert_portion q
            WHERE q.alert_id=p.alert_id AND q.configuration=p.configuration AND q.direction=p.direction
                AND q.dimension='time'))
UNION
SELECT s.id AS seen, x.dimension, CASE WHEN x.direction>0 THEN 'up' ELSE 'down' END, TRUE, x.configuration, d.portion,
    '', FALSE, FALSE
FROM experiment s
JOIN suspicion x ON x.seen_experiment=s.id
LEFT JOIN dimension d ON d.experiment_id=s.id AND d.dimension=x.dimension AND d.configuration=x.configuration
WHERE s.project_id=$1 AND s.hidden=0 AND s.night>=$2 AND s.night<=$3 AND x.state='waiting'
    AND x.dimension<>'time'
UNION
SELECT e.id AS seen, d.dimension, d.direction, TRUE, d.configuration, d.portion, '', FALSE, FALSE
FROM experiment e
JOIN dimension d ON d.experiment_id=e.id AND d.rule='pending'
WHERE e.project_id=$1 AND e.hidden=0 AND e.night>=$2 AND e.night<=$3
    AND NOT EXISTS(SELECT 1 {counted_told} AND p.direction=d.direction)
ORDER BY 1, 2, 3, 4, 8, 7, 5

-- The configurations of which most loops were disturbed, in the nights among the dates.
-- nights_disturbed(itt)
SELECT l.experiment_id AS seen, max(c.name) AS configuration, count(*) AS disturbed, (
        SELECT count(*) FROM loop x
        WHERE x.experiment_id=l.experiment_id AND x.ordinal=l.ordinal AND x.failed IS NULL) AS loops
FROM experiment s
JOIN loop l ON l.experiment_id=s.id AND l.disturbed<>0 AND l.failed IS NULL
JOIN configuration c ON c.experiment_id=l.experiment_id AND c.ordinal=l.ordinal
WHERE s.project_id=$1 AND s.hidden=0 AND s.night>=$2 AND s.night<=$3
{mostly_disturbed}
ORDER BY l.experiment_id, l.ordinal

-- Was the alert accepted as it was raised, because a commit had announced the change?
-- {alert_announced}
a.state='accepted'
    AND EXISTS(
        SELECT 1 FROM alert_audit u WHERE u.alert_id=a.id AND u.new_state='accepted' AND u.at_ms=a.raised_ms)

-- The changes that a commit had announced, of the night that told and of the one that they began with, where
-- that is among the dates: {"experiment","configuration","direction"}.
-- changes_announced(itt)
SELECT m.seen_experiment AS seen, m.configuration, m.direction FROM experiment e
JOIN alert_portion m ON m.seen_experiment=e.id
JOIN alert a ON a.id=m.alert_id
WHERE e.project_id=$1 AND e.night>=$2 AND e.night<=$3 AND m.dimension='time' AND {alert_announced}
UNION
SELECT a.to_experiment AS seen, m.configuration, m.direction FROM experiment e
JOIN alert a ON a.series_id=e.series_id AND a.to_experiment=e.id
JOIN alert_portion m ON m.alert_id=a.id
WHERE e.project_id=$1 AND e.night>=$2 AND e.night<=$3 AND m.dimension='time' AND {alert_announced}

-- Did the night tell of a change of dimension d that somebody has answered was none?
-- {dimension_answered}
(d.verdict='anomaly' AND EXISTS(
        SELECT 1 FROM alert_portion p
        JOIN alert a ON a.id=p.alert_id AND a.state='false'
        WHERE p.seen_experiment=d.experiment_id AND p.dimension=d.dimension AND p.configuration=d.configuration))

-- What was counted and moved: reported, and no alert.
-- {counted_moved}
d.verdict='anomaly' AND d.dimension IN ('instructions','allocations','bytes','lost_percent') AND NOT {dimension_answered}

-- Of the nights among the dates.
-- changes_counted(itt)
SELECT s.id AS seen, d.dimension, d.configuration, coalesce(d.rule='slow-shift', FALSE) AS "slow?",
    d.before_mean, d.before_low, d.before_high, d.mean AS after_mean, d.low AS after_low, d.high AS after_high
FROM experiment s
JOIN dimension d ON d.experiment_id=s.id AND {counted_moved}
WHERE s.project_id=$1 AND s.hidden=0 AND s.night>=$2 AND s.night<=$3
ORDER BY s.id, d.ordinal, d.dimension

-- What was counted of a night's portions: {"dimension","counter","portion",
-- "configuration","parent","mean","low","high","total","verdict","direction","rule","later" (the direction that a later night
-- told of),"slow","before": {"mean","low","high","experiment"} of the level before it, "experiment" being the last night at that level,
-- or null}, by ordinal. What somebody has answered was no change is none. verdict null: it is only shown; then
-- before is the last night that counted it likewise.
-- dimension_rows(i)
SELECT {dimension_fields}, CASE WHEN {dimension_answered} THEN 'ok' ELSE d.verdict END AS verdict,
    CASE WHEN NOT {dimension_answered} THEN d.direction END AS direction,
    CASE WHEN {dimension_answered} THEN 'answered-false' ELSE d.rule END AS rule,
    (SELECT max(p.direction) {counted_told} AND l.id<>e.id) AS later,
    coalesce(d.rule='slow-shift', FALSE) AS "slow?", d.reason, d.loops AS "loops{",
    CASE WHEN d.verdict IS NULL THEN b.mean ELSE d.before_mean END AS "before.mean",
    CASE WHEN d.verdict IS NULL THEN b.low ELSE d.before_low END AS "before.low",
    CASE WHEN d.verdict IS NULL THEN b.high ELSE d.before_high END AS "before.high",
    CASE WHEN d.verdict IS NULL THEN b.experiment_id
        WHEN d.before_mean IS NULL THEN NULL
        ELSE d.from_experiment END AS "before.experiment"
FROM dimension d
JOIN experiment e ON e.id=d.experiment_id
LEFT JOIN dimension b ON b.experiment_id=(
    SELECT o.id FROM experiment o
    WHERE o.series_id=e.series_id AND o.hidden=0 AND o.state='measured'
        AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id)
        AND EXISTS(SELECT 1 FROM dimension x WHERE x.experiment_id=o.id AND x.dimension=d.dimension)
    ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1) {dimensions_alike}
WHERE d.experiment_id=$1 ORDER BY d.ordinal

-- A page of the nights that counted a dimension, newest first: {"experiment","night","commit":
-- {"sha","short","time_ms"}}.
-- counted_nights(itiittti)
SELECT e.id AS experiment, e.night, r.sha AS "commit.sha", substr(r.sha,1,9) AS "commit.short",
    r.time_ms AS "commit.time_ms"
FROM experiment e
JOIN revision r ON r.id=e.revision_id
WHERE e.project_id=$1 AND e.hidden=0 AND e.state='measured' AND (e.night, e.time_ms, e.id)<($2, $3, $4)
    AND e.night<=$5 AND e.night>=$6
    AND EXISTS(SELECT 1 FROM dimension d WHERE d.experiment_id=e.id AND d.dimension=$7)
ORDER BY e.night DESC, e.time_ms DESC, e.id DESC LIMIT $8

-- What was counted of a dimension from one night to another, in the order of counted_nights.
-- counted_portions(ittiitii)
SELECT e.id AS experiment, d.portion, d.configuration, d.parent, d.mean, d.low, d.high, d.total
FROM experiment e
JOIN dimension d ON d.experiment_id=e.id
WHERE e.project_id=$1 AND e.hidden=0 AND e.state='measured' AND d.dimension=$2
    AND (e.night, e.time_ms, e.id)>=($3, $4, $5) AND (e.night, e.time_ms, e.id)<=($6, $7, $8)
ORDER BY e.night DESC, e.time_ms DESC, e.id DESC, d.ordinal

-- The portions of a span, newest night first, each with its night's key.
-- portion_rows_between(itiitii)
SELECT e.id, {portion_columns} FROM experiment e
JOIN portion o ON o.experiment_id=e.id {portion_tables} {nights_between} o.ordinal

-- The portions of a span as portion_rows_between, only what charts and tables show.
-- portion_rows_between_brief(itiitii)
SELECT e.id, o.portion, o.configuration, o.parent, o.unit, o.better, o.mean_ns, o.low_ns, o.high_ns,
    o.judged_low_ns AS "judged.low_ns", o.judged_high_ns AS "judged.high_ns", o.verdict, o.direction,
    o.reference_low_ns AS "reference.low_ns", o.reference_high_ns AS "reference.high_ns",
    CASE WHEN o.verdict='anomaly' THEN o.reference_mean_ns END AS "reference.mean_ns",
    CASE WHEN o.verdict='anomaly' THEN o.difference_mean_ns END AS "difference.mean_ns",
    CASE WHEN o.verdict NOT IN ('ok','first') OR o.rule IN ('pending','set-by-hand','new-level') THEN o.reason END AS reason,
    CASE WHEN o.rule IN ('pending','little-evidence','below-minimum-effect','set-by-hand','new-level') OR o.verdict='environment' THEN o.rule END AS rule
FROM experiment e
JOIN portion o ON o.experiment_id=e.id {nights_between} o.ordinal

-- What the loops of a night read, those that count, by configuration; share: of one among those of its configuration.
-- loop_readings(i)
SELECT c.name AS configuration, l.readings AS "readings{", CAST(1.0/count(*) OVER (PARTITION BY l.ordinal) AS DOUBLE PRECISION) AS share
FROM loop l
JOIN configuration c ON c.experiment_id=l.experiment_id AND c.ordinal=l.ordinal
WHERE l.experiment_id=$1 AND l.used=1 AND l.readings IS NOT NULL
ORDER BY l.ordinal, l.loop

-- The settings of a night's project, and its series: {"detection","series"}.
-- limits_of(i)
SELECT p.detection AS "detection{", e.series_id AS series FROM experiment e
JOIN project p ON p.id=e.project_id WHERE e.id=$1

-- The measured night before this one whose limits were looked at for somebody who is told of them.
-- limits_looked_before(i)
SELECT o.id FROM experiment e
JOIN experiment o ON o.project_id=e.project_id AND o.hidden=0 AND o.state='measured'
    AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id)
WHERE e.id=$1
    AND EXISTS(
        SELECT 1 FROM channel c
        JOIN outbox x ON x.channel_id=c.id AND x.subject='night' AND x.subject_id=o.id AND x.event='limited'
        WHERE c.project_id=e.project_id)
ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1

-- Has any night of a series met a limit of a portion's time?
-- limit_met_time(itdd)
SELECT count(*) FROM (
    SELECT o.experiment_id FROM experiment e
    JOIN portion o ON o.experiment_id=e.id AND o.portion=$2
    WHERE e.series_id=$1 AND e.state='measured'
    GROUP BY o.experiment_id HAVING max($3*o.mean_ns)<=$3*$4 LIMIT 1) AS x

-- Likewise of a dimension's; portion "": of all whole processes.
-- limit_met(ittd)
SELECT count(*) FROM (
    SELECT d.experiment_id FROM experiment e
    JOIN dimension d ON d.experiment_id=e.id AND d.dimension=$2
    WHERE e.series_id=$1 AND e.state='measured' AND (CAST($3 AS TEXT)='' OR d.portion=$3)
    GROUP BY d.experiment_id
    HAVING max(CASE WHEN CAST($3 AS TEXT)='' THEN coalesce(d.total, d.mean) ELSE d.mean END)<=$4 LIMIT 1) AS x
