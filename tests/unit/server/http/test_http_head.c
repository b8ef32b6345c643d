#include "tests/unit/test.h"

#include "server/http/http_head.h"

#include <glib.h>
#include <string.h>

static srv__http_head head_of(const char *const (*headers)[2], size_t n) {
    srv__http_head head = {0};
    for (size_t i = 0; i < n; i++) {
        const char *name = headers[i][0], *value = headers[i][1];
        const enum MHD_Result result = srv__http_head_take(
            &head, MHD_HEADER_KIND, name, strlen(name), value, value ? strlen(value) : 0);
        assert_int_equal(result, MHD_YES);
    }
    return head;
}

#define HEAD(...)                                                                                  \
    head_of((const char *const[][2]){__VA_ARGS__},                                                 \
            sizeof((const char *const[][2]){__VA_ARGS__}) / (2 * sizeof(char *)))

static void what_decides_is_found_among_others(void **state) {
    (void)state;
    const srv__http_head head =
        HEAD({"Hose", "a"}, {"Accept", "b"}, {"HOST", "localhost"}, {"Accept-Encodinh", "c"},
             {"accept-encoding", "gzip"}, {"if-NONE-match", "\"x\""}, {"Content-Type", "d"},
             {"Authorizatiom", "e"}, {"Content-Lengths", "f"}, {"", "g"});
    assert_string_equal(head.host, "localhost");
    assert_string_equal(head.accept_encoding, "gzip");
    assert_string_equal(head.if_none_match, "\"x\"");
    assert_false(head.authorised);
    assert_false(head.body);
}

static void what_is_absent_is_null(void **state) {
    (void)state;
    const srv__http_head head = HEAD({"User-Agent", "x"});
    assert_null(head.host);
    assert_null(head.accept_encoding);
    assert_null(head.if_none_match);
}

/* As the gate reads them: the first of one name counts, and an empty one is there. */
static void the_first_of_one_name_counts(void **state) {
    (void)state;
    const srv__http_head head =
        HEAD({"Host", "evil.example"}, {"Host", "localhost"}, {"If-None-Match", NULL},
             {"If-None-Match", "*"}, {"Accept-Encoding", ""}, {"Accept-Encoding", "gzip"});
    assert_string_equal(head.host, "evil.example");
    assert_string_equal(head.if_none_match, "");
    assert_string_equal(head.accept_encoding, "");
}

static void tokens_and_bodies_are_noticed_however_written(void **state) {
    (void)state;
    assert_true(HEAD({"authorization", ""}).authorised);
    assert_true(HEAD({"AUTHORIZATION", NULL}).authorised);
    assert_true(HEAD({"Content-Length", "0"}).body);
    assert_true(HEAD({"content-length", "7"}).body);
    assert_true(HEAD({"TRANSFER-ENCODING", "chunked"}).body);
    assert_false(HEAD({"Content-Length", "0"}).authorised);
    assert_false(HEAD({"Authorization", "Bearer x"}).body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_decides_is_found_among_others),
        cmocka_unit_test(what_is_absent_is_null),
        cmocka_unit_test(the_first_of_one_name_counts),
        cmocka_unit_test(tokens_and_bodies_are_noticed_however_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
