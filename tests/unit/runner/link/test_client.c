/* Calls to the server: what goes out, what of an answer is believed, how a call may end. */
#include "tests/unit/runner/served.h"

#include "tests/unit/runner/file.h"
#include "tests/unit/told.h"

#include <fcntl.h>

static void which_server_and_token(void **state) {
    (void)state;
    static const struct {
        const char *server, *token, *says;
    } cases[] = {{"h", "t", "http:// or https:// URL"},
                 {"ftp://h", "t", "http:// or https:// URL"},
                 {"file:///etc/passwd", "t", "http:// or https:// URL"},
                 {"https://h", "", "empty or has invalid"},
                 {"https://h", "a b", "empty or has invalid"},
                 {"https://h", "a\r\nX-Admin: 1", "empty or has invalid"},
                 {"https://h", "tök", "empty or has invalid"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        assert_null(run_client_new(cases[i].server, cases[i].token, -1, &error));
        assert_error(error, RUN_ERROR_JOB, cases[i].says);
    }
    g_autoptr(run_client) client = run_client_new("https://h", "mw_Az09-._~+/=", -1, NULL);
    assert_non_null(client);
}

static void a_call(void **state) {
    served *s = *state;
    g_autofree char *slashes = g_strconcat(s->url, "//", NULL);
    g_autoptr(run_client) client = run_client_new(slashes, "token-7", -1, NULL);
    g_auto(run_answer) answer = {0};
    json_t *body = json_pack("{s:s,s:i}", "node", "blade1", "n", 7);
    ANSWER(s, {200, NULL, NULL, "{\"job\": 12}"});
    assert_true(run_client_post(client, "/api/v1/runner/lease", body, 10, &answer, NULL));
    assert_int_equal(answer.status, 200);
    assert_int_equal(json_integer_value(json_object_get(answer.body, "job")), 12);
    assert_null(answer.detail);
    const receiver_request *one = receiver_get(s->server, 0);
    assert_string_equal(one->line, "POST /api/v1/runner/lease");
    assert_string_equal(one->body, "{\"node\":\"blade1\",\"n\":7}");
    assert_string_equal(one->type, "application/json");
    assert_string_equal(one->authorization, "Bearer token-7");
    json_decref(body);
}

/* Only an object is a body, only of a good answer; only of another one there is a detail. */
static void answers(void **state) {
    served *s = *state;
    g_autofree char *endless = g_strnfill(3 * RUN_ANSWER_BYTES_MAX / 2, 'x');
    g_autofree char *wordy = g_strdup_printf("{\"detail\": \"%.9000s\"}", endless);
    const struct {
        receiver_answer answer;
        bool body;
        const char *detail; /* NULL: none */
    } cases[] = {
        {{204, NULL, NULL, NULL}, false, NULL},
        {{200, NULL, NULL, "{}"}, true, NULL},
        {{200, NULL, NULL, "[1]"}, false, NULL},
        {{200, NULL, NULL, "{\"a\": 1, \"a\": 2}"}, false, NULL},
        {{200, NULL, NULL, "{\"a\": "}, false, NULL},
        {{302, "Location", "http://127.0.0.1:1/", "{\"a\": 1}"}, false, ""},
        {{400, NULL, NULL, "{\"detail\": \"loop 3:\\r\\n\\tno mean\"}"},
         false,
         "loop 3:   no mean"},
        {{409, NULL, NULL, "{\"detail\": 7}"}, false, ""},
        {{500, NULL, NULL, "<html>"}, false, ""},
        {{422, NULL, NULL, wordy}, false, NULL},
    };
    json_t *nothing = json_object();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(run_answer) answer = {0};
        receiver_script(s->server, &cases[i].answer, 1);
        assert_true(run_client_post(s->client, "/x", nothing, 10, &answer, NULL));
        assert_int_equal(answer.status, cases[i].answer.status);
        assert_true((answer.body != NULL) == cases[i].body);
        if (cases[i].detail)
            assert_string_equal(answer.detail, cases[i].detail);
        if (answer.detail)
            assert_true(strlen(answer.detail) <= 4096);
    }
    GError *error = NULL;
    g_auto(run_answer) answer = {0};
    ANSWER(s, {200, NULL, NULL, endless});
    assert_false(run_client_post(s->client, "/x", nothing, 10, &answer, &error));
    assert_error(error, RUN_ERROR_AWAY, "no answer from http://127.0.0.1");
    json_decref(nothing);
}

