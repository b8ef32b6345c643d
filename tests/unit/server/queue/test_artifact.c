#include "server/queue/artifact.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/ground/error.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "tests/unit/server/sql_text.h"

#define DAY_MS INT64_C(86400000)
#define HOUR_MS INT64_C(3600000)

static const srv_artifact_rules rules = {.limit_bytes = 1000, .quota_bytes = 2000, .keep_days = 30};

typedef struct {
    fixture *fix;
    srv_artifacts *artifacts;
} place;

static void sync_project(fixture *fix) {
    cfg_project *project = fix_project("kieker");
    static char name[] = "agent.jar";
    project->benchmark.artifact = name;
    project->benchmark.artifact_wait_s = 6 * 3600;
    fix_sync_only(fix, project);
    fix->can = json_pack("[s,s]", "confirmation", "artifact");
}

static srv_artifacts *open_artifacts(fixture *fix, const srv_artifact_rules *with) {
    GError *error = NULL;
    g_autofree char *dir = g_build_filename(fix->dir, "artifacts", NULL);
    srv_artifacts *artifacts = srv_artifacts_open(dir, with, NULL, fix->store, &error);
    assert_non_null(artifacts);
    return artifacts;
}

static int setup(void **state) {
    place *at = g_new0(place, 1);
    at->fix = fix_new();
    sync_project(at->fix);
    at->artifacts = open_artifacts(at->fix, &rules);
    *state = at;
    return 0;
}

static int teardown(void **state) {
    place *at = *state;
    srv_artifacts_close(at->artifacts);
    fix_free(at->fix);
    g_free(at);
    return 0;
}

static json_t *hand_in(place *at, int number, const char *name, const char *text, bool *created,
                       GError **error) {
    g_autofree char *sha256 = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    srv__incoming *upload =
        srv_artifact_begin(at->artifacts, fix_sha(number), name, sha256, -1, error);
    if (!upload)
        return NULL;
    for (size_t i = 0; i < strlen(text); i += 3) {
        if (!srv__incoming_write(upload, text + i, MIN(3, strlen(text + i)), error)) {
            srv__incoming_free(upload);
            return NULL;
        }
    }
    const srv_artifact_named named = {"kieker", fix_sha(number), name, "ci"};
    return srv_artifact_finish(at->artifacts, upload, at->fix->store, &named, at->fix->now_ms,
                               created, error);
}

static void give(place *at, int number, const char *text) {
    GError *error = NULL;
    bool created;
    json_t *artifact = hand_in(at, number, "agent.jar", text, &created, &error);
    if (!artifact)
        fail_msg("%s", error->message);
    assert_true(created);
    json_decref(artifact);
}

static unsigned files(place *at) {
    unsigned count = 0;
    g_autofree char *dir = g_build_filename(at->fix->dir, "artifacts", NULL);
    g_autoptr(GDir) folders = g_dir_open(dir, 0, NULL);
    for (const char *name; (name = g_dir_read_name(folders));) {
        g_autofree char *path = g_build_filename(dir, name, NULL);
        g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
        while (g_dir_read_name(folder))
            count++;
    }
    return count;
}

static bool there(place *at, int number) {
    srv_artifact_file file;
    int fd = srv_artifact_read(at->artifacts, at->fix->store, "kieker", fix_sha(number),
                               "agent.jar", &file, NULL);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static void it_comes_back_as_sent_and_again_is_fine(void **state) {
    place *at = *state;
    GError *error = NULL;
    bool created;
    char text[32];
    srv_artifact_file file;
    json_t *artifact = hand_in(at, 1, "agent.jar", "the bytes", &created, &error);
    assert_true(created);
    assert_int_equal(json_integer_value(json_object_get(artifact, "bytes")), 9);
    assert_string_equal(json_string_value(json_object_get(artifact, "author")), "ci");
    json_decref(artifact);
    json_decref(hand_in(at, 1, "agent.jar", "the bytes", &created, &error));
    assert_false(created);
    int fd = srv_artifact_read(at->artifacts, at->fix->store, "kieker", fix_sha(1), "agent.jar",
                               &file, &error);
    assert_int_equal(file.bytes, 9);
    assert_int_equal(read(fd, text, sizeof text), 9);
    assert_memory_equal(text, "the bytes", 9);
    close(fd);
    assert_int_equal(files(at), 1);
}

static void a_node_needs_what_it_has_leased(void **state) {
    place *at = *state;
    GError *error = NULL;
    give(at, 1, "one");
    give(at, 2, "two");
    fix_add(at->fix, "kieker", 1, "2024-01-01", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(at->fix);
    assert_non_null(leased);
    const char *node = "blade1";
    if (!srv_artifact_needed(at->fix->store, "kieker", fix_sha(1), node, &error))
        fail_msg("%s", error->message);
    assert_true(srv_artifact_needed(at->fix->store, "kieker", fix_sha(1), NULL, &error));
    const struct {
        int number;
        const char *node;
    } cases[] = {{1, "another"}, {2, node}, {2, NULL}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_false(srv_artifact_needed(at->fix->store, "kieker", fix_sha(cases[i].number),
                                         cases[i].node, &error));
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_FORBIDDEN));
        g_clear_error(&error);
    }
    json_decref(leased);
}

