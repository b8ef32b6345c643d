/* The thread that asks repositories: nights become jobs, trouble is told and ends, a kick is heard,
 * and what webhooks asked for is queued or given up. */
#include "tests/unit/test.h"

#include "tests/unit/server/watched.h"

#include "server/ground/clock.h"
#include "server/hook/hook.h"
#include "server/poll/poller.h"
#include "server/store/db.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "sql/hook.h"
#include "tests/unit/server/database.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"

#include <arpa/inet.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_S = 60, LOOK_US = 2000 };

static const int64_t day_s = 86400;

/* In place of GLib's: a wall clock that the test sets. */
static _Atomic int64_t clock_offset_us;

gint64 g_get_real_time(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000 + clock_offset_us;
}

static srv_poller *started(watched *at) {
    g_autoptr(GError) error = NULL;
    srv_poller *poller = srv_poller_start(&at->app.context, &error);
    assert_no_error(error);
    return poller;
}

static void ended(srv_poller *poller) {
    srv_poller_stop(poller);
    srv_poller_free(poller);
}

static json_t *project_now(watched *at) {
    json_t *view = srv_view_project(at->fix->store, "kieker", NULL);
    assert_non_null(view);
    return view;
}

/* Waits for the next poll after this time to be noted; the project then, owned. */
static json_t *polled_after(watched *at, int64_t before_ms) {
    const int64_t until_us = g_get_monotonic_time() + PATIENCE_S * G_USEC_PER_SEC;
    while (g_get_monotonic_time() < until_us) {
        json_t *view = project_now(at);
        if (number_of(view, "polled_ms") > before_ms)
            return view;
        json_decref(view);
        g_usleep(LOOK_US);
    }
    fail_msg("nobody asked the repository");
    return NULL;
}

/* "night kind commit" of every job, the newest first, a line each. */
static char *jobs_of(watched *at) {
    json_t *page =
               srv_view_list(at->fix->store, &srv_list_jobs, "kieker", NULL, (srv_page){0}, NULL),
           *job;
    GString *text = g_string_new(NULL);
    size_t i;
    json_array_foreach (json_object_get(page, "items"), i, job)
        g_string_append_printf(text, "%s %s %.7s\n", text_of(job, "night"), text_of(job, "kind"),
                               text_of(json_object_get(job, "commit"), "sha"));
    json_decref(page);
    return g_string_free(text, FALSE);
}

/* One poll from the beginning to the end; the project afterwards, owned. */
static json_t *poll_once(watched *at) {
    srv_poller *poller = started(at);
    json_t *view = polled_after(at, 0);
    ended(poller);
    return view;
}

static void the_nights_of_a_repository_are_queued(void **state) {
    watched *at = *state;
    const int64_t today_s = srv_now_ms() / 1000 / day_s * day_s;
    char today[11];
    srv_day_text(today_s / day_s, today);
    g_autofree char *old = repository_commit(at->repository, 10 * day_s + 5, "old");
    g_autofree char *fresh = repository_commit(at->repository, today_s - 5, "fresh");
    at->project->since = g_strdup("1970-01-01");
    json_t *view = poll_once(at);
    g_autofree char *jobs = jobs_of(at);
    g_autofree char *expected =
        g_strdup_printf("%s nightly %.7s\n1970-01-12 backfill %.7s\n", today, fresh, old);
    assert_string_equal(jobs, expected);
    assert_null(text_of(view, "problem"));
    const int64_t next_ms = number_of(view, "next_night_ms");
    assert_true(next_ms > number_of(view, "polled_ms"));
    assert_int_equal(next_ms / 1000 % day_s, 0);
    json_decref(view);
}

