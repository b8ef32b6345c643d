-- Alerts, their portions, and what was done about them.

-- What UPDATE sets when an alert is dated to another night; to: its experiment.
-- {alert_to to}
dated_experiment=:to,
searched=(
    SELECT CASE WHEN e.remeasure=1 AND NOT EXISTS(SELECT 1 FROM bisection b WHERE b.alert_id=alert.id) THEN 0
            ELSE 1 END
    FROM experiment e WHERE e.id=:to)

-- The alert with this portion's change of that night, a live one first.
-- alert_find(ititt)
SELECT a.id, a.state='withdrawn' AS "withdrawn?", a.dimension=$5 AS "alike?",
    a.state IN ('open','acknowledged') AND (a.dimension<>$5 OR a.configuration<>$2)
        AND NOT EXISTS (SELECT 1 FROM baseline b WHERE b.alert_id=a.id AND b.undone_ms IS NULL) AS "behind?",
    a.difference_mean_ns AS led_ns, a.dimension AS leader
FROM alert a
JOIN alert_portion p ON p.alert_id=a.id
WHERE a.series_id=$1 AND p.configuration=$2 AND a.dated_experiment=$3 AND p.direction=$4 AND p.dimension=$5
ORDER BY 2, 1 DESC LIMIT 1

-- By which night a change that night `seen` told, dated to another one, was there for certain: what a trial has confirmed
-- was there by the commit that it measured, and so was what is believed with a time of its configuration.
-- {certain configuration dimension seen to}
CASE WHEN EXISTS(
        SELECT 1 FROM suspicion x
        WHERE x.series_id=a.series_id AND x.configuration=:configuration AND x.dimension IN (:dimension, 'time')
            AND x.seen_experiment=:seen AND x.to_experiment=:to AND x.state='confirmed') THEN :seen ELSE :to END

-- The open or acknowledged alert of the same change, 0: none. What was there for certain by another commit alone is
-- none: its commits are others. Nor is what came slowly with a night's change, whose commit it would accuse.
-- alert_joins(iitti)
SELECT a.id FROM alert a
JOIN experiment own ON own.id={certain $3 $4 $5 $2}
JOIN experiment e ON e.id={certain a.configuration a.dimension a.seen_experiment a.dated_experiment}
WHERE a.series_id=$1 AND a.dated_experiment=$2 AND a.state IN ('open','acknowledged')
    AND e.revision_id=own.revision_id AND {slow_shift a}={came_slowly $3 $4 $5}
    AND NOT EXISTS (
        SELECT 1 FROM alert_portion p WHERE p.alert_id=a.id AND p.configuration=$3 AND p.dimension=$4)
ORDER BY a.id LIMIT 1

-- The withdrawn alert of this portion and direction that spanned the nights of this one, 0: none.
-- alert_withdrawn_around(ittiit)
SELECT a.id FROM alert a
JOIN alert_portion p ON p.alert_id=a.id
JOIN experiment f ON f.id=a.from_experiment
JOIN experiment t ON t.id=a.dated_experiment
JOIN experiment g ON g.id=$4
JOIN experiment u ON u.id=$5
WHERE a.series_id=$1 AND a.state='withdrawn' AND p.configuration=$2 AND p.direction=$3 AND p.dimension=$6
    AND (f.night, f.time_ms, f.id)<=(g.night, g.time_ms, g.id)
    AND (u.night, u.time_ms, u.id)<=(t.night, t.time_ms, t.id)
ORDER BY a.id LIMIT 1

-- A new alert with this portion as the largest one.
-- alert_insert(itttiiiitt)
INSERT INTO alert(
    project_id, series_id, portion, configuration, direction, state, from_experiment, to_experiment,
    dated_experiment, seen_experiment, raised_ms, reason, dimension)
SELECT project_id, id, $2, $3, $4, 'open', $5, $6, $6, $7, $8, $9, $10
FROM series WHERE id=$1
RETURNING id

-- Nights and largest portion are those of this anomaly from now on.
-- alert_lead(iiiiddddddddddttttt)
UPDATE alert
SET from_experiment=$2, seen_experiment=$4, before_mean_ns=$5, before_low_ns=$6, before_high_ns=$7,
    after_mean_ns=$8, after_low_ns=$9, after_high_ns=$10, difference_mean_ns=$11, difference_low_ns=$12,
    difference_high_ns=$13, difference_percent=$14, reason=$15, portion=$16, configuration=$17,
    direction=$18, dimension=$19, {alert_to $3}
WHERE id=$1

