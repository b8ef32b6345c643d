-- What is to be told, where, and what became of it.

-- Counts of a night moved in a portion of which neither its verdict nor an alert tells.
-- {counted_alone night}
EXISTS(
    SELECT 1 FROM dimension d
    WHERE d.experiment_id=:night AND d.verdict='anomaly' AND d.counter IS NOT NULL
        AND NOT EXISTS(
            SELECT 1 FROM portion q
            WHERE q.experiment_id=:night AND q.configuration=d.configuration AND q.verdict='anomaly')
        AND NOT EXISTS(
            SELECT 1 FROM alert a
            JOIN alert_portion m ON m.alert_id=a.id
            WHERE a.to_experiment=:night AND a.state<>'withdrawn' AND m.configuration=d.configuration))

-- What a channel ($2) of a project ($1) may tell.
-- {of_channel}
JOIN project p ON p.id=s.project_id
JOIN channel c ON c.project_id=p.id WHERE p.name=$1 AND c.name=$2

-- Nothing in the outbox tells of it yet.
-- {no_line subject}
AND NOT EXISTS(
    SELECT 1 FROM outbox o
    WHERE o.channel_id=c.id AND o.subject=':subject' AND o.subject_id=s.id AND o.event=$3)
ORDER BY s.id LIMIT 1000

-- The outbox has told of its beginning.
-- {told subject event}
AND EXISTS(
    SELECT 1 FROM outbox r
    WHERE r.channel_id=c.id AND r.subject=':subject' AND r.subject_id=s.id AND r.event=':event'
        AND r.state='sent')

-- Only where it came from, and not what was pushed over: that is told with what was pushed.
-- {of_provider}
AND s.number IS NOT NULL AND s.asked_ms>=c.opened_ms AND (c.name LIKE 'gitlab-%')=(s.provider='gitlab')
AND NOT (s.provider='merge_group' AND c.name LIKE 'github-comment-%')
AND NOT EXISTS(
    SELECT 1 FROM pull l
    WHERE l.project_id=s.project_id AND l.provider=s.provider AND l.number=s.number AND l.id>s.id)

-- Note when a channel of a project was first seen. What was there before that moment is
-- history for it. Idempotent.
-- outbox_open(tti)
INSERT INTO channel(project_id, name, opened_ms, after_alert, after_experiment, after_incident)
SELECT p.id, $2, $3, coalesce((SELECT max(id) FROM alert), 0),
    coalesce((SELECT max(id) FROM experiment), 0), coalesce((SELECT max(id) FROM incident), 0)
FROM project p WHERE p.name=$1
ON CONFLICT DO NOTHING

-- Write a line, if it is not there. state "waiting" or "skipped"; note: why it is skipped,
-- or NULL
-- outbox_add(tttittiit)
INSERT INTO outbox(channel_id, subject, subject_id, event, state, made_ms, not_before_ms, note)
SELECT c.id, $3, $4, $5, $6, $7, $8, $9 FROM channel c
JOIN project p ON p.id=c.project_id WHERE p.name=$1 AND c.name=$2
ON CONFLICT DO NOTHING

-- Alerts that ended before they were told. Whom a commit was named to is told that it is not the one, unless
-- there is no change.
-- outbox_alerts_over(i)
UPDATE outbox
SET state='over', closed_ms=$1, note='it ended before it was told'
WHERE state='waiting' AND event IN ('raised','explained','found','corrected')
    AND EXISTS(
        SELECT 1 FROM alert a
        WHERE a.id=subject_id AND a.state NOT IN ('open','acknowledged')
            AND (event<>'corrected' OR a.state IN ('false','withdrawn')))

-- An incident ended before it was told.
-- outbox_incidents_over(i)
UPDATE outbox
SET state='over', closed_ms=$1, note='it ended before it was told'
WHERE state='waiting' AND event='opened' AND (SELECT state FROM incident WHERE id=subject_id)<>'open'

-- An alert or a verdict tells by now of what was counted.
-- outbox_counted_over(i)
UPDATE outbox
SET state='over', closed_ms=$1, note='it is told otherwise by now'
WHERE state='waiting' AND event='counted' AND NOT {counted_alone outbox.subject_id}

-- A pull request went on before it was told.
-- outbox_pulls_over(i)
UPDATE outbox
SET state='over', closed_ms=$1, note='it went on before it was told'
WHERE state='waiting' AND subject='pull_request' AND event IN ('held','asked','begun')
    AND (SELECT state FROM pull WHERE id=subject_id)<>CASE event
        WHEN 'held' THEN 'held'
        WHEN 'asked' THEN 'waiting'
        ELSE 'measuring' END

