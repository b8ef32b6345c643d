#include "server/app.h"

#include "server/log.h"
#include "server/projects.h"
#include "server/routes/routes.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    READERS = 2,
    QUEUE_CAPACITY = 1024, /* a second of requests; the next one is told to come again */
    HEARTBEAT_MS = 15000,
    SPARE_DESCRIPTORS = 256, /* beside the connections: database, uploads, pipes */
    FAILURES_PER_S = 1,      /* wrong tokens from one address */
    FAILURES_BURST = 30,
    ARTIFACT_RETRY_MS = 60000,
    GRACE_MS = 3000
};

typedef enum { SLOT_PARK, SLOT_HEARTBEAT, SLOT_EXPIRE, SLOT_ARTIFACT } slot;

int64_t srv_app_now_ms(void) {
    return g_get_real_time() / 1000;
}

char *srv_app_mirror(const srv_app *app, const char *project) {
    g_autofree char *name = g_strconcat(project, ".git", NULL);
    return g_build_filename(app->mirrors, name, NULL);
}

srv_catalog *srv_app_catalog(srv_app *app) {
    pthread_mutex_lock(&app->lock);
    srv_catalog *catalog = app->catalog;
    catalog->references++;
    pthread_mutex_unlock(&app->lock);
    return catalog;
}

void srv_app_catalog_done(srv_app *app, srv_catalog *catalog) {
    pthread_mutex_lock(&app->lock);
    bool last = --catalog->references == 0;
    pthread_mutex_unlock(&app->lock);
    if (last)
        srv_catalog_free(catalog);
}

static void on_event(const char *type, const json_t *data, void *user) {
    srv_app *app = user;
    if (srv_stream_count(app->hub) > 0) {
        g_autofree char *text = json_dumps(data, JSON_COMPACT);
        if (text != NULL)
            srv_stream_publish(app->hub, type, text);
    }
    if (strcmp(type, "job") != 0)
        srv_notify_wake(app->notify);
    const char *state = json_string_value(json_object_get(data, "state"));
    /* Git says which commits lie between; the search for the culprit need not wait for its turn. */
    if (strcmp(type, "alert") == 0 && g_strcmp0(state, "open") == 0)
        srv_poller_kick(app->poller, json_string_value(json_object_get(data, "project")));
    if (strcmp(type, "job") == 0 && g_strcmp0(state, "queued") == 0)
        srv_park_wake(app->leases);
    json_t *until = json_object_get(json_object_get(data, "waiting"), "until_ms");
    if (until != NULL)
        srv_timer_within(app->timer, SLOT_ARTIFACT,
                         MAX(0, json_integer_value(until) - srv_app_now_ms()));
}

srv_store *srv_app_store(srv_app *app, GError **error) {
    srv_store *store = srv_store_open(app->database, error);
    if (store != NULL)
        srv_store_on_event(store, on_event, app);
    return store;
}

static void expire_leases(srv_store *store, void *data) {
    srv_app *app = data;
    unsigned expired = 0;
    g_autoptr(GError) error = NULL;
    if (!srv_queue_expire(store, &app->rules, srv_app_now_ms(), &expired, &error))
        srv_log_error("queue", "expire_failed", "reason", error->message, NULL);
    if (expired == 0)
        return;
    g_autofree char *text = g_strdup_printf("%u", expired);
    srv_log_warning("queue", "expired", "jobs", text, NULL);
    srv_park_wake(app->leases);
}

static void tell_count(const char *event, unsigned count) {
    g_autofree char *text = g_strdup_printf("%u", count);
    if (count > 0)
        srv_log_info("artifact", event, "count", text, NULL);
}

/* Jobs that have waited long enough, and artifacts that are old enough. */
static void look_at_artifacts(srv_store *store, void *data) {
    srv_app *app = data;
    g_autoptr(GError) error = NULL;
    int64_t now_ms = srv_app_now_ms(), due_ms = INT64_MAX, old_ms = INT64_MAX;
    unsigned expired = 0, removed = 0;
    bool good = srv_queue_waits_expire(store, now_ms, &expired, &due_ms, &error) &&
                srv_artifacts_tidy(app->artifacts, store, now_ms, &removed, &old_ms, &error);
    tell_count("never_came", expired);
    tell_count("grew_old", removed);
    if (!good)
        srv_log_error("artifact", "look_failed", "reason", error->message, NULL);
    int64_t next_ms = good ? MIN(due_ms, old_ms) : now_ms + ARTIFACT_RETRY_MS;
    if (next_ms != INT64_MAX)
        srv_timer_within(app->timer, SLOT_ARTIFACT, MAX(0, next_ms - now_ms));
}