-- Did the search for the commit of alert a see that of night x as before (<=w.low), or changed (>=w.high)? While it runs behind
-- a part that it found it does not say.
-- {search_saw place}
EXISTS(
            SELECT 1 FROM (SELECT b.id, b.state, {bounds} FROM bisection b WHERE b.alert_id=a.id) AS w
            JOIN bisection_commit c ON c.bisection_id=w.id AND c.revision_id=x.revision_id AND c.place:place
            WHERE w.state='found' OR NOT EXISTS(
                    SELECT 1 FROM bisection_commit m WHERE m.bisection_id=w.id AND m.state='part'))

-- The date of an alert: the night that the watch dates it to, or an earlier one that may have brought some of what came
-- slowly or whose commit the search saw changed; but none whose commit it saw as before.
-- alert_begin(i)
UPDATE alert SET to_experiment=t.id, to_night=t.night
FROM experiment t
WHERE alert.id=$1 AND t.id=(
    SELECT x.id FROM alert a
    JOIN experiment f ON f.id=a.from_experiment
    JOIN experiment d ON d.id=a.dated_experiment
    JOIN experiment x ON x.series_id=a.series_id AND x.state='measured' AND (x.id=d.id OR (x.hidden=0 AND EXISTS(
                SELECT 1 FROM portion o
                WHERE o.experiment_id=x.id AND o.configuration=a.configuration AND o.mean_ns IS NOT NULL)))
    WHERE a.id=$1 AND NOT {search_saw <=w.low}
        AND ((x.night, x.time_ms, x.id)>=(d.night, d.time_ms, d.id)
            OR ((x.night, x.time_ms, x.id)>(f.night, f.time_ms, f.id) AND ({slow_shift a} OR {search_saw >=w.high})))
    ORDER BY x.night, x.time_ms, x.id LIMIT 1)

-- The night that an alert of a portion's change begins with, where that is later than the watch dates it ($4), for its
-- search saw commits between as before. Not one after $5, nor one that lacks what is watched.
-- alert_begins_later(ittii)
SELECT t.id FROM alert a
JOIN alert_portion p ON p.alert_id=a.id
JOIN experiment t ON t.id=a.to_experiment
JOIN experiment d ON d.id=a.dated_experiment
JOIN experiment n ON n.id=$5
WHERE a.series_id=$1 AND p.configuration=$2 AND p.dimension=$3 AND d.id=$4 AND a.state<>'withdrawn'
    AND (t.night, t.time_ms, t.id)>(d.night, d.time_ms, d.id)
    AND (t.night, t.time_ms, t.id)<=(n.night, n.time_ms, n.id)
    AND (p.dimension='time' OR EXISTS(
            SELECT 1 FROM dimension x
            WHERE x.experiment_id=t.id AND x.dimension=p.dimension AND x.loops IS NOT NULL))
LIMIT 1

-- The portion's figures, new or anew. _drop - it is not part of it; _portions_drop - none is.
-- alert_portion_put(itttiddddddddddtt)
INSERT INTO alert_portion(
    alert_id, configuration, portion, direction, seen_experiment, before_mean_ns, before_low_ns,
    before_high_ns, after_mean_ns, after_low_ns, after_high_ns, difference_mean_ns, difference_low_ns,
    difference_high_ns, difference_percent, reason, dimension)
VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17)
ON CONFLICT(alert_id, dimension, configuration)
DO UPDATE SET direction=excluded.direction, seen_experiment=excluded.seen_experiment,
    before_mean_ns=excluded.before_mean_ns, before_low_ns=excluded.before_low_ns,
    before_high_ns=excluded.before_high_ns, after_mean_ns=excluded.after_mean_ns,
    after_low_ns=excluded.after_low_ns, after_high_ns=excluded.after_high_ns,
    difference_mean_ns=excluded.difference_mean_ns, difference_low_ns=excluded.difference_low_ns,
    difference_high_ns=excluded.difference_high_ns, difference_percent=excluded.difference_percent,
    reason=excluded.reason

-- The portion is not part of the alert.
-- alert_portion_drop(itt)
DELETE FROM alert_portion WHERE alert_id=$1 AND configuration=$2 AND dimension=$3

-- What came slowly is not part of an alert that is led by a night's change, nor the other way round.
-- alert_portions_unlike(i)
DELETE FROM alert_portion WHERE alert_id=$1 AND EXISTS(
        SELECT 1 FROM alert a
        WHERE a.id=alert_portion.alert_id AND {slow_shift a}<>{slow_shift alert_portion})