-- What was tried since before $2 is given up.
-- outbox_dead(ii)
UPDATE outbox SET state='dead', closed_ms=$1
WHERE state='waiting' AND attempts>0 AND made_ms<$2

-- The portions m of an alert that span a night: is that the one that the alert begins with, the one that told of the
-- portion (which somebody may have moved the alert behind), between both, or after the last that was as before, whose
-- commit is none that was measured by then?
-- {spanning alert night}
alert_portion m
    JOIN experiment b ON b.id=:alert.from_experiment
    JOIN experiment f ON f.id=:alert.to_experiment
    JOIN experiment l ON l.id=m.seen_experiment
    JOIN experiment e ON e.id=:night AND e.series_id=:alert.series_id
    WHERE m.alert_id=:alert.id
        AND (
            e.id IN (f.id, l.id)
            OR ((e.night, e.time_ms, e.id)<(l.night, l.time_ms, l.id)
                AND ((e.night, e.time_ms, e.id)>(f.night, f.time_ms, f.id)
                    OR ((e.night, e.time_ms, e.id)>(b.night, b.time_ms, b.id) AND NOT EXISTS(
                            SELECT 1 FROM experiment o
                            WHERE o.revision_id=e.revision_id AND o.series_id=e.series_id AND o.hidden=0
                                AND (o.night, o.time_ms, o.id)<=(b.night, b.time_ms, b.id))))))

-- A night is told again when what is known of it is another thing now: one of its alerts was raised by a later night,
-- withdrawn, or is back; somebody answered that nothing changed, or took that back, or moved the alert to or from this
-- night, or set a level that begins with it, or took that back; or a suspicion of an earlier night, which had no answer when this one was told, has one: it is judged by that.
-- $2: what is older is no news
-- outbox_nights_again(ii)
UPDATE outbox SET state='waiting', attempts=0, made_ms=$1, not_before_ms=$1, closed_ms=NULL
WHERE state='sent' AND id IN (
    SELECT o.id FROM alert_audit t
    JOIN alert a ON a.id=t.alert_id
    JOIN channel c ON c.project_id=a.project_id
    JOIN outbox o ON o.channel_id=c.id AND o.subject='night' AND o.event='measured' AND o.closed_ms<t.at_ms
    WHERE t.at_ms>$2
        AND (
            t.at_ms=a.raised_ms OR t.new_state IN ('withdrawn','false') OR t.old_state IN ('withdrawn','false')
            OR EXISTS(SELECT 1 FROM baseline b WHERE b.alert_id=a.id AND t.at_ms IN (b.made_ms, b.undone_ms)))
        AND (
            EXISTS(SELECT 1 FROM {spanning a o.subject_id})
            OR EXISTS(SELECT 1 FROM baseline b WHERE b.alert_id=a.id AND b.to_id=o.subject_id))
    UNION
    SELECT o.id FROM baseline b
    JOIN experiment e ON e.project_id=b.project_id AND e.night=b.night
    JOIN channel c ON c.project_id=b.project_id
    JOIN outbox o ON o.channel_id=c.id AND o.subject='night' AND o.event='measured' AND o.subject_id=e.id
    WHERE b.alert_id IS NULL AND (
        (b.made_ms>$2 AND o.closed_ms<b.made_ms) OR (b.undone_ms>$2 AND o.closed_ms<b.undone_ms))
    UNION
    SELECT o.id FROM suspicion x
    JOIN experiment q ON q.id=x.seen_experiment
    JOIN channel c ON c.project_id=q.project_id
    JOIN outbox o ON o.channel_id=c.id AND o.subject='night' AND o.event='measured' AND o.closed_ms>=x.raised_ms
        AND o.closed_ms<x.settled_ms
    JOIN experiment e ON e.id=o.subject_id AND e.series_id=x.series_id
        AND (e.night, e.time_ms, e.id)>(q.night, q.time_ms, q.id)
    WHERE x.settled_ms>$2)

-- Lines that wait and may go now, by project, channel, event.
-- outbox_due(ii)
SELECT o.id, p.name AS project, c.name AS channel, o.subject, o.subject_id, o.event, o.attempts
FROM outbox o
JOIN channel c ON c.id=o.channel_id
JOIN project p ON p.id=c.project_id
WHERE o.state='waiting' AND (o.not_before_ms<=$1 OR o.not_before_ms>$2)
ORDER BY p.name, c.name, o.event, o.id LIMIT 1000

-- When the next line is due; INT64_MAX: none waits.
-- outbox_next()
SELECT min(not_before_ms) FROM outbox WHERE state='waiting'

