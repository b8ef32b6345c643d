-- What a result that comes in looks up, and the rows it becomes.

-- Has the commit nights that were not measured?
-- ingest_tried(i)
SELECT 1 FROM experiment WHERE revision_id=$1 AND state<>'measured' LIMIT 1

-- A job with its benchmark, its project's detection and its commits.
-- ingest_job(i)
SELECT p.name AS project, j.project_id, j.revision_id, j.benchmark_id, j.kind, j.night, j.node, j.branch,
    b.body AS "body{", p.detection AS "detection{", r.sha, a.sha AS before
FROM job j
JOIN benchmark b ON b.id=j.benchmark_id
JOIN project p ON p.id=j.project_id
JOIN revision r ON r.id=j.revision_id
LEFT JOIN revision a ON a.id=j.before_id WHERE j.id=$1

-- The node that has this job was heard of now.
-- node_seen_with(ii)
UPDATE node SET seen_ms=$2 WHERE job_id=$1

-- The night a trial is about, told as the answer to its results.
-- trial_night(i)
SELECT t.experiment_id FROM trial t JOIN trial_job j ON j.trial_id=t.id WHERE j.job_id=$1

-- The newest result of a job: {"id","result_hash","state","reason"}.
-- ingest_earlier(i)
SELECT id, result_hash, state, reason FROM experiment
WHERE job_id=$1 AND result_hash IS NOT NULL
UNION ALL
SELECT t.experiment_id, j.result_hash, 'measured', NULL
FROM trial_job j
JOIN trial t ON t.id=j.trial_id
WHERE j.job_id=$1 AND j.result_hash IS NOT NULL ORDER BY 1 DESC LIMIT 1

-- An environment that is known.
-- environment_find(t)
SELECT id FROM environment WHERE hash=$1

-- An environment is kept where it is new.
-- environment_key(tt)
INSERT INTO environment(hash, body) VALUES($1,$2) ON CONFLICT(hash) DO NOTHING

-- Remeasure is set where the project wants it and the node can.
-- experiment_insert(iiiiitttttiiittiididddddd)
INSERT INTO experiment(
    project_id, job_id, revision_id, benchmark_id, environment_id, series_id, kind, night, time_ms, state,
    reason, node, started_ms, finished_ms, loops, environment_detail, result_hash, level, hidden,
    total_mean_ns, total_low_ns, total_high_ns, total_median_ns, total_median_low_ns, total_median_high_ns,
    remeasure)
SELECT $1, $2, id, $3, $4, $5, $6, $7, time_ms, $8, $9, $10, $11, $12, $13, $14, $15, $18, $19, $20, $21,
    $22, $23, $24, $25,
    CASE WHEN $17=1 AND EXISTS (SELECT 1 FROM node WHERE name=$10 AND can_confirm=1) THEN 1 ELSE 0 END
FROM revision WHERE id=$16
RETURNING id

-- Other values of a night that is here.
-- experiment_replace(iiittiittddddddd)
UPDATE experiment
SET benchmark_id=$2, series_id=$3, state=$4, reason=$5, finished_ms=$6, loops=$7, environment_detail=$8, result_hash=$9,
    level=$10, total_mean_ns=$11, total_low_ns=$12, total_high_ns=$13, total_median_ns=$14, total_median_low_ns=$15,
    total_median_high_ns=$16
WHERE id=$1

-- Its rows go, for others.
-- loops_remove(i)
DELETE FROM loop WHERE experiment_id=$1

-- Its rows go, for others.
-- configurations_remove(i)
DELETE FROM configuration WHERE experiment_id=$1

-- Its rows go, for others.
-- portions_remove(i)
DELETE FROM portion WHERE experiment_id=$1

-- Its rows go, for others.
-- dimensions_remove(i)
DELETE FROM dimension WHERE experiment_id=$1

-- One loop, used or not.
-- loop_add(iiiiiditiiidttttii)
INSERT INTO loop(
    experiment_id, ordinal, loop, position, started_ms, seconds, disturbed, failed, used, calls,
    warmup_calls, mean_ns, summary, calls_per_second, readings, raw_sha256, raw_bytes,
    raw_uncompressed_bytes)
VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18)

-- A configuration of a night; times in ns a call.
-- configuration_add(iittiddddddddit)
INSERT INTO configuration(
    experiment_id, ordinal, name, label, loops, mean_ns, low_ns, high_ns, median_ns, median_low_ns,
    median_high_ns, calls_low_ns, calls_high_ns, n, statistics)
VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15)

-- A portion of a night before the series has judged it.
-- portion_add(iitttdddtttdddtt)
INSERT INTO portion(
    experiment_id, ordinal, portion, configuration, parent, mean_ns, low_ns, high_ns, method, verdict,
    reason, median_ns, median_low_ns, median_high_ns, unit, better)
VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16)

-- What was counted of a portion.
-- dimension_add(itittttddddt)
INSERT INTO dimension(
    experiment_id, dimension, ordinal, counter, configuration, parent, portion, mean, low, high, total, loops)
VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12)
