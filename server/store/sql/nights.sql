-- How many nights a project has, without counting them: a row a year, kept beside the experiments.

-- The nights of a commit that are shown though they were not measured.
-- {night_count_of_commit}
FROM experiment e WHERE e.revision_id=$1 AND e.state<>'measured' AND e.hidden=0

-- This experiment has been inserted. One that is hidden is not a night.
-- night_count_add(i)
INSERT INTO night_count(project_id, year, nights)
SELECT project_id, substr(night, 1, 4), 1 FROM experiment WHERE id=$1 AND hidden=0
ON CONFLICT(project_id, year) DO UPDATE SET nights=night_count.nights+excluded.nights

-- What was not measured of this commit is no longer shown.
-- night_count_hide(i)
UPDATE night_count
SET nights=nights-(SELECT count(*) {night_count_of_commit} AND substr(e.night, 1, 4)=night_count.year)
WHERE project_id=(SELECT project_id FROM revision WHERE id=$1)
    AND year IN (SELECT substr(e.night, 1, 4) {night_count_of_commit})

-- What was not measured of this commit is no longer shown.
-- experiments_hide(i)
UPDATE experiment SET hidden=1 WHERE revision_id=$1 AND state<>'measured'

-- Is portion o in question, without a result, not comparable, a first one or a change, which nobody answered was none?
-- In the words of the index portion_unclear.
-- {portion_unclear}
(o.verdict NOT IN ('ok','cleared') OR o.rule='pending')
    AND NOT (o.verdict='anomaly' AND EXISTS(
        SELECT 1 FROM alert_portion p
        JOIN alert a ON a.id=p.alert_id AND a.state='false'
        WHERE p.seen_experiment=o.experiment_id AND p.dimension='time' AND p.configuration=o.configuration))

-- The nights x whose portion o moved with the machine, as only a later one, s, told: the one that its incident is dated
-- to, or its end, and those between.
-- {machine_later project}
FROM incident i
JOIN experiment s ON s.id IN (i.seen_experiment, i.over_experiment)
JOIN portion o ON o.experiment_id=s.id AND o.verdict='environment' AND o.rule IN ('common-scale','control-moved')
JOIN experiment t ON t.id=o.reference_to
JOIN experiment x ON x.series_id=s.series_id AND x.state='measured' AND x.hidden=0
    AND (x.night, x.time_ms, x.id)>(t.night, t.time_ms, t.id)
    AND (x.night, x.time_ms, x.id)<(s.night, s.time_ms, s.id)
WHERE i.project_id=:project AND i.state<>'withdrawn'

-- Of disturbed loops l: are they most of their configuration that did not fail? What stood apart from the others counts
-- as disturbed here.
-- {mostly_disturbed}
GROUP BY l.experiment_id, l.ordinal
HAVING 2*count(*)>(
    SELECT count(*) FROM loop x
    WHERE x.experiment_id=l.experiment_id AND x.ordinal=l.ordinal AND x.failed IS NULL)

-- Results of nights after one ("": all), the newest so many: how many they are ("looked"), how many were in another
-- environment than the newest ("elsewhere"), or in this one in another series ("otherwise"), of how many nights the others are in which each portion was judged and clear, and mostly undisturbed
-- ("clear"; of one that was measured again the newest result counts), the last of these ("night"), and the last of them with a portion
-- that differs little ("small"), or of which something counted moved ("counted").
-- nights_clear_since(iti)
SELECT count(*) AS looked, coalesce(sum(CASE WHEN n.environment<>n.here THEN 1 ELSE 0 END), 0) AS elsewhere,
    coalesce(sum(CASE WHEN n.environment=n.here AND n.series<>n.ours THEN 1 ELSE 0 END), 0) AS otherwise,
    count(DISTINCT CASE WHEN n.environment=n.here AND n.series=n.ours AND NOT n.unclear THEN n.night END) AS clear,
    max(CASE WHEN n.environment=n.here AND n.series=n.ours AND NOT n.unclear THEN n.night END) AS night,
    max(CASE WHEN n.environment=n.here AND n.series=n.ours AND NOT n.unclear AND n.small THEN n.night END) AS small,
    max(CASE WHEN n.environment=n.here AND n.series=n.ours AND NOT n.unclear AND n.counted THEN n.night END) AS counted
FROM (
    SELECT m.night, m.small, m.counted, m.environment, m.series,
        m.unclear OR row_number() OVER (PARTITION BY m.environment, m.series, m.night ORDER BY m.time_ms DESC, m.id DESC)>1
            AS unclear,
        first_value(m.environment) OVER (ORDER BY m.night DESC, m.time_ms DESC, m.id DESC) AS here,
        first_value(m.series) OVER (ORDER BY m.night DESC, m.time_ms DESC, m.id DESC) AS ours
    FROM (
        SELECT e.night, e.time_ms, e.id, coalesce(e.environment_id, 0) AS environment, coalesce(e.series_id, 0) AS series,
            (EXISTS(SELECT 1 FROM portion o WHERE o.experiment_id=e.id AND {portion_unclear})
                OR EXISTS(SELECT 1 FROM loop l
                    WHERE l.experiment_id=e.id AND l.disturbed<>0 AND l.failed IS NULL {mostly_disturbed})
                OR e.id IN (SELECT x.id {machine_later $1})) AS unclear,
            EXISTS(SELECT 1 FROM portion o WHERE o.experiment_id=e.id AND o.rule='below-minimum-effect') AS small,
            EXISTS(SELECT 1 FROM dimension d WHERE d.experiment_id=e.id AND {counted_moved}) AS counted
        FROM experiment e
        WHERE e.project_id=$1 AND e.hidden=0 AND e.state='measured' AND e.night>$2
        ORDER BY e.night DESC, e.time_ms DESC, e.id DESC LIMIT $3) m) n