-- Messages that were tried in vain, the newest first.
-- outbox_failing()
SELECT p.name AS project, c.name AS channel, o.note AS note
FROM outbox o
JOIN channel c ON c.id=o.channel_id
JOIN project p ON p.id=c.project_id
WHERE o.state='waiting' AND o.attempts>0 AND o.note IS NOT NULL
ORDER BY o.id DESC LIMIT 100

-- Count an attempt; it is not tried again before again_ms, crash or not.
-- outbox_try(ii)
UPDATE outbox SET attempts=attempts+1, not_before_ms=$2 WHERE id=$1

-- State "sent", "dead" or "over"; reference, note may be NULL.
-- outbox_close(ittti)
UPDATE outbox SET state=$2, reference=$3, note=$4, closed_ms=$5 WHERE id=$1

-- Why the last attempt failed, and when it is tried again.
-- outbox_note(iti)
UPDATE outbox SET note=$2, not_before_ms=$3 WHERE id=$1

-- Of the first line of an alert or incident in a channel.
-- outbox_reference(ttti)
SELECT o.reference FROM outbox o
JOIN channel c ON c.id=o.channel_id
JOIN project p ON p.id=c.project_id
WHERE p.name=$1 AND c.name=$2 AND o.subject=$3 AND o.subject_id=$4 AND o.event IN ('raised','opened')

-- What the receiver called what was written last about the pull request of a
-- line. of_number about any commit of the same number, not only this one's
-- made out: how many different ones there were
-- outbox_pull_reference(ttii)
SELECT o.reference FROM outbox o
JOIN channel c ON c.id=o.channel_id
JOIN project p ON p.id=c.project_id
JOIN pull u ON u.id=o.subject_id
JOIN pull v ON v.id=$3
WHERE p.name=$1 AND c.name=$2 AND o.subject='pull_request' AND o.reference IS NOT NULL
    AND (u.id=v.id OR ($4=1 AND u.project_id=v.project_id AND u.provider=v.provider AND u.number=v.number))
GROUP BY o.reference ORDER BY max(o.id) DESC

-- An alert is open that nobody was told of.
-- fresh_raised(ttt)
SELECT s.id
FROM alert s {of_channel} AND s.id>c.after_alert AND s.state='open' {no_line alert}

-- An alert that was told has ended.
-- fresh_ended(ttt)
SELECT s.id
FROM alert s {of_channel}
    AND s.state IN ('fixed','accepted','false','withdrawn') {told alert raised} {no_line alert}

-- Where the change of an alert that was told is, is known.
-- fresh_explained(ttt)
SELECT s.id
FROM alert s {of_channel} AND s.state IN ('open','acknowledged')
    AND EXISTS(SELECT 1 FROM explanation x WHERE x.alert_id=s.id AND x.state='done') {told alert raised} {no_line alert}

-- The commit of an alert that was told is found, one of several.
-- fresh_found(ttt)
SELECT s.id
FROM alert s {of_channel} AND s.state IN ('open','acknowledged')
    AND EXISTS(
        SELECT 1 FROM bisection b
        WHERE b.alert_id=s.id AND b.state='found'
            AND 1<(SELECT count(*) FROM bisection_commit c WHERE c.bisection_id=b.id)) {told alert raised} {no_line alert}

-- An incident is open that nobody was told of.
-- fresh_opened(ttt)
SELECT s.id
FROM incident s {of_channel} AND s.id>c.after_incident AND s.state='open' {no_line incident}

-- An incident that was told is over.
-- fresh_over(ttt)
SELECT s.id
FROM incident s {of_channel} AND s.state<>'open' {told incident opened} {no_line incident}

-- A night is there, and nothing in it is being measured again: while it is, nobody knows.
-- fresh_measured(ttt)
SELECT s.id
FROM experiment s {of_channel} AND s.id>c.after_experiment AND s.hidden=0
    AND NOT EXISTS(SELECT 1 FROM portion q WHERE q.experiment_id=s.id AND q.verdict='suspect') {no_line night}

-- A night was told while nobody knew which of several commits it was, and the search has ended: with
-- one of them, or with what it leaves.
-- fresh_searched(ttt)
SELECT s.id
FROM experiment s {of_channel} AND s.hidden=0
    AND EXISTS(
        SELECT 1 FROM alert a
        JOIN bisection g ON g.alert_id=a.id
        WHERE a.series_id=s.series_id AND a.state<>'withdrawn' AND g.state<>'running'
            AND 1<(SELECT count(*) FROM bisection_commit k WHERE k.bisection_id=g.id)
            AND EXISTS(SELECT 1 FROM {spanning a s.id})) {told night measured} {no_line night}

