-- Pull requests, their jobs, loops and portions.

-- The newest one of a number: {"id","head","state","labelled","fork","ref", "title","author","url"}.
-- pull_latest(iti)
SELECT id, head, state, labelled AS "labelled?", fork AS "fork?", ref, title, author, url
FROM pull WHERE project_id=$1 AND provider=$2 AND number=$3
ORDER BY id DESC LIMIT 1

-- The newest of a commit that was handed in, and neither failed nor was dropped; 0: none.
-- pull_same(it)
SELECT max(id) FROM pull
WHERE project_id=$1 AND number IS NULL AND head=$2 AND state NOT IN ('failed','dropped')

-- A pull request that was heard of.
-- pull_insert(itittttiitttddi)
INSERT INTO pull(
    project_id, provider, number, title, author, url, ref, fork, labelled, head, branch, state, minutes,
    percent, asked_ms)
VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15)
RETURNING id

-- The pull requests of a number that are held, waiting or measured.
-- pulls_open(iti)
SELECT id FROM pull
WHERE project_id=$1 AND provider=$2 AND number=$3 AND state IN ('held','waiting','measuring')
ORDER BY id

-- The jobs of a pull request that are queued or leased.
-- pull_jobs_open(i)
SELECT j.id FROM pull_job q
JOIN job j ON j.id=q.job_id
WHERE q.pull_id=$1 AND j.state IN ('queued','leased')

-- The jobs of pull requests that were queued before then, and whose node was silent as long, or does not
-- measure two commits any more.
-- pull_jobs_stranded(i)
SELECT j.id FROM job j
JOIN pull_job q ON q.job_id=j.id
LEFT JOIN node n ON n.name=j.only_node
WHERE j.state='queued' AND j.only_node IS NOT NULL AND j.queued_ms<$1
    AND (coalesce(n.seen_ms, 0)<$1 OR coalesce(n.can_confirm, 0)=0)

-- Whether it has the label.
-- pull_labelled(ii)
UPDATE pull SET labelled=$2 WHERE id=$1

-- A held one may be measured.
-- pull_release(i)
UPDATE pull SET state='waiting' WHERE id=$1 AND state='held'

-- The pull requests that wait for their commits, those that a merge waits for and then the oldest first:
-- {"id","head","ref","attempts","queue"}.
-- pulls_waiting(t)
SELECT u.id, u.head, u.ref, u.attempts, u.provider='merge_group' AS "queue?" FROM pull u
JOIN project p ON p.id=u.project_id
WHERE p.name=$1 AND u.state='waiting'
ORDER BY CASE WHEN u.provider='merge_group' THEN 0 ELSE 1 END, u.id LIMIT 100

-- Both are known: it is being measured, by the benchmark the project has now.
-- pull_commits(iiii)
UPDATE pull
SET after_id=$2, before_id=$3, state='measuring', reason=NULL, started_ms=$4,
    benchmark_id=(SELECT p.benchmark_id FROM project p WHERE p.id=pull.project_id)
WHERE id=$1

-- {"project_id","body"} with the project's benchmark, and "state" request.
-- pull_project(i)
SELECT u.project_id, u.state, b.body AS "body{" FROM pull u
JOIN project p ON p.id=u.project_id
JOIN benchmark b ON b.id=p.benchmark_id WHERE u.id=$1

-- A portion that is asked about.
-- pull_portion_insert(iittt)
INSERT INTO pull_portion(pull_id, ordinal, configuration, parent, portion, answer)
VALUES($1,$2,$3,$4,$5,'more')

-- What the next job of a pull request is made from:
-- {"minutes","body","spent_ms","rounds","loops","loop_seconds"}.
-- pull_about(i)
SELECT u.minutes, b.body AS "body{",
    (
        SELECT CAST(sum(j.finished_ms-j.started_ms) AS BIGINT) FROM pull_job q
        JOIN job j ON j.id=q.job_id WHERE q.pull_id=u.id) AS spent_ms,
    (SELECT CAST(sum(q.loops) AS BIGINT) FROM pull_job q WHERE q.pull_id=u.id) AS rounds,
    (SELECT count(*) FROM pull_loop l WHERE l.pull_id=u.id) AS loops,
    coalesce(
        (SELECT avg(l.seconds) FROM pull_loop l WHERE l.pull_id=u.id AND l.used=1),
        (
            SELECT avg(l.seconds) FROM loop l
            WHERE l.used=1
                AND l.experiment_id=(
                    SELECT max(e.id) FROM experiment e
                    JOIN benchmark c ON c.id=e.benchmark_id
                    WHERE e.project_id=p.id AND e.state='measured' AND c.identity=b.identity))) AS loop_seconds
FROM pull u
JOIN project p ON p.id=u.project_id
JOIN benchmark b ON b.id=u.benchmark_id WHERE u.id=$1

-- The configurations of the open portions, and their parents.
-- pull_names_open(i)
SELECT configuration, parent FROM pull_portion WHERE pull_id=$1 AND answer='more'

-- A job that measures both commits in turn.
-- pull_job_insert(iititi)
INSERT INTO job(
    project_id, revision_id, before_id, benchmark_id, branch, kind, priority, night, state, only_node,
    queued_ms)
SELECT u.project_id, u.after_id, u.before_id, $2, u.branch, $3, $4, $5, 'queued', u.node, $6
FROM pull u WHERE u.id=$1
RETURNING id

