-- What the view of an alert is put together from, read for many alerts at once (server/views/views_parts.h).

-- What was found of each portion in a dimension: the alert's own first, then what changed most.
-- {found dimension}
SELECT x.alert_id, x.portion, x.configuration, x.parent, x.sentence, x.change_ns, x.before_units,
    x.after_units, x.functions AS "functions{"
FROM explanation_portion x
JOIN alert a ON a.id=x.alert_id WHERE x.alert_id IN {keys} AND x.dimension=':dimension'
ORDER BY x.configuration<>a.configuration, abs(coalesce(x.change_ns,x.after_units-x.before_units)) DESC NULLS LAST, x.configuration

-- From which profiles of a dimension that is.
-- {profiled dimension}
SELECT alert_id, configuration, CASE WHEN before=1 THEN 'before' ELSE 'after' END AS "end",
    count(*) AS loops,
    '/api/v1/alerts/' || alert_id || '/profiles/' || configuration || '/' || CASE WHEN before=1 THEN 'before'
        ELSE 'after' END || CASE ':dimension' WHEN 'bytes' THEN '?dimension=bytes' ELSE '' END AS url
FROM profile WHERE alert_id IN {keys} AND dimension=':dimension'
GROUP BY alert_id, configuration, before
ORDER BY configuration, before DESC

-- Did a change that night `seen` told, of alert a, come slowly, so that no single night shows it, and no node has measured
-- it again, nor a search what came between? A search that had but one commit measured nothing.
-- {came_slowly configuration dimension seen}
(NOT EXISTS(
        SELECT 1 FROM suspicion x
        WHERE x.series_id=a.series_id AND x.configuration=:configuration AND x.dimension=:dimension
            AND x.seen_experiment=:seen AND x.to_experiment=a.dated_experiment AND x.state='confirmed')
    AND NOT EXISTS(
        SELECT 1 FROM bisection b
        JOIN bisection_commit k ON k.bisection_id=b.id AND k.question_id IS NOT NULL
        WHERE b.alert_id=a.id AND b.state='found')
    AND EXISTS(
        SELECT 1 FROM portion w
        WHERE w.experiment_id=:seen AND w.configuration=:configuration AND :dimension='time'
            AND w.rule='slow-shift'
        UNION ALL
        SELECT 1 FROM dimension w
        WHERE w.experiment_id=:seen AND w.configuration=:configuration AND w.dimension=:dimension
            AND w.rule='slow-shift'))

-- Did change m of alert a, as all of its changes?
-- {slow_shift m}
{came_slowly :m.configuration :m.dimension :m.seen_experiment}

-- The night by which it was there for certain.
-- {alert_last}
CASE WHEN s.state='confirmed' OR {slow_shift a} THEN a.seen_experiment ELSE a.to_experiment END

-- A night of each of these alerts: which one is said behind it.
-- {alert_night}
SELECT a.id, {end_fields}
FROM alert a
LEFT JOIN suspicion s ON s.series_id=a.series_id AND s.configuration=a.configuration AND s.dimension=a.dimension
    AND s.seen_experiment=a.seen_experiment AND s.to_experiment=a.dated_experiment
CROSS JOIN experiment e
JOIN revision r ON r.id=e.revision_id WHERE a.id IN {keys}

-- The unit of a change in time's place, of its configuration in the night that it begins with, and what is better.
-- {alert_unit change}
(
        SELECT w.unit FROM portion w
        WHERE w.experiment_id=a.to_experiment AND w.configuration=:change.configuration AND :change.dimension='time') AS unit,
    (
        SELECT w.better FROM portion w
        WHERE w.experiment_id=a.to_experiment AND w.configuration=:change.configuration AND :change.dimension='time') AS better

