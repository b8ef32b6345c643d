#include "server/daemon.h"

#include "config/log.h"
#include "server/ground/clock.h"
#include "server/routes/routes.h"
#include "server/store/db.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/projects.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    READERS = 2,
    REMOTE = 4,              /* files on their way to or from the bucket at once */
    QUEUE_CAPACITY = 1024,   /* a second of requests; the next one is told to come again */
    SPARE_DESCRIPTORS = 256, /* beside the connections: database, uploads, pipes */
    FAILURES_PER_S = 1,      /* wrong tokens from one address */
    FAILURES_BURST = 30,
    GRACE_MS = 3000
};

static bool fail(GError **error, const char *what, const char *path) {
    int code = errno;
    return SRV__FAIL(error, G_IO_ERROR, g_io_error_from_errno(code), "%s %s: %s", what, path,
                     g_strerror(code));
}

/* Of this process alone: a lock by flock() would live on in a child that has not become its program
 * yet, after a kill of this one. */
static bool lock_data_dir(int fd, const char *dir, GError **error) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_SETLK, &lock) == 0)
        return true;
    if (errno != EACCES && errno != EAGAIN) /* a file system without locks, for example */
        return fail(error, "cannot lock", dir);
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_BUSY,
                     "another moowatchd already uses %s; stop it or give this one another data_dir",
                     dir);
}

/* The data folder is ours alone, and ours once. */
static bool claim_data_dir(srv_app *app, GError **error) {
    const char *dir = app->config->data_dir;
    g_autofree char *path = g_build_filename(dir, "moowatchd.lock", NULL);
    if (g_mkdir_with_parents(dir, 0700) != 0)
        return fail(error,
                    "data_dir: create it, owned by the user that runs this, or correct it:", dir);
    app->lock_fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (app->lock_fd < 0)
        return fail(
            error, "data_dir: run this as the user that owns it, or correct it; cannot open", path);
    if (!lock_data_dir(app->lock_fd, dir, error))
        return false;
    if (g_mkdir_with_parents(app->config->shared_dir, 0700) != 0)
        return fail(error, "cannot make shared_dir", app->config->shared_dir);
    if (g_mkdir_with_parents(app->context.mirrors, 0700) != 0)
        return fail(error, "cannot make", app->context.mirrors);
    return true;
}

static void raise_descriptor_limit(const srv_app *app) {
    struct rlimit limit;
    const rlim_t wanted =
        (rlim_t)SRV_HTTP_CONNECTIONS(app->config->connection_limit) + SPARE_DESCRIPTORS;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = MIN(wanted, limit.rlim_max);
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < wanted)
        cfg_log("warning", "app", "few_descriptors",
                "hint=\"raise LimitNOFILE or lower connection_limit\"");
}

/* Who took a file away is told what stays. */
static bool tell_of_left(const srv_catalog *catalog, unsigned days, srv_store *store,
                         GError **error) {
    g_autofree char *next = g_strdup_printf("moowatch project archive, rename or delete; a job "
                                            "that has waited for %u days is cancelled",
                                            days);
    json_auto_t *left = srv__array(store, ASK(projects_off), error);
    for (size_t i = 0; i < json_array_size(left); i++) {
        const char *name;
        json_int_t nights, alerts, jobs;
        if (json_unpack(json_array_get(left, i), "{s:s, s:I, s:I, s:I}", "name", &name, "nights",
                        &nights, "alerts", &alerts, "jobs", &jobs) != 0 ||
            srv_catalog_find(catalog, name))
            continue;
        cfg_log("info", "config", "project_without_file",
                "project=%s kept=\"%lld nights, %lld open alerts, %lld waiting jobs\" next=%s",
                name, nights, alerts, jobs, next);
    }
    return left != NULL;
}