/* Nights since the last one with a file of the project's paths; a release is measured anyway. */
static void a_night_that_touches_nothing_is_left_out(void **state) {
    watched *at = *state;
    static const struct {
        const char *file;
        int64_t day;
    } nights[] = {{"src.c", 10}, {"a.md", 12}, {"b.md", 14}, {"more.c", 16}, {"c.md", 18}};
    char *only[] = {(char[]){"*.c"}};
    char *ids[G_N_ELEMENTS(nights)];
    for (size_t i = 0; i < G_N_ELEMENTS(nights); i++) {
        g_free(folder_file(at->repository->url, nights[i].file, "x"));
        repository_do(at->repository, "add", nights[i].file, NULL);
        ids[i] = repository_commit(at->repository, nights[i].day * day_s + 5, nights[i].file);
    }
    repository_do(at->repository, "tag", "v1", ids[2], NULL);
    at->project->since = g_strdup("1970-01-01");
    at->project->releases = g_strdup("v*");
    at->project->paths = only;
    at->project->paths_count = 1;
    json_decref(poll_once(at));
    g_autofree char *jobs = jobs_of(at);
    g_autofree char *expected =
        g_strdup_printf("1970-01-16 backfill %.7s\n1970-01-18 backfill %.7s\n1970-01-12 backfill "
                        "%.7s\n",
                        ids[2], ids[3], ids[0]);
    at->project->paths = NULL;
    at->project->paths_count = 0;
    assert_string_equal(jobs, expected);
    json_auto_t *notes = srv_view_list(at->fix->store, &srv_list_notes, "kieker", NULL,
                                       (srv_page){.limit = 10}, NULL);
    assert_int_equal(json_array_size(json_object_get(notes, "items")), 1);
    const json_t *note = json_array_get(json_object_get(notes, "items"), 0);
    assert_string_equal(text_of(note, "night"), "1970-01-18");
    assert_string_equal(
        text_of(note, "text"),
        "nothing to measure before this night: 2 nights, 1970-01-14 to 1970-01-16, changed no "
        "file of the project's paths");
    for (size_t i = 0; i < G_N_ELEMENTS(ids); i++)
        g_free(ids[i]);
}

/* Nobody would miss the nights that are not measured. Told until the file is corrected. */
static void a_pattern_that_matches_nothing_is_told(void **state) {
    watched *at = *state;
    char slip[] = "srcc/", right[] = "src/", other[] = "*.c", *only[] = {other, slip};
    g_autofree char *folder = g_build_filename(at->repository->url, "src", NULL);
    assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
    g_free(folder_file(folder, "a.c", "x"));
    repository_do(at->repository, "add", "src/a.c", NULL);
    g_free(repository_commit(at->repository, 5, "a"));
    at->project->paths = only;
    at->project->paths_count = 2;
    srv_poller *poller = started(at);
    json_t *view = polled_after(at, 0);
    assert_string_equal(
        text_of(view, "problem"),
        "paths: no file of the branch matches \"srcc\"; correct it in the project's "
        "file, or what you meant stays unmeasured");
    const int64_t before_ms = number_of(view, "polled_ms");
    json_decref(view);
    only[1] = right;
    srv_poller_kick(poller, "kieker");
    view = polled_after(at, before_ms);
    assert_null(text_of(view, "problem"));
    json_decref(view);
    ended(poller);
    at->project->paths = NULL;
    at->project->paths_count = 0;
}

static void a_second_poll_queues_nothing_twice(void **state) {
    watched *at = *state;
    g_free(repository_commit(at->repository, 10 * day_s + 5, "old"));
    at->project->since = g_strdup("1970-01-01");
    srv_poller *poller = started(at);
    json_t *first = polled_after(at, 0);
    g_autofree char *jobs = jobs_of(at);
    srv_poller_kick(poller, "kieker");
    json_t *second = polled_after(at, number_of(first, "polled_ms"));
    g_autofree char *same = jobs_of(at);
    assert_string_equal(same, jobs);
    g_free(repository_commit(at->repository, 20 * day_s + 5, "later"));
    srv_poller_kick(poller, NULL);
    json_decref(polled_after(at, number_of(second, "polled_ms")));
    g_autofree char *more = jobs_of(at);
    assert_true(g_str_has_prefix(more, "1970-01-22 backfill "));
    assert_true(g_str_has_suffix(more, jobs));
    ended(poller);
    json_decref(first);
    json_decref(second);
}