/* Somebody who sends SIGTERM does not wait for a server that is away. */
static void nobody_answers(void **state) {
    served *s = *state;
    g_autofree char *gone = nobody_there();
    g_autoptr(run_client) alone = run_client_new(gone, "t", -1, NULL);
    json_t *nothing = json_object();
    g_auto(run_answer) answer = {0};
    GError *error = NULL;
    assert_false(run_client_post(alone, "/x", nothing, 10, &answer, &error));
    assert_error(error, RUN_ERROR_AWAY, gone);
    served_stop(s);
    assert_false(run_client_post(s->client, "/x", nothing, 10, &answer, &error));
    assert_error(error, RUN_ERROR_STOPPED, "told to stop");
    json_decref(nothing);
}

static void a_file_goes_out_with_its_lease(void **state) {
    served *s = *state;
    g_autofree char *file = put_file(s->folder, "raw.zst", "compressed", 0600);
    g_auto(run_answer) answer = {0};
    ANSWER(s, {200, NULL, NULL, "{\"known\": false}"});
    assert_true(run_client_put_file(s->client, "/raw/abc", "lease-3", file, &answer, NULL));
    assert_true(json_is_false(json_object_get(answer.body, "known")));
    const receiver_request *one = receiver_get(s->server, 0);
    assert_string_equal(one->line, "PUT /raw/abc");
    assert_string_equal(one->body, "compressed");
    assert_string_equal(one->type, "application/zstd");
    assert_string_equal(one->lease, "lease-3");
    assert_string_equal(one->authorization, "Bearer token-7");
    GError *error = NULL;
    assert_false(run_client_put_file(s->client, "/raw/abc", "l", "/no/such", &answer, &error));
    assert_error(error, RUN_ERROR_NODE, "cannot read /no/such");
    assert_int_equal(receiver_count(s->server), 1);
}

typedef struct {
    served *s;
    int ticks;
    bool refuse;
} ticking;

/* As the heartbeat's: a call of its own while the file comes. */
static bool tick(void *data, GError **error) {
    ticking *t = data;
    if (t->refuse) {
        g_set_error_literal(error, RUN_ERROR, RUN_ERROR_LOST, "the lease is lost");
        return false;
    }
    if (t->ticks++ > 0)
        return true;
    json_t *nothing = json_object();
    g_auto(run_answer) answer = {0};
    assert_true(run_client_post(t->s->client, "/progress", nothing, 10, &answer, NULL));
    json_decref(nothing);
    return true;
}

