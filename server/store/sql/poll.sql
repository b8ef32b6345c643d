-- What the poller asks: the releases among a project's commits, and what its other branches
-- answered about the commit behind an alert (has, picked, lacks, unknown).

-- {"sha"} of the commits that carry a release.
-- releases_marked(i)
SELECT sha FROM revision WHERE project_id=$1 AND release IS NOT NULL ORDER BY id

-- The release of a commit, NULL: it has none; one that is so already, or that nobody measured, is not
-- written.
-- release_set(itt)
UPDATE revision SET release=$3
WHERE project_id=$1 AND sha=$2 AND release IS DISTINCT FROM $3

-- {"alert","project","commit"} of the newest alerts of a project's other branches whose commit is known, and
-- that this branch was not asked for at this head, those last that it could not be asked for most often;
-- project: the name that the alert's branch is kept under.
-- backports_wanted(tti)
SELECT w.alert, w.project, w.commit_id AS "commit"
FROM (
    SELECT a.id AS alert, o.name AS project,
        {alert_commit a} AS commit_id, coalesce(t.tries, 0) AS tries
    FROM project p
    JOIN project o ON o.id<>p.id AND (o.name=coalesce(p.main, p.name) OR o.main=coalesce(p.main, p.name))
    JOIN alert a ON a.project_id=o.id
    LEFT JOIN backport k ON k.alert_id=a.id AND k.project_id=p.id
    LEFT JOIN backport_try t ON t.alert_id=a.id AND t.project_id=p.id
    WHERE p.name=$1 AND a.state NOT IN ('withdrawn','false') AND (k.head IS NULL OR k.head<>$2)) w
WHERE w.commit_id IS NOT NULL ORDER BY w.tries, w.alert DESC
LIMIT $3

-- A branch (the name it is kept under) could not be asked for an alert.
-- backport_tried(it)
INSERT INTO backport_try(alert_id, project_id, tries)
SELECT $1, id, 1 FROM project WHERE name=$2
ON CONFLICT(alert_id, project_id) DO UPDATE SET tries=backport_try.tries+1

-- Once it has answered, it has not failed.
-- backport_tries_forget(it)
DELETE FROM backport_try
WHERE alert_id=$1 AND project_id=(SELECT id FROM project WHERE name=$2)

-- In place of what it answered before.
-- backport_keep(itttt)
INSERT INTO backport(alert_id, project_id, head, state, sha)
SELECT $1, id, $3, $4, $5 FROM project WHERE name=$2
ON CONFLICT(alert_id, project_id) DO UPDATE SET head=excluded.head, state=excluded.state, sha=excluded.sha