static void on_artifact(void *data) {
    srv_app *app = data;
    if (!srv_work_push(app->writer, look_at_artifacts, app))
        srv_timer_within(app->timer, SLOT_ARTIFACT, ARTIFACT_RETRY_MS);
}

void srv_app_artifacts_changed(srv_app *app) {
    srv_timer_within(app->timer, SLOT_ARTIFACT, 0);
}

static int64_t lease_ms(const srv_app *app) {
    return ((int64_t)app->rules.lease_s + 1) * 1000;
}

static void on_expire(void *data) {
    srv_app *app = data;
    pthread_mutex_lock(&app->lock);
    bool active = g_get_monotonic_time() - app->leased_us <= lease_ms(app) * 1000;
    pthread_mutex_unlock(&app->lock);
    bool pushed = srv_work_push(app->writer, expire_leases, app);
    if (active || !pushed)
        srv_timer_within(app->timer, SLOT_EXPIRE, lease_ms(app));
}

static void on_heartbeat(void *data) {
    srv_app *app = data;
    if (srv_stream_count(app->hub) > 0)
        srv_stream_heartbeat(app->hub);
    if (srv_stream_count(app->hub) > 0)
        srv_timer_within(app->timer, SLOT_HEARTBEAT, HEARTBEAT_MS);
}

static void on_park(void *data) {
    srv_app *app = data;
    int64_t next_us = srv_park_expire(app->leases);
    if (next_us != INT64_MAX)
        srv_timer_within(app->timer, SLOT_PARK, (next_us - g_get_monotonic_time()) / 1000 + 1);
}

static void on_stream(void *data) {
    srv_timer_within(((srv_app *)data)->timer, SLOT_HEARTBEAT, HEARTBEAT_MS);
}

void srv_app_leased(srv_app *app) {
    pthread_mutex_lock(&app->lock);
    app->leased_us = g_get_monotonic_time();
    pthread_mutex_unlock(&app->lock);
    srv_timer_within(app->timer, SLOT_EXPIRE, lease_ms(app));
}

void srv_app_park_within(srv_app *app, int64_t ms) {
    srv_timer_within(app->timer, SLOT_PARK, ms);
}

static bool fail(GError **error, const char *what, const char *path) {
    int code = errno;
    g_set_error(error, G_IO_ERROR, g_io_error_from_errno(code), "%s %s: %s", what, path,
                g_strerror(code));
    return false;
}

/* The data folder is ours alone, and ours once. */
static bool claim_data_dir(srv_app *app, GError **error) {
    const char *dir = app->config->data_dir;
    g_autofree char *path = g_build_filename(dir, "moowatchd.lock", NULL);
    if (g_mkdir_with_parents(dir, 0700) != 0)
        return fail(error,
                    "data_dir: make it, owned by the user that runs this, or correct it:", dir);
    app->lock_fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (app->lock_fd < 0)
        return fail(error, "cannot open", path);
    if (flock(app->lock_fd, LOCK_EX | LOCK_NB) != 0) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_BUSY,
                    "another moowatchd already uses %s; stop it or give this one another data_dir",
                    dir);
        return false;
    }
    app->database = g_build_filename(dir, "moowatch.db", NULL);
    app->mirrors = g_build_filename(dir, "mirrors", NULL);
    if (g_mkdir_with_parents(app->mirrors, 0700) != 0)
        return fail(error, "cannot make", app->mirrors);
    return true;
}

static void raise_descriptor_limit(const srv_app *app) {
    struct rlimit limit;
    rlim_t wanted = (rlim_t)app->config->connection_limit + SPARE_DESCRIPTORS +
                    (rlim_t)(app->config->answer_cache_bytes / SRV_HTTP_PAGES_MIN);
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = MIN(wanted, limit.rlim_max);
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < wanted)
        srv_log_warning("app", "few_descriptors", "hint",
                        "raise LimitNOFILE or lower connection_limit", NULL);
}

static bool load_projects(srv_app *app, srv_store *store, GError **error) {
    srv_catalog *catalog = srv_catalog_load(app->config->projects_dir, error);
    if (catalog == NULL)
        return false;
    if (!srv_projects_sync(store, catalog->projects, error)) {
        srv_catalog_free(catalog);
        return false;
    }
    for (guint i = 0; i < catalog->problems->len; i++)
        srv_log_error("config", "project_unusable", "problem",
                      (const char *)g_ptr_array_index(catalog->problems, i), NULL);
    g_autofree char *count = g_strdup_printf("%u", catalog->projects->len);
    srv_log_info("config", "projects_loaded", "count", count, NULL);
    pthread_mutex_lock(&app->lock);
    srv_catalog *old = app->catalog;
    app->catalog = catalog;
    pthread_mutex_unlock(&app->lock);
    if (old != NULL)
        srv_app_catalog_done(app, old);
    return true;
}

