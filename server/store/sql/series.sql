-- Series, what the detector knew after each night, suspicions, announcements and counts.

-- A series is kept where it is new.
-- series_insert(itti)
INSERT INTO series(project_id, branch, identity, environment_id)
VALUES($1,$2,$3,$4)
ON CONFLICT(project_id, branch, identity, environment_id) DO NOTHING

-- What makes a series: one project's branch, measured alike in one environment.
-- series_key(itti)
SELECT id FROM series
WHERE project_id=$1 AND branch=$2 AND identity=$3 AND environment_id=$4

-- By what a series is judged, as its last night was measured; it has none yet: as this one was.
-- {"project","benchmark","detection","remeasure", "last": that night, 0: none, "confirms": was this one
-- measured on a node that can measure two commits in turn}.
-- series_settings(ii)
SELECT e.project_id AS project, b.body AS "benchmark{", p.detection AS "detection{", s.remeasure,
    CASE WHEN e.state='measured' THEN e.id ELSE 0 END AS last,
    (SELECT x.remeasure FROM experiment x WHERE x.id=$2) AS confirms
FROM experiment e
JOIN benchmark b ON b.id=e.benchmark_id
JOIN project p ON p.id=e.project_id
JOIN series s ON s.id=e.series_id
WHERE e.id=coalesce(
    (
        SELECT o.id FROM experiment o
        WHERE o.series_id=$1 AND o.state='measured'
        ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1), $2)

-- The state after the last night of a series that is not this one.
-- series_state_but(iit)
SELECT t.experiment_id, t.place, t.state FROM series_state t
WHERE t.series_id=$1 AND t.dimension=$3
    AND t.place=(SELECT max(place) FROM series_state WHERE series_id=$1 AND dimension=$3)
    AND t.experiment_id=(
        SELECT o.id FROM experiment o
        WHERE o.series_id=$1 AND o.state='measured' AND o.id<>$2
        ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1)

-- The newest state at a place, or before it.
-- series_state_upto(iit)
SELECT experiment_id, place, state FROM series_state
WHERE series_id=$1 AND dimension=$3 AND place<=$2 ORDER BY place DESC LIMIT 1

-- The state at its place, new or anew.
-- series_state_put(iiibt)
INSERT INTO series_state(series_id, place, experiment_id, state, dimension)
VALUES($1,$2,$3,$4,$5)
ON CONFLICT(series_id, dimension, place) DO UPDATE SET experiment_id=excluded.experiment_id, state=excluded.state

-- The states after a place go; 0: all.
-- series_states_drop(iit)
DELETE FROM series_state WHERE series_id=$1 AND dimension=$3 AND place>$2

-- Up to a place only every so many stay.
-- series_states_thin(iiit)
DELETE FROM series_state WHERE series_id=$1 AND dimension=$4 AND place<=$2 AND place>$2-$3 AND place%$3<>0

-- The nights of a series in order.
-- series_nights(i)
SELECT id FROM experiment WHERE series_id=$1 AND state='measured'
ORDER BY night, time_ms, id

-- The earliest night of those that have come in since this one, itself included.
-- series_first_since(ii)
SELECT id FROM experiment WHERE series_id=$1 AND state='measured' AND id>=$2
ORDER BY night, time_ms, id LIMIT 1

-- Suspicions of the series are measured again from now on.
-- series_remeasure(i)
UPDATE series SET remeasure=1 WHERE id=$1

-- The environments of the project's night before, in another series, and of this one:
-- {"before","after","experiment"}, the night's key.
-- series_moved_from(i)
SELECT v.body AS "before{", x.body AS "after{", o.id AS experiment
FROM experiment e
JOIN environment x ON x.id=e.environment_id
JOIN experiment o ON o.project_id=e.project_id AND o.hidden=0 AND o.state='measured'
    AND o.series_id<>e.series_id AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id)
JOIN environment v ON v.id=o.environment_id
JOIN series a ON a.id=e.series_id
JOIN series b ON b.id=o.series_id
WHERE e.id=$1 AND a.identity=b.identity AND a.branch=b.branch
ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1

