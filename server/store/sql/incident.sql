-- Incidents, their audit, and the nights around them.

-- The incident of a kind that begins with a night.
-- incident_find(iti)
SELECT id FROM incident WHERE series_id=$1 AND kind=$2 AND to_experiment=$3

-- Opened by the night seen; incident->before 0: none before it.
-- incident_insert(itiiiidddiiitt)
INSERT INTO incident(
    project_id, series_id, kind, state, to_experiment, from_experiment, seen_experiment, lasts, factor,
    factor_low, factor_high, moved, configurations, opened_ms, who, reason)
SELECT project_id, id, $2, 'open', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
FROM series WHERE id=$1
RETURNING id

-- What the nights show of it now; one that was withdrawn is open again.
-- incident_update(iiidddiitt)
UPDATE incident
SET from_experiment=$2, seen_experiment=$3, factor=$4, factor_low=$5, factor_high=$6, moved=$7,
    configurations=$8, who=$9, reason=$10, state=CASE state WHEN 'withdrawn' THEN 'open' ELSE state END
WHERE id=$1

-- Another state, by whom and why, and an event.
-- incident_audit_add(iittt)
INSERT INTO incident_audit(incident_id, at_ms, old_state, new_state, author, reason)
SELECT id, $2, state, $3, $4, $5 FROM incident WHERE id=$1

-- Another state, by whom and why, and an event.
-- incident_state_set(it)
UPDATE incident SET state=$2 WHERE id=$1

-- It does not last any more; the night that shows it.
-- incident_over(ii)
UPDATE incident SET lasts=0, over_experiment=$2 WHERE id=$1

-- How many of a kind were over with a night because its factor ($4) took theirs back, within a share ($5).
-- incidents_taken_back(itidd)
SELECT count(*) FROM incident
WHERE series_id=$1 AND kind=$2 AND over_experiment=$3 AND lasts=0 AND abs(factor*$4-1)<=$5

-- The open incidents of a series: {"id","kind","factor","lasts","nights"}; nights: measured ones of the
-- series after the one that opened it.
-- incidents_open(i)
SELECT i.id, i.kind, i.factor, i.lasts AS "lasts?",
    (
        SELECT count(DISTINCT e.night) FROM experiment e
        JOIN experiment s ON s.id=i.seen_experiment
        WHERE e.series_id=i.series_id AND e.state='measured' AND e.night>s.night) AS nights
FROM incident i WHERE i.series_id=$1 AND i.state='open' ORDER BY i.id

-- The open incidents of another environment, and the first night after each that is back in one of before it:
-- {"id","over_experiment","night"}. One that a person opened again stays.
-- incidents_left(i)
SELECT i.id, t.id AS over_experiment, t.night FROM incident i
JOIN experiment b ON b.id=i.to_experiment
JOIN experiment t ON t.id=(
    SELECT x.id FROM experiment x
    JOIN series o ON o.id=x.series_id
    JOIN series s ON s.id=i.series_id AND s.identity=o.identity AND s.branch=o.branch
    WHERE x.project_id=i.project_id AND x.series_id<>i.series_id AND x.hidden=0 AND x.state='measured'
        AND (x.night, x.time_ms, x.id)>(b.night, b.time_ms, b.id) AND EXISTS(
            SELECT 1 FROM experiment y
            WHERE y.series_id=x.series_id AND y.hidden=0 AND y.state='measured'
                AND (y.night, y.time_ms, y.id)<(b.night, b.time_ms, b.id))
    ORDER BY x.night, x.time_ms, x.id LIMIT 1)
WHERE i.project_id=$1 AND i.kind='environment' AND i.state='open' AND i.over_experiment IS NULL

-- The incidents of a series that stand: {"id","seen_experiment"}.
-- incidents_of_series(i)
SELECT id, seen_experiment FROM incident
WHERE series_id=$1 AND state<>'withdrawn' ORDER BY id

-- {"state"}.
-- incident_state(i)
SELECT state FROM incident WHERE id=$1

-- As the API has it, but for its words, ends and audit.
-- incident_row(i)
SELECT i.id, p.name AS project, i.kind, i.state, i.lasts AS "lasts?", i.opened_ms,
    {taken_in i.seen_experiment} AS "imported?", i.from_experiment,
    i.to_experiment AS experiment, i.seen_experiment, i.over_experiment, i.factor AS "factor.mean",
    i.factor_low AS "factor.low", i.factor_high AS "factor.high", i.moved AS "configurations.moved",
    i.configurations AS "configurations.seen", i.who, i.reason AS sentence
