-- Pull requests as docs/api.md has them.

-- A pull request, with what its open job waits for.
-- {pull}
SELECT u.id, p.name AS project, u.provider, u.number, u.title, u.author, u.url, u.fork AS "fork?",
    u.head AS "commit", o.sha AS base, u.branch, u.state, u.reason, u.minutes, u.percent, u.node,
    p.detection AS "level{", u.asked_ms, u.started_ms, u.finished_ms, j.id AS job,
    j.progress AS "progress{",
    CASE WHEN j.state='queued' THEN 1+(
        SELECT count(*) FROM job k
        WHERE k.state='leased'
            OR (
                k.state='queued'
                AND (
                    k.priority>j.priority
                    OR (k.priority=j.priority AND (k.night<j.night OR (k.night=j.night AND k.id<j.id))))))
        WHEN j.state='leased' THEN 0
        ELSE NULL END AS place,
    coalesce(
        (
            SELECT CAST(sum(coalesce(d.finished_ms, d.started_ms)-d.started_ms) AS BIGINT)
            FROM pull_job e
            JOIN job d ON d.id=e.job_id WHERE e.pull_id=u.id), 0) AS spent_ms,
    coalesce(
        (
            SELECT q.answer FROM pull_portion q
            WHERE q.pull_id=u.id AND u.state='done'
            ORDER BY q.portion='T', CASE q.answer WHEN 'slower' THEN 0 WHEN 'unsure' THEN 1 WHEN 'faster' THEN 2 ELSE 3 END
            LIMIT 1),
        CASE u.state WHEN 'done' THEN 'untouched' END) AS answer
FROM pull u
JOIN project p ON p.id=u.project_id
LEFT JOIN revision o ON o.id=u.before_id
LEFT JOIN job j ON j.id=(
    SELECT max(f.job_id) FROM pull_job f
    JOIN job g ON g.id=f.job_id
    WHERE f.pull_id=u.id AND g.state IN ('queued','leased'))

-- The pull requests of a project, newest first, with keys below this one.
-- pull_rows(iii)
{pull} WHERE u.project_id=$1 AND u.id<$2 ORDER BY u.id DESC LIMIT $3

-- A pull request.
-- pull_row(i)
{pull} WHERE u.id=$1

-- The portions of a pull request with their answers, parents first.
-- pull_portion_rows(i)
SELECT portion, configuration, parent, answer, loops, before_mean_ns AS "before.mean_ns",
    before_low_ns AS "before.low_ns", before_high_ns AS "before.high_ns", after_mean_ns AS "after.mean_ns",
    after_low_ns AS "after.low_ns", after_high_ns AS "after.high_ns",
    difference_mean_ns AS "difference.mean_ns", difference_low_ns AS "difference.low_ns",
    difference_high_ns AS "difference.high_ns", least_ns, seen_ns, sentence
FROM pull_portion WHERE pull_id=$1 ORDER BY ordinal
