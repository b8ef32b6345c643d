-- What the queue asks: jobs, nodes and artifacts; and the pieces over a job that views ask with, too.

-- The artifact as a job carries it to a runner.
-- {artifact_fields f r key}
:f.name AS ":key.name", :f.sha256 AS ":key.sha256", :f.bytes AS ":key.bytes",
'/api/v1/projects/' || p.name || '/artifacts/' || :r.sha || '/' || :f.name AS ":key.url"

-- Over job j, its revision r, its benchmark b, and f, the artifact of a revision, LEFT JOINed.
-- {artifact_join f r}
LEFT JOIN artifact :f ON :f.project_id=j.project_id AND :f.sha=:r.sha AND :f.name=b.artifact
    AND :f.removed_ms IS NULL

-- Until when it may wait, Unix ms: a night for so long, a trial not at all (its nights had theirs).
-- {artifact_until}
(j.queued_ms + CASE WHEN j.before_id IS NULL THEN 1000*b.artifact_wait_s ELSE 0 END)

-- Does the job need an artifact, of its commit or of the one before it, that is not there?
-- {artifact_missing}
(
    b.artifact IS NOT NULL
    AND (
        NOT EXISTS(
            SELECT 1 FROM artifact w
            WHERE w.project_id=j.project_id AND w.sha=r.sha AND w.name=b.artifact AND w.removed_ms IS NULL)
        OR (
            j.before_id IS NOT NULL
            AND NOT EXISTS(
                SELECT 1 FROM artifact w
                JOIN revision s ON s.id=j.before_id
                WHERE w.project_id=j.project_id AND w.sha=s.sha AND w.name=b.artifact
                    AND w.removed_ms IS NULL))))

-- Is some job going to want the artifact f?
-- {wanted}
EXISTS(
    SELECT 1 FROM job j
    JOIN benchmark b ON b.id=j.benchmark_id
    JOIN revision r ON r.id=j.revision_id
    LEFT JOIN revision a ON a.id=j.before_id
    WHERE j.state IN ('queued','leased') AND j.project_id=f.project_id AND b.artifact=f.name
        AND (r.sha=f.sha OR a.sha=f.sha))

-- An artifact f as people see it (docs/api.md), to be followed by WHERE.
-- {artifact_view}
SELECT f.id, f.sha AS "commit", f.name, f.sha256, f.bytes, f.author, f.stored_ms,
    '/api/v1/projects/' || p.name || '/artifacts/' || f.sha || '/' || f.name AS url
FROM artifact f
JOIN project p ON p.id=f.project_id

-- Over job j, its benchmark b, project p and node n: could n do it?
-- {node_able}
(j.only_node IS NULL OR j.only_node=n.name)
AND NOT EXISTS(
    SELECT 1 FROM project_label l
    WHERE l.project_id=p.id
        AND NOT EXISTS(SELECT 1 FROM node_label h WHERE h.node=n.name AND h.label=l.label))
AND (j.kind NOT IN ('confirmation','bisection','pull') OR n.can_confirm=1)
AND (j.kind<>'explain' OR n.can_explain=1) AND (b.artifact IS NULL OR n.can_artifact=1)

-- Over project p and job t at a moment, a parameter such as $2: is the job one of the 24 hours before?
-- {last_day now}
t.project_id=p.id AND t.finished_ms>:now-86400000

-- Over project p: ms that measuring again took in the 24 hours before.
-- {remeasure_spent now}
(
    SELECT coalesce(CAST(sum(t.finished_ms-t.started_ms) AS BIGINT),0)
    FROM job t WHERE {last_day :now} AND t.kind='confirmation')

-- Over project p: its nights of the 24 hours before.
-- {nights_of_day now}
FROM job t
WHERE {last_day :now} AND t.state='done'
    AND t.kind NOT IN ('confirmation','bisection','sweep','explain','pull')

-- Over project p: how long those took, ms.
-- {nights_ms now}
(SELECT coalesce(CAST(sum(t.finished_ms-t.started_ms) AS BIGINT),0) {nights_of_day :now})

-- Over project p: ms that measuring again may take in 24 hours (detection.remeasure_minutes).
-- {remeasure_allowed now}
(
    CASE WHEN p.remeasure_minutes>0 THEN 60000*p.remeasure_minutes*(
        SELECT CASE WHEN count(*)>1 THEN count(*) ELSE 1 END {nights_of_day :now})
        WHEN {nights_ms :now}>3600000 THEN {nights_ms :now}/2
        ELSE 1800000 END)

-- Over job j and p: is it measuring again, and nothing left of what that may take?
-- {remeasure_over now}
(j.kind='confirmation' AND {remeasure_spent :now}>={remeasure_allowed :now})

