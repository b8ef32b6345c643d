#include "config/log.h"
#include "server/app.h"
#include "server/ground/clock.h"
#include "server/ground/fields.h"
#include "server/ingest/ingest.h"
#include "server/routes/routes.h"
#include "server/store/store_audit.h"

enum { WAIT_MAX_S = 60, NAME_MAX_BYTES = 100 };

/* What a waiting runner asked; hangs in request->held until the exchange ends. */
typedef struct {
    srv_app *app;
    json_t *body;
    srv_node node; /* in body */
    int64_t due_us;
} lease_wait;

static void lease_completed(srv_app *app, srv_request *request, bool sent) {
    (void)app;
    lease_wait *wait = request->held;
    if (!sent)
        cfg_log("info", "runner", "hung_up", "node=%s", wait->node.name);
    json_decref(wait->body);
    g_free(wait);
    request->held = NULL;
}

static const char *name_read(srv__fields *in, const char *key, bool optional) {
    const char *name = srv__field_text(in, key, NAME_MAX_BYTES, optional);
    if (name && *name == '\0')
        srv__field_fail(in, key, "is empty");
    return name;
}

static bool tell_bound(srv_store *store, const srv_request *request, const char *node,
                       GError **error) {
    g_autofree char *what = g_strdup_printf("%s bound to node %s", request->token, node);
    const int64_t now_ms = srv_now_ms();
    const srv_audit_row row = {now_ms,
                               now_ms,
                               "token",
                               request->token,
                               request->client,
                               what,
                               "the first node that used it",
                               1};
    cfg_log("warning", "runner", "token_bound", "token=%s node=%s", request->token, node);
    return srv_audit_change(store, &row, error);
}

/* May this token speak for the node? The first node that shows an unbound one has it from then on.
 */
static bool node_check(srv_app *app, srv_store *store, const srv_request *request, const char *node,
                       GError **error) {
    bool bound = false;
    if (!request->token)
        return true;
    if (!srv_auth_bind_first(app->auth, request->token, node, &bound, error))
        return false;
    if (bound && !tell_bound(store, request, node, error))
        return false;
    if (srv_auth_serves(app->auth, request->token, node))
        return true;
    cfg_log("warning", "runner", "foreign_node", "token=%s node=%s", request->token, node);
    srv_app_refused(app, request, "another node");
    g_autofree char *own = srv_auth_node(app->auth, request->token);
    return SRV__FAIL(
        error, SRV_ERROR, SRV_ERROR_FORBIDDEN,
        "this token belongs to another node, %s, and this one calls itself %s (node: in its "
        "configuration, else its host name); moowatchd token add --scope runner --node %s "
        "makes one for this node, moowatchd token bind moves this one",
        own ? own : "?", node, node);
}

/* One look into the queue; NULL: nothing there. */
static srv_reply *try_lease(lease_wait *wait, srv_store *store) {
    GError *error = NULL;
    json_t *answer = NULL;
    if (!srv_queue_lease(store, &wait->app->rules, &wait->node, srv_now_ms(), &answer, &error))
        return srv_reply_error(error);
    if (!answer)
        return NULL;
    srv_app_leased(wait->app);
    cfg_log("info", "runner", "leased", "node=%s job=%" JSON_INTEGER_FORMAT, wait->node.name,
            cfg_json_integer(json_object_get(answer, "job"), "id"));
    return srv_reply_json(200, answer);
}

/* Looks, and lets the request wait when there is nothing; NULL: it waits. */
static srv_reply *lease_or_park(lease_wait *wait, srv_store *store, srv_request *request) {
    srv_app *app = wait->app;
    unsigned mark = srv_longpoll_mark(app->leases);
    srv_reply *reply = try_lease(wait, store);
    int64_t left_us = wait->due_us - g_get_monotonic_time();
    if (reply)
        return reply;
    if (left_us <= 0 || srv_longpoll_closed(app->leases))
        return srv_reply_new(204);
    /* Armed first: once it waits, the request may be answered and gone at any moment. */
    srv_app_due(app, SRV_DUE_LEASES, left_us / 1000 + 1);
    srv_longpoll_add(app->leases, request, wait->due_us, mark);
    return NULL;
}

static void lease_again(srv_store *store, void *data) {
    srv_request *request = data;
    srv_reply *reply = NULL;
    /* A job must not be given to somebody who has hung up. */
    if (!srv_http_client_there(request))
        reply = srv_reply_new(204);
    else
        reply = lease_or_park(request->held, store, request);
    if (reply)
        srv_http_answer(request, reply);
}

void srv_routes_lease_again(srv_request *request, void *user) {
    srv_app *app = user;
    if (!srv_work_push(app->writer, lease_again, request))
        srv_http_answer(request, srv_reply_new(204));
}

/* Borrowed from the body. */
static bool node_read(const json_t *body, srv_node *node, int64_t *wait_s, GError **error) {
    srv__fields in = {.object = body, .where = "", .error = error};
    node->name = name_read(&in, "node", SRV__REQUIRED);
    node->version = name_read(&in, "version", SRV__OPTIONAL);
    node->labels = srv__field_json(&in, "labels", JSON_ARRAY, SRV__OPTIONAL);
    node->can = srv__field_json(&in, "can", JSON_ARRAY, SRV__OPTIONAL);
    *wait_s = srv__field_int(&in, "wait_seconds", INT64_MIN, INT64_MAX, SRV__OPTIONAL, 0);
    const json_t *held = srv__field_json(&in, "beside", JSON_OBJECT, SRV__OPTIONAL);
    srv__fields beside = {held, "beside", error, in.failed};
    node->beside = srv__field_int(&beside, "job", 0, INT64_MAX, !held, 0);
    node->room = srv__field_bool(&beside, "room", false);
    return !beside.failed;
}

