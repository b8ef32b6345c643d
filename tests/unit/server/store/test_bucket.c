/* What is sent to a bucket, and every way in which it refuses: each says what to do. */
#include "tests/unit/test.h"

#include "server/ground/error.h"
#include "server/store/bucket.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/receiver.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define BYTES "1;5\n1;7\n"

typedef struct {
    char *dir, *sha256;
    receiver *remote;
    cfg_server config;
    srv_bucket *bucket;
    FILE *file;
} world;

static int setup(void **state) {
    world *w = g_new0(world, 1);
    w->dir = folder_new();
    w->remote = receiver_new();
    w->config.bucket.url =
        g_strdup_printf("http://127.0.0.1:%u/raw-files", receiver_port(w->remote));
    w->config.bucket.region = g_strdup("eu-test-1");
    w->config.bucket.credentials_file = folder_file(w->dir, "key", "AKID\nsecret/+=\n");
    assert_int_equal(g_chmod(w->config.bucket.credentials_file, 0600), 0);
    w->config.raw_limit_bytes = 64;
    w->bucket = srv_bucket_new(&w->config);
    w->sha256 = g_compute_checksum_for_string(G_CHECKSUM_SHA256, BYTES, -1);
    w->file = tmpfile();
    assert_true(fputs(BYTES, w->file) >= 0);
    *state = w;
    return 0;
}

static int teardown(void **state) {
    world *w = *state;
    (void)fclose(w->file);
    srv_bucket_free(w->bucket);
    receiver_free(w->remote);
    g_free(w->config.bucket.url);
    g_free(w->config.bucket.region);
    g_free(w->config.bucket.credentials_file);
    g_free(w->sha256);
    folder_free(w->dir);
    g_free(w);
    return 0;
}

static void what_is_put_is_signed(void **state) {
    world *w = *state;
    GError *error = NULL;
    for (int i = 0; i < 2; i++) /* from its beginning each time */
        assert_true(srv_bucket_put(w->bucket, "raw/ab/cd.calls", w->file, w->sha256, &error));
    assert_int_equal(receiver_count(w->remote), 2);
    const receiver_request *r = receiver_get(w->remote, 1);
    assert_string_equal(r->line, "PUT /raw-files/raw/ab/cd.calls");
    assert_string_equal(r->body, BYTES);
    assert_true(g_str_has_prefix(r->authorization, "AWS4-HMAC-SHA256 Credential=AKID/"));
    assert_non_null(strstr(r->authorization, "/eu-test-1/s3/aws4_request"));
    assert_non_null(strstr(r->authorization, "content-md5"));
    assert_non_null(strstr(r->authorization, "x-amz-content-sha256"));
    assert_null(
        strstr(r->authorization, "expect")); /* a header that is not sent must not be signed */
    assert_null(strstr(r->authorization, "secret"));
}

static void a_key_may_be_replaced_meanwhile(void **state) {
    world *w = *state;
    assert_true(srv_bucket_put(w->bucket, "a", w->file, w->sha256, NULL));
    assert_true(
        g_file_set_contents(w->config.bucket.credentials_file, "OTHER\nsecret\n", -1, NULL));
    assert_int_equal(g_chmod(w->config.bucket.credentials_file, 0640), 0);
    assert_true(srv_bucket_put(w->bucket, "a", w->file, w->sha256, NULL));
    assert_non_null(strstr(receiver_get(w->remote, 1)->authorization, "Credential=OTHER/"));
}

