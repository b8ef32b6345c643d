/* A reply as the library's response: headers of every answer, forms, and what is packed. */
#include "server/http/http_reply.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include "tests/unit/server/expect.h"
#include "web/pages/asset.h"

#include <microhttpd.h>
#include <signal.h>
#include <unistd.h>

static const char *header(struct MHD_Response *response, const char *name) {
    return MHD_get_response_header(response, name);
}

static srv_reply *text_of_size(const char *type, gsize size) {
    return srv_reply_bytes(type, g_bytes_new_take(g_strnfill(size, 'a'), size), "\"tag\"");
}

static void every_answer_is_hardened(void **state) {
    (void)state;
    unsigned status = 0;
    struct MHD_Response *response =
        srv__http_response(srv_reply_json(200, json_object()), NULL, &status);
    static const char *const names[][2] = {
        {"Content-Security-Policy", WEB_CONTENT_SECURITY_POLICY},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "same-origin"},
        {"X-Frame-Options", "DENY"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-site"},
        {"Permissions-Policy", "camera=(), microphone=(), geolocation=()"},
        {"Cache-Control", "no-cache"},
        {"Content-Type", "application/json"},
        {"Vary", "Accept-Encoding"},
    };
    assert_int_equal(status, 200);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        assert_string_equal(header(response, names[i][0]), names[i][1]);
    MHD_destroy_response(response);
}

/* A page that may be framed says so instead; an empty value leaves the header out. */
static void a_reply_may_say_otherwise(void **state) {
    (void)state;
    unsigned status = 0;
    srv_reply *reply = srv_reply_json(201, json_object());
    srv_reply_header(reply, "content-security-policy", "frame-ancestors https://x.example");
    srv_reply_header(reply, "X-Frame-Options", "");
    reply->cache = "no-store";
    struct MHD_Response *response = srv__http_response(reply, NULL, &status);
    assert_int_equal(status, 201);
    assert_string_equal(header(response, "Content-Security-Policy"),
                        "frame-ancestors https://x.example");
    assert_null(header(response, "X-Frame-Options"));
    assert_string_equal(header(response, "Cache-Control"), "no-store");
    assert_string_equal(header(response, "Referrer-Policy"), "same-origin");
    MHD_destroy_response(response);
}

static void only_a_good_answer_is_known_already(void **state) {
    (void)state;
    static const struct {
        unsigned status;
        const char *if_none_match;
        unsigned answered;
    } cases[] = {
        {200, NULL, 200},
        {200, "\"tag\"", 304},
        {200, "\"other\"", 200},
        {200, "W/\"tag\"", 304},
        {200, "\"a\", \"tag\"", 304},
        {200, "*", 304},
        {404, "\"tag\"", 404},
        {500, "*", 500},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        unsigned status = 0;
        srv_reply *reply = text_of_size("text/plain", 10);
        reply->status = cases[i].status;
        struct MHD_Response *response = srv__http_response(reply, cases[i].if_none_match, &status);
        assert_int_equal(status, cases[i].answered);
        assert_string_equal(header(response, "ETag"), "\"tag\"");
        assert_int_equal(header(response, "Content-Type") == NULL, status == 304);
        MHD_destroy_response(response);
    }
}

