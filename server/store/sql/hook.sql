-- Deliveries of webhooks.

-- The deliveries of a commit that wait.
-- {hook_of_commit}
WHERE state='waiting' AND sha=$2 AND project_id=(SELECT id FROM project WHERE name=$1)

-- A delivery that waits; one that is known already is not written.
-- delivery_insert(ttittt)
INSERT INTO delivery(provider, delivery, project_id, sha, state, pull)
VALUES($1, $2, $3, $4, $5, $6)
ON CONFLICT DO NOTHING

-- Drop those that are done and older than the newest so many.
-- deliveries_forget(i)
DELETE FROM delivery
WHERE state NOT IN ('waiting','said') AND id<(SELECT max(id) FROM delivery)-$1

-- The commits of a project that deliveries wait for, and how often they were looked for.
-- delivery_waiting(ti)
SELECT d.sha AS sha, max(d.attempts) AS attempts FROM delivery d
JOIN project p ON p.id=d.project_id
WHERE p.name=$1 AND d.state='waiting'
GROUP BY d.sha ORDER BY max(d.attempts), min(d.id) LIMIT $2

-- All that wait for this commit are done with.
-- delivery_close(tt)
UPDATE delivery SET state='done' {hook_of_commit}

-- Count one more try that found no such commit.
-- delivery_try(tt)
UPDATE delivery SET attempts=attempts+1 {hook_of_commit}

-- What webhooks said of pull requests and nobody has heard yet, in the order in which it came:
-- [{"id","provider","pull"}].
-- delivery_pulls(ti)
SELECT d.id, d.provider, d.pull AS "pull{" FROM delivery d
JOIN project p ON p.id=d.project_id WHERE p.name=$1 AND d.state='said'
ORDER BY d.id LIMIT $2

-- The alert that a channel of a project told of in an issue of this number, unless it was withdrawn: [{"id", "open"}].
-- issue_alert(ttt)
SELECT a.id, CASE WHEN a.state IN ('open','acknowledged') THEN 1 ELSE 0 END AS "open?" FROM outbox o
JOIN channel c ON c.id=o.channel_id
JOIN project p ON p.id=c.project_id
JOIN alert a ON a.id=o.subject_id
WHERE p.name=$1 AND c.name=$2 AND o.reference=$3 AND o.subject='alert' AND o.event='raised' AND a.state<>'withdrawn'

-- One of these is done with.
-- delivery_heard(i)
UPDATE delivery SET state='done' WHERE id=$1
