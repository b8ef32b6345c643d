-- Trials, their questions, and the searches they serve.

-- How far a search is: commits up to low are as before, or as the last that brought a part, from high on as after.
-- {bounds}
coalesce(
    b.low,
    (SELECT max(c.place) FROM bisection_commit c WHERE c.bisection_id=b.id AND c.state IN ('before','part')), -1) AS low,
coalesce(
    b.high, (SELECT min(c.place) FROM bisection_commit c WHERE c.bisection_id=b.id AND c.state='after'),
    (SELECT max(c.place) FROM bisection_commit c WHERE c.bisection_id=b.id)) AS high

-- The last commit of a search's range.
-- {last_place}
(SELECT max(m.place) FROM bisection_commit m WHERE m.bisection_id=b.id)

-- The nights of the commits that the search for an alert's commit is among, and those that show its change.
-- {searched_nights}
SELECT e.id FROM bisection b
    JOIN bisection_commit c ON c.bisection_id=b.id
    JOIN experiment e ON e.revision_id=c.revision_id WHERE b.alert_id=$1
    UNION SELECT a.to_experiment FROM alert a WHERE a.id=$1
    UNION SELECT m.seen_experiment FROM alert_portion m WHERE m.alert_id=$1

-- The dimensions whose change says that a call does more, or less; the first one that is there.
-- {counted}
SELECT b.dimension, b.mean AS "before.mean", b.low AS "before.low", b.high AS "before.high",
    a.mean AS "after.mean", a.low AS "after.low", a.high AS "after.high"

-- The two ends: the nights of the alert, of which the earlier one is the last that nobody disputes; where
-- there was a trial, its newer commit, since that is known to be changed and the date of a small change is
-- uncertain.
-- {ends}
f.revision_id AS from_id, coalesce(t.after_id, e.revision_id) AS to_id
FROM alert a
JOIN experiment f ON f.id=a.from_experiment
JOIN experiment e ON e.id=a.dated_experiment
LEFT JOIN suspicion s ON s.series_id=a.series_id AND s.configuration=a.configuration AND s.dimension=a.dimension
    AND s.seen_experiment=a.seen_experiment AND s.to_experiment=a.dated_experiment AND s.state='confirmed'
LEFT JOIN question q ON q.id=s.question_id
LEFT JOIN trial t ON t.id=q.trial_id

-- A night's commit and node, and the commit of an earlier one.
-- trial_commits(ii)
SELECT e.revision_id, e.node, a.revision_id AS before_id
FROM experiment e
JOIN experiment a ON a.id=$2 WHERE e.id=$1

-- The configurations of a trial's open questions, and the parents of those that are not measured alone, or of
-- all.
-- trial_names_open(ii)
SELECT configuration, CASE WHEN stage<>'alone' OR CAST($2 AS BIGINT)=1 THEN parent END
FROM question WHERE trial_id=$1 AND state='open'

-- A job for a trial, of a benchmark that asks what is open. One that has confirmed a portion already is no
-- more urgent than the search for the commit, and one that asks nothing of time is less urgent than either; $7: of
-- a night of the kind $8.
-- trial_job_insert(iiiiiiit)
INSERT INTO job(
    project_id, revision_id, before_id, benchmark_id, branch, kind, priority, night, state, only_node,
    queued_ms)
SELECT t.project_id, t.after_id, t.before_id, $2, s.branch, t.kind,
    CASE WHEN NOT EXISTS(SELECT 1 FROM question q WHERE q.trial_id=t.id AND q.state='open' AND q.dimension='time')
        THEN CASE WHEN e.kind=$8 THEN CAST($7 AS BIGINT) ELSE CAST($6 AS BIGINT) END
        WHEN t.kind='bisection' OR EXISTS(SELECT 1 FROM question q WHERE q.trial_id=t.id AND q.state='yes') THEN CAST
        ($3 AS BIGINT)
        ELSE CAST($4 AS BIGINT) END, e.night, 'queued', t.node, $5
FROM trial t
JOIN series s ON s.id=t.series_id
JOIN experiment e ON e.id=t.experiment_id WHERE t.id=$1
RETURNING id

-- Which trial the job is of.
-- trial_job_note(ii)
INSERT INTO trial_job(job_id, trial_id) VALUES($1,$2)

-- The trial has one job more.
-- trial_batch_count(i)
UPDATE trial SET batches=batches+1 WHERE id=$1