-- A night is queued, with the benchmark the project has now.
-- job_insert(iititi)
INSERT INTO job(project_id, revision_id, benchmark_id, branch, kind, priority, night, state, queued_ms)
SELECT p.id, $2, p.benchmark_id, p.branch, $3, $4, $5, 'queued', $6
FROM project p WHERE p.id=$1
RETURNING id

-- The job that makes another one for this revision needless, 0 when there is none.
-- job_same(iii)
SELECT j.id FROM job j
JOIN benchmark b ON b.id=j.benchmark_id
WHERE j.revision_id=$2 AND j.kind NOT IN ('confirmation','bisection','sweep','explain','pull')
    AND (j.state IN ('queued','leased') OR $3=0)
    AND b.identity=(SELECT c.identity FROM project p JOIN benchmark c ON c.id=p.benchmark_id WHERE p.id=$1)
ORDER BY j.id DESC LIMIT 1

-- 1 or 0.
-- project_enabled(i)
SELECT enabled FROM project WHERE id=$1

-- A job as it goes to a runner, with its lease and extra members.
-- job_order(i)
SELECT j.id, p.name AS project, CASE WHEN j.kind='pull' THEN 'confirmation' ELSE j.kind END AS kind,
    j.night, r.sha AS "commit", a.sha AS before, p.repository AS "repository.url",
    j.branch AS "repository.branch", j.id AS seed, p.detection AS "minimum_loops{", b.body AS "benchmark{",
    j.extra AS "extra{", j.lease, {artifact_fields f r artifact}, {artifact_fields g a before_artifact}
FROM job j
JOIN project p ON p.id=j.project_id
JOIN revision r ON r.id=j.revision_id
JOIN benchmark b ON b.id=j.benchmark_id
LEFT JOIN revision a ON a.id=j.before_id {artifact_join f r} {artifact_join g a}
WHERE j.id=$1

-- Who holds a job: {"project_id","revision_id","benchmark_id","attempts","state","lease","kind"}.
-- job_holding(i)
SELECT project_id, revision_id, benchmark_id, attempts, state, lease, kind
FROM job WHERE id=$1

-- A node was heard of now.
-- node_touch(ti)
UPDATE node SET seen_ms=$2 WHERE name=$1

-- The job that a node holds without having reported on it: its answer may have been lost; 0: none.
-- job_again(ti)
SELECT id FROM job
WHERE state='leased' AND node=$1 AND progress IS NULL AND lease_expires_ms>=$2
ORDER BY id LIMIT 1

-- The job is its node's from now on.
-- job_lease(ittiii)
UPDATE job
SET state='leased', node=$2, lease=$3, lease_expires_ms=$4, attempts=attempts+$5,
    progress=CASE WHEN $5=1 THEN NULL ELSE progress END,
    started_ms=CASE WHEN $5=1 THEN $6 ELSE started_ms END
WHERE id=$1

-- What a node is doing.
-- node_holds(ti)
UPDATE node SET job_id=$2 WHERE name=$1

-- The job's project had its turn.
-- project_served(ii)
UPDATE project SET served_ms=$2 WHERE id=(SELECT project_id FROM job WHERE id=$1)

-- Who paused a node and why, NULL: it works.
-- node_pause_set(tt)
UPDATE node SET paused=$2 WHERE name=$1

-- {"progress"} of the last report.
-- job_progress_get(i)
SELECT progress AS "progress{" FROM job WHERE id=$1

-- A report came in: the lease goes on; progress: JSON.
-- job_progress(iti)
UPDATE job SET state='leased', progress=$2, lease_expires_ms=$3 WHERE id=$1

-- The node of a job was heard of now, and is busy with it.
-- node_reports(ii)
UPDATE node SET seen_ms=$2, job_id=$1 WHERE name=(SELECT node FROM job WHERE id=$1)

-- Who was busy with this job is not, any more.
-- node_free(i)
UPDATE node SET job_id=NULL WHERE job_id=$1

-- For good; experiment: the night that shows it, 0: none.
-- job_failed(iii)
UPDATE job
SET state='failed', experiment_id=$2, finished_ms=$3, lease_expires_ms=NULL
WHERE id=$1

-- How often a commit was measured with a benchmark.
-- nights_measured(ii)
SELECT count(*) FROM experiment e
WHERE e.revision_id=$1 AND e.state='measured' AND e.benchmark_id=$2 AND e.kind<>'sweep'

-- A night without a result, as its job was; hidden: it is not shown.
-- experiment_failed(itii)
INSERT INTO experiment(
    project_id, job_id, revision_id, benchmark_id, kind, night, time_ms, state, reason, hidden, node,
    started_ms, finished_ms)
