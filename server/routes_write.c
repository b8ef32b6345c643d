#include "server/app.h"
#include "server/fetch.h"
#include "server/log.h"
#include "server/nights.h"
#include "server/repo_name.h"
#include "server/routes.h"

#include <gio/gio.h>
#include <string.h>

enum { DESCRIBE_MS = 10000 /* reads the local mirror only */ };

/* Looks a commit up in the project's mirror; out's strings live in the JSON returned. */
static json_t *describe(srv_app *app, const char *project, const char *id, srv_commit *out,
                        GError **error) {
    g_autoptr(srv_fetch) fetch = srv_fetch_new(app->options.program, app->config->data_dir, -1);
    g_autofree char *mirror = srv_app_mirror(app, project);
    json_int_t time_ms = 0;
    json_t *request =
        json_pack("{s:s, s:s, s:s}", "op", "describe", "mirror", mirror, "commit", id);
    json_t *answer = srv_fetch_ask(fetch, request, DESCRIBE_MS, error);
    json_decref(request);
    if (answer == NULL) {
        if (g_error_matches(*error, G_IO_ERROR, G_IO_ERROR_FAILED))
            (*error)->code = G_IO_ERROR_INVALID_ARGUMENT;
        return NULL;
    }
    if (json_unpack(answer, "{s:{s:s, s:s, s:s, s:I, s:s, s?:s}}", "commit", "sha", &out->sha,
                    "author", &out->author, "author_email", &out->author_email, "time_ms", &time_ms,
                    "subject", &out->subject, "parent", &out->parent) == 0) {
        out->time_ms = time_ms;
        return answer;
    }
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "the git process answered nonsense");
    json_decref(answer);
    return NULL;
}

static srv_reply *add_job(srv_app *app, srv_store *store, const srv_request *request,
                          const char *id, const char *night) {
    GError *error = NULL;
    srv_commit commit = {0};
    int64_t job = 0;
    bool queued = false;
    const char *project = request->params[0];
    json_t *described = describe(app, project, id, &commit, &error);
    bool ok = described != NULL && srv_night_add(store, project, &commit, night, SRV_KIND_MANUAL,
                                                 srv_app_now_ms(), &queued, &job, &error);
    if (ok && queued)
        srv_log_info("api", "queued", "project", project, "commit", commit.sha, "by",
                     request->token, NULL);
    json_decref(described);
    if (!ok)
        return srv_reply_error(error);
    return srv_reply_json(queued ? 201 : 200,
                          json_pack("{s:I, s:b}", "job", (json_int_t)job, "queued", queued));
}

srv_reply *srv__post_job(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    json_t *body = srv_request_json(request, &error);
    if (body == NULL)
        return srv_reply_error(error);
    const char *id = json_string_value(json_object_get(body, "commit"));
    const char *night = json_string_value(json_object_get(body, "night"));
    char today[11];
    int64_t day = 0;
    srv_nights_date(srv_app_now_ms() / 1000 / 86400, today);
    srv_reply *reply = NULL;
    srv_catalog *catalog = srv_app_catalog(app);
    if (srv_catalog_find(catalog, request->params[0]) == NULL)
        reply = srv_reply_problem(404, "no project of that name is configured");
    else if (!srv_repo_commit_check(id))
        reply = srv_reply_problem(400, "commit: 7 to 40 hexadecimal digits are needed");
    else if (json_object_get(body, "night") != NULL && !srv_nights_day(night, &day))
        reply = srv_reply_problem(400, "night: a date is written YYYY-MM-DD");
    else
        reply = add_job(app, store, request, id, night != NULL ? night : today);
    srv_app_catalog_done(app, catalog);
    json_decref(body);
    return reply;
}
