#include "server/routes/routes.h"

#include "config/packed.h"

#include <unistd.h>

bool srv__page_asked(const srv_request *request, srv_page *page, GError **error) {
    uint64_t limit = SRV_PAGE_DEFAULT;
    if (!srv_request_unsigned(request, "limit", 1, SRV_PAGE_LIMIT, &limit, error))
        return false;
    page->limit = (unsigned)limit;
    page->cursor = srv_request_query(request, "cursor");
    return true;
}

static json_t *listed(const srv_call *call, GError **error) {
    const srv_request *request = call->request;
    const srv_route *route = request->route;
    const char *named = request->params[0];
    srv_page page;
    return srv__page_asked(request, &page, error)
               ? srv_view_list(call->store, route->list,
                               named ? named : srv_request_query(request, "project"),
                               srv_request_query(request, "state"), page, error)
               : NULL;
}

static json_t *made(srv_call *call, GError **error) {
    const srv_route *route = call->request->route;
    if (route->act)
        return route->act(call, error);
    return route->one ? route->one(call->store, call->id, error) : listed(call, error);
}

/* What the route says that the call has. */
static bool call_read(srv_call *call, GError **error) {
    const srv_route *route = call->request->route;
    if ((route->numbered || route->one) && !srv_request_id(call->request, 0, &call->id, error))
        return false;
    if (route->body != SRV_BODY_JSON)
        return true;
    call->body = srv_request_json(call->request, error);
    call->reason = cfg_json_word(call->body, "reason", NULL);
    if (!call->body || !route->reasoned || (call->reason && call->reason[0] != '\0'))
        return call->body != NULL;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                     "reason: must not be empty; it is stored with the change");
}

srv_reply *srv__answer(srv_app *app, srv_store *store, srv_request *request) {
    GError *error = NULL;
    srv_call call = {.app = app, .store = store, .request = request, .status = 200};
    json_t *answer = call_read(&call, &error) ? made(&call, &error) : NULL;
    json_decref(call.body);
    srv_reply *reply = answer ? srv_reply_json(call.status, answer) : srv_reply_error(error);
    if (answer && request->route->fresh)
        reply->cache = "no-store";
    return reply;
}

typedef struct {
    srv_app *app;
    srv_request *request;
} task;

static void run(srv_store *store, void *data) {
    task *t = data;
    srv_http_answer(t->request, t->request->route->remote(t->app, store, t->request));
    g_free(t);
}

srv_reply *srv__remotely(srv_app *app, srv_store *store, srv_request *request) {
    if (!app->remote)
        return request->route->remote(app, store, request);
    task *t = g_new0(task, 1);
    *t = (task){app, request};
    if (srv_work_push(app->remote, run, t))
        return NULL;
    g_free(t);
    return srv_reply_problem(503, "too many requests wait for the bucket; try again later");
}

typedef struct {
    int fd;
    cfg_unpack *unpack;
} unpacking;

static ssize_t unpack(void *data, char *out, size_t max) {
    const unpacking *u = data;
    return cfg_unpack_read(u->unpack, out, max);
}

static void unpacking_free(void *data) {
    unpacking *u = data;
    close(u->fd);
    cfg_unpack_free(u->unpack);
    g_free(u);
}

srv_reply_source srv_raw_csv(int fd) {
    unpacking *u = g_new0(unpacking, 1);
    u->fd = fd;
    u->unpack = cfg_unpack_new(fd);
    return (srv_reply_source){unpack, unpacking_free, u};
}
