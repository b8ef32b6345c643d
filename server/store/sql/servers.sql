-- Which servers there are, and whether they agree about the projects.

-- Over project_id of a group of server_project: do the servers differ in it?
-- {servers_differ}
(count(DISTINCT x.hash)>1 OR count(*)<(SELECT count(*) FROM server))

-- A server's view of the projects goes.
-- server_projects_drop(t)
DELETE FROM server_project WHERE server=$1

-- A server is gone.
-- server_drop(t)
DELETE FROM server WHERE name=$1

-- What a server has configured, as a hash.
-- server_project_put(ttt)
INSERT INTO server_project(server, project_id, hash)
SELECT $1, id, $3 FROM project WHERE name=$2

-- The row may have been taken away: then this server was thought to be gone.
-- server_beat(t)
UPDATE server SET beat=beat+1 WHERE name=$1

-- A server is there.
-- server_add(tt)
INSERT INTO server(name, called, beat) VALUES($1,$2,0) ON CONFLICT(name) DO NOTHING

-- The other servers, and how often they have beaten.
-- servers_others(t)
SELECT name, beat FROM server WHERE name<>$1

-- The first project in which the servers differ.
-- servers_difference()
SELECT p.name FROM project p
WHERE p.id IN (
    SELECT x.project_id FROM server_project x
    GROUP BY x.project_id
    HAVING (count(DISTINCT x.hash)>1 OR count(*)<(SELECT count(*) FROM server)))
ORDER BY p.name LIMIT 1

-- Who does what happens once.
-- duty_look(t)
SELECT holder, beat FROM duty WHERE name=$1

-- From now on this server does it.
-- duty_claim(tti)
INSERT INTO duty(name, holder, beat) VALUES($1,$2,$3)
ON CONFLICT(name) DO UPDATE SET holder=excluded.holder, beat=excluded.beat

-- Srv_duty_leave - whoever comes next may have it at once.
-- duty_leave(tt)
DELETE FROM duty WHERE name=$1 AND holder=$2
