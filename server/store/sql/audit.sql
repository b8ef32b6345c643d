-- Who did what by the API, and who was refused.

-- One more change; in a transaction.
-- audit_change(ittttt)
INSERT INTO audit(at_ms, last_ms, kind, who, client, what, why, count)
VALUES($1,$1,$2,$3,$4,$5,$6,1)

-- The first refusal of its kind in a while.
-- audit_refusal_add(iiitttti)
INSERT INTO audit(at_ms, last_ms, period, kind, who, client, what, why, count)
VALUES($1,$2,$3,'refused',$4,$5,$6,$7,$8)
ON CONFLICT(period, client, who, what, why)
DO UPDATE SET count=audit.count+excluded.count, last_ms=excluded.last_ms

-- Rows below a key, newest first; kind NULL: of all kinds. Owned, NULL with error.
-- audit_page(iti)
SELECT id, at_ms, last_ms, kind, who, client, what, why, count
FROM audit WHERE id<$1 AND (CAST($2 AS TEXT) IS NULL OR kind=$2)
ORDER BY id DESC LIMIT $3

-- All but the newest changes ($1) go.
-- audit_changes_prune(i)
DELETE FROM audit
WHERE kind<>'refused'
    AND id<=(SELECT a.id FROM audit a WHERE a.kind<>'refused' ORDER BY a.id DESC LIMIT 1 OFFSET $1)

-- All but the newest refusals ($1) go.
-- audit_refusals_prune(i)
DELETE FROM audit
WHERE kind='refused'
    AND id<=(SELECT a.id FROM audit a WHERE a.kind='refused' ORDER BY a.id DESC LIMIT 1 OFFSET $1)