static void trouble_is_told_until_it_is_over(void **state) {
    watched *at = *state;
    g_free(repository_commit(at->repository, 5, "a"));
    g_autofree char *aside = g_strconcat(at->repository->url, "-aside", NULL);
    assert_int_equal(rename(at->repository->url, aside), 0);
    srv_poller *poller = started(at);
    json_t *view = polled_after(at, 0);
    assert_says(text_of(view, "problem"), "the repository cannot be reached: ");
    const int64_t failed_ms = number_of(view, "polled_ms");
    json_decref(view);
    assert_int_equal(rename(aside, at->repository->url), 0);
    srv_poller_kick(poller, "kieker");
    view = polled_after(at, failed_ms);
    assert_null(text_of(view, "problem"));
    json_decref(view);
    ended(poller);
}

/* The log had the first alone, and anybody could read where the server keeps its files. */
static void each_kind_of_trouble_is_logged_once(void **state) {
    watched *at = *state;
    g_free(repository_commit(at->repository, 5, "a"));
    g_autofree char *aside = g_strconcat(at->repository->url, "-aside", NULL);
    static const char *const told[] = {"nothing is fetched: data_dir",
                                       "nothing is fetched: data_dir",
                                       "the repository cannot be reached: "};
    FILE *log = tmpfile();
    const int own = dup(STDERR_FILENO);
    char text[4096];
    int64_t polled_ms = 0;
    unsigned failed = 0;
    assert_true(dup2(fileno(log), STDERR_FILENO) >= 0);
    at->config.disk_reserve_bytes = G_MAXINT64; /* what is free differs from one to the next */
    srv_poller *poller = started(at);
    for (size_t i = 0; i < G_N_ELEMENTS(told); i++) {
        json_t *view = polled_after(at, polled_ms);
        assert_says(text_of(view, "problem"), told[i]);
        polled_ms = number_of(view, "polled_ms");
        json_decref(view);
        if (i == 1) {
            at->config.disk_reserve_bytes = 0;
            assert_int_equal(rename(at->repository->url, aside), 0);
        }
        srv_poller_kick(poller, "kieker");
    }
    ended(poller);
    assert_true(dup2(own, STDERR_FILENO) >= 0);
    close(own);
    rewind(log);
    text[fread(text, 1, sizeof text - 1, log)] = '\0';
    (void)fclose(log);
    for (const char *line = text; (line = strstr(line, "poller failed")) != NULL; line++)
        failed++;
    assert_int_equal(failed, 2);
    assert_int_equal(rename(aside, at->repository->url), 0);
}

static void a_rewritten_branch_is_told_until_it_moves_on(void **state) {
    watched *at = *state;
    g_autofree char *a = repository_commit(at->repository, 5, "a");
    g_free(repository_commit(at->repository, 6, "b"));
    srv_poller *poller = started(at);
    json_t *view = polled_after(at, 0);
    repository_do(at->repository, "reset", "-q", "--hard", a, NULL);
    g_free(repository_commit(at->repository, 7, "another b"));
    const char *const notes[] = {"branch main was rewritten (force push)",
                                 "branch main was rewritten (force push)", NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(notes); i++) {
        if (!notes[i])
            g_free(repository_commit(at->repository, 8, "c"));
        const int64_t before_ms = number_of(view, "polled_ms");
        json_decref(view);
        srv_poller_kick(poller, "kieker");
        view = polled_after(at, before_ms);
        if (notes[i])
            assert_says(text_of(view, "problem"), notes[i]);
        else
            assert_null(text_of(view, "problem"));
    }
    json_decref(view);
    ended(poller);
}

