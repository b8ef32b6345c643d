-- How many nights a project has, without counting them: a row a year, kept beside the experiments.

-- The nights of a commit that are shown though they were not measured.
-- {night_count_of_commit}
FROM experiment e WHERE e.revision_id=$1 AND e.state<>'measured' AND e.hidden=0

-- This experiment has been inserted. One that is hidden is not a night.
-- night_count_add(i)
INSERT INTO night_count(project_id, year, nights, measured)
SELECT project_id, substr(night, 1, 4), 1, CASE WHEN state='measured' THEN 1 ELSE 0 END
FROM experiment WHERE id=$1 AND hidden=0
ON CONFLICT(project_id, year)
DO UPDATE SET nights=night_count.nights+excluded.nights, measured=night_count.measured+excluded.measured

-- What was not measured of this commit is no longer shown.
-- night_count_hide(i)
UPDATE night_count
SET nights=nights-(SELECT count(*) {night_count_of_commit} AND substr(e.night, 1, 4)=night_count.year)
WHERE project_id=(SELECT project_id FROM revision WHERE id=$1)
    AND year IN (SELECT substr(e.night, 1, 4) {night_count_of_commit})

-- What was not measured of this commit is no longer shown.
-- experiments_hide(i)
UPDATE experiment SET hidden=1 WHERE revision_id=$1 AND state<>'measured'

-- Measured nights that come after a night ("": all), of those that are shown: whole years by their rows, and
-- the rest of that night's year night by night.
-- night_count_since(itii)
SELECT (
    SELECT coalesce(CAST(sum(c.measured) AS BIGINT), 0) FROM night_count c
    WHERE c.project_id=$1 AND c.year>substr($2, 1, 4)) + (
    SELECT count(*) FROM experiment e
    WHERE e.project_id=$1 AND e.hidden=0 AND e.state='measured' AND (e.night, e.time_ms, e.id)>($2, $3, $4)
        AND e.night<=substr($2, 1, 4) || '-12-31')