-- A night's date, and whether it was measured on a node that can measure two commits in turn.
-- night_about(i)
SELECT night, remeasure FROM experiment WHERE id=$1

-- The place that each configuration has in a night.
-- night_ordinals(i)
SELECT ordinal, name FROM configuration WHERE experiment_id=$1

-- The means of a night's loops.
-- night_means(i)
SELECT l.ordinal, l.loop, l.used, l.mean_ns, CASE WHEN p.method IS NULL THEN 1 ELSE 0 END AS stated FROM loop l
JOIN portion p ON p.experiment_id=l.experiment_id AND p.ordinal=l.ordinal WHERE l.experiment_id=$1

-- The values of a night's loops in a dimension, where they had $3 calls, on average, or nobody said how many.
-- night_dimension(iti)
SELECT d.ordinal, d.loops AS "loops{" FROM dimension d
JOIN configuration c ON c.experiment_id=d.experiment_id AND c.ordinal=d.ordinal
WHERE d.experiment_id=$1 AND d.dimension=$2 AND d.loops IS NOT NULL AND (c.n=0 OR c.n>=$3*c.loops)

-- Has a night of the series a dimension that goes through the watch of times?
-- series_dimension(it)
SELECT count(*) FROM (
    SELECT 1 FROM experiment e
    JOIN dimension d ON d.experiment_id=e.id AND d.dimension=$2
    WHERE e.series_id=$1 AND e.state='measured' AND d.loops IS NOT NULL LIMIT 1) AS x

-- Has this night such a dimension, or was it judged after one before?
-- series_dimension_since(iti)
SELECT count(*) FROM (
    SELECT 1 AS there FROM dimension WHERE experiment_id=$3 AND dimension=$2 AND loops IS NOT NULL
    UNION ALL
    SELECT 1 FROM series_state WHERE series_id=$1 AND dimension=$2) AS x

-- Did the night have the same configurations in the same order?
-- night_same_tree(i)
SELECT name FROM configuration WHERE experiment_id=$1 ORDER BY ordinal

-- What a night's portion was judged; cleared: an anomaly that measuring again did not confirm. ordinal: of
-- its configuration in the night.
-- verdict_put(iitttddddddiiidddiit)
UPDATE portion
SET verdict=$3, rule=$4, direction=$5, judged_mean_ns=$6, judged_low_ns=$7, judged_high_ns=$8,
    reference_mean_ns=$9, reference_low_ns=$10, reference_high_ns=$11, reference_nights=$12,
    reference_from=$13, reference_to=$14, difference_mean_ns=$15, difference_low_ns=$16,
    difference_high_ns=$17, to_experiment=$18, from_experiment=$19, reason=$20
WHERE experiment_id=$1 AND ordinal=$2

-- Likewise, of a dimension's: its level before, and the last night at it.
-- dimension_verdict_put(ititttdddit)
UPDATE dimension
SET verdict=$4, direction=$5, reason=$6, before_mean=$7, before_low=$8, before_high=$9,
    from_experiment=$10, rule=$11
WHERE experiment_id=$1 AND dimension=$2 AND ordinal=$3

-- What is known of a portion's change in a direction and the first night of its new level, as this night saw it;
-- state NONE: nothing. $7: the first night of the level before. An answer about a night before that is of another
-- change: nights between have come in since it was asked. from: the last night that surely is from before, by the nights
-- ($8) or by the commit that was measured again.
-- suspicion_get(itiitiii)
SELECT s.state, s.reason, q.before_mean_ns AS "before.mean", q.before_low_ns AS "before.low",
    q.before_high_ns AS "before.high", q.after_mean_ns AS "after.mean", q.after_low_ns AS "after.low",
    q.after_high_ns AS "after.high", q.difference_mean_ns AS "difference.mean",
    q.difference_low_ns AS "difference.low", q.difference_high_ns AS "difference.high",
    (
        SELECT b.id FROM experiment b
        JOIN experiment n ON n.id=s.to_experiment
        JOIN trial t ON t.id=q.trial_id
        WHERE b.series_id=s.series_id AND b.state='measured' AND (b.id=$8 OR b.revision_id=t.before_id)
            AND (b.night, b.time_ms, b.id)<(n.night, n.time_ms, n.id)
        ORDER BY b.night DESC, b.time_ms DESC, b.id DESC LIMIT 1) AS "from"
