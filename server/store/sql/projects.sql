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

-- What names the series of a project and its branches, with the benchmarks of their nights: this one first, then those of most
-- nights.
-- project_lineages(ii)
SELECT s.identity AS lineage, b.body AS "body{"
FROM project o
JOIN project p ON coalesce(p.main, p.name)=coalesce(o.main, o.name)
JOIN series s ON s.project_id=p.id
JOIN experiment e ON e.series_id=s.id AND e.state='measured'
JOIN benchmark b ON b.id=e.benchmark_id
WHERE o.id=$1
GROUP BY s.identity, b.id
ORDER BY CASE WHEN b.id=$2 THEN 0 ELSE 1 END, sum(count(*)) OVER (PARTITION BY s.identity) DESC, s.identity

-- The key of a benchmark's row, made when new; in a transaction.
-- benchmark_id(t)
SELECT id FROM benchmark WHERE body_hash=$1

-- The key of a benchmark's row, made when new; in a transaction.
-- benchmark_insert(tttti)
INSERT INTO benchmark(body_hash, identity, body, artifact, artifact_wait_s)
VALUES($1,$2,$3,$4,$5)
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
    remeasure_minutes=excluded.remeasure_minutes, main=excluded.main,
    archived_ms=CASE WHEN excluded.enabled=1 THEN NULL ELSE project.archived_ms END

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

-- The oldest and the newest night ever queued; a pull request's job has the day on which it was asked for.
-- project_nights(t)
SELECT (SELECT j.night FROM job j WHERE j.project_id=p.id AND j.kind NOT IN ('sweep','pull') ORDER BY j.night DESC LIMIT 1) AS newest,
    (
        SELECT j.night FROM job j
        WHERE j.project_id=p.id AND j.kind IN ('nightly','backfill')
        ORDER BY j.night LIMIT 1) AS oldest
FROM project p WHERE p.name=$1

-- What a project that is not there is called now.
-- project_now_called(t)
SELECT p.name, f.until_ms FROM former_name f JOIN project p ON p.id=f.project_id WHERE f.name=$1

-- A project and its further branches: {"id","name","enabled"}.
-- project_family(t)
SELECT id, name, enabled FROM project WHERE name=$1 OR main=$1 ORDER BY id

-- What a project has, with its further branches.
-- project_content(t)
SELECT
    (SELECT count(*) FROM experiment e JOIN project p ON p.id=e.project_id WHERE (p.name=$1 OR p.main=$1) AND e.hidden=0) AS nights,
    (SELECT count(*) FROM job j JOIN project p ON p.id=j.project_id WHERE p.name=$1 OR p.main=$1) AS jobs,
    (SELECT count(*) FROM alert a JOIN project p ON p.id=a.project_id WHERE p.name=$1 OR p.main=$1) AS alerts,
    (
        SELECT count(*) FROM artifact x JOIN project p ON p.id=x.project_id
        WHERE (p.name=$1 OR p.main=$1) AND x.removed_ms IS NULL) AS artifacts,
    count(*) AS raw_files, coalesce(CAST(sum(r.bytes) AS BIGINT), 0) AS raw_bytes
FROM raw r
JOIN job j ON j.id=r.job_id
JOIN project p ON p.id=j.project_id
WHERE p.name=$1 OR p.main=$1

-- Jobs of a project and its branches that wait or are measured.
-- project_jobs_open(t)
SELECT j.id FROM job j JOIN project p ON p.id=j.project_id
WHERE (p.name=$1 OR p.main=$1) AND j.state IN ('queued','leased') ORDER BY j.id

-- Jobs of a project and its branches that have or share raw files.
-- project_jobs_raw(t)
SELECT k.job_id FROM raw_job k JOIN project p ON p.id=k.project_id
WHERE (p.name=$1 OR p.main=$1) AND k.removed_ms IS NULL ORDER BY k.job_id

-- Artifacts of a project and its branches: {"project","sha","name"}.
-- project_artifacts(t)
SELECT p.name AS project, x.sha, x.name FROM artifact x JOIN project p ON p.id=x.project_id
WHERE (p.name=$1 OR p.main=$1) AND x.removed_ms IS NULL

-- Project p of the family $1, and the one, q, that has its name in the family $2.
-- {family_pair}
SELECT p.id FROM project p
JOIN project q ON q.name=$2 || substr(p.name, length($1)+1)

-- Artifacts of a family whose bytes have gone, and that the other family has, are forgotten.
-- artifacts_replaced(tt)
DELETE FROM artifact
WHERE removed_ms IS NOT NULL
    AND EXISTS({family_pair}
        JOIN artifact x ON x.project_id=q.id AND x.removed_ms IS NULL
        WHERE (p.name=$1 OR p.main=$1) AND p.id=artifact.project_id AND x.sha=artifact.sha AND x.name=artifact.name)

-- A family takes over what another one has of artifacts and it has not.
-- artifacts_take(tt)
UPDATE artifact
SET project_id=({family_pair} WHERE (p.name=$1 OR p.main=$1) AND q.id=artifact.project_id)
WHERE removed_ms IS NULL
    AND EXISTS({family_pair}
        WHERE (p.name=$1 OR p.main=$1) AND q.id=artifact.project_id
            AND NOT EXISTS(
                SELECT 1 FROM artifact x
                WHERE x.project_id=p.id AND x.sha=artifact.sha AND x.name=artifact.name))

-- Nodes forget the jobs of a project that goes.
-- project_nodes_forget(t)
UPDATE node SET job_id=NULL
WHERE job_id IN (SELECT j.id FROM job j JOIN project p ON p.id=j.project_id WHERE p.name=$1 OR p.main=$1)

-- Put away since then, NULL: not any more.
-- project_archive(ti)
UPDATE project SET archived_ms=$2 WHERE name=$1 OR main=$1

-- One of a family has another name; main: of the family, NULL where it is that itself.
-- project_rename(itt)
UPDATE project SET name=$2, main=$3 WHERE id=$1

-- A project had this name until now.
-- project_was_called(tii)
INSERT INTO former_name(name, project_id, until_ms) VALUES($1,$2,$3)
ON CONFLICT(name) DO UPDATE SET project_id=excluded.project_id, until_ms=excluded.until_ms

-- A name is in use: nobody had it before.
-- project_is_called(t)
DELETE FROM former_name WHERE name=$1

-- What is left of projects that were watched, are not any more, and were not put away.
-- projects_off()
SELECT p.name, (SELECT count(*) FROM experiment e WHERE e.project_id=p.id AND e.hidden=0) AS nights,
    (SELECT count(*) FROM alert a WHERE a.project_id=p.id AND a.state='open') AS alerts,
    (SELECT count(*) FROM job j WHERE j.project_id=p.id AND j.state='queued') AS jobs
FROM project p WHERE p.enabled=0 AND p.archived_ms IS NULL AND p.polled_ms>0 ORDER BY p.name