static void a_merge_the_wrong_way_round_is_told(void **state) {
    watched *at = *state;
    g_free(repository_commit(at->repository, 5, "a"));
    repository_do(at->repository, "checkout", "-q", "-b", "feature", NULL);
    g_free(repository_commit(at->repository, day_s, "f"));
    repository_do(at->repository, "checkout", "-q", "main", NULL);
    g_free(repository_commit(at->repository, 2 * day_s, "b"));
    srv_poller *poller = started(at);
    json_t *view = polled_after(at, 0);
    assert_null(text_of(view, "problem"));
    repository_do(at->repository, "checkout", "-q", "feature", NULL);
    repository_do(at->repository, "merge", "-q", "-m", "merge", "main", NULL);
    repository_do(at->repository, "checkout", "-q", "main", NULL);
    repository_do(at->repository, "merge", "-q", "--ff-only", "feature", NULL);
    const int64_t before_ms = number_of(view, "polled_ms");
    json_decref(view);
    srv_poller_kick(poller, "kieker");
    view = polled_after(at, before_ms);
    assert_says(text_of(view, "problem"),
                "the first-parent line of branch main changed with commit ");
    assert_says(text_of(view, "problem"), "1 of its commits, from 1970-01-03 on, and their nights");
    json_decref(view);
    ended(poller);
}

static void a_disabled_project_is_not_asked(void **state) {
    watched *at = *state;
    g_free(repository_commit(at->repository, 5, "a"));
    at->project->enabled = false;
    cfg_project *other = fix_project("other");
    other->night_at = g_strdup("00:00");
    g_free(other->repository);
    other->repository = g_strdup(at->repository->url);
    srv_catalog *catalog = srv_context_catalog(&at->app.context);
    g_ptr_array_add(catalog->projects, other);
    assert_true(srv_projects_sync(at->fix->store, catalog->projects, NULL));
    srv_catalog_free(catalog);
    srv_poller *poller = started(at);
    const int64_t until_us = g_get_monotonic_time() + PATIENCE_S * G_USEC_PER_SEC;
    int64_t polled_ms = 0;
    while (polled_ms == 0 && g_get_monotonic_time() < until_us) {
        json_t *view = srv_view_project(at->fix->store, "other", NULL);
        polled_ms = number_of(view, "polled_ms");
        json_decref(view);
        g_usleep(LOOK_US);
    }
    ended(poller);
    json_t *view = project_now(at);
    assert_true(polled_ms > 0);
    assert_int_equal(number_of(view, "polled_ms"), 0);
    json_decref(view);
    g_free(other->night_at);
    fix_project_free(other);
}

/* Adds a branch of the watched project to what is configured; the test's, freed after the poller.
 */
static cfg_project *branch_added(watched *at, const char *name) {
    cfg_project *branch = fix_branch("kieker", name);
    branch->night_at = g_strdup("00:00");
    branch->since = g_strdup("1970-01-01");
    g_free(branch->repository);
    branch->repository = g_strdup(at->repository->url);
    srv_catalog *catalog = srv_context_catalog(&at->app.context);
    g_ptr_array_add(catalog->projects, branch);
    assert_true(srv_projects_sync(at->fix->store, catalog->projects, NULL));
    srv_catalog_free(catalog);
    return branch;
}

static void branch_free(cfg_project *branch) {
    g_free(branch->night_at);
    g_free(branch->since);
    fix_project_free(branch);
}

/* What became of a branch, once it was asked for; owned. */
static json_t *branch_polled(watched *at, const char *name) {
    const int64_t until_us = g_get_monotonic_time() + PATIENCE_S * G_USEC_PER_SEC;
    while (g_get_monotonic_time() < until_us) {
        json_t *view = srv_view_project(at->fix->store, name, NULL);
        if (number_of(view, "polled_ms") > 0)
            return view;
        json_decref(view);
        g_usleep(LOOK_US);
    }
    fail_msg("nobody asked for %s", name);
    return NULL;
}