static void who_takes_gzip_says_so(void **state) {
    (void)state;
    static const struct {
        const char *header;
        bool takes;
    } cases[] = {
        {NULL, false},
        {"", false},
        {"gzip", true},
        {"GZIP", true},
        {"br, gzip", true},
        {"br", false},
        {"gzip;q=0", false},
        {"gzip; q=0.0", false},
        {"gzip;q=0.5", true},
        {"br;q=1, gzip ; q=0", false},
        {"*", true},
        {"*;q=0", false},
        {"x-gzip", false},
        {"gzipped", false},
        {"identity,\tgzip", true},
        {", ,gzip", true},
        {"gzip;Q=0", false},
        {"gzip;level=9", true},
        {",\t gzip", true},
        {"gzip\t;q=1", true},
        {"gzi", false},
        {"br;q=gzip", false},
        {"gzip;q=0, *", false},
        {", ,\t", false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        if (srv__http_accepts_gzip(cases[i].header) != cases[i].takes)
            fail_msg("\"%s\"", cases[i].header ? cases[i].header : "(absent)");
}

static void what_shrinks_is_packed(void **state) {
    (void)state;
    static const struct {
        const char *type;
        gsize size;
        bool packed;
    } cases[] = {
        {"application/json", 5000, true},
        {"application/json", 1023, false}, /* fits one packet anyway */
        {"application/json", 1024, true},
        {"text/html; charset=utf-8", 5000, true},
        {"application/problem+json", 5000, true},
        {"image/svg+xml", 5000, true},
        {"application/atom+xml; charset=utf-8", 5000, true},
        {"image/png", 5000, false},
        {"application/zstd", 5000, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(srv_reply) reply = text_of_size(cases[i].type, cases[i].size);
        srv__http_pack(reply);
        const gsize size = g_bytes_get_size(reply->body);
        if ((size < cases[i].size) != cases[i].packed)
            fail_msg("%s of %zu bytes became %zu", cases[i].type, cases[i].size, size);
        assert_string_equal(reply->etag, cases[i].packed ? "\"tag-gz\"" : "\"tag\"");
        assert_int_equal(g_strcmp0(reply->encoding, "gzip") == 0, cases[i].packed);
        /* twice is once */
        srv__http_pack(reply);
        assert_int_equal(g_bytes_get_size(reply->body), size);
    }
}

static void what_is_packed_already_is_taken_as_it_is(void **state) {
    (void)state;
    g_autoptr(srv_reply) reply = text_of_size("application/javascript", 50);
    reply->gzip = g_bytes_new_static("packed", 6);
    srv__http_pack(reply);
    assert_memory_equal(g_bytes_get_data(reply->body, NULL), "packed", 6);
    assert_string_equal(reply->encoding, "gzip");
}

/* Which form of a kept answer a client gets, and that its bytes are counted. */
static void a_kept_answer_has_the_forms_it_needs(void **state) {
    (void)state;
    static const struct {
        const char *type;
        gsize size;
        bool packed;
    } cases[] = {{"application/json", 100, false},
                 {"application/json", 5000, true},
                 {"application/json", 2 << 20, true},
                 {"image/png", 5000, false}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        unsigned status = 0;
        srv__http_kept *kept = srv__http_kept_new(text_of_size(cases[i].type, cases[i].size));
        srv__http_kept *second = srv__http_kept_ref(kept);
        srv__http_kept_unref(kept);
        assert_true(http_kept_bytes(second) >= cases[i].size);
        struct MHD_Response *plain = srv__http_kept_response(second, NULL, NULL, &status);
        assert_int_equal(status, 200);
        assert_null(header(plain, "Content-Encoding"));
        assert_string_equal(header(plain, "ETag"), "\"tag\"");
        assert_string_equal(header(plain, "X-Content-Type-Options"), "nosniff");
        struct MHD_Response *gzip = srv__http_kept_response(second, "gzip", NULL, &status);
        assert_int_equal(status, 200);
        assert_int_equal(g_strcmp0(header(gzip, "Content-Encoding"), "gzip") == 0, cases[i].packed);
        struct MHD_Response *known = srv__http_kept_response(
            second, "gzip", cases[i].packed ? "\"tag-gz\"" : "\"tag\"", &status);
        assert_int_equal(status, 304);
        assert_null(header(known, "Content-Encoding"));
        srv__http_kept_unref(second); /* what is being sent stays */
        MHD_destroy_response(plain);
        MHD_destroy_response(gzip);
        MHD_destroy_response(known);
    }
    srv__http_kept_unref(NULL);
}

static ssize_t read_nothing(void *data, char *out, size_t max) {
    (void)data;
    (void)out;
    (void)max;
    return 0;
}

static void count(void *data) {
    ++*(int *)data;
}

/* Once, whether the answer was sent or not. */
static void files_and_sources_are_given_back(void **state) {
    (void)state;
    unsigned status = 0;
    int freed = 0, fds[2];
    assert_int_equal(pipe(fds), 0);
    srv_reply *file = srv_reply_file("application/zstd", fds[0], 10);
    file->etag = g_strdup("\"f\"");
    MHD_destroy_response(srv__http_response(file, "\"f\"", &status));
    assert_int_equal(status, 304);
    assert_int_equal(write(fds[1], "x", 1), -1); /* the reading end is closed */
    close(fds[1]);
    const srv_reply_source source = {read_nothing, count, &freed};
    struct MHD_Response *response =
        srv__http_response(srv_reply_stream("text/csv", source), NULL, &status);
    assert_null(header(response, "Vary")); /* it is never packed */
    MHD_destroy_response(response);
    assert_int_equal(freed, 1);
    srv_reply_free(srv_reply_stream("text/csv", source));
    assert_int_equal(freed, 2);
}

int main(void) {
    (void)signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_hardened),
        cmocka_unit_test(a_reply_may_say_otherwise),
        cmocka_unit_test(only_a_good_answer_is_known_already),
        cmocka_unit_test(who_takes_gzip_says_so),
        cmocka_unit_test(what_shrinks_is_packed),
        cmocka_unit_test(what_is_packed_already_is_taken_as_it_is),
        cmocka_unit_test(a_kept_answer_has_the_forms_it_needs),
        cmocka_unit_test(files_and_sources_are_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
