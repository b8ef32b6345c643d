-- Which raw files there are, whose they are, and which of them go. A row of raw is a file that is there.

-- The next one of those that have the same bytes gets the row; that it also shares its own is harmless.
-- {heir}
(SELECT min(s.job_id) FROM raw_share s WHERE s.sha256=raw.sha256 AND s.job_id<>$1)

-- {"bytes","uncompressed_bytes"} of a raw file.
-- raw_get(t)
SELECT bytes, uncompressed_bytes FROM raw WHERE sha256=$1

-- What a job has more, or from now on.
-- raw_job_add(iiii)
INSERT INTO raw_job(job_id, project_id, files, bytes, stored_ms)
SELECT id, project_id, $2, $3, $4 FROM job WHERE id=$1
ON CONFLICT(job_id) DO UPDATE SET files=raw_job.files+excluded.files, bytes=raw_job.bytes+excluded.bytes

-- The same bytes from another job; from the same one nothing is new.
-- raw_met(ti)
INSERT INTO raw_share(sha256, job_id)
SELECT sha256, $2 FROM raw WHERE sha256=$1 AND job_id<>$2
ON CONFLICT(sha256, job_id) DO NOTHING

-- A raw file that is there, unless it was before.
-- raw_insert(tiii)
INSERT INTO raw(sha256, bytes, uncompressed_bytes, job_id) VALUES($1,$2,$3,$4)
ON CONFLICT(sha256) DO NOTHING

-- What this experiment's loops name of other jobs' files is its job's, too. In a transaction.
-- raw_share(ii)
INSERT INTO raw_share(sha256, job_id)
SELECT DISTINCT r.sha256, $2 FROM loop l
JOIN raw r ON r.sha256=l.raw_sha256
WHERE l.experiment_id=$1 AND r.job_id<>$2
ON CONFLICT(sha256, job_id) DO NOTHING

-- The heirs have these files and bytes more.
-- raw_hand_on_bytes(i)
UPDATE raw_job
SET files=files+(SELECT count(*) FROM raw WHERE raw.job_id=$1 AND {heir}=raw_job.job_id),
    bytes=bytes+(
        SELECT coalesce(CAST(sum(raw.bytes) AS BIGINT), 0) FROM raw
        WHERE raw.job_id=$1 AND {heir}=raw_job.job_id)
WHERE job_id IN (
    SELECT s.job_id FROM raw_share s JOIN raw r ON r.sha256=s.sha256 WHERE r.job_id=$1 AND s.job_id<>$1)

-- The job has no share in the files of others any more.
-- raw_unshare(i)
DELETE FROM raw_share WHERE job_id=$1

-- How many of the job's files are other jobs', too?
-- raw_shared(i)
SELECT count(*) FROM raw r JOIN raw_share s ON s.sha256=r.sha256 WHERE r.job_id=$1

-- Files that other jobs share are another job's from now on.
-- raw_hand_on(i)
UPDATE raw SET job_id={heir}
WHERE job_id=$1 AND EXISTS(SELECT 1 FROM raw_share s WHERE s.sha256=raw.sha256)

-- What the job had, when and why it went.
-- raw_job_removed(iit)
UPDATE raw_job
SET removed_ms=$2, rule=$3, files=(SELECT count(*) FROM raw r WHERE r.job_id=$1),
    bytes=(SELECT coalesce(CAST(sum(r.bytes) AS BIGINT), 0) FROM raw r WHERE r.job_id=$1)
WHERE job_id=$1

-- The files of a job go after a while, unless somebody brings them again.
-- raw_gone(ii)
INSERT INTO gone(folder, sha256, at_ms, removing)
SELECT 'raw', sha256, $2, 0 FROM raw WHERE job_id=$1
ON CONFLICT(folder, sha256) DO UPDATE SET at_ms=excluded.at_ms

-- The job has no raw files any more.
-- raw_drop(i)
DELETE FROM raw WHERE job_id=$1

-- No row names this file of that folder any more.
-- gone_add(tti)
INSERT INTO gone(folder, sha256, at_ms, removing) VALUES($1,$2,$3,0)
ON CONFLICT(folder, sha256) DO UPDATE SET at_ms=excluded.at_ms

-- The file may be written: nobody removes it within SRV__GONE_AFTER_MS. Error: BUSY (it is being removed
-- now).
-- gone_waits(tt)
SELECT count(*) FROM gone WHERE folder=$1 AND sha256=$2

-- The file may be written: nobody removes it within SRV__GONE_AFTER_MS. Error: BUSY (it is being removed
-- now).
-- gone_hold(tti)
UPDATE gone SET at_ms=$3 WHERE folder=$1 AND sha256=$2 AND removing=0

-- A row names it again; in the row's transaction.
-- gone_back(tt)
DELETE FROM gone WHERE folder=$1 AND sha256=$2

-- Files whose time has come are being removed.
-- gone_mark(tii)
UPDATE gone SET removing=1
WHERE folder=$1
    AND sha256 IN (SELECT g.sha256 FROM gone g WHERE g.folder=$1 AND g.removing=0 AND g.at_ms<$2 LIMIT $3)

-- The files that are being removed.
-- gone_marked(ti)
SELECT sha256 FROM gone WHERE folder=$1 AND removing=1 LIMIT $2

-- The first count of the rows that were taken are removed.
-- gone_done(tt)
DELETE FROM gone WHERE folder=$1 AND sha256=$2 AND removing=1