static void a_branch_that_is_gone_does_not_stop_the_others(void **state) {
    watched *at = *state;
    g_free(repository_commit(at->repository, 10 * day_s + 5, "old"));
    g_autofree char *parted = repository_commit(at->repository, 20 * day_s + 5, "parted");
    repository_do(at->repository, "branch", "1.15.x", NULL);
    g_free(repository_commit(at->repository, 30 * day_s + 5, "new"));
    at->project->since = g_strdup("1970-01-01");
    cfg_project *gone = branch_added(at, "1.14.x");
    cfg_project *there = branch_added(at, "1.15.x");
    srv_poller *poller = started(at);
    json_t *missing = branch_polled(at, "kieker~1.14.x"), *found;
    found = branch_polled(at, "kieker~1.15.x");
    ended(poller);
    assert_says(text_of(missing, "problem"), "branch 1.14.x is not (or no longer) in the "
                                             "repository, which has 1.15.x, main; correct branch:");
    assert_null(text_of(found, "problem"));
    assert_int_equal(number_of(found, "queued"), 1);
    assert_string_equal(text_of(found, "main"), "kieker");
    g_autofree char *jobs = jobs_of(at);
    g_autofree char *of_both = g_strdup_printf("1970-01-22 backfill %.7s\n", parted);
    assert_says(jobs, of_both);
    json_decref(missing);
    json_decref(found);
    branch_free(gone);
    branch_free(there);
}

/* Takes connections and never says a word; the port. */
static int silent_host(char url[64]) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(listening, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(listening, 64), 0);
    assert_int_equal(getsockname(listening, (struct sockaddr *)&address, &size), 0);
    g_snprintf(url, 64, "git://127.0.0.1:%u/r.git", ntohs(address.sin_port));
    return listening;
}

/* With one place only, and all of these before it. */
static void silent_hosts_hold_up_nobody(void **state) {
    enum { SILENT = 6 };
    watched *at = *state;
    cfg_project *silent[SILENT];
    char url[64];
    const int listening = silent_host(url);
    g_free(repository_commit(at->repository, 5, "a"));
    at->config.fetch_parallel = 1;
    srv_catalog *catalog = srv_context_catalog(&at->app.context);
    for (int i = 0; i < SILENT; i++) {
        g_autofree char *name = g_strdup_printf("silent-%d", i);
        silent[i] = fix_project(name);
        silent[i]->night_at = g_strdup("00:00");
        g_free(silent[i]->repository);
        silent[i]->repository = g_strdup(url);
        g_ptr_array_insert(catalog->projects, 0, silent[i]);
    }
    assert_true(srv_projects_sync(at->fix->store, catalog->projects, NULL));
    srv_catalog_free(catalog);
    srv_poller *poller = started(at);
    json_t *view = branch_polled(at, "kieker");
    ended(poller);
    assert_null(text_of(view, "problem"));
    json_decref(view);
    for (int i = 0; i < SILENT; i++) {
        view = srv_view_project(at->fix->store, silent[i]->name, NULL);
        assert_int_equal(number_of(view, "polled_ms"), 0);
        json_decref(view);
        branch_free(silent[i]);
    }
    (void)close(listening);
}

static void deliver(watched *at, const char *id, const char *sha) {
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    srv_delivery delivery = {.provider = "generic", .id = id, .project = "kieker", .sha = sha};
    g_ptr_array_add(list, &delivery);
    assert_true(srv_delivery_take(at->fix->store, list, NULL));
    assert_true(delivery.fresh);
}

