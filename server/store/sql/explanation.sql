-- Where a change is: explanations, and the profiles that they come from.

-- Of an alert's portion: are its values times, of which a profile tells?
-- {is_time change at}
NOT EXISTS(
        SELECT 1 FROM portion w
        WHERE w.experiment_id=:at.to_experiment AND w.configuration=:change.configuration AND w.unit IS NOT NULL)

-- The ends of an alert's search, or of the alert where there is none, and where it was seen: {"there": is an
-- explanation there?, "can": can that node profile?, "timed": is one of its portions a time?, "before_id", "after_id",
-- "node", "dimension" that it is of ("time" where it tells of any time), "detection", "body"}, NULL: the search has not ended, or no node here measured it.
-- explanation_wanted(i)
SELECT EXISTS(SELECT 1 FROM explanation x WHERE x.alert_id=a.id) AS "there?",
    coalesce(
        (SELECT c.revision_id FROM bisection_commit c WHERE c.bisection_id=s.id AND c.place=s.low),
        s.from_id, f.revision_id) AS before_id,
    coalesce(
        (SELECT c.revision_id FROM bisection_commit c WHERE c.bisection_id=s.id AND c.place=s.high),
        t.revision_id) AS after_id, e.node,
    NOT EXISTS(SELECT 1 FROM node k WHERE k.name=e.node AND k.can_explain=0) AS "can?",
    EXISTS(SELECT 1 FROM alert_portion m WHERE m.alert_id=a.id AND {is_time m a}) AS "timed?",
    CASE WHEN EXISTS(SELECT 1 FROM alert_portion m WHERE m.alert_id=a.id AND m.dimension='time') THEN 'time'
        ELSE a.dimension END AS dimension,
    p.detection AS "detection{", b.body AS "body{"
FROM alert a
LEFT JOIN bisection s ON s.alert_id=a.id
JOIN experiment f ON f.id=a.from_experiment
JOIN experiment t ON t.id=a.dated_experiment
JOIN experiment e ON e.id=a.seen_experiment
JOIN benchmark b ON b.id=e.benchmark_id
JOIN project p ON p.id=a.project_id
WHERE a.id=$1
    AND (
        s.state<>'running'
        OR (s.id IS NULL AND t.remeasure=0 AND EXISTS(SELECT 1 FROM node k WHERE k.name=e.node)))

-- An explanation that waits for its job to begin: {"job", "before_id", "after_id", "priority"}, NULL: there is none.
-- explanation_queued(i)
SELECT j.id AS job, x.before_id, x.after_id, j.priority FROM explanation x
JOIN job j ON j.id=x.job_id
WHERE x.alert_id=$1 AND x.state='waiting' AND j.state='queued'

-- The jobs that an explanation waits for: [int64_t].
-- explanation_jobs(i)
SELECT j.id FROM explanation x
JOIN job j ON j.id=x.job_id
WHERE x.alert_id=$1 AND x.state='waiting' AND j.state IN ('queued','leased')

-- What was told of an alert's portions goes.
-- explanation_portions_drop(i)
DELETE FROM explanation_portion WHERE alert_id=$1

-- An explanation without profiles goes: somebody looks anew.
-- explanation_remove(i)
DELETE FROM explanation WHERE alert_id=$1

-- A job that takes profiles of two commits.
-- explanation_job_insert(iiiititit)
INSERT INTO job(
    project_id, revision_id, before_id, benchmark_id, branch, kind, priority, night, state, only_node,
    queued_ms, extra)
SELECT a.project_id, $2, $3, $4, s.branch, $5, $6, e.night, 'queued', $7, $8, $9
FROM alert a
JOIN series s ON s.id=a.series_id
JOIN experiment e ON e.id=a.seen_experiment WHERE a.id=$1
RETURNING id

-- Somebody looks where an alert's change is.
-- explanation_insert(iiii)
INSERT INTO explanation(alert_id, job_id, before_id, after_id, state)
VALUES($1,$2,$3,$4,'waiting')