-- What the next job of a trial is made from.
-- trial_about(i)
SELECT t.series_id, b.body AS "body{",
    (SELECT avg(l.seconds) FROM loop l WHERE l.experiment_id=e.id AND l.used=1) AS loop_seconds,
    EXISTS(SELECT 1 FROM bridge g WHERE g.trial_id=t.id) AS "bridge?", t.batches,
    (SELECT count(*) FROM question q WHERE q.trial_id=t.id AND q.state='open' AND q.counted IS NULL
            AND q.dimension='time') AS uncounted
FROM trial t
JOIN experiment e ON e.id=t.experiment_id
JOIN benchmark b ON b.id=e.benchmark_id WHERE t.id=$1

-- An open question of a trial.
-- question_insert(itttdttdt)
INSERT INTO question(
    trial_id, configuration, parent, portion, expected_ns, state, stage, whole, level_ns, dimension)
VALUES($1,$2,$3,$4,$5,'open',$6,$7,$8,$9)
RETURNING id

-- The trial that a question belongs to.
-- trial_of_question(i)
SELECT trial_id FROM question WHERE id=$1

-- The benchmark of a night.
-- night_benchmark(i)
SELECT b.body AS "body{" FROM experiment e
JOIN benchmark b ON b.id=e.benchmark_id WHERE e.id=$1

-- The trial of a night's commit and an earlier one that has no job yet, 0: none.
-- trial_unbegun(iii)
SELECT id FROM trial
WHERE series_id=$1 AND experiment_id=$2 AND before_id=$3 AND kind='confirmation' AND state='running'
    AND batches=0
ORDER BY id LIMIT 1

-- The trials of a project (0: of all) that have no job yet, and none of whose suspicions spans a night of long ago ($2) that is
-- still to be measured: that says more of where the change is. One that was queued before $3 may never be. Those
-- that run are few (+: they are not looked for in the order of all).
-- trials_unbegun(iti)
SELECT t.id FROM trial t
JOIN series r ON r.id=t.series_id
JOIN experiment e ON e.id=t.experiment_id
WHERE CAST($1 AS BIGINT) IN (0, t.project_id) AND t.kind='confirmation' AND t.state='running' AND t.batches=0
    AND NOT EXISTS(
        SELECT 1 FROM question q
        JOIN suspicion s ON s.question_id=q.id
        JOIN experiment f ON f.id=s.from_experiment
        JOIN job j ON j.project_id=t.project_id AND j.branch=r.branch AND j.kind=$2 AND j.state IN ('queued','leased')
            AND j.queued_ms>=$3 AND j.night>f.night AND j.night<e.night
        WHERE q.trial_id=t.id AND NOT EXISTS(SELECT 1 FROM experiment m WHERE m.job_id=j.id))
ORDER BY +t.id

-- Suspicions of a series' nights after this one that wait for a trial that has not begun are forgotten: its nights are
-- judged once more. Then the questions that nobody asks any more, and the trials without one.
-- suspicions_forget(ii)
DELETE FROM suspicion
WHERE series_id=$1 AND state='waiting'
    AND question_id IN (
        SELECT q.id FROM trial t
        JOIN question q ON q.trial_id=t.id
        WHERE t.series_id=$1 AND t.kind='confirmation' AND t.state='running' AND t.batches=0)
    AND EXISTS(
        SELECT 1 FROM experiment e
        JOIN experiment n ON n.id=$2
        WHERE e.id=suspicion.seen_experiment AND (e.night, e.time_ms, e.id)>(n.night, n.time_ms, n.id))

-- As suspicions_forget says.
-- questions_forget(i)
DELETE FROM question
WHERE trial_id IN (SELECT id FROM trial WHERE series_id=$1 AND kind='confirmation' AND state='running' AND batches=0)
    AND NOT EXISTS(SELECT 1 FROM suspicion s WHERE s.question_id=question.id)

-- As suspicions_forget says.
-- trials_forget(i)
DELETE FROM trial
WHERE series_id=$1 AND kind='confirmation' AND state='running' AND batches=0
    AND NOT EXISTS(SELECT 1 FROM question q WHERE q.trial_id=trial.id)

-- A trial that runs.
-- trial_insert(itiiiti)
INSERT INTO trial(kind, project_id, series_id, after_id, before_id, experiment_id, node, state, started_ms)
SELECT $2, project_id, id, $3, $4, $5, $6, 'running', $7 FROM series
WHERE id=$1
RETURNING id

