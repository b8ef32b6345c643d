/* Artifacts in a bucket: nothing is acknowledged before it is there, nothing goes that is wanted.
 */
#include "tests/unit/server/sql_text.h"
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/queue/artifact.h"
#include "server/store/files.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/receiver.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define BYTES "what CI built"

static const srv_artifact_rules rules = {
    .limit_bytes = 1000, .quota_bytes = 30, .keep_days = 30, .is_shared = true};

typedef struct {
    fixture *fix;
    receiver *remote;
    cfg_server config;
    srv_bucket *bucket;
    srv_artifacts *artifacts;
    char *line; /* "PUT …" of BYTES, from its first space on */
} place;

static srv_artifacts *open_artifacts(const place *at, bool with_bucket) {
    GError *error = NULL;
    g_autofree char *dir = g_build_filename(at->fix->dir, "artifacts", NULL);
    srv_artifacts *artifacts =
        srv_artifacts_open(dir, &rules, with_bucket ? at->bucket : NULL, at->fix->store, &error);
    assert_no_error(error);
    return artifacts;
}

static int setup(void **state) {
    place *at = g_new0(place, 1);
    at->fix = fix_new();
    fix_sync(at->fix, "kieker", NULL);
    at->remote = receiver_new();
    at->config.bucket.url = g_strdup_printf("http://127.0.0.1:%u/b", receiver_port(at->remote));
    at->config.bucket.region = g_strdup("eu-test-1");
    at->config.bucket.credentials_file = folder_file(at->fix->dir, "key", "AKID\nsecret\n");
    assert_int_equal(g_chmod(at->config.bucket.credentials_file, 0600), 0);
    at->config.artifact_limit_bytes = rules.limit_bytes;
    at->bucket = srv_bucket_new(&at->config);
    at->artifacts = open_artifacts(at, true);
    g_autofree char *sha = g_compute_checksum_for_string(G_CHECKSUM_SHA256, BYTES, -1);
    at->line = g_strdup_printf(" /b/artifacts/%.2s/%s", sha, sha + 2);
    *state = at;
    return 0;
}

static int teardown(void **state) {
    place *at = *state;
    srv_artifacts_close(at->artifacts);
    srv_bucket_free(at->bucket);
    receiver_free(at->remote);
    g_free(at->config.bucket.url);
    g_free(at->config.bucket.region);
    g_free(at->config.bucket.credentials_file);
    g_free(at->line);
    fix_free(at->fix);
    g_free(at);
    return 0;
}

static bool hand_in(const place *at, int number, const char *text, GError **error) {
    bool created = false;
    g_autofree char *sha = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    srv__incoming *upload =
        srv_artifact_begin(at->artifacts, fix_sha(number), "agent.jar", sha, -1, error);
    assert_non_null(upload);
    assert_true(srv__incoming_write(upload, text, strlen(text), error));
    const srv_artifact_named named = {"kieker", fix_sha(number), "agent.jar", "ci"};
    json_t *artifact = srv_artifact_finish(at->artifacts, upload, at->fix->store, &named,
                                           at->fix->now_ms, &created, error);
    json_decref(artifact);
    return artifact && created;
}

static void give(const place *at, int number) {
    GError *error = NULL;
    assert_true(hand_in(at, number, BYTES, &error));
    assert_no_error(error);
}

static void asked(const place *at, guint i, const char *method) {
    g_autofree char *line = g_strconcat(method, at->line, NULL);
    assert_in_range(i, 0, receiver_count(at->remote) - 1);
    assert_string_equal(receiver_get(at->remote, i)->line, line);
}

/* What is read, NULL with error; the caller's. */
static char *text_read(const place *at, int number, GError **error) {
    srv_artifact_file file;
    char text[100];
    const int fd = srv_artifact_read(at->artifacts, at->fix->store, "kieker", fix_sha(number),
                                     "agent.jar", &file, error);
    if (fd < 0)
        return NULL;
    const ssize_t size = read(fd, text, sizeof text);
    close(fd);
    assert_int_equal(size, file.bytes);
    return g_strndup(text, (gsize)size);
}

static void sweep(const place *at, int64_t after_ms) {
    GError *error = NULL;
    bool more = true;
    assert_true(srv_artifacts_sweep(at->artifacts, at->fix->store, at->fix->now_ms + after_ms,
                                    &more, &error));
    assert_no_error(error);
    assert_false(more);
}

static void discard(const place *at, int number) {
    GError *error = NULL;
    assert_true(srv_artifact_remove(at->artifacts, at->fix->store, "kieker", fix_sha(number),
                                    "agent.jar", at->fix->now_ms, &error));
    assert_no_error(error);
}

static void it_is_there_before_it_is_acknowledged(void **state) {
    place *at = *state;
    GError *error = NULL;
    const receiver_answer busy = {503, NULL, NULL, NULL};
    receiver_script(at->remote, &busy, 1);
    assert_false(hand_in(at, 1, BYTES, &error));
    assert_srv_error(error, BUSY, "answers 503; uploads stay unconfirmed");
    assert_null(text_read(at, 1, &error));
    assert_srv_error(error, NOT_FOUND, "upload it with PUT");
    give(at, 1);
    asked(at, 0, "PUT");
    asked(at, 1, "PUT");
    assert_string_equal(receiver_get(at->remote, 1)->body, BYTES);
    g_autofree char *sha = g_strdup(at->line + strlen(" /b/artifacts/xx/"));
    g_autofree char *path =
        g_strdup_printf("%s/artifacts/%.2s/%s", at->fix->dir, at->line + 14, sha);
    assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
}