-- No portion is.
-- alert_portions_drop(i)
DELETE FROM alert_portion WHERE alert_id=$1

-- A change of state, with its audit line; who listens is told.
-- alert_audit_add(iittt)
INSERT INTO alert_audit(alert_id, at_ms, old_state, new_state, author, reason)
SELECT id, $2, state, $3, $4, $5 FROM alert WHERE id=$1

-- A change of state, with its audit line; who listens is told.
-- alert_state_set(it)
UPDATE alert SET state=$2, aged=0 WHERE id=$1

-- The issue that was closed, or may have been, when an alert ended is opened again with it.
-- alert_issue_again(iti)
INSERT INTO outbox(channel_id, subject, subject_id, event, state, made_ms, not_before_ms)
SELECT o.channel_id, o.subject, o.subject_id, 'reopened', 'waiting', $3, $3 FROM outbox o
JOIN channel c ON c.id=o.channel_id AND c.name LIKE 'github-issue-%'
WHERE o.subject='alert' AND o.subject_id=$1 AND o.event='ended' AND $2 IN ('open','acknowledged')
    AND (o.state='sent' OR o.attempts>0)
ON CONFLICT DO NOTHING

-- An alert that is open again has an end again, which is told again; one that waits to be told is no more. Likewise the
-- other way round.
-- alert_end_untold(it)
DELETE FROM outbox
WHERE subject='alert' AND subject_id=$1
    AND event=CASE WHEN $2 IN ('open','acknowledged') THEN 'ended' ELSE 'reopened' END

-- An audit line of the detector that leaves the state as it is; likewise.
-- alert_keep(iitt)
INSERT INTO alert_audit(alert_id, at_ms, old_state, new_state, author, reason)
SELECT id, $2, state, state, $3, $4 FROM alert WHERE id=$1

-- An audit line of the detector that leaves the state as it is; likewise.
-- alert_kept(i)
UPDATE alert SET aged=0 WHERE id=$1 AND aged=1

-- {"state"} of an alert.
-- alert_state(i)
SELECT state FROM alert WHERE id=$1

-- {"reason"} of an alert.
-- alert_reason(i)
SELECT reason FROM alert WHERE id=$1

-- The portions of its alerts that stand and that nobody moved by hand, an alert's largest one first:
-- {"id","dated_experiment","configuration","dimension","up","from_experiment","largest","seen_experiment"}.
-- alert_portions_of_series(i)
SELECT a.id, a.dated_experiment, p.configuration, p.dimension, p.direction='up' AS "up?", a.from_experiment,
    p.configuration=a.configuration AND p.dimension=a.dimension AS "largest?", p.seen_experiment
FROM alert a
JOIN alert_portion p ON p.alert_id=a.id
WHERE a.series_id=$1 AND a.state<>'withdrawn'
    AND NOT EXISTS (SELECT 1 FROM baseline b WHERE b.alert_id=a.id AND b.undone_ms IS NULL)
ORDER BY a.id, p.configuration<>a.configuration OR p.dimension<>a.dimension, p.configuration, p.dimension

-- An alert that tells of a portion's change from this night on and was not withdrawn, 0: none.
-- alert_still_told(itit)
SELECT a.id FROM alert a
JOIN alert_portion p ON p.alert_id=a.id
WHERE a.series_id=$1 AND p.configuration=$2 AND p.dimension=$4 AND a.dated_experiment=$3 AND a.state<>'withdrawn'

-- The direction that is worse, of a portion of this alert; at: the alert.
-- {worse change at}
CASE WHEN EXISTS(
        SELECT 1 FROM portion w
        WHERE w.experiment_id=:at.to_experiment AND w.configuration=:change.configuration AND :change.dimension='time'
            AND w.better='higher') THEN 'down' ELSE 'up' END

-- Does a portion of this alert lose more than before? at: the alert. As det_counted_lost has it.
-- {loses change at}
EXISTS(
        SELECT 1 FROM dimension k
        JOIN dimension l ON l.dimension=k.dimension AND l.configuration=k.configuration
        WHERE k.experiment_id=:at.from_experiment AND l.experiment_id=:at.seen_experiment
            AND k.configuration=:change.configuration AND k.dimension='lost_percent'
            AND l.mean-k.mean>=0.05*(1-1e-9)
            AND 36*(l.mean-k.mean)*(l.mean-k.mean)
                >(k.high-k.low)*(k.high-k.low)+(l.high-l.low)*(l.high-l.low))

