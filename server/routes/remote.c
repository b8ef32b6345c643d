#include "server/routes/remote.h"

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
