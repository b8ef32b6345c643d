-- Which jobs have raw data, how old they are, and what speaks for keeping them.

-- The nights that the job measured, or that it measured again.
-- {nights}
(
    SELECT e.id FROM experiment e WHERE e.job_id=k.job_id
    UNION ALL
    SELECT t.experiment_id FROM trial_job y
    JOIN trial t ON t.id=y.trial_id WHERE y.job_id=k.job_id)

-- Is the job of an alert in one of these states?
-- {of_alert states}
EXISTS(
    SELECT 1 FROM alert a
    LEFT JOIN alert_portion m ON m.alert_id=a.id
    WHERE a.project_id=k.project_id AND a.state IN (:states)
        AND (
            a.from_experiment IN {nights} OR a.to_experiment IN {nights} OR a.seen_experiment IN {nights}
            OR m.seen_experiment IN {nights}))

-- The next jobs of a project that have raw data, oldest first.
-- retention_jobs(iiii)
SELECT k.job_id AS job, k.files, k.bytes, k.stored_ms,
    (
        EXISTS(SELECT 1 FROM job j WHERE j.id=k.job_id AND j.state IN ('queued','leased'))
        OR EXISTS(
            SELECT 1 FROM trial t
            WHERE t.project_id=k.project_id AND t.state='running' AND t.experiment_id IN {nights})
        OR {of_alert 'open','acknowledged'}) AS "in_use?", {of_alert 'accepted','fixed'} AS "alerts?",
    EXISTS(
        SELECT 1 FROM experiment e
        JOIN revision r ON r.id=e.revision_id
        WHERE e.job_id=k.job_id AND r.release IS NOT NULL) AS "releases?",
    EXISTS(
        SELECT 1 FROM experiment e
        WHERE e.job_id=k.job_id AND e.state='measured' AND e.hidden=0
            AND NOT EXISTS(
                SELECT 1 FROM experiment o
                WHERE o.series_id=e.series_id AND o.state='measured' AND o.hidden=0
                    AND o.night>=substr(e.night, 1, 7) || '-01'
                    AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id))) AS "first_of_month?"
FROM raw_job k
WHERE k.project_id=$1 AND k.removed_ms IS NULL AND (k.stored_ms, k.job_id)>($2, $3)
ORDER BY k.stored_ms, k.job_id LIMIT $4

-- All projects that have or had raw data, by name.
-- retention_projects()
SELECT p.id, p.name FROM project p
WHERE EXISTS(SELECT 1 FROM raw_job k WHERE k.project_id=p.id)
ORDER BY p.name

-- What a project's raw data take.
-- retention_bytes(i)
SELECT CAST(sum(bytes) AS BIGINT) FROM raw_job WHERE project_id=$1 AND removed_ms IS NULL

-- What has gone so far.
-- retention_removed(i)
SELECT count(*) AS jobs, coalesce(CAST(sum(files) AS BIGINT), 0) AS files,
    coalesce(CAST(sum(bytes) AS BIGINT), 0) AS bytes
FROM raw_job WHERE project_id=$1 AND removed_ms IS NOT NULL
