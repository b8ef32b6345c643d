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

-- A server is there.
-- server_add(t)
INSERT INTO server(name) VALUES($1) ON CONFLICT(name) DO NOTHING

-- All servers that have a row.
-- servers_all()
SELECT name FROM server

-- The first project in which the servers differ.
-- servers_difference()
SELECT p.name FROM project p
WHERE p.id IN (
    SELECT x.project_id FROM server_project x
    GROUP BY x.project_id
    HAVING (count(DISTINCT x.hash)>1 OR count(*)<(SELECT count(*) FROM server)))
ORDER BY p.name LIMIT 1