static bool load_projects(srv_app *app, srv_store *store, GError **error) {
    g_autoptr(srv_catalog) catalog = srv_catalog_load(app->config->projects_dir, error);
    if (!catalog || !srv_projects_sync(store, catalog->projects, error) ||
        !tell_of_left(catalog, app->config->off_job_days, store, error))
        return false;
    for (guint i = 0; i < catalog->problems->len; i++)
        cfg_log("error", "config", "project_unusable", "problem=%s",
                (const char *)g_ptr_array_index(catalog->problems, i));
    cfg_log("info", "config", "projects_loaded", "count=%u", catalog->projects->len);
    srv_context_catalog_set(&app->context, g_steal_pointer(&catalog));
    return true;
}

/* The other servers on the database are told what this one has. */
static void show_projects(srv_app *app) {
    g_autoptr(srv_catalog) catalog = srv_context_catalog(&app->context);
    srv_leader_configured(app->leader, srv_projects_hashes(catalog->projects));
}

/* When it was written says since when the files are as they were read (notify_command.c). */
static bool publish_url(srv_app *app, GError **error) {
    g_autofree char *path = g_build_filename(app->config->data_dir, "moowatchd.url", NULL);
    g_autofree char *line = g_strconcat(srv_http_url(app->http), "\n", NULL);
    return g_file_set_contents_full(path, line, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0644, error);
}

bool srv_daemon_reload(srv_app *app, bool is_whole, GError **error) {
    g_autoptr(srv_store) store = srv_context_store(&app->context, error);
    bool ok = store && (!app->tls || srv_http_tls_reload(app->tls, error)) &&
              load_projects(app, store, error) && (!is_whole || publish_url(app, error));
    if (ok) {
        show_projects(app);
        srv_app_due(app, SRV_DUE_ALERTS, 0);
        srv_poller_kick(app->poller, NULL);
        srv_notify_wake(app->notify);
    }
    return ok;
}

static bool open_data(srv_app *app, GError **error) {
    g_autofree char *raw = g_build_filename(app->config->shared_dir, "raw", NULL);
    g_autofree char *tokens = g_build_filename(app->config->shared_dir, SRV_AUTH_FILE, NULL);
    g_autoptr(srv_store) store = srv_context_store(&app->context, error);
    if (!store || !load_projects(app, store, error))
        return false;
    app->changes = srv_changes_open(app->context.database, error);
    app->leader =
        app->changes ? srv_leader_new(app->context.database, srv__app_leads, app, error) : NULL;
    app->context.leader = app->leader;
    if (!app->leader)
        return false;
    show_projects(app);
    app->histories = srv_histories_new(app->config->history_cache_bytes, app->changes);
    app->raw =
        srv_raw_open(raw, app->config->raw_limit_bytes, app->config->disk_reserve_bytes, error);
    g_autofree char *artifacts = g_build_filename(app->config->shared_dir, "artifacts", NULL);
    srv_artifact_rules rules = {.limit_bytes = app->config->artifact_limit_bytes,
                                .quota_bytes = app->config->artifact_quota_bytes,
                                .reserve_bytes = app->config->disk_reserve_bytes,
                                .keep_days = app->config->artifact_keep_days,
                                .is_shared = srv_db_is_server(app->context.database)};
    if (!app->raw)
        return false;
    app->bucket = srv_bucket_new(app->config);
    app->raw->bucket = app->bucket;
    app->retention = srv_retention_new(&app->config->storage);
    app->artifacts = srv_artifacts_open(artifacts, &rules, app->bucket, store, error);
    g_autofree char *imports = g_build_filename(app->config->data_dir, "imports", NULL);
    if (app->artifacts)
        app->imports = srv_imports_open(imports, app->config->import_limit_bytes,
                                        app->config->disk_reserve_bytes, error);
    app->auth = app->imports ? srv_auth_open(tokens, error) : NULL;
    app->identities = srv_identities_new(app->config, NULL);
    return app->auth != NULL;
}

