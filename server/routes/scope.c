#include "server/routes/routes.h"

#include "config/number.h"
#include "config/projects.h"
#include "server/app.h"
#include "server/ground/error.h"
#include "server/views/views.h"

#include <string.h>

/* How a route names the projects that it is about. */
typedef enum { ALL, NAMED, FILE_OF, ASKED, THING, COMPARED } naming;

/* The first that a route's pattern begins with counts; all others are about all projects. */
static const struct {
    const char *pattern;
    naming how;
    srv_thing thing;
} rules[] = {
    {"/api/v1/projects/{}", .how = NAMED},
    {"/projects/{}", .how = NAMED},
    {"/embed/{}", .how = NAMED},
    {"/charts/{}", .how = FILE_OF},
    {"/api/v1/experiments/", THING, SRV_THING_EXPERIMENT},
    {"/api/v1/compare", COMPARED, SRV_THING_EXPERIMENT},
    {"/api/v1/alerts/", THING, SRV_THING_ALERT},
    {"/api/v1/alerts", .how = ASKED},
    {"/api/v1/incidents/", THING, SRV_THING_INCIDENT},
    {"/api/v1/incidents", .how = ASKED},
    {"/flames/{}", THING, SRV_THING_ALERT},
    {"/api/v1/sweeps/", THING, SRV_THING_SWEEP},
    {"/api/v1/pull-requests/", THING, SRV_THING_PULL},
    {"/api/v1/notes/", THING, SRV_THING_NOTE},
    {"/api/v1/baselines/", THING, SRV_THING_BASELINE},
    {"/api/v1/jobs/", THING, SRV_THING_JOB},
    {"/api/v1/jobs", .how = ASKED},
};

static naming how_of(const srv_route *route, srv_thing *thing) {
    for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
        if (g_str_has_prefix(route->pattern, rules[i].pattern)) {
            *thing = rules[i].thing;
            return rules[i].how;
        }
    return ALL;
}

static srv_reply *refused(srv_app *app, const srv_request *request) {
    g_autofree char *names = g_strjoinv(", ", request->projects);
    g_autofree char *text = g_strdup_printf(
        "this token is only for %s: ask for what belongs to it, or use a token without --project",
        names);
    if (app && app->http_options.on_refusal)
        app->http_options.on_refusal(app, request, "another project");
    return srv_reply_problem(403, text);
}

static bool is_own(const srv_request *request, const char *project) {
    g_autofree char *whole = cfg_branch_main(project); /* with all of its branches */
    return g_strv_contains((const char *const *)request->projects, project) ||
           g_strv_contains((const char *const *)request->projects, whole);
}

/* By its number in text: NULL when it is the token's, or is not there. */
static srv_reply *of_thing(srv_app *app, srv_store *store, const srv_request *request,
                           srv_thing thing, const char *text) {
    guint64 id = 0;
    GError *error = NULL;
    if (!text || !cfg_number_unsigned(text, 1, G_MAXINT64, &id))
        return NULL;
    g_autofree char *project = srv_view_project_of(store, thing, (int64_t)id, &error);
    if (!project && !g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND))
        return srv_reply_error(error);
    g_clear_error(&error);
    return project && !is_own(request, project) ? refused(app, request) : NULL;
}

static srv_reply *of_compared(srv_app *app, srv_store *store, const srv_request *request,
                              srv_thing thing) {
    srv_reply *reply = of_thing(app, store, request, thing, srv_request_query(request, "a"));
    return reply ? reply : of_thing(app, store, request, thing, srv_request_query(request, "b"));
}

/* "kieker.svg" is of kieker; a name may have dots itself. */
static char *stem_of(const char *file) {
    const char *dot = strrchr(file, '.');
    return dot ? g_strndup(file, (gsize)(dot - file)) : g_strdup(file);
}

srv_reply *srv_scope_foreign(srv_app *app, srv_store *store, const srv_request *request,
                             bool *later) {
    const srv_route *route = request->route;
    srv_thing thing = SRV_THING_JOB; /* read where the rule has one */
    const naming how = how_of(route, &thing);
    g_autofree char *name = NULL;
    *later = false;
    if (route->scope == SRV_SCOPE_NONE || srv_route_is_page(route))
        return NULL;
    if (how == NAMED)
        name = g_strdup(request->params[0]);
    else if (how == FILE_OF)
        name = stem_of(request->params[0]);
    else if (how == ASKED)
        name = g_strdup(srv_request_query(request, "project"));
    else if (how != ALL && !store)
        *later = true;
    else if (how == THING)
        return of_thing(app, store, request, thing, request->params[0]);
    else if (how == COMPARED)
        return of_compared(app, store, request, thing);
    return *later || (name && is_own(request, name)) ? NULL : refused(app, request);
}
