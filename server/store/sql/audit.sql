-- Who did what by the API, and who was refused.

-- A change that somebody made.
-- audit_change(ittttt)
INSERT INTO audit(at_ms, last_ms, kind, who, client, what, why, count)
VALUES($1,$1,$2,$3,$4,$5,$6,1)

-- The first refusal of its kind in a while.
-- audit_refusal_add(iiitttti)
INSERT INTO audit(at_ms, last_ms, period, kind, who, client, what, why, count)
VALUES($1,$2,$3,'refused',$4,$5,$6,$7,$8)
ON CONFLICT(period, client, who, what, why)
DO UPDATE SET count=audit.count+excluded.count, last_ms=excluded.last_ms

-- Rows below a key, newest first; kind NULL: of all kinds.
-- audit_page(tii)
SELECT id, at_ms, last_ms, kind, who, client, what, why, count
FROM audit WHERE id<$2 AND (CAST($1 AS TEXT) IS NULL OR kind=$1)
ORDER BY id DESC LIMIT $3

-- Changes are bounded: only the newest ($1) stay.
-- audit_changes_remove(i)
DELETE FROM audit
WHERE kind<>'refused'
    AND id<=(SELECT a.id FROM audit a WHERE a.kind<>'refused' ORDER BY a.id DESC LIMIT 1 OFFSET $1)

-- Refusals are bounded: only the newest ($1) stay.
-- audit_refusals_remove(i)
DELETE FROM audit
WHERE kind='refused'
    AND id<=(SELECT a.id FROM audit a WHERE a.kind='refused' ORDER BY a.id DESC LIMIT 1 OFFSET $1)
