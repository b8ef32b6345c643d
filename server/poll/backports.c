#include "server/poll/backports.h"

#include "server/ground/log.h"
#include "server/store/store_sql.h"
#include "sql/poll.h"

#include <gio/gio.h>

enum { CONTAINS_MS = 30000, AT_ONCE = 50 };

static json_t *ask(srv_context *context, srv_fetch *fetch, const cfg_project *project,
                   const json_t *wanted, GError **error) {
    g_autofree char *mirror = srv_context_mirror(context, project->name);
    g_autofree char *other =
        srv_context_mirror(context, json_string_value(json_object_get(wanted, "project")));
    json_auto_t *request =
        json_pack("{s:s, s:s, s:s, s:s, s:O}", "op", "contains", "mirror", mirror, "branch",
                  project->branch, "other", other, "commit", json_object_get(wanted, "commit"));
    return srv_fetch_ask(fetch, request, CONTAINS_MS, error);
}

bool srv_backports_look(srv_context *context, srv_store *store, srv_fetch *fetch,
                        const cfg_project *project, const char *head, GError **error) {
    json_auto_t *list =
        srv__array(store, SQL(backports_wanted),
                   SRV__ARGS(SRV__T(project->name), SRV__T(head), SRV__I(AT_ONCE)), error);
    size_t i;
    json_t *wanted;
    json_array_foreach (list, i, wanted) {
        g_autoptr(GError) problem = NULL;
        json_auto_t *answer = ask(context, fetch, project, wanted, &problem);
        if (g_error_matches(problem, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
            g_propagate_error(error, g_steal_pointer(&problem));
            return false;
        }
        const int64_t alert = json_integer_value(json_object_get(wanted, "alert"));
        const char *state = json_string_value(json_object_get(answer, "state"));
        if (!state) {
            srv_log_warning("backports", "not_asked", "project", project->name, "reason",
                            problem ? problem->message : "an invalid answer", NULL);
            return srv__run(store, SQL(backport_tried),
                            SRV__ARGS(SRV__I(alert), SRV__T(project->name)), NULL, error);
        }
        const char *as = json_string_value(json_object_get(answer, "as"));
        if (!srv__run(store, SQL(backport_keep),
                      SRV__ARGS(SRV__I(alert), SRV__T(project->name), SRV__T(head), SRV__T(state),
                                SRV__T(as)),
                      NULL, error) ||
            !srv__run(store, SQL(backport_tries_forget),
                      SRV__ARGS(SRV__I(alert), SRV__T(project->name)), NULL, error))
            return false;
    }
    return list != NULL;
}