static void it_comes_back_hashed(void **state) {
    place *at = *state;
    GError *error = NULL;
    give(at, 1);
    receiver_serve(at->remote, BYTES, strlen(BYTES));
    g_autofree char *text = text_read(at, 1, &error);
    assert_string_equal(text, BYTES);
    asked(at, 1, "GET");
    receiver_serve(at->remote, "other", 5);
    assert_null(text_read(at, 1, &error));
    assert_srv_error(error, INTERNAL, "has other bytes");
}

/* It may be handed in anew, as if it had been removed. */
static void one_that_the_bucket_has_lost_is_forgotten(void **state) {
    place *at = *state;
    GError *error = NULL;
    const receiver_answer gone = {404, NULL, NULL, "<Error><Code>NoSuchKey</Code></Error>"};
    give(at, 1);
    receiver_script(at->remote, &gone, 1);
    assert_null(text_read(at, 1, &error));
    assert_srv_error(error, NOT_FOUND, "");
    assert_null(text_read(at, 1, &error));
    assert_srv_error(error, NOT_FOUND, "upload it with PUT");
    give(at, 1);
}

/* An hour after its last row. */
static void it_leaves_the_bucket_with_its_last_row(void **state) {
    place *at = *state;
    give(at, 1);
    give(at, 2);
    discard(at, 1);
    sweep(at, 2 * SRV__REMOVAL_AFTER_MS);
    assert_int_equal(receiver_count(at->remote), 2);
    discard(at, 2);
    sweep(at, SRV__REMOVAL_AFTER_MS);
    assert_int_equal(receiver_count(at->remote), 2);
    sweep(at, SRV__REMOVAL_AFTER_MS + 1);
    asked(at, 2, "DELETE");
    sweep(at, 9 * SRV__REMOVAL_AFTER_MS);
    assert_int_equal(receiver_count(at->remote), 3);
}

static void who_brings_it_again_keeps_it(void **state) {
    place *at = *state;
    GError *error = NULL;
    give(at, 1);
    discard(at, 1);
    give(at, 2);
    sweep(at, 9 * SRV__REMOVAL_AFTER_MS);
    assert_int_equal(receiver_count(at->remote), 2); /* two PUT */
    discard(at, 2);
    /* another server is about it */
    assert_true(
        srv__run(at->fix->store, sql_text("UPDATE gone SET removing=1", ""), SRV__NO_ARGS, NULL));
    assert_false(hand_in(at, 3, BYTES, &error));
    assert_srv_error(error, BUSY, "just being removed");
}

/* The oldest goes for it, and from the bucket later. */
static void the_quota_holds_in_the_bucket_too(void **state) {
    place *at = *state;
    GError *error = NULL;
    for (int number = 1; number <= 3; number++) {
        g_autofree char *text = g_strdup_printf("number %d of 3", number);
        at->fix->now_ms += 1000;
        assert_true(hand_in(at, number, text, &error));
    }
    assert_null(text_read(at, 1, &error));
    assert_srv_error(error, NOT_FOUND, "upload it with PUT");
    assert_int_equal(receiver_count(at->remote), 3);
    sweep(at, SRV__REMOVAL_AFTER_MS + 1);
    assert_int_equal(receiver_count(at->remote), 4);
    assert_false(hand_in(at, 4, "more than all of the quota has room for", &error));
    assert_srv_error(error, FULL, "artifact_quota_bytes");
    assert_int_equal(receiver_count(at->remote), 4);
}

static void what_the_folder_has_is_read_from_it(void **state) {
    place *at = *state;
    GError *error = NULL;
    srv_artifacts_close(at->artifacts);
    at->artifacts = open_artifacts(at, false);
    give(at, 1);
    srv_artifacts_close(at->artifacts);
    at->config.artifact_limit_bytes = rules.limit_bytes;
    at->artifacts = open_artifacts(at, true);
    g_autofree char *text = text_read(at, 1, &error);
    assert_string_equal(text, BYTES);
    assert_int_equal(receiver_count(at->remote), 0);
    discard(at, 1);
    sweep(at, SRV__REMOVAL_AFTER_MS + 1);
    asked(at, 0, "DELETE");
    assert_null(text_read(at, 1, &error));
    assert_srv_error(error, NOT_FOUND, "");
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(it_is_there_before_it_is_acknowledged),
        CASE(it_comes_back_hashed),
        CASE(one_that_the_bucket_has_lost_is_forgotten),
        CASE(it_leaves_the_bucket_with_its_last_row),
        CASE(who_brings_it_again_keeps_it),
        CASE(the_quota_holds_in_the_bucket_too),
        CASE(what_the_folder_has_is_read_from_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