static int open_new(const char *folder, char **path) {
    *path = g_build_filename(folder, "download", NULL);
    const int fd = open(*path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    return fd;
}

#define BUILT "what CI built"

static void a_file_comes(void **state) {
    served *s = *state;
    g_autofree char *path = NULL, *text = NULL;
    const int fd = open_new(s->folder, &path);
    char sha256[65];
    g_auto(run_answer) answer = {0};
    g_autofree char *wanted = g_compute_checksum_for_string(G_CHECKSUM_SHA256, BUILT, -1);
    const run_download what = {.path = "/artifact", .fd = fd, .bytes_max = strlen(BUILT)};
    ANSWER(s, {200, NULL, NULL, BUILT});
    assert_true(run_client_get_file(s->client, &what, sha256, &answer, NULL));
    assert_int_equal(answer.status, 200);
    assert_string_equal(sha256, wanted);
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_string_equal(text, BUILT);
    assert_string_equal(receiver_get(s->server, 0)->authorization, "Bearer token-7");
    (void)close(fd);
}

/* The refusal's words are no part of the file. */
static void a_file_that_is_refused(void **state) {
    served *s = *state;
    g_autofree char *path = NULL, *text = NULL;
    const int fd = open_new(s->folder, &path);
    char sha256[65];
    g_auto(run_answer) answer = {0};
    const run_download what = {.path = "/artifact", .fd = fd, .bytes_max = 5};
    ANSWER(s, {404, NULL, NULL, "{\"detail\": \"no such artifact\"}"});
    assert_true(run_client_get_file(s->client, &what, sha256, &answer, NULL));
    assert_int_equal(answer.status, 404);
    assert_string_equal(answer.detail, "no such artifact");
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_string_equal(text, "");
    (void)close(fd);
}

static void more_than_was_announced(void **state) {
    served *s = *state;
    g_autofree char *path = NULL;
    const int fd = open_new(s->folder, &path);
    char sha256[65];
    g_auto(run_answer) answer = {0};
    GError *error = NULL;
    const run_download what = {.path = "/a", .fd = fd, .bytes_max = strlen(BUILT) - 1};
    ANSWER(s, {200, NULL, NULL, BUILT});
    assert_false(run_client_get_file(s->client, &what, sha256, &answer, &error));
    assert_error(error, RUN_ERROR_REFUSED, "more bytes than the job announced");
    (void)close(fd);
}

static void a_file_that_cannot_be_written(void **state) {
    served *s = *state;
    const int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    char sha256[65];
    g_auto(run_answer) answer = {0};
    GError *error = NULL;
    const run_download what = {.path = "/a", .fd = fd, .bytes_max = 100};
    ANSWER(s, {200, NULL, NULL, BUILT});
    assert_false(run_client_get_file(s->client, &what, sha256, &answer, &error));
    assert_error(error, RUN_ERROR_NODE, "cannot write a download");
    (void)close(fd);
}

/* The tick makes calls of its own meanwhile, and its error ends the download. */
static void the_tick_goes_on(void **state) {
    served *s = *state;
    g_autofree char *path = NULL;
    const int fd = open_new(s->folder, &path);
    char sha256[65];
    g_auto(run_answer) answer = {0};
    ticking t = {.s = s};
    const run_download what = {
        .path = "/a", .fd = fd, .bytes_max = 100, .tick = tick, .tick_data = &t};
    assert_true(run_client_get_file(s->client, &what, sha256, &answer, NULL));
    assert_true(t.ticks > 0);
    assert_int_equal(receiver_count(s->server), 2);
    GError *error = NULL;
    t.refuse = true;
    assert_false(run_client_get_file(s->client, &what, sha256, &answer, &error));
    assert_error(error, RUN_ERROR_LOST, "the lease is lost");
    t.refuse = false;
    served_stop(s);
    assert_false(run_client_get_file(s->client, &what, sha256, &answer, &error));
    assert_error(error, RUN_ERROR_STOPPED, "told to stop");
    (void)close(fd);
}

static void what_an_answer_means(void **state) {
    (void)state;
    static const struct {
        long status;
        int code; /* -1: good */
    } cases[] = {{200, -1},
                 {204, -1},
                 {299, -1},
                 {300, RUN_ERROR_REFUSED},
                 {400, RUN_ERROR_REFUSED},
                 {401, RUN_ERROR_AWAY},
                 {403, RUN_ERROR_AWAY},
                 {404, RUN_ERROR_REFUSED},
                 {408, RUN_ERROR_AWAY},
                 {409, RUN_ERROR_LOST},
                 {410, RUN_ERROR_REFUSED},
                 {413, RUN_ERROR_REFUSED},
                 {429, RUN_ERROR_AWAY},
                 {500, RUN_ERROR_AWAY},
                 {503, RUN_ERROR_AWAY}};
    char detail[] = "why";
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const run_answer answer = {.status = cases[i].status, .detail = i % 2 ? detail : NULL};
        g_autofree char *says = g_strdup_printf("result: the server answered %ld%s",
                                                cases[i].status, i % 2 ? ": why" : "");
        GError *error = NULL;
        assert_true(run_client_judge(&answer, "result", &error) == (cases[i].code < 0));
        if (cases[i].code >= 0)
            assert_error(error, cases[i].code, says);
    }
}

/* Found by tests/fuzz/runner/fuzz_answers; the address sanitizer sees it. */
static void a_header_that_goes_on_from_the_last_answer(void **state) {
    (void)state;
    told_peer *peer = told_begin(TOLD_FOLDED);
    run_client *client = run_client_new(peer->url, "token-7", -1, NULL);
    json_t *nothing = json_object();
    g_auto(run_answer) answer = {0};
    GError *error = NULL;
    assert_true(run_client_post(client, "/x", nothing, 10, &answer, NULL));
    assert_non_null(answer.body);
    run_answer_clear(&answer);
    assert_false(run_client_post(client, "/x", nothing, 10, &answer, &error)); /* of nothing */
    assert_error(error, RUN_ERROR_AWAY, "no answer");
    json_decref(nothing);
    run_client_free(client);
    assert_int_equal(told_end(peer), 1); /* the connection is used again */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_header_that_goes_on_from_the_last_answer),
        cmocka_unit_test(which_server_and_token),
        SERVED(a_call),
        SERVED(answers),
        SERVED(nobody_answers),
        SERVED(a_file_goes_out_with_its_lease),
        SERVED(a_file_comes),
        SERVED(a_file_that_is_refused),
        SERVED(more_than_was_announced),
        SERVED(a_file_that_cannot_be_written),
        SERVED(the_tick_goes_on),
        cmocka_unit_test(what_an_answer_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