-- How the trial of a job stands.
-- trial_of_job(i)
SELECT t.id, t.batches, t.series_id, t.experiment_id, t.kind='bisection' AS "bisection?"
FROM trial_job j
JOIN trial t ON t.id=j.trial_id WHERE j.job_id=$1

-- The open questions of a trial get no answer.
-- questions_fail(it)
UPDATE question SET state='failed', reason=$2 WHERE trial_id=$1 AND state='open'

-- A trial is over: "done" or "failed".
-- trial_end(iti)
UPDATE trial SET state=$2, finished_ms=$3 WHERE id=$1

-- The hash of a job's result.
-- trial_job_result(it)
UPDATE trial_job SET result_hash=$2 WHERE job_id=$1

-- The queued jobs of trials whose node was last seen before then, or no longer can: [int64_t].
-- trial_jobs_stranded(i)
SELECT j.id FROM trial t
JOIN trial_job l ON l.trial_id=t.id
JOIN job j ON j.id=l.job_id
LEFT JOIN node n ON n.name=t.node
WHERE t.state='running' AND t.node IS NOT NULL AND j.state='queued' AND j.queued_ms<$1
    AND (coalesce(n.seen_ms, 0)<$1 OR n.can_confirm=0)

-- A job that is not wanted any more: its lease ends.
-- job_cancel(iti)
UPDATE job
SET state='cancelled', error=$2, finished_ms=$3, lease=NULL, lease_expires_ms=NULL
WHERE id=$1

-- A job that is not wanted any more: its lease ends.
-- node_free_of(i)
UPDATE node SET job_id=NULL WHERE job_id=$1

-- The settings that a series is judged by.
-- series_detection(i)
SELECT p.detection AS "detection{" FROM series s
JOIN project p ON p.id=s.project_id WHERE s.id=$1

-- One loop of a trial's job, with the commit it measured.
-- trial_loop_insert(iiitiiidtti)
INSERT INTO trial_loop(
    trial_id, job_id, place, configuration, before, loop, used, mean_ns, summary, readings, duet)
VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11)

-- What the test says of a question so far, and after how many loops in all it will have an end. One that was
-- measured alone and moved goes on with its parent.
-- question_answer(itidddddddddtii)
UPDATE question
SET state=$2, loops=$3, before_mean_ns=$4, before_low_ns=$5, before_high_ns=$6, after_mean_ns=$7,
    after_low_ns=$8, after_high_ns=$9, difference_mean_ns=$10, difference_low_ns=$11, difference_high_ns=$12,
    reason=$13, ends_loops=$14, stage=CASE WHEN CAST($15 AS BIGINT)=1 THEN 'moved' ELSE stage END
WHERE id=$1

-- What was counted of a question's portion.
-- question_count(it)
UPDATE question SET counted=$2 WHERE id=$1

-- The open questions of a trial.
-- trial_questions(i)
SELECT q.id, q.configuration, q.parent, q.portion, q.dimension, q.stage, q.whole, q.level_ns, q.expected_ns,
    q.counted AS "counted{", t.kind='bisection' AS "search?", p.detection AS "detection{",
    (
        SELECT w.unit FROM portion w
        WHERE w.experiment_id=t.experiment_id AND w.configuration=q.configuration AND q.dimension='time') AS unit
FROM question q
JOIN trial t ON t.id=q.trial_id
JOIN project p ON p.id=t.project_id
WHERE q.trial_id=$1 AND q.state='open'

-- What the nights of a trial's two commits counted of a portion, by the same counter, of instructions rather
-- than of bytes.
-- trial_counted(it)
{counted}
FROM trial t
JOIN experiment x ON x.series_id=t.series_id AND x.revision_id=t.after_id AND x.state='measured'
JOIN experiment y ON y.series_id=t.series_id AND y.revision_id=t.before_id AND y.state='measured'
JOIN dimension b ON b.experiment_id=y.id AND b.dimension IN ('instructions','bytes') AND b.configuration=$2
JOIN dimension a ON a.experiment_id=x.id AND a.dimension=b.dimension AND a.configuration=b.configuration
    AND a.counter=b.counter
WHERE t.id=$1
ORDER BY CASE b.dimension WHEN 'instructions' THEN 0 ELSE 1 END, x.id DESC, y.id DESC LIMIT 1

-- What two nights counted of a portion, by the same counter.
-- night_counted(iit)
{counted}
FROM experiment x
JOIN dimension b ON b.experiment_id=$1 AND b.dimension IN ('instructions','bytes') AND b.configuration=$3
JOIN dimension a ON a.experiment_id=x.id AND a.dimension=b.dimension AND a.configuration=b.configuration
    AND a.counter=b.counter