-- What the open alerts of a project tell of, the newest alert first, but for what a later one took back:
-- {"portion","configuration","dimension","direction","unit","better"}.
-- open_changes(i)
SELECT m.portion, m.configuration, m.dimension, m.direction, {alert_unit m}
FROM alert a
JOIN alert_portion m ON m.alert_id=a.id WHERE a.project_id=$1 AND {alert_fresh} AND m.fixed_by IS NULL
ORDER BY a.id DESC, m.configuration<>a.configuration OR m.dimension<>a.dimension, m.configuration, m.dimension

-- What the alerts between two nights of a series tell of time, all in one direction and none fixed:
-- {"configuration","direction"} from the one to the other.
-- alerts_across(ii)
SELECT m.configuration,
    CASE WHEN (b.night, b.time_ms, b.id)>(a.night, a.time_ms, a.id) THEN min(m.direction)
        WHEN min(m.direction)='up' THEN 'down' ELSE 'up' END AS direction
FROM alert x
JOIN alert_portion m ON m.alert_id=x.id AND m.dimension='time'
JOIN experiment e ON e.id=x.to_experiment
JOIN experiment a ON a.id=$1 AND a.series_id=x.series_id
JOIN experiment b ON b.id=$2 AND b.series_id=x.series_id
WHERE x.state NOT IN ('withdrawn','false')
    AND ((e.night, e.time_ms, e.id)>(a.night, a.time_ms, a.id))<>((e.night, e.time_ms, e.id)>(b.night, b.time_ms, b.id))
GROUP BY m.configuration, a.id, b.id
HAVING min(m.direction)=max(m.direction) AND min(CASE WHEN x.state='fixed' THEN 0 ELSE 1 END)=1

-- The alert itself, and "ageing_days" of its project.
-- alert_head(k)
SELECT a.id, a.id, p.name AS project, p.branch, a.portion, a.configuration, a.dimension, a.direction, a.state,
    a.raised_ms, {taken_in a.seen_experiment} AS "imported?", p.ageing_days, {alert_unit a},
    CASE WHEN p.enabled=1 THEN coalesce(p.main, p.name) END AS file,
    (
        SELECT max(e.night) FROM alert_portion m
        JOIN experiment e ON e.id=m.seen_experiment WHERE m.alert_id=a.id) AS seen_night,
    (SELECT e.level FROM experiment e WHERE e.id=a.seen_experiment) AS level,
    (a.state='open' AND a.aged=1) AS "aged?", (
        a.state IN ('open','acknowledged') AND a.searched=0 AND p.enabled=1
        AND EXISTS(SELECT 1 FROM experiment e WHERE e.id=a.to_experiment AND e.remeasure=1)) AS "searchable?",
    {slow_shift a} AS "slow?", a.before_mean_ns AS "before.mean_ns",
    a.before_low_ns AS "before.low_ns", a.before_high_ns AS "before.high_ns",
    a.after_mean_ns AS "after.mean_ns", a.after_low_ns AS "after.low_ns",
    a.after_high_ns AS "after.high_ns", a.difference_mean_ns AS "difference.mean_ns",
    a.difference_low_ns AS "difference.low_ns", a.difference_high_ns AS "difference.high_ns",
    a.difference_percent AS "difference.percent", a.reason, a.fixed_by,
    (
        SELECT CASE WHEN u.parent=f.sha THEN 1 WHEN u.place>f.place THEN u.place-f.place END
        FROM experiment f_night
        JOIN revision f ON f.id=f_night.revision_id
        JOIN experiment u_night ON u_night.id={alert_last}
        JOIN revision u ON u.id=u_night.revision_id WHERE f_night.id=a.from_experiment) AS commits,
    (
        SELECT count(*) FROM experiment f
        JOIN experiment u ON u.id={alert_last}
        JOIN experiment n ON n.series_id=a.series_id AND n.state='measured' AND n.hidden=0
            AND (n.night, n.time_ms, n.id)>(f.night, f.time_ms, f.id)
            AND (n.night, n.time_ms, n.id)<=(u.night, u.time_ms, u.id) WHERE f.id=a.from_experiment) AS nights,
    {confirmation_fields}
