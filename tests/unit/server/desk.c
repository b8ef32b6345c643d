#include "tests/unit/test.h"

#include "tests/unit/server/desk.h"

#include "server/poll/poller.h"
#include "server/routes/routes.h"
#include "tests/unit/server/expect.h"

#include <unistd.h>

/* Nobody is told and no repository is asked: only what waits for jobs hears of them. */
static void on_event(srv_store *store, srv_event what, int64_t id, void *app) {
    if (what == SRV_EVENT_JOB)
        srv__app_event(store, what, id, app);
}

static char *header_of(listener *at, const char *name, const char *scopes) {
    g_autofree char *token = listener_token(at, name, scopes);
    return g_strdup_printf("Authorization: Bearer %s\r\n", token);
}

static void open_parts(desk *at) {
    srv_app *app = at->app;
    const srv_artifact_rules rules = {.limit_bytes = 100000, .quota_bytes = 1000000};
    g_autofree char *artifacts = g_build_filename(at->fix->dir, "artifacts", NULL);
    g_autofree char *imports = g_build_filename(at->fix->dir, "imports", NULL);
    app->config = app->context.config;
    app->started_ms = 5000;
    app->rules = fix_rules;
    app->raw = at->fix->raw;
    app->unproved = srv_rate_new(1e-9, 3);
    app->refusals = srv_refusals_new();
    app->artifacts = srv_artifacts_open(artifacts, &rules, NULL, at->fix->store, NULL);
    app->imports = srv_imports_open(imports, 1 << 20, 0, NULL);
    app->hooks = srv_hook_batch_new(app);
    app->leases = srv_longpoll_new(srv_routes_lease_again, app);
    assert_true(app->artifacts && app->imports);
    pthread_mutex_init(&app->lock, NULL);
    assert_true(srv__app_timer_start(app, NULL));
}

int desk_setup(void **state) {
    desk *at = g_new0(desk, 1);
    void *own;
    size_t count;
    const int code = watched_setup(&own);
    at->watched = own;
    at->fix = at->watched->fix;
    at->app = &at->watched->app;
    at->app->context.on_event = on_event;
    at->app->context.on_event_user = at->app;
    const srv_route *routes = srv_routes(&count);
    at->listener = listener_new(routes, count, at->app, &at->app->context);
    at->app->auth = at->listener->auth;
    at->app->changes = at->listener->changes;
    at->app->hub = at->listener->options.hub;
    at->app->readers = at->listener->options.readers;
    at->app->expensive = at->listener->options.expensive;
    at->app->writer = at->app->takers = at->listener->options.writer;
    at->app->expensive = at->listener->options.expensive;
    at->app->histories = srv_histories_new(1 << 20, at->app->changes);
    open_parts(at);
    srv__app_hear(&at->listener->options);
    at->listener->options.meant = srv_branch_meant;
    at->listener->options.foreign = srv_scope_foreign;
    at->app->http_options = at->listener->options;
    at->admin = header_of(at->listener, "ada", "admin");
    at->runner = header_of(at->listener, "runner", "runner");
    listener_start(at->listener);
    *state = at;
    return code;
}

int desk_teardown(void **state) {
    desk *at = *state;
    srv_app *app = at->app;
    srv_poller_stop(app->poller);
    srv_longpoll_close(app->leases);
    listener_free(at->listener);
    srv_timer_free(app->timer);
    srv_longpoll_free(app->leases);
    srv_hook_batch_free(app->hooks);
    srv__place_free(app->imports);
    srv_artifacts_close(app->artifacts);
    srv_histories_free(app->histories);
    srv_rate_free(app->unproved);
    srv_refusals_free(app->refusals);
    srv_poller_free(app->poller);
    pthread_mutex_destroy(&app->lock);
    void *own = at->watched;
    g_free(at->admin);
    g_free(at->runner);
    g_free(at);
    return watched_teardown(&own);
}

char *desk_call(const desk *at, const char *method, const char *target, const char *headers,
                const char *body, unsigned status) {
    const int fd = listener_connect(at->listener);
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s",
                           method, target, headers ? headers : "");
    if (body)
        g_string_append_printf(text, "Content-Length: %zu\r\n", strlen(body));
    if (body && (!headers || !strstr(headers, "Content-Type")))
        g_string_append(text, "Content-Type: application/json\r\n");
    g_string_append_printf(text, "\r\n%s", body ? body : "");
    listener_send(fd, text->str, text->len);
    char *answer = listener_read(fd);
    close(fd);
    if (answer_status(answer) != status)
        fail_msg("%s %s: %u, not %u: %s", method, target, answer_status(answer), status, answer);
    return answer;
}

json_t *desk_json(const desk *at, const char *method, const char *target, const char *headers,
                  const char *body, unsigned status) {
    g_autofree char *answer = desk_call(at, method, target, headers, body, status);
    json_error_t wrong;
    json_t *json = json_loads(answer_body(answer), 0, &wrong);
    if (!json)
        fail_msg("%s %s: %s: %s", method, target, wrong.text, answer);
    return json;
}

json_t *desk_get(const desk *at, const char *target) {
    return desk_json(at, "GET", target, NULL, NULL, 200);
}

void desk_refuses(const desk *at, const char *method, const char *headers,
                  const desk_refusal *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        json_t *problem =
            desk_json(at, method, cases[i].target, headers, cases[i].body, cases[i].status);
        assert_says(text_of(problem, "detail"), cases[i].says);
        assert_int_equal(number_of(problem, "status"), cases[i].status);
        json_decref(problem);
    }
}

int64_t desk_measure(desk *at) {
    static const double before[4] = {70, 470, 1600, 3200};
    static const double after[4] = {70, 190, 1320, 2920};
    at->watched->project->detection.remeasure = false;
    watched_sync(at->watched);
    fix_nights(at->fix, "kieker", 1, 6, before);
    at->fix->now_ms += 1000;
    return fix_measure(at->fix, "kieker", 7, "2013-04-07", after);
}