WHERE x.id=$2
ORDER BY CASE b.dimension WHEN 'instructions' THEN 0 ELSE 1 END LIMIT 1

-- Alerts whose search has not begun: {"alert","from","to"}.
-- bisections_wanted(t)
SELECT w.id AS alert, o.sha AS "from", n.sha AS "to"
FROM (
    SELECT a.id, a.project_id, {ends}
    JOIN project x ON x.id=a.project_id
    WHERE a.state IN ('open','acknowledged') AND x.name=$1 AND a.searched=0
        AND NOT EXISTS (SELECT 1 FROM bisection b WHERE b.alert_id=a.id) AND e.remeasure=1) AS w
JOIN project p ON p.id=w.project_id
JOIN revision o ON o.id=w.from_id
JOIN revision n ON n.id=w.to_id
WHERE p.name=$1 AND p.enabled=1 AND o.id<>n.id ORDER BY w.id

-- Between which two commits an alert's change lies.
-- bisection_ends(i)
SELECT w.project_id, w.from_id, w.to_id, n.sha
FROM (SELECT a.project_id, {ends} WHERE a.id=$1) AS w
JOIN revision n ON n.id=w.to_id

-- A commit of the range; place: from the oldest.
-- bisection_commit_insert(iiit)
INSERT INTO bisection_commit(bisection_id, place, revision_id, state) VALUES($1,$2,$3,$4)

-- A search. failure why it failed before it began; NULL: it runs
-- bisection_insert(iittii)
INSERT INTO bisection(alert_id, from_id, state, reason, started_ms, finished_ms)
VALUES($1,$2,$3,$4,$5,$6)
RETURNING id

-- A search. failure why it failed before it began; NULL: it runs
-- alert_searched(i)
UPDATE alert SET searched=1 WHERE id=$1

-- The search for an alert's commit.
-- bisection_of_alert(i)
SELECT id FROM bisection WHERE alert_id=$1

-- How far a search is; from_id: what its commits are measured against, which is the last one that brought a part.
-- bisection_bounds(i)
SELECT b.alert_id, {bounds}, {last_place} AS last,
    coalesce(
        (
            SELECT c.revision_id FROM bisection_commit c
            WHERE c.bisection_id=b.id AND c.state='part' ORDER BY c.place DESC LIMIT 1), b.from_id) AS from_id
FROM bisection b WHERE b.id=$1

-- The search of an alert that its ends have left: its answer, or what it still looks among, is not between them
-- (an end that is none of its commits bounds nothing, but for its own beginning; where both have moved, $2, to such ones,
-- they lie elsewhere), or it failed, and they have moved and it may begin again, or it runs, and another change leads the alert than the one that its steps measured.
-- {"id","commit_id" that it had found, or null}
-- bisection_left(ii)
SELECT w.id, CASE WHEN w.state='found' THEN (
        SELECT substr(r.sha,1,9) FROM bisection_commit c
        JOIN revision r ON r.id=c.revision_id
        WHERE c.bisection_id=w.id AND c.place=w.high) END AS commit_id
FROM (
    SELECT b.id, b.state, b.from_id AS begin_id, n.from_id, n.to_id, {bounds}
    FROM bisection b
    JOIN (SELECT a.id, {ends} WHERE a.id=$1) AS n ON n.id=b.alert_id) AS w
WHERE (
        w.state='failed' AND CAST($2 AS BIGINT)=1
        AND EXISTS(SELECT 1 FROM alert a WHERE a.id=$1 AND a.state IN ('open','acknowledged')))
    OR w.to_id=w.begin_id
    OR (w.state<>'failed' AND CAST($2 AS BIGINT)=1 AND w.from_id<>w.begin_id AND NOT EXISTS(
            SELECT 1 FROM bisection_commit c WHERE c.bisection_id=w.id AND c.revision_id IN (w.from_id, w.to_id)))
    OR (w.state='running' AND EXISTS(
            SELECT 1 FROM bisection_commit c
            JOIN question q ON q.id=c.question_id
            JOIN alert a ON a.id=$1
            WHERE c.bisection_id=w.id AND (q.configuration<>a.configuration OR q.dimension<>a.dimension)))
    OR EXISTS(
        SELECT 1 FROM bisection_commit c
        WHERE c.bisection_id=w.id
            AND ((c.revision_id=w.from_id AND c.place>w.low) OR (c.revision_id=w.to_id AND c.place<w.high)))

