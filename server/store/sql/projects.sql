-- Projects as they are configured, their benchmarks and commits.

-- The key of a commit's row, made when new; in a transaction.
-- revision_keep(itttitti)
INSERT INTO revision(project_id, sha, author, author_email, time_ms, subject, parent, place)
VALUES($1,$2,$3,$4,$5,$6,$7,$8)
ON CONFLICT(project_id, sha) DO UPDATE SET place=excluded.place
WHERE excluded.place IS NOT NULL AND revision.place IS DISTINCT FROM excluded.place

-- The key of a commit's row, made when new; in a transaction.
-- revision_id(it)
SELECT id FROM revision WHERE project_id=$1 AND sha=$2

-- The key of a project's row. Error: NOT_FOUND.
-- project_id(t)
SELECT id FROM project WHERE name=$1

-- What names the series of its nights: that of the newest benchmark that it continues, or its own identity.
-- benchmark_bodies()
SELECT lineage, body AS "body{" FROM benchmark ORDER BY id DESC

-- The key of a benchmark's row, made when new; in a transaction.
-- benchmark_id(t)
SELECT id FROM benchmark WHERE body_hash=$1

-- The key of a benchmark's row, made when new; in a transaction.
-- benchmark_insert(ttttti)
INSERT INTO benchmark(body_hash, identity, lineage, body, artifact, artifact_wait_s)
VALUES($1,$2,$3,$4,$5,$6)
RETURNING id

-- The labels are written anew.
-- project_labels_drop(i)
DELETE FROM project_label WHERE project_id=$1

-- A label that a node must carry.
-- project_label_add(it)
INSERT INTO project_label(project_id, label) VALUES($1,$2) ON CONFLICT DO NOTHING

-- A project as its file has it. What SQL asks for stands in columns of its own, beside "detection".
-- project_keep(tttttiitidt)
INSERT INTO project(
    name, title, repository, branch, commit_url, enabled, benchmark_id, detection, ageing_days,
    remeasure_minutes, main)
VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11)
ON CONFLICT(name)
DO UPDATE SET title=excluded.title, repository=excluded.repository, branch=excluded.branch,
    commit_url=excluded.commit_url, enabled=excluded.enabled, benchmark_id=excluded.benchmark_id,
    detection=excluded.detection, ageing_days=excluded.ageing_days,
    remeasure_minutes=excluded.remeasure_minutes, main=excluded.main

-- Make the store's projects those of the configuration. projects [cfg_project*] all of
-- them; one that is missing is disabled, never deleted Queued jobs keep the benchmark they were queued with.
-- Returns false with error; then nothing has changed.
-- projects_disable()
UPDATE project SET enabled=0

-- Note that the repository was asked for news. problem a sentence why that failed, NULL
-- when it went well next_night_ms when the next night is picked, 0 when unknown
-- project_polled(tiiti)
UPDATE project SET polled_ms=$2, next_night_ms=$3, fetch_problem=$4,
    failing_ms=CASE WHEN $5=0 THEN 0 WHEN failing_ms>0 THEN failing_ms ELSE $2 END WHERE name=$1

-- Repositories that could not be asked at least twice, the newest first.
-- projects_failing()
SELECT name, fetch_problem AS problem, failing_ms AS since_ms FROM project
WHERE failing_ms>0 AND polled_ms>failing_ms AND enabled=1
ORDER BY failing_ms DESC, name LIMIT 100

-- The oldest and the newest night ever queued for the project.
-- project_nights(t)
SELECT (SELECT j.night FROM job j WHERE j.project_id=p.id AND j.kind<>'sweep' ORDER BY j.night DESC LIMIT 1) AS newest,
    (
        SELECT j.night FROM job j
        WHERE j.project_id=p.id AND j.kind IN ('nightly','backfill')
        ORDER BY j.night LIMIT 1) AS oldest
FROM project p WHERE p.name=$1