FROM suspicion s
JOIN question q ON q.id=s.question_id
WHERE s.series_id=$1 AND s.configuration=$2 AND s.seen_experiment=$3 AND s.to_experiment=$4
    AND s.dimension=$5 AND s.direction=$6
    AND NOT EXISTS(
        SELECT 1 FROM experiment f
        JOIN experiment l ON l.id=$7
        WHERE f.id=s.from_experiment AND (f.night, f.time_ms, f.id)<(l.night, l.time_ms, l.id))

-- How many nights a series has from one to another, both included.
-- series_nights_count(iii)
SELECT count(*) FROM experiment e
JOIN experiment a ON a.id=$2
JOIN experiment z ON z.id=$3
WHERE e.series_id=$1 AND e.state='measured' AND (e.night, e.time_ms, e.id)>=(a.night, a.time_ms, a.id)
    AND (e.night, e.time_ms, e.id)<=(z.night, z.time_ms, z.id)

-- How many of a portion and direction, of this night ($5) and those before it, wait for their answer.
-- suspicions_waiting(ititi)
SELECT count(*) FROM suspicion s
JOIN experiment e ON e.id=s.seen_experiment
JOIN experiment n ON n.id=$5
WHERE s.series_id=$1 AND s.state='waiting' AND s.configuration=$2 AND s.direction=$3 AND s.dimension=$4
    AND (e.night, e.time_ms, e.id)<=(n.night, n.time_ms, n.id)

-- The suspicions of a night that wait for their answer: {"configuration","dimension","up","to_experiment"}.
-- suspicions_asked(i)
SELECT configuration, dimension, direction>0 AS "up?", to_experiment
FROM suspicion WHERE series_id=$1 AND state='waiting' ORDER BY id

-- The last night before $6 whose commit was measured in turn for the level that begins with $4 or before: up to it the
-- change of that level is told, though nights may date it to an earlier one ($5).
-- suspicion_measured(ittiii)
SELECT e.id FROM suspicion s
JOIN experiment e ON e.id=s.seen_experiment
JOIN experiment t ON t.id=s.to_experiment
JOIN experiment l ON l.id=$4
JOIN experiment f ON f.id=$5
JOIN experiment n ON n.id=$6
WHERE s.series_id=$1 AND s.configuration=$2 AND s.dimension=$3 AND s.state='confirmed'
    AND (t.night, t.time_ms, t.id)<=(l.night, l.time_ms, l.id) AND (e.night, e.time_ms, e.id)>(f.night, f.time_ms, f.id)
    AND (e.night, e.time_ms, e.id)<(n.night, n.time_ms, n.id)
ORDER BY e.night DESC, e.time_ms DESC, e.id DESC LIMIT 1

-- A suspicion that waits for the answer to a question, in place of one whose answer is of another change.
-- suspicion_insert(itiiiiiit)
INSERT INTO suspicion(
    series_id, configuration, direction, seen_experiment, to_experiment, from_experiment, question_id,
    state, raised_ms, dimension)
VALUES($1,$2,$3,$4,$5,$6,$7,'waiting',$8,$9)
ON CONFLICT(series_id, dimension, configuration, seen_experiment, to_experiment) DO UPDATE
SET direction=excluded.direction, from_experiment=excluded.from_experiment, question_id=excluded.question_id,
    state=excluded.state, reason=NULL, raised_ms=excluded.raised_ms, settled_ms=NULL