FROM alert a
JOIN project p ON p.id=a.project_id
LEFT JOIN suspicion s ON s.series_id=a.series_id AND s.configuration=a.configuration AND s.dimension=a.dimension
    AND s.seen_experiment=a.seen_experiment AND s.to_experiment=a.dated_experiment
LEFT JOIN question q ON q.id=s.question_id WHERE a.id IN {keys}

-- Who decided what, in order.
-- alert_audit(k)
SELECT alert_id, at_ms, old_state AS "from", new_state AS "to", author, reason
FROM alert_audit WHERE alert_id IN {keys} ORDER BY id

-- The portions of an alert: the largest one, then by size.
-- alert_portions(k)
SELECT m.alert_id, m.portion, m.configuration, m.dimension, m.direction, {alert_unit m},
    m.before_mean_ns AS "before.mean_ns",
    m.before_low_ns AS "before.low_ns", m.before_high_ns AS "before.high_ns",
    m.after_mean_ns AS "after.mean_ns", m.after_low_ns AS "after.low_ns",
    m.after_high_ns AS "after.high_ns", m.difference_mean_ns AS "difference.mean_ns",
    m.difference_low_ns AS "difference.low_ns", m.difference_high_ns AS "difference.high_ns",
    m.difference_percent AS "difference.percent", m.reason, m.fixed_by, {confirmation_fields}
FROM alert_portion m
JOIN alert a ON a.id=m.alert_id
LEFT JOIN suspicion s ON s.series_id=a.series_id AND s.configuration=m.configuration AND s.dimension=m.dimension
    AND s.seen_experiment=m.seen_experiment AND s.to_experiment=a.dated_experiment
LEFT JOIN question q ON q.id=s.question_id WHERE m.alert_id IN {keys}
ORDER BY m.configuration<>a.configuration OR m.dimension<>a.dimension, m.dimension<>a.dimension,
    abs(m.difference_mean_ns) DESC NULLS LAST, m.configuration

-- The commit behind an alert: its search found it, or it alone lies between the two nights; NULL: it is not known.
-- {alert_commit alert}
coalesce(
    (
        SELECT r.sha FROM bisection b
        JOIN bisection_commit c ON c.bisection_id=b.id AND c.place=b.high
        JOIN revision r ON r.id=c.revision_id
        WHERE b.alert_id=:alert.id AND b.state='found'),
    (
        SELECT t.sha FROM experiment e
        JOIN revision t ON t.id=e.revision_id
        JOIN experiment d ON d.id=:alert.from_experiment
        JOIN revision f ON f.id=d.revision_id
        WHERE e.id=:alert.dated_experiment AND t.parent=f.sha))

-- The other branches that were asked for its commit; fix: it ended another alert; over: what it did there was fixed.
-- alert_branches(k)
SELECT k.alert_id, p.branch, p.name AS project, k.state, k.sha AS "commit",
    CASE WHEN EXISTS(SELECT 1 FROM alert f WHERE f.fixed_by=k.alert_id) THEN 1 ELSE 0 END AS "fix?",
    CASE WHEN EXISTS(
            SELECT 1 FROM alert g
            WHERE g.project_id=k.project_id AND g.state='fixed' AND g.fixed_by IS NOT NULL
                AND {alert_commit g}=coalesce(k.sha, {alert_commit a})) THEN 1 ELSE 0 END AS "over?"
FROM backport k
JOIN alert a ON a.id=k.alert_id
JOIN project p ON p.id=k.project_id
WHERE k.alert_id IN {keys} AND p.enabled=1
ORDER BY CASE WHEN p.main IS NULL THEN 0 ELSE 1 END, p.id

-- What was counted on both sides.
-- alert_counted(k)
SELECT a.id, d.dimension, d.counter, d.portion, d.configuration, d.parent, d.mean, d.low, d.high, d.total,
    b.mean AS "before.mean", b.low AS "before.low", b.high AS "before.high",
    b.experiment_id AS "before.experiment"