static void what_is_got_is_hashed(void **state) {
    static const receiver_answer answers[] = {{200, NULL, NULL, BYTES}, {200, NULL, NULL, "1;6\n"}};
    world *w = *state;
    GError *error = NULL;
    uint64_t bytes = 0;
    char read_back[100];
    FILE *file = tmpfile();
    receiver_script(w->remote, answers, 2);
    assert_true(srv_bucket_get(w->bucket, "a", w->sha256, file, &bytes, &error));
    assert_int_equal(bytes, strlen(BYTES));
    rewind(file);
    assert_int_equal(fread(read_back, 1, sizeof read_back, file), strlen(BYTES));
    assert_memory_equal(read_back, BYTES, strlen(BYTES));
    assert_false(srv_bucket_get(w->bucket, "a", w->sha256, file, &bytes, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INTERNAL));
    assert_non_null(strstr(error->message, "has other bytes under a than were stored"));
    g_error_free(error);
    (void)fclose(file);
}

#define XML(code) "<?xml version=\"1.0\"?><Error><Code>" code "</Code><Message>m</Message></Error>"

static void each_refusal_says_what_to_do(void **state) {
    static const struct {
        receiver_answer answer;
        const char *says;
    } cases[] = {
        {{503, NULL, NULL, XML("SlowDown")}, "answers 503, SlowDown; uploads stay unconfirmed"},
        {{500, NULL, NULL, NULL}, "answers 500; uploads stay unconfirmed"},
        {{403, NULL, NULL, XML("SignatureDoesNotMatch")}, "(403, SignatureDoesNotMatch)"},
        {{403, NULL, NULL, XML("InvalidAccessKeyId")}, "refuses the key in "},
        {{401, NULL, NULL, NULL}, "refuses the key in "},
        {{403, NULL, NULL, XML("RequestTimeTooSkewed")}, "clock differs"},
        {{404, NULL, NULL, XML("NoSuchBucket")}, "does not exist (404, NoSuchBucket); create it"},
        {{400, NULL, NULL, XML("BadDigest")}, "received other bytes than were sent (BadDigest)"},
        {{400, NULL, NULL, XML("XAmzContentSHA256Mismatch")}, "received other bytes"},
        {{301, NULL, NULL, XML("PermanentRedirect")}, "answers 301, PermanentRedirect"},
        {{418, NULL, NULL, XML("\033[31m<b>")}, "answers 418, ??31m"},
    };
    world *w = *state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        receiver_script(w->remote, &cases[i].answer, 1);
        assert_false(srv_bucket_put(w->bucket, "a", w->file, w->sha256, &error));
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_BUSY));
        if (!strstr(error->message, cases[i].says) || !strstr(error->message, w->config.bucket.url))
            fail_msg("'%s' does not say '%s'", error->message, cases[i].says);
        assert_null(strstr(error->message, "secret/+="));
        g_error_free(error);
    }
}

