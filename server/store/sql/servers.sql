-- Which servers there are, and whether they agree about the projects.

-- Over project_id of a group of server_project: do the servers differ in it?
-- {servers_differ}
(count(DISTINCT x.hash)>1 OR count(*)<(SELECT count(*) FROM server))
