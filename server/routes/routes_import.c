/* A project's history taken in over HTTP: to the disk first, then all of it or nothing. */
#include "server/app.h"
#include "server/ground/clock.h"
#include "server/ground/log.h"
#include "server/routes/routes.h"
#include "server/store/files.h"

static srv_reply *import_begin(srv_app *app, srv_request *request, int64_t length) {
    GError *error = NULL;
    if (length == 0)
        return srv_reply_problem(400, "the request has no body; the lines of an export were "
                                      "expected, as moowatchd export and moowatch import write "
                                      "them");
    request->upload = srv_imports_begin(app->imports, length, &error);
    return request->upload ? NULL : srv_reply_error(error);
}

static bool import_write(void *upload, const void *data, size_t size, GError **error) {
    return srv__incoming_write(upload, data, size, error);
}

static void import_abort(void *upload) {
    srv__incoming_free(upload);
}

const srv_body_sink srv__import_sink = {import_begin, import_write, import_abort};

static void tell(const srv_request *request, const json_t *report) {
    g_autofree char *nights = g_strdup_printf(
        "%" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(report, "nights")));
    g_autofree char *known = g_strdup_printf("%" JSON_INTEGER_FORMAT,
                                             json_integer_value(json_object_get(report, "known")));
    srv_log_info("import", "taken", "project", request->params[0], "nights", nights, "known", known,
                 "by", request->token, NULL);
}

srv_reply *srv__post_import(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    GError *error = NULL;
    json_t *report;
    unsigned line = 0;
    srv__incoming *upload = g_steal_pointer(&request->upload);
    /* A chunked body may turn out to be none. */
    if (!upload)
        return srv_reply_problem(400, "the request has no body");
    if (!srv_imports_finish(upload, store, request->params[0], srv_now_ms(), &report, &line,
                            &error))
        return srv_reply_error_at(error, line);
    tell(request, report);
    json_object_set_new(report, "project", json_string(request->params[0]));
    srv_reply *reply = srv_reply_json(200, report);
    reply->cache = "no-store";
    return reply;
}