SELECT j.project_id, j.id, j.revision_id, j.benchmark_id, j.kind, j.night, r.time_ms, 'failed', $2, $3,
    j.node, j.started_ms, $4
FROM job j
JOIN revision r ON r.id=j.revision_id WHERE j.id=$1
RETURNING id

-- Why the attempt failed; log NULL: the one before stays.
-- job_error(itt)
UPDATE job SET error=$2, log=coalesce($3, log) WHERE id=$1

-- It waits for its next attempt, not before then. The lease stays.
-- job_requeue(ii)
UPDATE job SET state='queued', lease_expires_ms=NULL, not_before_ms=$2 WHERE id=$1

-- The jobs that are leased for longer than until then: [int64_t].
-- leases_too_long(i)
SELECT id FROM job WHERE state='leased' AND lease_expires_ms>$1 ORDER BY id

-- They end then.
-- leases_shorten(i)
UPDATE job SET lease_expires_ms=$1 WHERE state='leased' AND lease_expires_ms>$1

-- The jobs whose lease is over: [int64_t].
-- jobs_expired(i)
SELECT id FROM job WHERE state='leased' AND lease_expires_ms<$1 ORDER BY id

-- The job's result is in, as this night.
-- job_done_set(iii)
UPDATE job
SET state='done', experiment_id=$2, finished_ms=$3, error=NULL, lease_expires_ms=NULL, progress=NULL
WHERE id=$1

-- What was wrong with the newest job of a project; NULL: nothing.
-- project_job_problem(it)
UPDATE project SET job_problem=$2 WHERE id=$1

-- {"id","artifact","wait_s","trial"} of those whose time to wait for an artifact is up.
-- jobs_overdue(i)
SELECT j.id, b.artifact, b.artifact_wait_s AS wait_s, j.before_id IS NOT NULL AS "trial?"
FROM job j
JOIN revision r ON r.id=j.revision_id
JOIN benchmark b ON b.id=j.benchmark_id
WHERE j.state='queued' AND b.artifact IS NOT NULL AND {artifact_until}<=$1 AND {artifact_missing}
ORDER BY j.id

-- When the next one's time is up, INT64_MAX: none waits.
-- jobs_overdue_next()
SELECT min({artifact_until}) FROM job j
JOIN revision r ON r.id=j.revision_id
JOIN benchmark b ON b.id=j.benchmark_id
WHERE j.state='queued' AND b.artifact IS NOT NULL AND {artifact_missing}

-- The newest job of a commit, if it failed for want of this artifact: its error begins so; 0: it did not.
-- job_gave_up(ittt)
SELECT j.id FROM job j
JOIN revision r ON r.id=j.revision_id
JOIN benchmark b ON b.id=j.benchmark_id
WHERE j.project_id=$1 AND r.sha=$2 AND b.artifact=$3 AND j.state='failed'
    AND substr(j.error, 1, length($4))=$4 AND j.before_id IS NULL
    AND NOT EXISTS(SELECT 1 FROM job n WHERE n.revision_id=j.revision_id AND n.id>j.id)

-- A job like an old one.
-- job_insert_again(ii)
INSERT INTO job(project_id, revision_id, benchmark_id, branch, kind, priority, night, state, queued_ms)
SELECT project_id, revision_id, benchmark_id, branch, kind, priority, night, 'queued', $2
FROM job WHERE id=$1
RETURNING id

-- {"id"} of the queued jobs that want this artifact.
-- jobs_waiting_for(itt)
SELECT j.id FROM job j
JOIN revision r ON r.id=j.revision_id
JOIN benchmark b ON b.id=j.benchmark_id
LEFT JOIN revision a ON a.id=j.before_id
WHERE j.state='queued' AND j.project_id=$1 AND b.artifact=$3 AND (r.sha=$2 OR a.sha=$2)
ORDER BY j.id

-- How many artifacts are this file.
-- artifact_users(t)
SELECT count(*) FROM artifact WHERE sha256=$1 AND removed_ms IS NULL

-- {"sha256"} of those that are there.
-- artifact_hashes()
SELECT DISTINCT sha256 FROM artifact WHERE removed_ms IS NULL

-- The bytes of a file have gone.
-- artifact_forget(t)
UPDATE artifact SET removed_ms=stored_ms WHERE sha256=$1 AND removed_ms IS NULL

-- {"sha256","present"}, also when its bytes have gone, NULL when there was none.
-- artifact_known(itt)
SELECT sha256, removed_ms IS NULL AS "present?" FROM artifact
WHERE project_id=$1 AND sha=$2 AND name=$3

-- The oldest of a project (0: of any) from before then that nobody wants: {"id","sha256","bytes"}.
-- artifact_oldest(ii)
SELECT f.id, f.sha256, f.bytes FROM artifact f
WHERE f.removed_ms IS NULL AND ($1=0 OR f.project_id=$1) AND f.stored_ms<$2 AND NOT {wanted}
ORDER BY f.stored_ms, f.id LIMIT 1

