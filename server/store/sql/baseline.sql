-- Levels that people set, and their notes.

-- A level begins with a night, or with an alert.
-- baseline_insert(ittiiittti)
INSERT INTO baseline(
    project_id, night, portions, alert_id, from_id, to_id, old_state, reason, author, made_ms)
VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)
RETURNING id

-- A level is undone, unless it was before.
-- baseline_end(ii)
UPDATE baseline SET undone_ms=$2 WHERE id=$1 AND undone_ms IS NULL

-- {"project","night","alert","series","from","to","old_state","was"}: was: the night of to in force.
-- baseline_get(i)
SELECT b.project_id AS project, b.night, b.alert_id AS alert, a.series_id AS series, b.from_id AS "from",
    b.to_id AS "to", b.old_state, t.night AS was
FROM baseline b
LEFT JOIN alert a ON a.id=b.alert_id
LEFT JOIN experiment t ON t.id=b.to_id
WHERE b.id=$1 AND b.undone_ms IS NULL

-- The levels in force for a series, the oldest first:
-- {"id","night","portions","alert","was","reason","author"}.
-- baselines_of_series(i)
SELECT b.id, b.night, b.portions AS "portions{", b.alert_id AS alert, t.night AS was, b.reason, b.author
FROM series s
JOIN baseline b ON b.project_id=s.project_id AND b.undone_ms IS NULL
LEFT JOIN alert a ON a.id=b.alert_id
LEFT JOIN experiment t ON t.id=b.to_id
WHERE s.id=$1 AND (b.alert_id IS NULL OR a.series_id=s.id)
ORDER BY b.id

-- {"id","portions"} of those in force of a project's night.
-- baselines_of_night(it)
SELECT id, portions AS "portions{" FROM baseline
WHERE project_id=$1 AND night=$2 AND undone_ms IS NULL ORDER BY id

-- {"state","series","from","to","night","held"}; held: the baseline in force that holds it, NULL: the project
-- has no such alert.
-- baseline_alert(ii)
SELECT a.state, a.series_id AS series, a.from_experiment AS "from", a.dated_experiment AS "to", t.night,
    (SELECT max(b.id) FROM baseline b WHERE b.alert_id=a.id AND b.undone_ms IS NULL) AS held
FROM alert a
JOIN experiment t ON t.id=a.to_experiment
WHERE a.id=$2 AND a.project_id=$1

-- [{"portion","configuration"}] of time. _night_portions - those of a project's measured night.
-- baseline_alert_portions(i)
SELECT portion, configuration FROM alert_portion WHERE alert_id=$1 AND dimension='time' ORDER BY configuration

-- What an alert tells of a dimension: [{"configuration","before_ns","after_ns"}].
-- alert_levels(it)
SELECT configuration, before_mean_ns AS before_ns, after_mean_ns AS after_ns FROM alert_portion
WHERE alert_id=$1 AND dimension=$2

-- The portions that a night has.
-- baseline_night_portions(it)
SELECT DISTINCT o.portion, o.configuration FROM experiment e
JOIN portion o ON o.experiment_id=e.id
WHERE e.project_id=$1 AND e.night=$2 AND e.state='measured' AND e.series_id IS NOT NULL
ORDER BY o.portion, o.configuration

-- The alert that stands with a level from this night on, 0: none. moved: an alert that is to begin there;
-- only others of its series that share a portion are in its way; 0: any is.
-- baseline_alert_of(iti)
SELECT a.id FROM alert a
JOIN experiment t ON t.id=a.to_experiment
WHERE a.project_id=$1 AND t.night=$2 AND a.state<>'withdrawn' AND a.id<>$3
    AND (
        $3=0
        OR EXISTS(
            SELECT 1 FROM alert m
            JOIN alert_portion p ON p.alert_id=m.id
            JOIN alert_portion q ON q.configuration=p.configuration AND q.dimension=p.dimension
            WHERE m.id=$3 AND q.alert_id=a.id AND m.series_id=a.series_id))
ORDER BY a.id LIMIT 1

-- The alert begins with another night; nothing else of it changes.
-- baseline_alert_move(iii)
UPDATE alert SET from_experiment=$2, {alert_to $3} WHERE id=$1

-- The series that were measured in a project's night.
-- baseline_series(it)
SELECT DISTINCT series_id FROM experiment
WHERE project_id=$1 AND night=$2 AND state='measured' AND series_id IS NOT NULL
ORDER BY series_id

-- {"to","from"}: the first experiment of a series on or after a night, and the one before, NULL: it is the
-- series' first.
-- baseline_place(it)
SELECT e.id AS "to",
    (
        SELECT o.id FROM experiment o
        WHERE o.series_id=$1 AND o.state='measured'
            AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id)
        ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1) AS "from"
FROM experiment e
WHERE e.series_id=$1 AND e.state='measured' AND e.night>=$2
ORDER BY e.night, e.time_ms, e.id LIMIT 1

-- A note on a night.
-- note_insert(ittti)
INSERT INTO note(project_id, night, text, author, made_ms)
VALUES($1,$2,$3,$4,$5)
RETURNING id

-- A note is removed, unless it was before.
-- note_end(ii)
UPDATE note SET removed_ms=$2 WHERE id=$1 AND removed_ms IS NULL