static srv_work *start_workers(srv_app *app, const char *name, unsigned n, GError **error) {
    g_autofree srv_store **stores = g_new0(srv_store *, n);
    for (unsigned i = 0; i < n; i++) {
        stores[i] = srv_context_store(&app->context, error);
        if (stores[i])
            continue;
        while (i-- > 0)
            srv_store_close(stores[i]);
        return NULL;
    }
    return srv_work_new(name, stores, n, QUEUE_CAPACITY, error);
}

static bool start_threads(srv_app *app, GError **error) {
    if (!srv__app_timer_start(app, error))
        return false;
    app->readers = start_workers(app, "reader", READERS, error);
    app->expensive = app->readers ? start_workers(app, "heavy", 1, error) : NULL;
    app->writer = app->expensive ? start_workers(app, "writer", 1, error) : NULL;
    app->takers = app->writer
                      ? start_workers(app, "taker", srv_db_writers(app->context.database), error)
                      : NULL;
    if (app->takers && app->bucket)
        app->remote = start_workers(app, "remote", REMOTE, error);
    return app->takers && (app->remote || !app->bucket);
}

/* What makes it one of several. Nothing is polled or told before it is known whose turn it is. */
static bool start_servers(srv_app *app, GError **error) {
    const srv_peers_calls told = {.tell = srv__app_event, .ask = srv__app_asked, .user = app};
    if (!srv_db_is_server(app->context.database))
        return true;
    app->peers = srv_peers_start(app->context.database, app->changes, &told, error);
    return app->peers && srv_leader_run(app->leader, error);
}

static bool start_http(srv_app *app, GError **error) {
    const cfg_server *config = app->config;
    app->http_options = (srv_http_options){
        .config = config,
        .requests = app->requests,
        .failures = app->failures,
        .changes = app->changes,
        .app = app,
        .auth = app->auth,
        .hub = app->hub,
        .meant = srv_branch_meant,
        .foreign = srv_scope_foreign,
        .readers = app->readers,
        .expensive = app->expensive,
        .writer = app->writer,
        .takers = app->takers,
    };
    size_t count = 0;
    srv__app_hear(&app->http_options);
    app->http_options.routes = srv_routes(&count);
    app->http_options.routes_count = count;
    if (config->tls_certificate_file) {
        app->tls = srv_http_tls_new(config->tls_certificate_file, config->tls_key_file, error);
        if (!app->tls)
            return false;
        app->http_options.tls = app->tls;
    }
    app->http = srv_http_start(&app->http_options, error);
    return app->http != NULL;
}

/* The address of a daemon that is not there any more would mislead. */
static void withdraw_url(const srv_app *app) {
    g_autofree char *path = g_build_filename(app->config->data_dir, "moowatchd.url", NULL);
    unlink(path);
}

static bool start_runner(srv_app *app, const srv_daemon_options *options, GError **error) {
    if (!options->with_runner)
        return true;
    g_autofree char *path = g_build_filename(app->config->data_dir, "runner.token", NULL);
    g_autofree char *token = srv_auth_secret_file(path, error);
    if (!token)
        return false;
    srv_auth_add_secret(app->auth, "with-runner", SRV_SCOPE_RUNNER, token);
    app->runner =
        srv_runner_child_start(options->program, app->config->data_dir, srv_http_url(app->http),
                               path, app->config->runner_lines, error);
    return app->runner != NULL;
}

static bool run_site(srv_app *app, GError **error) {
    return !app->site || srv_site_run(app->site, srv_routes_ask, app, error);
}