-- Suspicions that waited for questions of a trial that are not open any more have their outcome; $3: what is
-- said where there is none.
-- suspicions_settle(iit)
UPDATE suspicion
SET settled_ms=$2,
    state=(
        SELECT CASE q.state
                WHEN 'yes' THEN 'confirmed'
                WHEN 'no' THEN 'cleared'
                WHEN 'undecided' THEN 'undecided'
                ELSE 'believed' END
        FROM question q WHERE q.id=suspicion.question_id),
    reason=(
        SELECT CASE q.state WHEN 'failed' THEN $3 ELSE q.reason END
        FROM question q WHERE q.id=suspicion.question_id)
WHERE state='waiting' AND question_id IN (SELECT id FROM question WHERE trial_id=$1 AND state<>'open')

-- {"body","detection"}: the benchmark and settings of a project.
-- project_benchmark(i)
SELECT b.body AS "body{", p.detection AS "detection{" FROM project p
JOIN benchmark b ON b.id=p.benchmark_id WHERE p.id=$1

-- An announcement is kept where it is new.
-- expectation_insert(iittitttiddtt)
INSERT INTO expectation(
    project_id, place, sha, author, time_ms, subject, text, portions, direction, percent, ns, reason,
    problem)
VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13)
ON CONFLICT DO NOTHING

-- The announcements of a project are read anew.
-- expectations_drop(i)
DELETE FROM expectation WHERE project_id=$1

-- What the commits between an alert's nights have announced, newest first.
-- expectations_of_alert(i)
SELECT x.sha, x.author, x.text, x.reason, x.portions AS "portions{", x.direction, x.percent, x.ns,
    p.detection AS "detection{"
FROM alert a
JOIN project p ON p.id=a.project_id
JOIN experiment f ON f.id=a.from_experiment
JOIN experiment t ON t.id=a.dated_experiment
JOIN revision o ON o.id=f.revision_id
JOIN revision n ON n.id=t.revision_id
JOIN expectation x ON x.project_id=a.project_id AND x.place>o.place AND x.place<=n.place
    AND x.problem IS NULL
WHERE a.id=$1 ORDER BY x.place DESC, x.id

-- An alert's portions by the size of their change: {"portion","configuration","dimension","before","mean",
-- "low","high"}.
-- alert_changes(i)
SELECT CASE WHEN dimension='time' THEN portion ELSE dimension || ' of ' || portion END AS portion,
    configuration, dimension, before_mean_ns AS before, difference_mean_ns AS mean,
    difference_low_ns AS low, difference_high_ns AS high
FROM alert_portion WHERE alert_id=$1
ORDER BY abs(difference_mean_ns) DESC NULLS LAST

-- What a night counted, with what was known before: {"ordinal","dimension","mean","low","high","last":
-- {"experiment","mean","low","high"} of the last night of the series that counted it by the same counter, or
-- null,"level": {"mean","half", "nights","to"} after that night, or null}.
-- counts_of_night(i)
SELECT d.ordinal, d.dimension, d.mean, d.low, d.high, b.experiment_id AS "last.experiment",
    b.mean AS "last.mean", b.low AS "last.low", b.high AS "last.high", b.level_mean AS "level.mean",
    b.level_half AS "level.half", b.level_nights AS "level.nights", b.level_to AS "level.to"
FROM dimension d
JOIN experiment e ON e.id=d.experiment_id
LEFT JOIN dimension b ON b.experiment_id=(
    SELECT o.id FROM experiment o
    JOIN dimension x ON x.experiment_id=o.id AND x.dimension=d.dimension AND x.configuration=d.configuration
        AND x.mean IS NOT NULL
    WHERE o.series_id=e.series_id AND o.hidden=0 AND o.state='measured'
        AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id)
    ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1)  AND b.dimension=d.dimension
    AND b.configuration=d.configuration AND b.counter=d.counter
WHERE d.experiment_id=$1 AND d.counter IS NOT NULL
ORDER BY d.dimension, d.ordinal

-- The verdict, and the level that is known from then on.
-- count_put(ititttdddiddii)
UPDATE dimension
SET verdict=$4, direction=$5, rule=$6, before_mean=$7, before_low=$8, before_high=$9, from_experiment=$10,
    level_mean=$11, level_half=$12, level_nights=$13, level_to=$14
WHERE experiment_id=$1 AND dimension=$2 AND ordinal=$3