FROM alert a
JOIN dimension d ON d.experiment_id=a.seen_experiment
JOIN dimension b ON b.experiment_id=a.from_experiment AND b.dimension=d.dimension
    AND b.configuration=d.configuration AND coalesce(b.counter,'')=coalesce(d.counter,'')
WHERE a.id IN {keys} ORDER BY d.ordinal

-- For the culprit, between "low" and "high"; of a slow shift none whose only commit it was.
-- alert_search(k)
SELECT b.alert_id, b.state, b.reason, b.started_ms, b.finished_ms, b.low, b.high, q.configuration, q.dimension,
    (SELECT count(*) FROM bisection_commit c WHERE c.bisection_id=b.id) AS commits, {least_share m}
FROM bisection b
JOIN alert a ON a.id=b.alert_id
LEFT JOIN bisection_commit h ON h.bisection_id=b.id AND h.place=b.high
LEFT JOIN question y ON y.id=h.question_id
LEFT JOIN bisection_commit l ON l.bisection_id=b.id AND l.place=b.low AND l.state='before'
LEFT JOIN question x ON x.id=l.question_id AND {apart x}
LEFT JOIN question q ON q.id=(SELECT max(k.question_id) FROM bisection_commit k WHERE k.bisection_id=b.id)
LEFT JOIN alert_portion m ON m.alert_id=a.id AND m.configuration=q.configuration AND m.dimension=q.dimension
WHERE b.alert_id IN {keys} AND (b.state<>'found' OR NOT {slow_shift a})

-- The steps of that search, in the order in which they were made.
-- alert_steps(k)
SELECT b.alert_id, {commit_fields r}, c.place,
    CASE WHEN c.state='skipped' AND q.state='undecided' THEN q.state ELSE c.state END AS state, q.trial_id AS trial, q.loops,
    q.before_mean_ns AS "before.mean_ns", q.before_low_ns AS "before.low_ns",
    q.before_high_ns AS "before.high_ns", q.after_mean_ns AS "after.mean_ns",
    q.after_low_ns AS "after.low_ns", q.after_high_ns AS "after.high_ns",
    q.difference_mean_ns AS "difference.mean_ns", q.difference_low_ns AS "difference.low_ns",
    q.difference_high_ns AS "difference.high_ns", q.reason
FROM bisection b
JOIN bisection_commit c ON c.bisection_id=b.id
JOIN revision r ON r.id=c.revision_id
JOIN question q ON q.id=c.question_id WHERE b.alert_id IN {keys}
ORDER BY q.id

-- {"commit","place"}: the first and last that the search leaves, and the one before them.
-- alert_suspects(k)
SELECT b.alert_id, {commit_fields r}, c.place FROM bisection b
JOIN bisection_commit c ON c.bisection_id=b.id AND c.place IN (b.low, b.low+1, b.high)
JOIN revision r ON r.id=c.revision_id WHERE b.alert_id IN {keys}
ORDER BY c.place

-- The commits that nights measured and that are none of those which the search leaves, unless it knows of several parts;
-- and those up to a step that saw nothing, after whatever a step before it has seen.
-- alert_acquitted(k)
SELECT w.alert_id, r.sha FROM (SELECT b.id, b.alert_id, b.state, {bounds} FROM bisection b) AS w
JOIN bisection_commit c ON c.bisection_id=w.id
JOIN revision r ON r.id=c.revision_id
WHERE w.alert_id IN {keys} AND EXISTS(SELECT 1 FROM experiment e WHERE e.revision_id=r.id AND e.hidden=0)
    AND ((w.state IN ('running','range') AND (c.place<=w.low OR c.place>w.high) AND NOT EXISTS(
                SELECT 1 FROM bisection_commit p
                LEFT JOIN question o ON o.id=p.question_id
                WHERE p.bisection_id=w.id AND (p.state='part' OR (p.state='before' AND {apart o}))))
        OR EXISTS(
            SELECT 1 FROM bisection_commit k
            LEFT JOIN question q ON q.id=k.question_id AND {apart q}
            WHERE k.bisection_id=w.id AND k.state='before' AND k.place>=c.place AND q.id IS NULL AND NOT EXISTS(
                    SELECT 1 FROM bisection_commit m
                    WHERE m.bisection_id=w.id AND m.state IN ('part','after') AND m.place BETWEEN c.place AND k.place)))