-- The portions of the live alerts whose every portion that got worse has been taken back, this alert being one of
-- them or having had a part in it: {"id","by","portion","dimension","unit","before_mean_ns","after_mean_ns","night",
-- "commit_id","until"} by alert; by: which one took it back; until: the night that told. One that was fixed before, and
-- that somebody has opened, is left to people.
-- alert_fixed_portions(i)
SELECT o.id, n.id AS "by", d.portion, d.dimension,
    (
        SELECT w.unit FROM portion w
        WHERE w.experiment_id=n.to_experiment AND w.configuration=d.configuration AND d.dimension='time') AS unit,
    d.before_mean_ns, d.after_mean_ns, e.night, substr(r.sha,1,9) AS commit_id,
    z.night AS until
FROM alert n
JOIN experiment e ON e.id=n.to_experiment
JOIN experiment z ON z.id=n.seen_experiment
JOIN revision r ON r.id=e.revision_id
JOIN alert_portion m ON m.fixed_by=n.id
JOIN alert_portion d ON d.alert_id=n.id AND d.configuration=m.configuration AND d.dimension=m.dimension
JOIN alert o ON o.id=m.alert_id AND o.state IN ('open','acknowledged')
WHERE $1 IN (n.id, o.id) AND o.fixed_by IS NULL
    AND NOT EXISTS (
        SELECT 1 FROM alert_portion u
        WHERE u.alert_id=o.id AND u.direction={worse u o} AND u.fixed_by IS NULL)
ORDER BY o.id, e.night, e.time_ms, e.id, m.configuration, m.dimension

-- A portion that got worse in a live alert and went back in a later one by at least half is fixed by the first such,
-- where this alert is either of them; what loses more records instead is fixed by nothing, and no commit fixes itself.
-- alert_portions_fix(i)
UPDATE alert_portion SET fixed_by=(
        SELECT n.id FROM alert o
        JOIN alert n ON n.series_id=o.series_id AND n.state NOT IN ('withdrawn','false')
        JOIN alert_portion d ON d.alert_id=n.id AND d.direction<>alert_portion.direction
            AND d.configuration=alert_portion.configuration AND d.dimension=alert_portion.dimension
        JOIN experiment x ON x.id=o.to_experiment
        JOIN experiment y ON y.id=n.to_experiment
        WHERE o.id=alert_portion.alert_id AND $1 IN (n.id, o.id)
            AND alert_portion.direction={worse alert_portion o}
            AND (x.night, x.time_ms, x.id)<(y.night, y.time_ms, y.id) AND x.revision_id<>y.revision_id
            AND (d.after_mean_ns<=(alert_portion.before_mean_ns+alert_portion.after_mean_ns)/2)
                =(alert_portion.direction='up')
            AND NOT {loses d n}
        ORDER BY y.night, y.time_ms, y.id LIMIT 1)
WHERE fixed_by IS NULL
    AND alert_id IN (
        SELECT o.id FROM alert n
        JOIN alert o ON o.series_id=n.series_id AND o.state IN ('open','acknowledged') WHERE n.id=$1)

-- Which alert took it back; 0: none.
-- alert_fixed_by(ii)
UPDATE alert SET fixed_by=$2 WHERE id=$1

-- {"id"} of the fixed alerts that this one had a part in.
-- alert_fixed_list(i)
SELECT DISTINCT o.id FROM alert_portion m
JOIN alert o ON o.id=m.alert_id
WHERE m.fixed_by=$1 AND o.state='fixed' ORDER BY o.id

-- What this alert had fixed is not, any more.
-- alert_portions_unfix(i)
UPDATE alert_portion SET fixed_by=NULL WHERE fixed_by=$1

-- The open ones that may age, or are aged: {"id","aged","raised_ms", "ageing_days","night" that showed it
-- last,"decided_ms" by a person or null}.
-- alerts_ageing(t)
SELECT a.id, a.aged AS "aged?", a.raised_ms, p.ageing_days,
    (
        SELECT max(e.night) FROM alert_portion m
        JOIN experiment e ON e.id=m.seen_experiment WHERE m.alert_id=a.id) AS night,
    (SELECT max(t.at_ms) FROM alert_audit t WHERE t.alert_id=a.id AND t.author<>$1) AS decided_ms
FROM alert a
JOIN project p ON p.id=a.project_id
WHERE a.state='open' AND (p.ageing_days>0 OR a.aged=1) ORDER BY a.id

-- It asks for attention no longer, or does again.
-- alert_set_aged(ii)
UPDATE alert SET aged=$2 WHERE id=$1