static void what_is_not_there_is_not_found(void **state) {
    static const receiver_answer gone[] = {{404, NULL, NULL, XML("NoSuchKey")},
                                           {404, NULL, NULL, XML("NoSuchKey")},
                                           {404, NULL, NULL, XML("NoSuchBucket")}};
    world *w = *state;
    GError *error = NULL;
    uint64_t bytes;
    receiver_script(w->remote, gone, 3);
    assert_false(srv_bucket_get(w->bucket, "a", w->sha256, w->file, &bytes, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_clear_error(&error);
    assert_true(srv_bucket_delete(w->bucket, "a", &error));
    assert_false(srv_bucket_delete(w->bucket, "a", &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_BUSY));
    g_error_free(error);
    const receiver_request *r = receiver_get(w->remote, 1);
    assert_string_equal(r->line, "DELETE /raw-files/a");
    assert_non_null(strstr(r->authorization, "x-amz-content-sha256"));
}

/* As it does where a request is under way for long: 200 comes first, what is wrong comes after. */
static void an_error_after_200_is_one(void **state) {
    static const receiver_answer answers[] = {{200, NULL, NULL, XML("InternalError")},
                                              {200, NULL, NULL, XML("InternalError")}};
    world *w = *state;
    g_autoptr(GError) put = NULL, delete = NULL;
    receiver_script(w->remote, answers, 2);
    assert_false(srv_bucket_put(w->bucket, "a", w->file, w->sha256, &put));
    assert_true(g_error_matches(put, SRV_ERROR, SRV_ERROR_BUSY));
    assert_non_null(strstr(put->message, "answers 200, InternalError; uploads stay unconfirmed"));
    assert_false(srv_bucket_delete(w->bucket, "a", &delete));
    assert_true(g_error_matches(delete, SRV_ERROR, SRV_ERROR_BUSY));
}

/* What has no end fills no disk. */
static void more_than_any_file_has_is_not_taken(void **state) {
    static const receiver_answer answers[] = {
        {200, NULL, NULL,
         "0123456789012345678901234567890123456789012345678901234567890123456789"}};
    world *w = *state;
    g_autoptr(GError) error = NULL;
    uint64_t bytes;
    receiver_script(w->remote, answers, 1);
    assert_false(srv_bucket_get(w->bucket, "a", w->sha256, w->file, &bytes, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INTERNAL));
    assert_non_null(strstr(error->message, "sends more than 64 bytes under a; a file that is "
                                           "really larger needs a larger raw_limit_bytes"));
}

static void one_that_is_away_is_told(void **state) {
    world *w = *state;
    GError *error = NULL;
    receiver_free(w->remote);
    w->remote = NULL;
    assert_false(srv_bucket_put(w->bucket, "a", w->file, w->sha256, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_BUSY));
    assert_non_null(strstr(error->message, "cannot be reached"));
    assert_non_null(strstr(error->message, "uploads stay unconfirmed and are repeated"));
    g_error_free(error);
    w->remote = receiver_new();
}

static void credentials_that_cannot_be_used_are_told(void **state) {
    static const struct {
        const char *text;
        mode_t mode;
        const char *says;
    } cases[] = {{"AKID\nsecret\n", 0604, "every user can read"},
                 {"AKID\n", 0600, "two lines in"},
                 {"AKID\n\n", 0600, "two lines in"},
                 {"a\nb\nc\n", 0600, "two lines in"},
                 {NULL, 0, "needs credentials_file"}};
    world *w = *state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        g_unlink(w->config.bucket.credentials_file);
        if (cases[i].text) {
            assert_true(
                g_file_set_contents(w->config.bucket.credentials_file, cases[i].text, -1, NULL));
            assert_int_equal(g_chmod(w->config.bucket.credentials_file, cases[i].mode), 0);
        }
        assert_false(srv_bucket_put(w->bucket, "a", w->file, w->sha256, &error));
        assert_non_null(strstr(error->message, cases[i].says));
        g_error_free(error);
    }
    assert_int_equal(receiver_count(w->remote), 0);
}

static void a_check_writes_and_reads(void **state) {
    static const receiver_answer answers[] = {
        {200, NULL, NULL, NULL},
        {200, NULL, NULL, "written by moowatchd --check-bucket\n"},
        {200, NULL, NULL, NULL},
        {403, NULL, NULL, XML("AccessDenied")}};
    world *w = *state;
    GError *error = NULL;
    receiver_script(w->remote, answers, 4);
    assert_true(srv_bucket_check(w->bucket, &error));
    assert_false(srv_bucket_check(w->bucket, &error));
    assert_non_null(strstr(error->message, "refuses the key in "));
    g_error_free(error);
}

int main(void) {
#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        IN_WORLD(what_is_put_is_signed),
        IN_WORLD(a_key_may_be_replaced_meanwhile),
        IN_WORLD(what_is_got_is_hashed),
        IN_WORLD(each_refusal_says_what_to_do),
        IN_WORLD(what_is_not_there_is_not_found),
        IN_WORLD(an_error_after_200_is_one),
        IN_WORLD(more_than_any_file_has_is_not_taken),
        IN_WORLD(one_that_is_away_is_told),
        IN_WORLD(credentials_that_cannot_be_used_are_told),
        IN_WORLD(a_check_writes_and_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