ORDER BY c.place

-- Where the change is, as far as somebody looked.
-- alert_why(k)
SELECT x.alert_id, x.state, x.reason, x.profiler, x.unit, x.job_id AS job,
    x.allocated_profiler AS "allocations.profiler",
    CASE WHEN coalesce(x.allocated_profiler, x.allocated_reason) IS NOT NULL THEN 'bytes' END AS "allocations.unit",
    x.allocated_reason AS "allocations.reason", x.finished_ms, x.removed_ms, o.sha AS "before", n.sha AS "after"
FROM explanation x
JOIN revision o ON o.id=x.before_id
JOIN revision n ON n.id=x.after_id WHERE x.alert_id IN {keys}

-- What was found of what the alert is of, as a rule of time.
-- alert_where(k)
{found time}

-- From which profiles that is.
-- alert_profiles(k)
{profiled time}

-- What was found in allocated bytes.
-- alert_bytes(k)
{found bytes}

-- From which profiles that is.
-- alert_bytes_of(k)
{profiled bytes}

-- The last night before it.
-- alert_from(k)
{alert_night} AND e.id=a.from_experiment

-- The first night after it.
-- alert_to(k)
{alert_night} AND e.id=a.to_experiment

-- The night by which it was there for certain.
-- alert_until(k)
{alert_night} AND e.id={alert_last}

-- Its portions in the last night before, those whose level is itself in question: no longer, where another alert that
-- stands is dated to that night or before it, and was told with it or later, or where a later night told that the machine had moved.
-- alert_levels_before(k)
SELECT a.id, p.portion, p.configuration, p.mean_ns, p.verdict, p.rule, p.direction FROM alert a
JOIN portion p ON p.experiment_id=a.from_experiment
JOIN experiment f ON f.id=p.experiment_id
WHERE a.id IN {keys} AND (p.verdict IN ('harness','suspect') OR (p.rule='pending' AND NOT EXISTS(
        SELECT 1 FROM alert c
        JOIN alert_portion k ON k.alert_id=c.id AND k.configuration=p.configuration AND k.dimension='time'
        JOIN experiment t ON t.id=c.to_experiment
        JOIN experiment l ON l.id=k.seen_experiment
        WHERE c.series_id=a.series_id AND c.id<>a.id AND c.state NOT IN ('withdrawn','false')
            AND (t.night, t.time_ms, t.id)<=(f.night, f.time_ms, f.id)
            AND (l.night, l.time_ms, l.id)>=(f.night, f.time_ms, f.id))
    AND NOT EXISTS(SELECT 1 {machine_later a.project_id} AND x.id=f.id AND o.configuration=p.configuration)))
    AND EXISTS(
        SELECT 1 FROM alert_portion m
        WHERE m.alert_id=a.id AND m.configuration=p.configuration AND m.dimension='time')
ORDER BY p.ordinal

-- What it tells of beside time in the last night before, where that was itself in question.
-- alert_counts_before(k)
SELECT a.id, d.portion, d.configuration, d.dimension, d.mean AS mean_ns, d.verdict FROM alert a
JOIN dimension d ON d.experiment_id=a.from_experiment
JOIN alert_portion m ON m.alert_id=a.id AND m.configuration=d.configuration AND m.dimension=d.dimension
WHERE a.id IN {keys} AND d.verdict IN ('harness','suspect')
ORDER BY d.ordinal

-- Names of all portions of its first night.
-- alert_names(k)
SELECT a.id, o.portion, o.configuration FROM alert a
JOIN portion o ON o.experiment_id=a.to_experiment WHERE a.id IN {keys}
ORDER BY o.ordinal