-- The jobs that a search waits for: [int64_t].
-- bisection_jobs(i)
SELECT j.id FROM bisection_commit c
JOIN question q ON q.id=c.question_id
JOIN trial_job l ON l.trial_id=q.trial_id
JOIN job j ON j.id=l.job_id
WHERE c.bisection_id=$1 AND c.state='testing' AND j.state IN ('queued','leased')

-- What the search for an alert's commit said of nights is said again, as it is now.
-- search_nights_again(ii)
UPDATE outbox SET state='waiting', attempts=0, made_ms=$2, not_before_ms=$2, closed_ms=NULL
WHERE subject='night' AND event='measured' AND state='sent' AND subject_id IN (
        {searched_nights})

-- They are told once more when the next search ends.
-- search_nights_untold(i)
DELETE FROM outbox
WHERE subject='night' AND event='searched' AND subject_id IN (
        {searched_nights})

-- An alert's commit is corrected once more, but for who is to be told yet.
-- search_corrected_over(i)
DELETE FROM outbox WHERE subject='alert' AND subject_id=$1 AND event='corrected' AND state<>'waiting'

-- Whoever was told of the commit that a search had found is told that it is not the one.
-- search_corrected(ii)
INSERT INTO outbox(channel_id, subject, subject_id, event, state, made_ms, not_before_ms)
SELECT o.channel_id, o.subject, o.subject_id, 'corrected', 'waiting', $2, $2 FROM outbox o
WHERE o.subject='alert' AND o.subject_id=$1 AND o.event='found'
    AND (o.state='sent' OR (o.attempts>0 AND o.state IN ('waiting','over')))
ON CONFLICT DO NOTHING

-- What is found next is told, and where it is.
-- search_untold(i)
DELETE FROM outbox WHERE subject='alert' AND subject_id=$1 AND event IN ('found','explained')

-- Other branches were asked for a commit that did not do it.
-- search_backports_forget(i)
DELETE FROM backport WHERE alert_id=$1

-- The commits of an alert's search go, and the search.
-- search_commits_remove(i)
DELETE FROM bisection_commit WHERE bisection_id IN (SELECT b.id FROM bisection b WHERE b.alert_id=$1)

-- The commits of an alert's search go, and the search.
-- search_remove(i)
DELETE FROM bisection WHERE alert_id=$1

-- Its commit is to be searched for.
-- alert_unsearched(i)
UPDATE alert SET searched=0 WHERE id=$1

-- The untried commit nearest to the middle; after a part first the last one, and none where that cannot be measured.
-- bisection_middle(iii)
SELECT c.place, c.revision_id FROM bisection_commit c
JOIN bisection_commit n ON n.bisection_id=c.bisection_id AND n.place=$3 AND n.state<>'skipped'
WHERE c.bisection_id=$1 AND c.state='unknown' AND c.place>$2 AND c.place<=$3
ORDER BY c.place<$3, abs(2*c.place-$2-$3), c.place LIMIT 1

-- Does a step show that something differs?
-- {apart step}
(:step.after_low_ns>:step.before_high_ns OR :step.after_high_ns<:step.before_low_ns)

-- What step y of a search surely showed of a change, less what x, the one before it, did, as a share of it.
-- {least_share change}
(CASE WHEN :change.difference_mean_ns<0 THEN y.difference_high_ns ELSE y.difference_low_ns END - coalesce(x.difference_mean_ns, 0))
    / CASE WHEN :change.difference_mean_ns<0 THEN :change.difference_low_ns ELSE :change.difference_high_ns END AS least

-- The largest part of the change that the search has found, as a share of it, between low and high: those before $2,
-- and the one that ends there. What nobody measured of the range's last commit is what the change has left for it.
-- bisection_largest(ii)
SELECT coalesce(l.place, -1) AS low, h.place AS high,
    (coalesce(y.difference_mean_ns, a.difference_mean_ns) - coalesce(x.difference_mean_ns, 0)) / a.difference_mean_ns AS share,
    {least_share a}
FROM bisection b
JOIN alert a ON a.id=b.alert_id
JOIN bisection_commit h ON h.bisection_id=b.id AND (h.state='part' OR (h.state='after' AND h.place=$2))
LEFT JOIN question y ON y.id=h.question_id
LEFT JOIN bisection_commit l ON l.bisection_id=b.id AND l.place=(
    SELECT max(m.place) FROM bisection_commit m
    WHERE m.bisection_id=b.id AND m.place<h.place AND m.state IN ('before','part'))