static srv_reply *post_lease(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    json_t *body = srv_request_json(request, &error);
    if (!body)
        return srv_reply_error(error);
    srv_node node = {0};
    int64_t wait_s = 0;
    if (!node_read(body, &node, &wait_s, &error) ||
        !node_check(app, store, request, node.name, &error)) {
        json_decref(body);
        return srv_reply_error(error);
    }
    lease_wait *wait = g_new0(lease_wait, 1);
    *wait = (lease_wait){app, body, node,
                         g_get_monotonic_time() + CLAMP(wait_s, 0, WAIT_MAX_S) * G_USEC_PER_SEC};
    request->held = wait;
    return lease_or_park(wait, store, request);
}

static json_t *resume(srv_call *call, GError **error) {
    srv__fields in = {.object = call->body, .where = "", .error = error};
    const char *node = name_read(&in, "node", SRV__REQUIRED);
    const char *lease = name_read(&in, "lease", SRV__REQUIRED);
    if (in.failed || !node_check(call->app, call->store, call->request, node, error))
        return NULL;
    json_t *answer = srv_queue_resume(call->store, &call->app->rules, call->id, node, lease,
                                      srv_now_ms(), error);
    if (answer)
        srv_app_leased(call->app);
    return answer;
}

static json_t *progress(srv_call *call, GError **error) {
    json_t *answer = srv_queue_progress(call->store, &call->app->rules, call->id, call->body,
                                        srv_now_ms(), error);
    if (answer)
        srv_app_leased(call->app);
    return answer;
}

static json_t *result(srv_call *call, GError **error) {
    bool created = false;
    json_t *answer =
        srv_ingest_result(call->store, call->id, call->body, srv_now_ms(), &created, error);
    if (!answer)
        cfg_log("warning", "runner", "result_refused", "job=%s reason=%s", call->request->params[0],
                (*error)->message);
    call->status = created ? 201 : 200;
    return answer;
}

static json_t *failure(srv_call *call, GError **error) {
    if (!srv_queue_failure(call->store, &call->app->rules, call->id, call->body, srv_now_ms(),
                           error))
        return NULL;
    cfg_log("warning", "runner", "job_failed", "job=%s phase=%s reason=%s",
            call->request->params[0], cfg_json_word(call->body, "phase", NULL), call->reason);
    return json_object();
}

/* --- raw files, from the socket to the disk --- */

static srv_reply *raw_begin(srv_app *app, srv_request *request, int64_t length) {
    GError *error = NULL;
    int64_t job = 0;
    if (length == 0)
        return srv_reply_problem(400, "the request has no body; a raw file was expected");
    if (!srv_request_id(request, 0, &job, &error))
        return srv_reply_error(error);
    if (srv_request_header(request, "x-moowatch-lease") == NULL)
        return srv_reply_problem(400, "the header X-Moowatch-Lease is missing");
    request->upload = srv_raw_begin(app->raw, request->params[1], length, &error);
    return request->upload ? NULL : srv_reply_error(error);
}

static srv_reply *keep_raw(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    bool created = false;
    srv__raw_sent sent = {.lease = srv_request_header(request, "x-moowatch-lease")};
    if (!srv_request_id(request, 0, &sent.job, &error))
        return srv_reply_error(error);
    if (!srv_raw_finish(app->raw, g_steal_pointer(&request->upload), store, &sent, srv_now_ms(),
                        &created, &error)) {
        if (g_error_matches(error, SRV_ERROR, SRV_ERROR_BUSY))
            cfg_log("warning", "raw", "not_kept", "job=%s reason=%s", request->params[0],
                    error->message);
        return srv_reply_error(error);
    }
    return srv_reply_json(created ? 201 : 200, json_pack("{s:s}", "sha256", request->params[1]));
}

#define REPORTS(run)                                                                               \
    SRV_SCOPE_RUNNER, (run), SRV_BODY_JSON, .handler = srv__answer, .numbered = true

const srv_route srv__routes_runner[] = {
    {"POST", SRV_API "runner/lease", SRV_SCOPE_RUNNER, SRV_RUN_WRITE, SRV_BODY_JSON,
     .handler = post_lease, .completed = lease_completed},
    {"POST", SRV_API "runner/jobs/{}/resume", REPORTS(SRV_RUN_WRITE), .act = resume},
    {"POST", SRV_API "runner/jobs/{}/progress", REPORTS(SRV_RUN_WRITE), .act = progress},
    {"PUT", SRV_API "runner/jobs/{}/raw/{}", SRV_SCOPE_RUNNER, SRV_RUN_WRITE, SRV_BODY_RAW,
     .handler = srv__remotely, .remote = keep_raw, .upload = raw_begin},
    {"POST", SRV_API "runner/jobs/{}/result", REPORTS(SRV_RUN_TAKE), .act = result},
    {"POST", SRV_API "runner/jobs/{}/failure", REPORTS(SRV_RUN_WRITE), .act = failure},
    {0}};