-- How much the alerts tell of a result's times: 2 of what got worse, 1 of another change, NULL of none.
-- {told_by result}
SELECT max(CASE WHEN m.direction={worse m a} THEN 2 ELSE 1 END) FROM alert a
JOIN alert_portion m ON m.alert_id=a.id
WHERE :result IN (a.to_experiment, m.seen_experiment) AND m.dimension='time' AND a.state NOT IN ('withdrawn','false')

-- Was a channel told of a result of the commit of its line's night that nights were before? 0: of none.
-- outbox_commit_told(i)
SELECT count(*) FROM outbox o
JOIN experiment s ON s.id=o.subject_id
JOIN experiment e ON e.project_id=s.project_id AND e.revision_id=s.revision_id AND e.id<>s.id
JOIN outbox t ON t.channel_id=o.channel_id AND t.subject='night' AND t.event='measured' AND t.subject_id=e.id
WHERE o.id=$1 AND t.state='sent' AND EXISTS(SELECT 1 FROM portion q WHERE q.experiment_id=e.id AND q.verdict<>'first')

-- The result that counts of those of a night's commit, of whatever date: what was measured again takes back nothing
-- that an earlier result told, or waits to tell. As the gate has it (ci/command/gate.c).
-- night_result(i)
SELECT e.id FROM experiment s
JOIN experiment e ON e.project_id=s.project_id AND e.revision_id=s.revision_id AND e.hidden=0
WHERE s.id=$1
ORDER BY EXISTS(SELECT 1 FROM portion q WHERE q.experiment_id=e.id AND q.verdict='suspect') DESC,
    coalesce(({told_by e.id}), 0) DESC, e.night DESC, e.time_ms DESC, e.id DESC
LIMIT 1

-- Whose is the change of a portion in a night? Alerts whose change of it the night told of, that begin with it, that
-- a later night told and that began before it, or that its commit may have brought though the night does not show it.
-- night_alerts(it)
SELECT a.id FROM alert a
JOIN experiment s ON s.id=$1 AND s.series_id=a.series_id
WHERE a.state<>'withdrawn' AND EXISTS(
        SELECT 1 FROM {spanning a s.id} AND m.configuration=$2 AND m.dimension='time')
ORDER BY a.id

-- Counts of a night moved in a portion of which neither its verdict nor an alert tells.
-- fresh_counted(ttt)
SELECT s.id
FROM experiment s {of_channel} AND s.id>c.after_experiment AND s.hidden=0 AND s.state='measured'
    AND {counted_alone s.id}
    AND NOT EXISTS(SELECT 1 FROM portion q WHERE q.experiment_id=s.id AND q.verdict='suspect') {no_line night}

-- The newest night is there, and nobody has looked at its limits: how those before it stood is no news.
-- fresh_limited(ttt)
SELECT s.id
FROM experiment s {of_channel} AND s.id>c.after_experiment AND s.hidden=0 AND s.state='measured'
    AND NOT EXISTS(
        SELECT 1 FROM experiment n
        WHERE n.project_id=s.project_id AND n.hidden=0 AND n.state='measured'
            AND (n.night, n.time_ms, n.id)>(s.night, s.time_ms, s.id)) {no_line night}

-- A pull request waits for a maintainer.
-- fresh_held(ttt)
SELECT s.id FROM pull s {of_channel} {of_provider} AND s.state='held' {no_line pull_request}

-- A pull request waits to be measured.
-- fresh_asked(ttt)
SELECT s.id
FROM pull s {of_channel} {of_provider} AND s.state='waiting' {no_line pull_request}

-- A pull request is being measured.
-- fresh_begun(ttt)
SELECT s.id
FROM pull s {of_channel} {of_provider} AND s.state='measuring' {no_line pull_request}

-- A pull request has its answer.
-- fresh_answered(ttt)
SELECT s.id
FROM pull s {of_channel} {of_provider} AND s.state IN ('done','failed','dropped') {no_line pull_request}

-- Which kinds of trouble were told of, and when each was there last.
-- troubles()
SELECT kind, seen_ms FROM trouble

-- It was told of, and is there.
-- trouble_seen(ti)
INSERT INTO trouble(kind, seen_ms) VALUES($1,$2)
ON CONFLICT(kind) DO UPDATE SET seen_ms=excluded.seen_ms

-- It is over: when it comes back, it is news.
-- trouble_over(t)
DELETE FROM trouble WHERE kind=$1