/* The host that answers a poll, and is silent when it is asked for a pull request's commit. */
static void a_host_silent_at_a_pull_request_holds_up_nobody(void **state) {
    watched *at = *state;
    g_autofree char *helper = folder_file(
        at->fix->dir, "helper",
        "#!/bin/sh\nwhile read -r q; do case $q in *'\"op\":\"base\"'*) exec sleep 1000;; "
        "esac; echo '{\"head\": \"0123456789012345678901234567890123456789\", "
        "\"tags\": \"\", \"unchanged\": true}'; done\n");
    assert_int_equal(chmod(helper, 0700), 0);
    at->app.context.program = helper;
    at->config.fetch_parallel = 1;
    at->project->pull_requests = (cfg_pull_requests){.minutes = 10, .percent = 5};
    srv_catalog *catalog = srv_context_catalog(&at->app.context);
    cfg_project *other = fix_project("other");
    other->night_at = g_strdup("00:00");
    g_ptr_array_add(catalog->projects, other);
    assert_true(srv_projects_sync(at->fix->store, catalog->projects, NULL));
    srv_catalog_free(catalog);
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    srv_delivery delivery = {
        .provider = "github",
        .id = "1",
        .project = "kieker",
        .sha = "9876543210987654321098765432109876543210",
        .pull = "{\"action\":\"opened\",\"number\":7,\"title\":\"Do it\",\"fork\":false,"
                "\"head\":\"9876543210987654321098765432109876543210\"}"};
    g_ptr_array_add(list, &delivery);
    assert_true(srv_delivery_take(at->fix->store, list, NULL));
    srv_poller *poller = started(at);
    json_decref(branch_polled(at, "other"));
    json_auto_t *pull = srv_view_pull(at->fix->store, 1, NULL);
    json_auto_t *first = project_now(at);
    ended(poller);
    assert_string_equal(text_of(pull, "state"), "waiting");
    assert_int_equal(number_of(first, "polled_ms"), 0);
    branch_free(other);
}

static void a_delivered_commit_is_queued_on_its_night(void **state) {
    watched *at = *state;
    g_autofree char *a = repository_commit(at->repository, 10 * day_s + 5, "a");
    g_free(repository_commit(at->repository, 10 * day_s + 6, "b"));
    deliver(at, "1", a);
    json_decref(poll_once(at));
    g_autofree char *jobs = jobs_of(at);
    g_autofree char *expected = g_strdup_printf("1970-01-12 webhook %.7s\n", a);
    assert_says(jobs, expected);
    json_t *waiting =
        srv__array(at->fix->store, ASK(delivery_waiting, "kieker", SRV_DELIVERY_PAGE), NULL);
    assert_int_equal(json_array_size(waiting), 0);
    json_decref(waiting);
}

/* Found by tests/campaign: nothing was asked for as long as the clock was set back, webhooks or
 * not. */
static void a_clock_that_is_set_back_holds_up_nothing(void **state) {
    watched *at = *state;
    g_autofree char *a = repository_commit(at->repository, 10 * day_s + 5, "a");
    g_free(repository_commit(at->repository, 10 * day_s + 6, "b"));
    srv_poller *poller = started(at);
    json_decref(polled_after(at, 0));
    clock_offset_us = -2 * day_s * G_USEC_PER_SEC;
    deliver(at, "1", a);
    srv_poller_kick(poller, "kieker");
    const int64_t deadline_us = g_get_monotonic_time() + PATIENCE_S * G_USEC_PER_SEC;
    json_t *waiting = NULL;
    do {
        json_decref(waiting);
        g_usleep(LOOK_US);
        waiting =
            srv__array(at->fix->store, ASK(delivery_waiting, "kieker", SRV_DELIVERY_PAGE), NULL);
    } while (json_array_size(waiting) > 0 && g_get_monotonic_time() < deadline_us);
    clock_offset_us = 0;
    assert_int_equal(json_array_size(waiting), 0);
    json_decref(waiting);
    ended(poller);
}

static void a_delivered_commit_that_never_comes_is_given_up(void **state) {
    watched *at = *state;
    g_free(repository_commit(at->repository, 5, "a"));
    deliver(at, "1", "0123456789012345678901234567890123456789");
    srv_poller *poller = started(at);
    int64_t before_ms = 0;
    for (int tries = 1; tries <= 3; tries++) {
        json_t *view = polled_after(at, before_ms);
        before_ms = number_of(view, "polled_ms");
        json_decref(view);
        json_t *waiting =
            srv__array(at->fix->store, ASK(delivery_waiting, "kieker", SRV_DELIVERY_PAGE), NULL);
        assert_int_equal(json_array_size(waiting), tries < 3 ? 1 : 0);
        if (tries < 3)
            assert_int_equal(number_of(json_array_get(waiting, 0), "attempts"), tries);
        json_decref(waiting);
        srv_poller_kick(poller, "kieker");
    }
    ended(poller);
    g_autofree char *jobs = jobs_of(at);
    assert_says_not(jobs, "webhook");
}

