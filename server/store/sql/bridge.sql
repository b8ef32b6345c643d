-- Bridges: two environments are joined by measuring both commits in each.

-- {"from","to","after_id","before_id","after","before","night","node"} of an incident: its nights, their
-- commits (numbers, and short ids) and the date of the first of the new environment, NULL: there was no night
-- before.
-- bridge_ends(i)
SELECT i.from_experiment AS "from", i.to_experiment AS "to", e.revision_id AS after_id,
    f.revision_id AS before_id, substr(b.sha,1,9) AS before, e.night, e.node
FROM incident i
JOIN experiment e ON e.id=i.to_experiment
JOIN experiment f ON f.id=i.from_experiment
JOIN revision b ON b.id=f.revision_id WHERE i.id=$1

-- Trial 0: the same commit.
-- bridge_insert(iitt)
INSERT INTO bridge(incident_id, trial_id, state, reason) VALUES($1,$2,$3,$4)

-- It is done, or failed; and why.
-- bridge_end(itt)
UPDATE bridge SET state=$2, reason=$3 WHERE incident_id=$1

-- The incident that a trial is the bridge of; 0: the trial is not a bridge.
-- bridge_of_trial(i)
SELECT incident_id FROM bridge WHERE trial_id=$1

-- {"state","sentence"}, NULL: there is none.
-- bridge_state(i)
SELECT state, reason AS sentence FROM bridge WHERE incident_id=$1

-- By portion, in the chain's order: [{"portion","old":{"mean","low","high"},
-- "here":{…},"change":{…},"state"}]; old: in the last night before, here: of the same commit in the new
-- environment; change and state: of the code in the first night there, state as a question's, null where
-- there was nothing to ask. Owned.
-- bridge_levels(i)
SELECT p.portion, p.unit, p.mean_ns AS "old.mean", p.low_ns AS "old.low", p.high_ns AS "old.high",
    coalesce(q.before_mean_ns, n.mean_ns) AS "here.mean", coalesce(q.before_low_ns, n.low_ns) AS "here.low",
    coalesce(q.before_high_ns, n.high_ns) AS "here.high", q.difference_mean_ns AS "change.mean",
    q.difference_low_ns AS "change.low", q.difference_high_ns AS "change.high", q.state
FROM bridge b
JOIN incident i ON i.id=b.incident_id
JOIN portion p ON p.experiment_id=i.from_experiment
LEFT JOIN question q ON q.trial_id=b.trial_id AND q.configuration=p.configuration AND q.dimension='time'
LEFT JOIN portion n ON n.experiment_id=i.to_experiment AND n.configuration=p.configuration
    AND b.trial_id IS NULL
WHERE b.incident_id=$1 AND p.mean_ns IS NOT NULL AND (q.before_mean_ns IS NOT NULL OR n.mean_ns IS NOT NULL)
ORDER BY p.ordinal
