#include "config/log.h"
#include "server/app.h"
#include "server/ground/clock.h"
#include "server/http/request.h"
#include "server/routes/routes.h"
#include "server/store/files.h"
#include "server/views/views.h"

/* params: project, commit, name */

static srv_reply *artifact_begin(srv_app *app, srv_request *request, int64_t length) {
    GError *error = NULL;
    char sha256[65];
    g_autoptr(srv_catalog) catalog = srv_context_catalog(&app->context);
    if (!srv__configured(catalog, request, &error))
        return srv_reply_error(error);
    if (length == 0)
        return srv_reply_problem(400,
                                 "the request has no body; the artifact's bytes were expected");
    if (!srv_digest_sha256(srv_request_header(request, "content-digest"), sha256))
        return srv_reply_problem(
            400, "send the header Content-Digest: sha-256=:BASE64: (RFC 9530), with the output of "
                 "openssl dgst -sha256 -binary FILE | base64");
    request->upload = srv_artifact_begin(app->artifacts, request->params[1], request->params[2],
                                         sha256, length, &error);
    return request->upload ? NULL : srv_reply_error(error);
}

static srv_reply *keep_artifact(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    bool created = false;
    const srv_artifact_named named = {request->params[0], request->params[1], request->params[2],
                                      request->token};
    json_t *artifact = srv_artifact_finish(app->artifacts, g_steal_pointer(&request->upload), store,
                                           &named, srv_now_ms(), &created, &error);
    if (!artifact)
        return srv_reply_error(error);
    if (created)
        cfg_log("info", "artifact", "taken", "project=%s commit=%s name=%s by=%s",
                request->params[0], request->params[1], request->params[2], request->token);
    srv_app_due(app, SRV_DUE_ARTIFACTS, 0);
    return srv_reply_json(created ? 201 : 200, artifact);
}

/* A node gets what it has to measure now, and nothing else. */
static bool may_fetch(srv_app *app, srv_store *store, const srv_request *request, GError **error) {
    g_autofree char *node = srv_auth_node(app->auth, request->token);
    return srv_artifact_needed(store, request->params[0], request->params[1], node, error);
}

static srv_reply *send_artifact(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    srv_artifact_file file;
    if ((request->scopes & SRV_SCOPE_SUBMIT) == 0 && !may_fetch(app, store, request, &error))
        return srv_reply_error(error);
    int fd = srv_artifact_read(app->artifacts, store, request->params[0], request->params[1],
                               request->params[2], &file, &error);
    if (fd < 0)
        return srv_reply_error(error);
    srv_reply *reply = srv_reply_file("application/octet-stream", fd, file.bytes);
    reply->etag = g_strdup_printf("\"%s\"", file.sha256);
    return reply;
}

static srv_reply *delete_artifact(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    if (!srv_artifact_remove(app->artifacts, store, request->params[0], request->params[1],
                             request->params[2], srv_now_ms(), &error))
        return srv_reply_error(error);
    cfg_log("info", "artifact", "removed", "project=%s commit=%s name=%s by=%s", request->params[0],
            request->params[1], request->params[2], request->token);
    return srv_reply_new(204);
}

static srv_reply *import_begin(srv_app *app, srv_request *request, int64_t length) {
    GError *error = NULL;
    if (length == 0)
        return srv_reply_problem(400, "the request has no body; the lines of an export were "
                                      "expected, as moowatchd export and moowatch import write "
                                      "them");
    request->upload = srv__incoming_new(app->imports, NULL, length, &error);
    return request->upload ? NULL : srv_reply_error(error);
}

static void tell(const srv_request *request, const json_t *report) {
    cfg_log("info", "import", "taken",
            "project=%s nights=%" JSON_INTEGER_FORMAT " known=%" JSON_INTEGER_FORMAT
            " replaced=%" JSON_INTEGER_FORMAT " by=%s",
            request->params[0], cfg_json_integer(report, "nights"),
            cfg_json_integer(report, "known"), (json_int_t)cfg_json_count(report, "replaced"),
            request->token);
}

static srv_reply *post_import(srv_app *app, srv_store *store, srv_request *request) {
    (void)app;
    GError *error = NULL;
    srv__incoming *upload = g_steal_pointer(&request->upload);
    /* A chunked body may turn out to be none. */
    if (!upload)
        return srv_reply_problem(400, "the request has no body");
    g_autoptr(srv_import) import = srv_import_new(store, request->params[0], srv_now_ms());
    if (srv_request_query(request, "replace"))
        srv_import_replace(import);
    if (!srv_imports_finish(upload, import, &error))
        return srv_reply_error_at(error, srv_import_lines(import));
    json_t *report = srv_import_report(import);
    tell(request, report);
    json_object_set_new(report, "project", json_string(request->params[0]));
    srv_reply *reply = srv_reply_json(200, report);
    reply->cache = "no-store";
    return reply;
}

const srv_route srv__routes_artifact[] = {
    {"GET", SRV_API "projects/{}/artifacts", SRV__READS, .list = &srv_list_artifacts,
     .query = "branch limit>500 cursor"},
    {"GET", SRV_API "projects/{}/artifacts/{}/{}", SRV_SCOPE_SUBMIT | SRV_SCOPE_RUNNER,
     SRV_RUN_READ, .handler = srv__remotely, .remote = send_artifact, .query = "branch"},
    {"PUT", SRV_API "projects/{}/artifacts/{}/{}", SRV_SCOPE_SUBMIT, SRV_RUN_WRITE, SRV_BODY_RAW,
     .handler = srv__remotely, .remote = keep_artifact, .upload = artifact_begin,
     .query = "branch"},
    {"DELETE", SRV_API "projects/{}/artifacts/{}/{}", SRV_SCOPE_RUN, SRV_RUN_WRITE,
     .handler = delete_artifact, .query = "branch"},
    {"POST", SRV_API "projects/{}/import", SRV_SCOPE_ADMIN, SRV_RUN_WRITE, SRV_BODY_LINES,
     .handler = post_import, .upload = import_begin, .query = "branch replace=true"},
    {0}};