/* Even while a question is under way: the helper is a program that never answers. */
static void a_stop_waits_for_no_repository(void **state) {
    watched *at = *state;
    g_autofree char *silent = folder_file(at->fix->dir, "silent", "#!/bin/sh\nexec sleep 1000\n");
    assert_int_equal(chmod(silent, 0700), 0);
    at->app.context.program = silent;
    srv_poller *poller = started(at);
    srv_poller_stop(poller);
    srv_poller_kick(poller, "kieker");
    srv_poller_kick(poller, NULL);
    srv_poller_free(poller);
    srv_poller_stop(NULL);
    srv_poller_free(NULL);
}

static void without_a_database_it_does_not_start(void **state) {
    watched *at = *state;
    GError *error = NULL;
    char *database = at->app.context.database;
    at->app.context.database = g_build_filename(at->fix->dir, "no", "folder.db", NULL);
    assert_null(srv_poller_start(&at->app.context, &error));
    assert_srv_error(error, INTERNAL, "folder.db");
    g_free(at->app.context.database);
    at->app.context.database = database;
}

static void nobody_leads(void *user) {
    (void)user;
}

/* Another server leads: this one polls nothing, and passes on who was kicked. */
static void a_follower_asks_the_leader_instead(void **state) {
    SKIP_WITHOUT_A_SERVER;
    watched *at = *state;
    g_autofree char *told = NULL;
    g_free(repository_commit(at->repository, 10 * day_s + 5, "old"));
    at->project->since = g_strdup("1970-01-01");
    srv_leader *leader = srv_leader_new(at->fix->path, nobody_leads, NULL, NULL);
    srv_db *ear = srv_db_open(at->fix->path, SRV_DB_EXISTING);
    struct pollfd news = {.fd = srv_db_listen(ear), .events = POLLIN};
    assert_true(leader && news.fd >= 0);
    at->app.context.leader = leader;
    srv_poller *poller = started(at);
    srv_poller_kick(poller, "kieker");
    assert_int_equal(poll(&news, 1, PATIENCE_S * 1000), 1);
    assert_true(ear->driver->hear(ear, &told));
    assert_true(told && g_str_has_suffix(told, " ? kieker"));
    ended(poller);
    at->app.context.leader = NULL;
    json_t *view = project_now(at);
    g_autofree char *jobs = jobs_of(at);
    assert_int_equal(number_of(view, "polled_ms"), 0);
    assert_string_equal(jobs, "");
    json_decref(view);
    srv_db_close(ear);
    srv_leader_free(leader);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WATCHED_TEST(the_nights_of_a_repository_are_queued),
        WATCHED_TEST(a_night_that_touches_nothing_is_left_out),
        WATCHED_TEST(a_pattern_that_matches_nothing_is_told),
        WATCHED_TEST(a_second_poll_queues_nothing_twice),
        WATCHED_TEST(a_follower_asks_the_leader_instead),
        WATCHED_TEST(trouble_is_told_until_it_is_over),
        WATCHED_TEST(each_kind_of_trouble_is_logged_once),
        WATCHED_TEST(a_rewritten_branch_is_told_until_it_moves_on),
        WATCHED_TEST(a_merge_the_wrong_way_round_is_told),
        WATCHED_TEST(a_disabled_project_is_not_asked),
        WATCHED_TEST(a_branch_that_is_gone_does_not_stop_the_others),
        WATCHED_TEST(silent_hosts_hold_up_nobody),
        WATCHED_TEST(a_host_silent_at_a_pull_request_holds_up_nobody),
        WATCHED_TEST(a_delivered_commit_is_queued_on_its_night),
        WATCHED_TEST(a_clock_that_is_set_back_holds_up_nothing),
        WATCHED_TEST(a_delivered_commit_that_never_comes_is_given_up),
        WATCHED_TEST(a_stop_waits_for_no_repository),
        WATCHED_TEST(without_a_database_it_does_not_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