-- The job is one of this pull request.
-- pull_job_note(iii)
INSERT INTO pull_job(job_id, pull_id, loops) VALUES($1,$2,$3)

-- The pull request has one job more.
-- pull_started(i)
UPDATE pull SET batches=batches+1 WHERE id=$1

-- {"id","state","result_hash"}, NULL: of none.
-- pull_of_job(i)
SELECT u.id, u.state, q.result_hash FROM pull_job q
JOIN pull u ON u.id=q.pull_id WHERE q.job_id=$1

-- What the job sent, so that the same again gets the same answer.
-- pull_job_result(it)
UPDATE pull_job SET result_hash=$2 WHERE job_id=$1

-- All jobs of a pull request run where the first one did.
-- pull_node(it)
UPDATE pull SET node=$2 WHERE id=$1 AND node IS NULL

-- A loop of one of its jobs.
-- pull_loop_insert(iiitiiiddid)
INSERT INTO pull_loop(
    pull_id, job_id, place, configuration, before, loop, used, seconds, mean_ns, duet, lost_percent)
VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11)

-- For judging: ordinal, names, percent, the project's detection.
-- pull_portions(i)
SELECT q.ordinal, q.configuration, q.parent, q.portion, u.percent, p.detection AS "detection{"
FROM pull_portion q
JOIN pull u ON u.id=q.pull_id
JOIN project p ON p.id=u.project_id WHERE q.pull_id=$1
ORDER BY q.ordinal

-- The portions of another one are its own, too.
-- pull_portions_copy(ii)
INSERT INTO pull_portion(
    pull_id, ordinal, configuration, parent, portion, answer, loops, before_mean_ns, before_low_ns,
    before_high_ns, after_mean_ns, after_low_ns, after_high_ns, difference_mean_ns, difference_low_ns,
    difference_high_ns, least_ns, seen_ns, sentence)
SELECT $1, ordinal, configuration, parent, portion, answer, loops, before_mean_ns, before_low_ns,
    before_high_ns, after_mean_ns, after_low_ns, after_high_ns, difference_mean_ns, difference_low_ns,
    difference_high_ns, least_ns, seen_ns, sentence
FROM pull_portion WHERE pull_id=$2

-- Of one from a merge queue: what was measured as it would be, the newest first: {"id","head","base"}.
-- pulls_alike(i)
SELECT m.id, m.head, o.sha AS base FROM pull u
JOIN project p ON p.id=u.project_id
JOIN pull m ON m.project_id=u.project_id AND m.state='done' AND m.benchmark_id=p.benchmark_id
    AND m.percent=u.percent
JOIN revision o ON o.id=m.before_id
WHERE u.id=$1 AND u.provider='merge_group' ORDER BY m.id DESC LIMIT 100

-- What is known of a portion.
-- pull_portion_answer(iitidddddddddddt)
UPDATE pull_portion
SET answer=$3, loops=$4, before_mean_ns=$5, before_low_ns=$6, before_high_ns=$7, after_mean_ns=$8,
    after_low_ns=$9, after_high_ns=$10, difference_mean_ns=$11, difference_low_ns=$12,
    difference_high_ns=$13, least_ns=$14, seen_ns=$15, sentence=$16
WHERE pull_id=$1 AND ordinal=$2

-- What the pull requests of this one's project that were begun since then took so far, or may take while they
-- are measured.
-- pulls_charged(ii)
SELECT CAST(
    sum(
        CASE WHEN u.state='measuring' THEN 60000*u.minutes
            ELSE coalesce(
                (
                    SELECT CAST(sum(coalesce(j.finished_ms, j.started_ms)-j.started_ms) AS BIGINT)
                    FROM pull_job q
                    JOIN job j ON j.id=q.job_id WHERE q.pull_id=u.id), 0) END) AS BIGINT)
FROM pull u
WHERE u.project_id=(SELECT w.project_id FROM pull w WHERE w.id=$1) AND u.started_ms>=$2

-- {"minutes", "reason"}: what this one may take, and why it waits, if it does, NULL: there is no such one.
-- pull_wish(i)
SELECT minutes, reason FROM pull WHERE id=$1

-- Why a pull request that waits is not begun, where the reason is a new one; NULL: it may.
-- pull_waits(it)
UPDATE pull SET reason=$2 WHERE id=$1 AND state='waiting' AND reason IS DISTINCT FROM $2

-- It is over.
-- pull_end(itti)
UPDATE pull SET state=$2, reason=$3, finished_ms=$4 WHERE id=$1

-- Its commit was not there: counted, looked for again at the next poll.
-- pull_try(i)
UPDATE pull SET attempts=attempts+1 WHERE id=$1

-- The loops that count, as trial_means, of a pull request.
-- pull_means(itt)
SELECT job_id, loop, before, CASE WHEN configuration=$3 THEN 1 ELSE 0 END AS of_parent, mean_ns, duet
FROM pull_loop
WHERE pull_id=$1 AND used=1 AND configuration IN ($2, $3)
ORDER BY job_id, loop

-- What those of one configuration lost of their records, likewise.
-- pull_losses(it)
SELECT job_id, loop, before, 0 AS of_parent, lost_percent AS mean_ns, duet
FROM pull_loop
WHERE pull_id=$1 AND used=1 AND configuration=$2 AND lost_percent IS NOT NULL
ORDER BY job_id, loop
