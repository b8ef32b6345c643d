#pragma once
/*
 * name - which file of a site has what a server answers to a GET; web/site/place.js has the same
 * rule, tests/unit/web/site/names.txt holds both to it.
 *
 * The path, and of the query what the answer hangs on, sorted: "/api/v1/jobs?state=done&limit=300"
 * is "api/v1/jobs,state=done.json", "/charts/x.svg?theme=dark" is "charts/x,theme=dark.svg". Lists
 * come whole, so limit, cursor, since and until are left out; so is what is usual (theme=light).
 * What is large and what there is many of is packed: "….json.gz".
 */

/** web_site_name - address: "/path?query", escaped. Caller frees. */
char *web_site_name(const char *address);