bool srv_app_reload(srv_app *app, GError **error) {
    g_autoptr(srv_store) store = srv_app_store(app, error);
    bool ok = store != NULL && (app->tls == NULL || srv_http_tls_reload(app->tls, error)) &&
              load_projects(app, store, error);
    if (ok) {
        srv_poller_kick(app->poller, NULL);
        srv_notify_wake(app->notify);
    }
    return ok;
}

static bool open_data(srv_app *app, GError **error) {
    g_autofree char *raw = g_build_filename(app->config->data_dir, "raw", NULL);
    g_autofree char *tokens = g_build_filename(app->config->data_dir, SRV_AUTH_FILE, NULL);
    g_autoptr(srv_store) store = srv_app_store(app, error);
    if (store == NULL || !load_projects(app, store, error))
        return false;
    app->changes = srv_changes_open(app->database, error);
    if (app->changes == NULL)
        return false;
    app->histories = srv_histories_new(app->config->history_cache_bytes, app->changes);
    app->raw =
        srv_raw_open(raw, app->config->raw_limit_bytes, app->config->disk_reserve_bytes, error);
    g_autofree char *artifacts = g_build_filename(app->config->data_dir, "artifacts", NULL);
    srv_artifact_rules rules = {.limit_bytes = app->config->artifact_limit_bytes,
                                .quota_bytes = app->config->artifact_quota_bytes,
                                .reserve_bytes = app->config->disk_reserve_bytes,
                                .keep_days = app->config->artifact_keep_days};
    if (app->raw == NULL)
        return false;
    app->artifacts = srv_artifacts_open(artifacts, &rules, store, error);
    g_autofree char *imports = g_build_filename(app->config->data_dir, "imports", NULL);
    if (app->artifacts != NULL)
        app->imports = srv_imports_open(imports, app->config->import_limit_bytes,
                                        app->config->disk_reserve_bytes, error);
    app->auth = app->imports != NULL ? srv_auth_open(tokens, error) : NULL;
    return app->auth != NULL;
}

static srv_work *start_workers(srv_app *app, const char *name, unsigned n, GError **error) {
    srv_store *stores[READERS] = {NULL};
    for (unsigned i = 0; i < n; i++) {
        stores[i] = srv_app_store(app, error);
        if (stores[i] != NULL)
            continue;
        while (i-- > 0)
            srv_store_close(stores[i]);
        return NULL;
    }
    return srv_work_new(name, stores, n, QUEUE_CAPACITY, error);
}

static bool start_threads(srv_app *app, GError **error) {
    app->timer = srv_timer_new(error);
    if (app->timer == NULL)
        return false;
    srv_timer_handle(app->timer, SLOT_PARK, on_park, app);
    srv_timer_handle(app->timer, SLOT_HEARTBEAT, on_heartbeat, app);
    srv_timer_handle(app->timer, SLOT_EXPIRE, on_expire, app);
    srv_timer_handle(app->timer, SLOT_ARTIFACT, on_artifact, app);
    app->readers = start_workers(app, "reader", READERS, error);
    app->writer = app->readers != NULL ? start_workers(app, "writer", 1, error) : NULL;
    return app->writer != NULL;
}

static bool start_http(srv_app *app, GError **error) {
    const cfg_server *config = app->config;
    app->http_options = (srv_http_options){
        .listen = config->listen,
        .port = config->port,
        .connection_limit = config->connection_limit,
        .per_ip_limit = config->client_connection_limit,
        .tls = app->tls,
        .behind_proxy = config->behind_proxy,
        .requests = app->requests,
        .limits_requests = config->client_requests_per_second > 0,
        .failures = app->failures,
        .body_limit_bytes = config->body_limit_bytes,
        .public_read = config->public_read,
        .public_url = config->public_url,
        .answer_cache_bytes = config->answer_cache_bytes,
        .changes = app->changes,
        .app = app,
        .auth = app->auth,
        .hub = app->hub,
        .on_stream = on_stream,
        .readers = app->readers,
        .writer = app->writer,
    };
    size_t count = 0;
    app->http_options.routes = srv_routes(&count);
    app->http_options.routes_count = count;
    if (config->tls_certificate_file != NULL) {
        app->tls = srv_http_tls_new(config->tls_certificate_file, config->tls_key_file, error);
        if (app->tls == NULL)
            return false;
        app->http_options.tls = app->tls;
    }
    app->http = srv_http_start(&app->http_options, error);
    return app->http != NULL;
}