FROM incident i
JOIN project p ON p.id=i.project_id WHERE i.id=$1

-- {"commit","night","experiment","undated"} of a night.
-- incident_end(i)
SELECT {end_fields}
FROM experiment e
JOIN revision r ON r.id=e.revision_id WHERE e.id=$1

-- [{"at_ms","from","to","author","reason"}], in order.
-- incident_audit(i)
SELECT at_ms, old_state AS "from", new_state AS "to", author, reason
FROM incident_audit WHERE incident_id=$1 ORDER BY id

-- A page of a project's incidents, as incident_keys.
-- incident_keys_of_project(tiii)
SELECT id FROM incident
WHERE project_id=$4 AND (state=$1 OR ($1 IS NULL AND state<>'withdrawn')) AND id<$2
ORDER BY id DESC LIMIT $3

-- A page of the incidents, newest first; state NULL: any that stands.
-- incident_keys(tii)
SELECT id FROM incident
WHERE (state=$1 OR ($1 IS NULL AND state<>'withdrawn')) AND id<$2
ORDER BY id DESC LIMIT $3

-- The newest open incident of a project's machine that had begun by a night; 0: none had.
-- incident_unsettled(it)
SELECT i.id FROM incident i
JOIN experiment e ON e.id=i.to_experiment
WHERE i.project_id=$1 AND i.state='open' AND i.kind<>'missing' AND e.night<=$2
ORDER BY e.night DESC, i.id DESC LIMIT 1

-- The incidents that begin with a shown night of a project from one date to another, in order:
-- {"experiment","id","kind","state",…}.
-- incidents_between(itt)
SELECT i.to_experiment AS experiment, i.id, i.kind, i.state, i.factor AS "factor.mean",
    i.moved AS "configurations.moved", i.configurations AS "configurations.seen", i.who, i.reason AS sentence
FROM incident i
JOIN experiment e ON e.id=i.to_experiment
WHERE i.project_id=$1 AND i.state<>'withdrawn' AND e.night>=$2 AND e.night<=$3
ORDER BY i.id

-- Has a night the level of incident i, which began with night e? Where the level came back, the night v that ended it
-- tells of the machine, and t is the last of it; else it has settled.
-- {incident_holds night}
((e.night, e.time_ms, e.id)<=(:night.night, :night.time_ms, :night.id) AND NOT EXISTS(
        SELECT 1 FROM portion o
        JOIN experiment v ON v.id=o.experiment_id
        LEFT JOIN experiment t ON t.id=o.reference_to
        WHERE v.id=i.over_experiment AND o.verdict='environment' AND o.rule IN ('common-scale','control-moved','new-level')
            AND ((t.night, t.time_ms, t.id)<(:night.night, :night.time_ms, :night.id)
                OR (v.night, v.time_ms, v.id)<=(:night.night, :night.time_ms, :night.id))))

-- The incidents of what is measured whose level one of two nights of a series has alone, in order; sentence: on which date
-- it began; seen_experiment: the one that has it; lasts: between the two.
-- incidents_across(ii)
SELECT i.to_experiment AS experiment, i.id, i.kind, i.state, i.factor AS "factor.mean",
    i.factor_low AS "factor.low", i.factor_high AS "factor.high",
    CASE WHEN {incident_holds b} THEN b.id ELSE a.id END AS seen_experiment,
    i.moved AS "configurations.moved", i.configurations AS "configurations.seen", i.who, e.night AS sentence,
    (e.night, e.time_ms, e.id)>(a.night, a.time_ms, a.id) OR (e.night, e.time_ms, e.id)>(b.night, b.time_ms, b.id) AS "lasts?"
FROM incident i
JOIN experiment e ON e.id=i.to_experiment
JOIN experiment a ON a.id=$1 AND a.series_id=i.series_id
JOIN experiment b ON b.id=$2 AND b.series_id=i.series_id
WHERE i.kind IN ('scale','control') AND i.state<>'withdrawn' AND {incident_holds a}<>{incident_holds b}
ORDER BY i.id

-- The incident of a project of that kind which begins with a commit's night.
-- incident_match(itt)
SELECT i.id FROM incident i
JOIN experiment e ON e.id=i.to_experiment
JOIN revision r ON r.id=e.revision_id
WHERE i.project_id=$1 AND i.kind=$2 AND r.sha=$3 AND i.state<>'withdrawn'
ORDER BY i.id DESC LIMIT 1

-- How often this answer is there.
-- incident_answered(iit)
SELECT count(*) FROM incident_audit WHERE incident_id=$1 AND at_ms=$2 AND author=$3