srv_app *srv_daemon_start(const cfg_server *config, const srv_daemon_options *options,
                          GError **error) {
    srv_app *app = g_new0(srv_app, 1);
    srv_context_init(&app->context, config, options->program);
    app->context.on_event = srv__app_event;
    app->context.on_event_user = app;
    app->config = config;
    app->lock_fd = -1;
    app->started_ms = srv_now_ms();
    app->commit = options->commit;
    app->rules = (srv_queue_rules){.lease_s = config->lease_s, .attempts = config->attempts};
    pthread_mutex_init(&app->lock, NULL);
    app->hub = srv_stream_hub_new(config->stream_limit, config->client_stream_limit);
    app->hooks = srv_hook_batch_new(app);
    app->requests =
        srv_rate_new(config->client_requests_per_second, 2.0 * config->client_requests_per_second);
    app->failures = srv_rate_new(FAILURES_PER_S, FAILURES_BURST);
    app->unproved = srv_rate_new(FAILURES_PER_S, FAILURES_BURST);
    app->refusals = srv_refusals_new();
    app->leases = srv_longpoll_new(srv_routes_lease_again, app);
    bool ok = claim_data_dir(app, error);
    if (ok) {
        withdraw_url(app);
        raise_descriptor_limit(app);
    }
    if (ok && config->site.folder)
        app->site = srv_site_new(&app->context);
    /* The messenger first: whoever changes something wakes it. */
    ok = ok && open_data(app, error);
    if (ok)
        app->notify = srv_notify_start(&app->context, error);
    ok = ok && app->notify && start_threads(app, error);
    if (ok)
        app->poller = srv_poller_start(&app->context, error);
    ok = ok && app->poller && start_servers(app, error);
    /* Requests kick the poller. */
    ok = ok && start_http(app, error) && start_runner(app, options, error) &&
         run_site(app, error) && publish_url(app, error);
    if (!ok) {
        srv_daemon_stop(app);
        return NULL;
    }
    /* Jobs may still be leased from before: those runners get a full lease to come back. */
    srv_app_leased(app);
    srv_app_due(app, SRV_DUE_ARTIFACTS, 0);
    srv_app_due(app, SRV_DUE_ALERTS, 0);
    srv_app_due(app, SRV_DUE_STORAGE, 0);
    return app;
}

static void release(srv_app *app) {
    srv_longpoll_free(app->leases);
    srv_hook_batch_free(app->hooks);
    srv_http_tls_free(app->tls);
    srv_refusals_free(app->refusals);
    srv_rate_free(app->requests);
    srv_rate_free(app->failures);
    srv_rate_free(app->unproved);
    srv_stream_hub_free(app->hub);
    srv_artifacts_close(app->artifacts);
    srv__place_free(app->imports);
    srv_histories_free(app->histories);
    srv_changes_close(app->changes);
    srv_retention_free(app->retention);
    srv__place_free(app->raw);
    srv_bucket_free(app->bucket);
    srv_auth_close(app->auth);
    srv_identities_free(app->identities);
    if (app->lock_fd >= 0)
        close(app->lock_fd);
    pthread_mutex_destroy(&app->lock);
    srv_site_free(app->site);
    srv_context_clear(&app->context);
    g_free(app);
}

void srv_daemon_stop(srv_app *app) {
    if (!app)
        return;
    srv_runner_child_stop(app->runner);
    srv_site_stop(app->site);
    if (app->http)
        srv_http_quiesce(app->http);
    srv_peers_stop(app->peers);
    srv_leader_stop(app->leader);
    srv_poller_stop(app->poller);
    srv_longpoll_close(app->leases);
    srv_stream_close(app->hub);
    srv_bucket_end(app->bucket);
    /* The queues do what they hold, so that every suspended request is answered. */
    srv_work_end(app->readers);
    srv_work_end(app->expensive);
    srv_work_end(app->remote);
    srv_work_end(app->takers);
    srv_work_end(app->writer);
    srv_timer_free(app->timer); /* until now they may have set it */
    srv_http_stop(app->http, GRACE_MS);
    if (app->http)
        withdraw_url(app);
    srv_work_free(app->readers);
    srv_work_free(app->expensive);
    srv_work_free(app->writer);
    srv_work_free(app->takers);
    srv_work_free(app->remote);
    srv_poller_free(app->poller);
    srv_notify_stop(app->notify);
    srv_leader_free(app->leader);
    release(app);
}