static void other_bytes_under_the_same_name_are_a_conflict(void **state) {
    place *at = *state;
    GError *error = NULL;
    bool created;
    give(at, 1, "one");
    assert_null(hand_in(at, 1, "agent.jar", "two", &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    g_clear_error(&error);
    /* also when its bytes have gone */
    unsigned removed;
    int64_t next;
    at->fix->now_ms += 31 * DAY_MS;
    assert_true(srv_artifacts_tidy(at->artifacts, at->fix->store, at->fix->now_ms, &removed, &next,
                                   &error));
    assert_int_equal(removed, 1);
    assert_null(hand_in(at, 1, "agent.jar", "two", &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    g_clear_error(&error);
    give(at, 1, "one");
    assert_true(srv_artifact_remove(at->artifacts, at->fix->store, "kieker", fix_sha(1),
                                    "agent.jar", at->fix->now_ms, &error));
    assert_int_equal(files(at), 0);
    give(at, 1, "two");
}

static void wrong_names_hashes_and_sizes_are_refused(void **state) {
    place *at = *state;
    static const char *const bad[] = {"",    ".",    "..", "a/b", "../a", ".hidden",
                                      "a b", "a\nb", "ä",  "-rf", "a%2f", "C:\\x"};
    g_autofree char *longest = g_strnfill(101, 'a');
    g_autofree char *large = g_strnfill(1001, 'x');
    g_autofree char *sha256 = g_compute_checksum_for_string(G_CHECKSUM_SHA256, "x", -1);
    GError *error = NULL;
    bool created;
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        assert_null(hand_in(at, 1, bad[i], "x", &created, &error));
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
        g_clear_error(&error);
    }
    assert_false(artifact_name_ok(longest));
    assert_true(artifact_name_ok(longest + 1));
    static const char *const commits[] = {"main", "abc", "", "../../../../etc/passwd",
                                          "ABCDEF0123456789ABCDEF0123456789ABCDEF01"};
    for (size_t i = 0; i < G_N_ELEMENTS(commits); i++) {
        assert_null(srv_artifact_begin(at->artifacts, commits[i], "a", sha256, -1, &error));
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
        g_clear_error(&error);
    }
    assert_null(hand_in(at, 1, "agent.jar", large, &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_TOO_LARGE));
    g_clear_error(&error);
    assert_null(srv_artifact_begin(at->artifacts, fix_sha(1), "a", sha256, 1001, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_TOO_LARGE));
    g_clear_error(&error);
    srv__incoming *upload =
        srv_artifact_begin(at->artifacts, fix_sha(1), "agent.jar", sha256, -1, &error);
    assert_true(srv__incoming_write(upload, "y", 1, &error));
    const srv_artifact_named named = {"kieker", fix_sha(1), "agent.jar", NULL};
    assert_null(
        srv_artifact_finish(at->artifacts, upload, at->fix->store, &named, 1, &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    g_clear_error(&error);
    assert_int_equal(files(at), 0);
}

static void a_full_disk_leaves_nothing(void **state) {
    place *at = *state;
    GError *error = NULL;
    bool created;
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit small = {4, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    json_t *artifact = hand_in(at, 1, "agent.jar", "more than four bytes", &created, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_null(artifact);
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_FULL));
    g_clear_error(&error);
    assert_int_equal(files(at), 0);
    srv_artifact_rules strict = rules;
    strict.reserve_bytes = UINT64_C(1) << 60;
    srv_artifacts_close(at->artifacts);
    at->artifacts = open_artifacts(at->fix, &strict);
    assert_null(hand_in(at, 1, "agent.jar", "x", &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_FULL));
    g_clear_error(&error);
}

static void a_start_removes_what_was_cut_off_or_is_unknown(void **state) {
    place *at = *state;
    GError *error = NULL;
    give(at, 1, "kept");
    g_autofree char *half = g_build_filename(at->fix->dir, "artifacts/incoming/abc", NULL);
    g_autofree char *lost = g_build_filename(
        at->fix->dir, "artifacts/00/00000000000000000000000000000000000000000000000000000000000000",
        NULL);
    assert_true(g_file_set_contents(half, "half", -1, &error));
    assert_true(g_file_set_contents(lost, "renamed, and then the power went", -1, &error));
    srv_artifacts_close(at->artifacts);
    at->artifacts = open_artifacts(at->fix, &rules);
    assert_int_equal(files(at), 1);
    assert_true(there(at, 1));
}

static void a_restored_database_asks_for_them_again(void **state) {
    place *at = *state;
    give(at, 1, "kept");
    give(at, 2, "lost");
    g_autofree char *sha256 = g_compute_checksum_for_string(G_CHECKSUM_SHA256, "lost", -1);
    g_autofree char *path =
        g_strdup_printf("%s/artifacts/%.2s/%s", at->fix->dir, sha256, sha256 + 2);
    assert_int_equal(unlink(path), 0);
    srv_artifacts_close(at->artifacts);
    at->artifacts = open_artifacts(at->fix, &rules);
    assert_true(there(at, 1));
    assert_false(there(at, 2));
    give(at, 2, "lost"); /* created anew, not "there already" */
    assert_true(there(at, 2));
}

static void the_quota_lets_the_oldest_go_but_not_what_a_job_wants(void **state) {
    place *at = *state;
    GError *error = NULL;
    bool created;
    g_autofree char *big = g_strnfill(900, 'x');
    for (int i = 1; i <= 4; i++) {
        big[0] = (char)('0' + i);
        at->fix->now_ms += HOUR_MS;
        give(at, i, big);
    }
    assert_false(there(at, 1));
    assert_false(there(at, 2));
    assert_true(there(at, 3) && there(at, 4));
    fix_add(at->fix, "kieker", 3, "2013-04-17", SRV_KIND_NIGHTLY);
    fix_add(at->fix, "kieker", 4, "2013-04-18", SRV_KIND_NIGHTLY);
    big[0] = '5';
    assert_null(hand_in(at, 5, "agent.jar", big, &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_FULL));
    g_clear_error(&error);
    assert_true(there(at, 3) && there(at, 4));
    assert_false(srv_artifact_remove(at->artifacts, at->fix->store, "kieker", fix_sha(3),
                                     "agent.jar", at->fix->now_ms, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    g_clear_error(&error);
}

static void old_ones_go_after_their_days(void **state) {
    place *at = *state;
    GError *error = NULL;
    unsigned removed;
    int64_t next;
    give(at, 1, "one");
    at->fix->now_ms += 20 * DAY_MS;
    give(at, 2, "two");
    give(at, 3, "one"); /* the same bytes as the first: the file stays */
    assert_int_equal(files(at), 2);
    at->fix->now_ms += 11 * DAY_MS;
    assert_true(srv_artifacts_tidy(at->artifacts, at->fix->store, at->fix->now_ms, &removed, &next,
                                   &error));
    assert_int_equal(removed, 1);
    assert_int_equal(next, at->fix->now_ms + 19 * DAY_MS + 1);
    assert_false(there(at, 1));
    assert_true(there(at, 2) && there(at, 3));
    assert_int_equal(files(at), 2);
    at->fix->now_ms += 20 * DAY_MS;
    assert_true(srv_artifacts_tidy(at->artifacts, at->fix->store, at->fix->now_ms, &removed, &next,
                                   &error));
    assert_int_equal(removed, 2);
    assert_int_equal(next, INT64_MAX);
    assert_int_equal(files(at), 0);
}

/* --- nights that wait --- */

static json_t *job_of(place *at, int64_t job) {
    json_t *view = srv_view_job(at->fix->store, job, NULL);
    assert_non_null(view);
    return view;
}

static unsigned expire(place *at, int64_t *next) {
    GError *error = NULL;
    unsigned expired;
    if (!srv_queue_waits_expire(at->fix->store, at->fix->now_ms, &expired, next, &error))
        fail_msg("%s", error->message);
    return expired;
}

static void a_night_waits_for_its_artifact_and_goes_when_it_comes(void **state) {
    place *at = *state;
    int64_t next;
    int64_t job = fix_add(at->fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    assert_null(fix_lease(at->fix));
    json_t *view = job_of(at, job);
    json_t *waiting = json_object_get(view, "waiting");
    assert_string_equal(json_string_value(json_object_get(view, "state")), "queued");
    assert_string_equal(json_string_value(json_object_get(waiting, "artifact")), "agent.jar");
    assert_int_equal(json_integer_value(json_object_get(waiting, "until_ms")),
                     at->fix->now_ms + 6 * HOUR_MS);
    json_decref(view);
    assert_int_equal(expire(at, &next), 0);
    assert_int_equal(next, at->fix->now_ms + 6 * HOUR_MS);
    give(at, 2, "of another commit");
    assert_null(fix_lease(at->fix));
    g_ptr_array_set_size(at->fix->events, 0);
    give(at, 1, "the build");
    assert_int_equal(at->fix->events->len, 1); /* the runners that wait are woken */
    json_t *leased = fix_lease(at->fix);
    json_t *artifact = json_object_get(json_object_get(leased, "job"), "artifact");
    g_autofree char *url =
        g_strdup_printf("/api/v1/projects/kieker/artifacts/%s/agent.jar", fix_sha(1));
    assert_string_equal(json_string_value(json_object_get(artifact, "url")), url);
    assert_int_equal(json_integer_value(json_object_get(artifact, "bytes")), 9);
    assert_int_equal(strlen(json_string_value(json_object_get(artifact, "sha256"))), 64);
    assert_null(json_object_get(json_object_get(leased, "job"), "before_artifact"));
    json_decref(leased);
    view = job_of(at, job);
    assert_true(json_is_null(json_object_get(view, "waiting")));
    json_decref(view);
}

static void a_node_that_knows_no_artifacts_gets_none(void **state) {
    place *at = *state;
    fix_add(at->fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    give(at, 1, "the build");
    json_decref(at->fix->can);
    at->fix->can = NULL;
    assert_null(fix_lease(at->fix));
}

static void a_night_whose_artifact_never_came_is_a_failed_one_until_it_does(void **state) {
    place *at = *state;
    int64_t next;
    int64_t job = fix_add(at->fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    at->fix->now_ms += 6 * HOUR_MS - 1;
    assert_int_equal(expire(at, &next), 0);
    at->fix->now_ms += 1;
    assert_int_equal(expire(at, &next), 1);
    assert_int_equal(next, INT64_MAX);
    json_t *view = job_of(at, job);
    assert_string_equal(json_string_value(json_object_get(view, "state")), "failed");
    assert_non_null(strstr(json_string_value(json_object_get(view, "error")),
                           "no agent.jar was uploaded for this commit within 6 h"));
    json_decref(view);
    json_t *nights =
        srv_view_nights(at->fix->store, "kieker", (srv_dates){0}, (srv_page){.limit = 10}, NULL);
    json_t *night = json_array_get(json_object_get(nights, "items"), 0);
    assert_string_equal(json_string_value(json_object_get(night, "state")), "failed");
    assert_string_equal(json_string_value(json_object_get(night, "night")), "2013-04-17");
    json_decref(nights);
    /* late is better than never, and once */
    give(at, 1, "the build");
    json_t *leased = fix_lease(at->fix);
    assert_non_null(leased);
    assert_int_not_equal(json_integer_value(json_object_get(json_object_get(leased, "job"), "id")),
                         job);
    json_decref(leased);
    bool created;
    json_decref(hand_in(at, 1, "agent.jar", "the build", &created, NULL));
    json_t *jobs = srv_view_list(at->fix->store, &srv_list_jobs, "kieker", NULL,
                                 (srv_page){.limit = 10}, NULL);
    assert_int_equal(json_array_size(json_object_get(jobs, "items")), 2);
    json_decref(jobs);
}

static void a_database_error_changes_nothing(void **state) {
    place *at = *state;
    GError *error = NULL;
    bool created;
    assert_true(
        srv__run(at->fix->store, sql_text("DROP TABLE artifact", ""), SRV__NO_ARGS, &error));
    assert_null(hand_in(at, 1, "agent.jar", "x", &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INTERNAL));
    g_clear_error(&error);
    assert_int_equal(files(at), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(it_comes_back_as_sent_and_again_is_fine),
        TEST(a_node_needs_what_it_has_leased),
        TEST(other_bytes_under_the_same_name_are_a_conflict),
        TEST(wrong_names_hashes_and_sizes_are_refused),
        TEST(a_full_disk_leaves_nothing),
        TEST(a_start_removes_what_was_cut_off_or_is_unknown),
        TEST(a_restored_database_asks_for_them_again),
        TEST(the_quota_lets_the_oldest_go_but_not_what_a_job_wants),
        TEST(old_ones_go_after_their_days),
        TEST(a_night_waits_for_its_artifact_and_goes_when_it_comes),
        TEST(a_node_that_knows_no_artifacts_gets_none),
        TEST(a_night_whose_artifact_never_came_is_a_failed_one_until_it_does),
        TEST(a_database_error_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
