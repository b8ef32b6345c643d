#include "server/routes/routes.h"

#include "config/packed.h"
#include "server/ground/clock.h"

#include <unistd.h>

bool srv__page_asked(const srv_request *request, srv_page *page, GError **error) {
    uint64_t limit = SRV_PAGE_DEFAULT;
    if (!srv_request_unsigned(request, "limit", 1, SRV_PAGE_LIMIT, &limit, error))
        return false;
    page->limit = (unsigned)limit;
    page->cursor = srv_request_query(request, "cursor");
    return true;
}

srv_reply *srv__reply_view(json_t *value, GError *error) {
    return value ? srv_reply_json(200, value) : srv_reply_error(error);
}

srv_reply *srv__reply_page(srv_store *store, const srv_request *request, srv__view_page view) {
    GError *error = NULL;
    srv_page page;
    json_t *list = NULL;
    if (srv__page_asked(request, &page, &error))
        list = view(store, request->params[0], page, &error);
    return srv__reply_view(list, error);
}

srv_reply *srv__reply_one(srv_store *store, const srv_request *request, srv__view_one view) {
    GError *error = NULL;
    int64_t id = 0;
    json_t *one = NULL;
    if (srv_request_id(request, 0, &id, &error))
        one = view(store, id, &error);
    return srv__reply_view(one, error);
}

srv_reply *srv__reply_withdrawn(srv_store *store, srv_request *request, const char *noun,
                                srv__withdraw withdraw) {
    GError *error = NULL;
    int64_t id = 0;
    json_auto_t *body = NULL;
    if (srv_request_id(request, 0, &id, &error))
        body = srv_request_json(request, &error);
    const char *reason = json_string_value(json_object_get(body, "reason"));
    if (!body || !withdraw(store, id, request->token, reason, srv_now_ms(), &error))
        return srv_reply_error(error);
    return srv_reply_json(200, json_pack("{s:I}", noun, (json_int_t)id));
}

typedef struct {
    srv_app *app;
    srv_request *request;
    srv__remote_act act;
} task;

static void run(srv_store *store, void *data) {
    task *t = data;
    srv_http_answer(t->request, t->act(t->app, store, t->request));
    g_free(t);
}

srv_reply *srv__remotely(srv_app *app, srv_store *store, srv_request *request,
                         srv__remote_act act) {
    if (!app->remote)
        return act(app, store, request);
    task *t = g_new0(task, 1);
    *t = (task){app, request, act};
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
    u->unpack = cfg_unpack_new(fd, NULL, 0);
    return (srv_reply_source){unpack, unpacking_free, u};
}
