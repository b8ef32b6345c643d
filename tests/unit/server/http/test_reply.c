/* Replies, their problems and ETags, the chart cache and log lines. */
#include "tests/unit/test.h"

#include "server/ground/error.h"
#include "server/http/reply.h"

#include <gio/gio.h>
#include <string.h>

static const char *body_of(const srv_reply *reply, json_t **json) {
    gsize size = 0;
    const char *data = g_bytes_get_data(reply->body, &size);
    *json = json_loadb(data, size, 0, NULL);
    return json_string_value(json_object_get(*json, "detail"));
}

static void errors_become_problems(void **state) {
    (void)state;
    const struct {
        GQuark domain;
        int code;
        unsigned status;
        bool told; /* the text may leave the house */
    } cases[] = {{SRV_ERROR, SRV_ERROR_NOT_FOUND, 404, true},
                 {SRV_ERROR, SRV_ERROR_CONFLICT, 409, true},
                 {SRV_ERROR, SRV_ERROR_INVALID, 400, true},
                 {SRV_ERROR, SRV_ERROR_REJECTED, 422, true},
                 {SRV_ERROR, SRV_ERROR_TOO_LARGE, 413, true},
                 {SRV_ERROR, SRV_ERROR_FULL, 507, true},
                 {SRV_ERROR, SRV_ERROR_BUSY, 503, true},
                 {SRV_ERROR, SRV_ERROR_INTERNAL, 500, false},
                 {SRV_ERROR, 99, 500, false},
                 {G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, 400, true},
                 {G_IO_ERROR, G_IO_ERROR_NOT_FOUND, 404, true},
                 {G_IO_ERROR, G_IO_ERROR_FAILED, 500, false}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(srv_reply) reply =
            srv_reply_error(g_error_new(cases[i].domain, cases[i].code, "the \"reason\" \xff"));
        assert_int_equal(reply->status, cases[i].status);
        assert_string_equal(reply->content_type, "application/problem+json");
        json_t *json = NULL;
        const char *detail = body_of(reply, &json);
        assert_int_equal(json_integer_value(json_object_get(json, "status")), cases[i].status);
        assert_non_null(json_string_value(json_object_get(json, "title")));
        assert_int_equal(strstr(detail, "reason") != NULL, cases[i].told);
        json_decref(json);
    }
}

static void etag_follows_the_body(void **state) {
    (void)state;
    g_autoptr(srv_reply) one = srv_reply_json(200, json_pack("{s:i}", "a", 1));
    g_autoptr(srv_reply) same = srv_reply_json(200, json_pack("{s:i}", "a", 1));
    g_autoptr(srv_reply) other = srv_reply_json(200, json_pack("{s:i}", "a", 2));
    assert_string_equal(one->etag, same->etag);
    assert_string_not_equal(one->etag, other->etag);
    g_autofree char *weak = g_strconcat("\"x\", W/", one->etag, NULL);
    assert_true(srv_etag_matches(one->etag, one->etag));
    assert_true(srv_etag_matches(one->etag, weak));
    assert_true(srv_etag_matches(one->etag, "*"));
    assert_false(srv_etag_matches(one->etag, other->etag));
    assert_false(srv_etag_matches(one->etag, NULL));
    assert_false(srv_etag_matches(one->etag, ""));
}

static void a_fault_that_passes_says_when(void **state) {
    (void)state;
    const struct {
        srv_reply *reply;
        unsigned status;
        const char *pause;
    } cases[] = {{srv_reply_later("later", 30), 503, "30"},
                 {srv_reply_problem(503, "busy"), 503, "2"},
                 {srv_reply_problem(507, "full"), 507, "60"},
                 {srv_reply_problem(400, "bad"), 400, NULL}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const GPtrArray *headers = cases[i].reply->headers;
        assert_int_equal(cases[i].reply->status, cases[i].status);
        assert_int_equal(headers->len, cases[i].pause ? 2 : 0);
        if (cases[i].pause)
            assert_string_equal(g_ptr_array_index(headers, 1), cases[i].pause);
        srv_reply_free(cases[i].reply);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_that_passes_says_when),
        cmocka_unit_test(errors_become_problems),
        cmocka_unit_test(etag_follows_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
