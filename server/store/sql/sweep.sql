-- Sweeps: a commit measured with several values of a parameter.

-- The newest sweep of a commit that is not over, 0 when there is none.
-- sweep_open(ii)
SELECT max(s.id) FROM sweep s
WHERE s.project_id=$1 AND s.revision_id=$2
    AND EXISTS(
        SELECT 1 FROM sweep_point q
        JOIN job j ON j.id=q.job_id
        WHERE q.sweep_id=s.id AND j.state IN ('queued','leased'))

-- A sweep without points.
-- sweep_insert(iitti)
INSERT INTO sweep(project_id, revision_id, parameter, author, asked_ms)
VALUES($1,$2,$3,$4,$5)
RETURNING id

-- A job for one of its values.
-- sweep_job_insert(iiititi)
INSERT INTO job(project_id, revision_id, benchmark_id, branch, kind, priority, night, state, queued_ms)
SELECT p.id, $2, $3, p.branch, $4, $5, $6, 'queued', $7 FROM project p
WHERE p.id=$1
RETURNING id

-- A value and its job.
-- sweep_point_insert(iiii)
INSERT INTO sweep_point(sweep_id, place, value, job_id) VALUES($1,$2,$3,$4)

-- The other values of this job's sweep are measured on the same node; nothing happens when the job is of
-- none.
-- sweep_stays(it)
UPDATE job SET only_node=$2
WHERE only_node IS NULL
    AND id IN (
        SELECT q.job_id FROM sweep_point q JOIN sweep_point o ON o.sweep_id=q.sweep_id WHERE o.job_id=$1)