static bool publish_url(srv_app *app, GError **error) {
    g_autofree char *path = g_build_filename(app->config->data_dir, "moowatchd.url", NULL);
    g_autofree char *line = g_strconcat(srv_http_url(app->http), "\n", NULL);
    return g_file_set_contents_full(path, line, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0644, error);
}

/* The address of a daemon that is not there any more would mislead. */
static void withdraw_url(const srv_app *app) {
    g_autofree char *path = g_build_filename(app->config->data_dir, "moowatchd.url", NULL);
    unlink(path);
}

static bool start_runner(srv_app *app, GError **error) {
    if (!app->options.with_runner)
        return true;
    g_autofree char *path = g_build_filename(app->config->data_dir, "runner.token", NULL);
    g_autofree char *token = srv_auth_secret_file(path, error);
    if (token == NULL)
        return false;
    srv_auth_add_secret(app->auth, "with-runner", SRV_SCOPE_RUNNER, token);
    app->runner = srv_runner_child_start(app->options.program, app->config->data_dir,
                                         srv_http_url(app->http), path, error);
    return app->runner != NULL;
}

srv_app *srv_app_start(const cfg_server *config, const srv_app_options *options, GError **error) {
    srv_app *app = g_new0(srv_app, 1);
    app->config = config;
    app->options = *options;
    app->lock_fd = -1;
    app->started_ms = srv_app_now_ms();
    app->rules = (srv_queue_rules){.lease_s = config->lease_s, .attempts = config->attempts};
    pthread_mutex_init(&app->lock, NULL);
    app->hub = srv_stream_hub_new(config->stream_limit);
    app->hooks = srv_hook_batch_new(app);
    app->requests =
        srv_rate_new(config->client_requests_per_second, 2.0 * config->client_requests_per_second);
    app->failures = srv_rate_new(FAILURES_PER_S, FAILURES_BURST);
    app->leases = srv_park_new(srv_routes_lease_again, app);
    bool ok = claim_data_dir(app, error);
    if (ok) {
        withdraw_url(app);
        raise_descriptor_limit(app);
    }
    /* The messenger first: whoever changes something wakes it. */
    ok = ok && open_data(app, error);
    if (ok)
        app->notify = srv_notify_start(app, error);
    ok = ok && app->notify != NULL && start_threads(app, error);
    if (ok)
        app->poller = srv_poller_start(app, error);
    /* Requests kick the poller. */
    ok = ok && app->poller != NULL && start_http(app, error) && start_runner(app, error) &&
         publish_url(app, error);
    if (!ok) {
        srv_app_stop(app);
        return NULL;
    }
    /* Jobs may still be leased from before: those runners get a full lease to come back. */
    srv_app_leased(app);
    srv_app_artifacts_changed(app);
    return app;
}

static void release(srv_app *app) {
    srv_park_free(app->leases);
    srv_hook_batch_free(app->hooks);
    srv_http_tls_free(app->tls);
    srv_rate_free(app->requests);
    srv_rate_free(app->failures);
    srv_stream_hub_free(app->hub);
    srv_artifacts_close(app->artifacts);
    srv_imports_close(app->imports);
    srv_histories_free(app->histories);
    srv_changes_close(app->changes);
    srv_raw_close(app->raw);
    srv_auth_close(app->auth);
    srv_catalog_free(app->catalog);
    if (app->lock_fd >= 0)
        close(app->lock_fd);
    pthread_mutex_destroy(&app->lock);
    g_free(app->database);
    g_free(app->mirrors);
    g_free(app);
}

void srv_app_stop(srv_app *app) {
    if (app == NULL)
        return;
    srv_runner_child_stop(app->runner);
    if (app->http != NULL)
        srv_http_quiesce(app->http);
    srv_poller_stop(app->poller);
    srv_park_close(app->leases);
    srv_stream_close(app->hub);
    /* The queues do what they hold, so that every suspended request is answered. */
    srv_work_end(app->readers);
    srv_work_end(app->writer);
    srv_timer_free(app->timer); /* until now they may have set it */
    srv_http_stop(app->http, GRACE_MS);
    if (app->http != NULL)
        withdraw_url(app);
    srv_work_free(app->readers);
    srv_work_free(app->writer);
    srv_poller_free(app->poller);
    srv_notify_stop(app->notify);
    release(app);
}