-- Of a job, or of an alert (its nights were imported, nobody here profiled it): {"alert_id","experiment","result_hash",
-- "before","after","level", "body"}, NULL: there is none.
-- explanation_of(ii)
SELECT x.alert_id, a.seen_experiment AS experiment, x.result_hash, o.sha AS before, n.sha AS "after",
    e.level, b.body AS "body{"
FROM explanation x
JOIN alert a ON a.id=x.alert_id
JOIN experiment e ON e.id=a.seen_experiment
LEFT JOIN job j ON j.id=x.job_id
JOIN benchmark b ON b.id=coalesce(j.benchmark_id, e.benchmark_id)
JOIN revision o ON o.id=x.before_id
JOIN revision n ON n.id=x.after_id WHERE x.job_id=$1 OR x.alert_id=$2

-- The portions of an alert that are times: {"configuration","portion","change_ns","judged"}; where it does not tell of
-- the time (judged: false), what the time did from one night to the other.
-- explanation_portions(i)
SELECT m.configuration, min(m.portion) AS portion,
    coalesce(
        max(CASE WHEN m.dimension='time' THEN m.difference_mean_ns END),
        (
            SELECT t.mean_ns-f.mean_ns FROM alert a
            JOIN portion f ON f.experiment_id=a.from_experiment
            JOIN portion t ON t.experiment_id=a.seen_experiment AND t.configuration=f.configuration
            WHERE a.id=$1 AND f.configuration=m.configuration)) AS change_ns,
    max(CASE WHEN m.dimension='time' AND m.difference_mean_ns IS NOT NULL THEN 1 ELSE 0 END) AS "judged?"
FROM alert_portion m
JOIN alert n ON n.id=m.alert_id
WHERE m.alert_id=$1 AND {is_time m n}
GROUP BY m.configuration
ORDER BY m.configuration

-- The profiles are there, as the runner's body says.
-- explanation_done(itttittt)
UPDATE explanation
SET state='done', profiler=$2, unit=$3, result_hash=$4, finished_ms=$5, reason=$6, allocated_profiler=$7,
    allocated_reason=$8
WHERE alert_id=$1

-- There will be none.
-- explanation_fail(iti)
UPDATE explanation SET state='failed', reason=$2, finished_ms=$3 WHERE alert_id=$1

-- The queued ones whose node was last seen before then: [int64_t].
-- explanation_jobs_stranded(i)
SELECT j.id FROM explanation x
JOIN job j ON j.id=x.job_id
LEFT JOIN node n ON n.name=j.only_node
WHERE x.state='waiting' AND j.state='queued' AND j.queued_ms<$1
    AND (coalesce(n.seen_ms, 0)<$1 OR coalesce(n.can_explain, 0)=0)

-- The alerts, at most 100, that are over and whose profiles were taken before then.
-- explanations_old(i)
SELECT x.alert_id FROM explanation x
JOIN alert a ON a.id=x.alert_id
WHERE x.state='done' AND x.removed_ms IS NULL AND x.finished_ms<$1 AND a.state NOT IN ('open','acknowledged')
ORDER BY x.alert_id LIMIT 100

-- The profiles of an alert go; what was found with them stays.
-- profiles_drop(i)
DELETE FROM profile WHERE alert_id=$1

-- When the profiles of an alert went.
-- explanation_removed(ii)
UPDATE explanation SET removed_ms=$2 WHERE alert_id=$1

-- A profile of time, or of allocated bytes.
-- profile_insert(ittiiit)
INSERT INTO profile(alert_id, dimension, configuration, before, loop, calls, stacks)
VALUES($1,$2,$3,$4,$5,$6,$7)

-- What profiles of a dimension say of a portion.
-- explanation_portion_insert(itttttdddt)
INSERT INTO explanation_portion(
    alert_id, dimension, configuration, parent, portion, sentence, change_ns, before_units, after_units,
    functions)
VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)