-- The bytes of an artifact go.
-- artifact_retire(ii)
UPDATE artifact SET removed_ms=$2 WHERE id=$1

-- How many bytes a project keeps.
-- artifact_bytes(i)
SELECT CAST(sum(bytes) AS BIGINT) FROM artifact WHERE project_id=$1 AND removed_ms IS NULL

-- How many of them some job is going to want.
-- artifact_bytes_wanted(i)
SELECT CAST(sum(bytes) AS BIGINT) FROM artifact f
WHERE project_id=$1 AND removed_ms IS NULL AND {wanted}

-- An artifact is there, new or again.
-- artifact_put(itttiti)
INSERT INTO artifact(project_id, sha, name, sha256, bytes, author, stored_ms)
VALUES($1,$2,$3,$4,$5,$6,$7)
ON CONFLICT(project_id, sha, name)
DO UPDATE SET removed_ms=NULL, author=excluded.author, stored_ms=excluded.stored_ms

-- An artifact as people see it, NULL when it is not there.
-- artifact_get(itt)
{artifact_view} WHERE f.project_id=$1 AND f.sha=$2 AND f.name=$3 AND f.removed_ms IS NULL

-- {"id","sha256"} of one that is there.
-- artifact_place(itt)
SELECT id, sha256 FROM artifact WHERE project_id=$1 AND sha=$2 AND name=$3 AND removed_ms IS NULL

-- 1 when some job is going to want it, else 0.
-- artifact_wanted(i)
SELECT count(*) FROM artifact f WHERE f.id=$1 AND {wanted}

-- How many leased jobs of the node (NULL: any) measure the commit.
-- artifact_leased(itt)
SELECT count(*) FROM job j
JOIN revision r ON r.id=j.revision_id OR r.id=j.before_id
WHERE j.state='leased' AND j.project_id=$1 AND r.sha=$2 AND ($3='' OR j.node=$3)

-- As if it had never been.
-- artifact_delete(i)
DELETE FROM artifact WHERE id=$1

-- When the oldest one came, INT64_MAX: there is none.
-- artifact_first_ms()
SELECT min(stored_ms) FROM artifact WHERE removed_ms IS NULL

-- {"seen_ms","labels","can"}, the lists as text, NULL when it has never asked.
-- node_get(t)
SELECT seen_ms, labels, can FROM node WHERE name=$1

-- New or anew; its labels are rows of their own.
-- node_put(ttttiiii)
INSERT INTO node(name, version, labels, can, can_confirm, can_artifact, seen_ms, can_explain)
VALUES($1,$2,$3,$4,$5,$6,$7,$8)
ON CONFLICT(name)
DO UPDATE SET version=excluded.version, labels=excluded.labels, can=excluded.can,
    can_confirm=excluded.can_confirm, can_artifact=excluded.can_artifact, seen_ms=excluded.seen_ms,
    can_explain=excluded.can_explain

-- The labels of a node are written anew.
-- node_labels_drop(t)
DELETE FROM node_label WHERE node=$1

-- A label that a node carries.
-- node_label_add(tt)
INSERT INTO node_label(node, label) VALUES($1,$2) ON CONFLICT(node, label) DO NOTHING

-- The first job in the queue that a node can do now; 0: none. One that has to wait longer than a pause lasts
-- is from before the clock was set back: it waits no more. node its name, and what it has already
-- job_next(tiiii)
SELECT j.id FROM job j
JOIN project p ON p.id=j.project_id
JOIN revision r ON r.id=j.revision_id
JOIN benchmark b ON b.id=j.benchmark_id
JOIN node n ON n.name=$1
WHERE j.state='queued' AND (j.not_before_ms<=$2 OR j.not_before_ms>$3) AND p.enabled=1 AND n.paused IS NULL
    AND (
        $4=0
        OR EXISTS (
            SELECT 1 FROM job h
            WHERE h.id=$4
                AND (
                    j.priority>h.priority
                    OR (
                        $5=1 AND j.kind=h.kind AND j.project_id=h.project_id
                        AND j.benchmark_id=h.benchmark_id))))  AND {node_able}
    AND (b.artifact IS NULL OR NOT {artifact_missing}) AND NOT {remeasure_over $2}
ORDER BY j.priority DESC, p.served_ms, j.night, j.id LIMIT 1

-- Jobs that have waited since before then for a project that is not measured.
-- jobs_of_off(i)
SELECT j.id FROM job j
JOIN project p ON p.id=j.project_id
WHERE j.state='queued' AND p.enabled=0 AND j.queued_ms<$1 ORDER BY j.id