LEFT JOIN question x ON x.id=l.question_id AND l.state='before' AND {apart x}
WHERE b.id=$1 ORDER BY share DESC, h.place LIMIT 1

-- How much of the change came after the commit at this place (-1: after the last that brought a part), as a share of it.
-- open: no step has measured the last.
-- bisection_remaining(ii)
SELECT CASE n.place WHEN $2 THEN 0.0
        ELSE (coalesce(t.difference_mean_ns, a.difference_mean_ns) - coalesce(h.difference_mean_ns, 0)) / a.difference_mean_ns
    END AS remaining, n.place<>$2 AND t.id IS NULL AS "open?"
FROM bisection b
JOIN alert a ON a.id=b.alert_id
JOIN bisection_commit n ON n.bisection_id=b.id AND n.place={last_place}
LEFT JOIN question t ON t.id=n.question_id
LEFT JOIN bisection_commit c ON c.bisection_id=b.id AND c.place=$2
LEFT JOIN question h ON h.id=c.question_id
WHERE b.id=$1

-- This commit brought a part.
-- bisection_part(ii)
UPDATE bisection_commit SET state='part' WHERE bisection_id=$1 AND place=$2

-- What is after it is measured anew, against it.
-- bisection_again(ii)
UPDATE bisection_commit SET state='unknown', question_id=NULL WHERE bisection_id=$1 AND place>$2 AND state='after'

-- It brought all that was left.
-- bisection_whole(i)
UPDATE bisection_commit SET state='after'
WHERE bisection_id=$1 AND state='part' AND place=(
        SELECT max(m.place) FROM bisection_commit m WHERE m.bisection_id=$1 AND m.state='part')

-- It is over.
-- bisection_end(itiiti)
UPDATE bisection SET state=$2, low=$3, high=$4, reason=$5, finished_ms=$6 WHERE id=$1

-- What is asked of a commit: the alert's portion, where and with which benchmark.
-- bisection_question(i)
SELECT a.series_id, a.seen_experiment, a.configuration, a.dimension, e.node, b.body AS "body{",
    coalesce(
        (
            SELECT q.difference_mean_ns FROM bisection b
            JOIN bisection_commit n ON n.bisection_id=b.id AND n.place={last_place} AND n.state='after'
            JOIN question q ON q.id=n.question_id WHERE b.alert_id=a.id), a.difference_mean_ns) AS expected
FROM alert a
JOIN experiment e ON e.id=a.seen_experiment
JOIN benchmark b ON b.id=e.benchmark_id WHERE a.id=$1

-- A commit is being measured, as this question.
-- bisection_commit_test(iii)
UPDATE bisection_commit SET state='testing', question_id=$3
WHERE bisection_id=$1 AND place=$2

-- The commit that a trial was about is as before or as after, or was skipped.
-- bisection_commits_settle(i)
UPDATE bisection_commit
SET state=(
    SELECT CASE q.state WHEN 'yes' THEN 'after' WHEN 'no' THEN 'before' ELSE 'skipped' END
    FROM question q WHERE q.id=bisection_commit.question_id)
WHERE state='testing' AND question_id IN (SELECT id FROM question WHERE trial_id=$1)

-- The search a trial is part of, 0: none.
-- bisection_of_trial(i)
SELECT c.bisection_id FROM bisection_commit c
JOIN question q ON q.id=c.question_id WHERE q.trial_id=$1

-- Does the alert that a trial's search is of begin later than the watch dates it?
-- search_begins_later(i)
SELECT count(*) FROM bisection_commit c
JOIN question q ON q.id=c.question_id
JOIN bisection b ON b.id=c.bisection_id
JOIN alert a ON a.id=b.alert_id
JOIN experiment t ON t.id=a.to_experiment
JOIN experiment d ON d.id=a.dated_experiment
WHERE q.trial_id=$1 AND (t.night, t.time_ms, t.id)>(d.night, d.time_ms, d.id)

-- The loops of a trial that count, of a configuration ($2) and its parent ($3), round by round.
-- trial_means(itt)
SELECT job_id, loop, before, CASE WHEN configuration=$3 THEN 1 ELSE 0 END AS of_parent, mean_ns, duet,
    readings, summary
FROM trial_loop
WHERE trial_id=$1 AND used=1 AND configuration IN ($2, $3)
ORDER BY job_id, loop
