#include "tests/unit/test.h"

#include "tests/unit/server/watched.h"

#include "tests/unit/server/database.h"

#include <signal.h>

static srv_catalog *catalog_of(cfg_project *project) {
    srv_catalog *catalog = g_new0(srv_catalog, 1);
    catalog->projects = g_ptr_array_new();
    catalog->problems = g_ptr_array_new_with_free_func(g_free);
    catalog->references = 1;
    g_ptr_array_add(catalog->projects, project);
    return catalog;
}

void watched_sync(watched *at) {
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) projects = g_ptr_array_new();
    g_ptr_array_add(projects, at->project);
    if (!srv_projects_sync(at->fix->store, projects, &error))
        fail_msg("%s", error->message);
}

int watched_setup(void **state) {
    watched *at = g_new0(watched, 1);
    (void)signal(SIGPIPE, SIG_IGN); /* as the daemon has it */
    at->repository = repository_new();
    at->fix = fix_new();
    at->project = fix_project("kieker");
    g_free(at->project->repository);
    at->project->repository = g_strdup(at->repository->url);
    at->project->night_at = g_strdup("00:00");
    at->config = (cfg_server){.data_dir = at->fix->dir,
                              .database = database_is_server() ? at->fix->path : NULL,
                              .poll_s = 3600,
                              .fetch_timeout_s = 60,
                              .fetch_connect_s = 60,
                              .fetch_parallel = 4,
                              .public_read = true};
    srv_context_init(&at->app.context, &at->config, "/proc/self/exe");
    srv_context_catalog_set(&at->app.context, catalog_of(at->project));
    watched_sync(at);
    *state = at;
    return srv_repo_init("/nonexistent", NULL) ? 0 : -1;
}

int watched_teardown(void **state) {
    watched *at = *state;
    g_free(at->project->night_at);
    g_free(at->project->releases);
    g_free(at->project->since);
    fix_project_free(at->project);
    srv_context_clear(&at->app.context);
    repository_free(at->repository);
    fix_free(at->fix);
    g_free(at);
    return 0;
}

void watched_fetch(watched *at) {
    g_autoptr(GError) error = NULL;
    g_autofree char *mirror = srv_context_mirror(&at->app.context, at->project->name);
    const srv_repo_source source = {.url = at->repository->url, .branch = "main"};
    srv_repo_fetched fetched;
    if (!srv_repo_update(mirror, &source, &fetched, &error))
        fail_msg("%s", error->message);
}

int64_t watched_measure(watched *at, const char *sha, const char *parent, const char *date,
                        const double means[4]) {
    const srv_commit commit = {.sha = sha,
                               .author = "Ada",
                               .author_email = "ada@example.org",
                               .time_ms = 1000,
                               .subject = "Change something",
                               .parent = parent};
    fixture *fix = at->fix;
    fix->now_ms += 3600000;
    assert_true(srv_night_add(fix->store, "kieker",
                              &(srv_measurement){&commit, date, SRV_KIND_NIGHTLY}, fix->now_ms,
                              NULL, NULL, NULL));
    json_t *leased = fix_lease(fix);
    json_t *body = fix_result(fix, leased, means);
    return fix_ingest(fix, leased, body);
}
