/* Request targets, parameters and bodies as strangers send them. */
#include "tests/unit/test.h"

#include "server/http/request.h"

#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <string.h>

/*
 * What GLib calls once a process before it reads a number. Another thread that waits for it finds
 * errno of that wait; here the one that makes it does.
 */
static bool disturbed; /* in this test alone */
locale_t newlocale(int mask, const char *name, locale_t base);
locale_t newlocale(int mask, const char *name, locale_t base) {
    locale_t (*real)(int, const char *, locale_t) = NULL;
    *(void **)(void *)&real = dlsym(RTLD_NEXT, "newlocale");
    locale_t made = real(mask, name, base);
    if (disturbed)
        errno = EAGAIN;
    return made;
}

/*
 * tests/bench/crash: a good request right after a start was answered 400, "Content-Length is not a
 * number". First of all tests: the locale is made once.
 */
static void the_first_number_of_a_process_is_read(void **state) {
    (void)state;
    disturbed = true;
    srv_request request = {0};
    uint64_t value = 0;
    assert_true(srv_request_parse_target(&request, "/a?n=94", NULL));
    assert_true(srv_request_unsigned(&request, "n", 0, INT64_MAX, &value, NULL));
    assert_int_equal(value, 94);
    srv_request_clear(&request);
}

static void decodes_path_and_query(void **state) {
    (void)state;
    srv_request request = {0};
    assert_true(srv_request_parse_target(&request, "/a%20b/c%2Fd?x=1+2&y=%C3%A4&x=9&z&=e", NULL));
    assert_string_equal(request.path, "/a b/c/d");
    assert_string_equal(srv_request_query(&request, "x"), "1 2");
    assert_string_equal(srv_request_query(&request, "y"), "ä");
    assert_string_equal(srv_request_query(&request, "z"), "");
    assert_null(srv_request_query(&request, "w"));
    srv_request_clear(&request);
}

static void refuses_tricks(void **state) {
    (void)state;
    const char *bad[] = {"*",           "http://h/", "/%",          "/%4",     "/%zz",
                         "/a%00b",      "/a%0Ab",    "/%ff",        "/../etc", "/a/../b",
                         "/a/%2e%2e/b", "/a/.",      "/%2e%2e%2fb", "/a?x=%",  "/a?x=%00",
                         "/a?%ff=1",    "/a/..%2fb"};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        srv_request request = {0};
        g_autoptr(GError) error = NULL;
        if (srv_request_parse_target(&request, bad[i], &error))
            fail_msg("accepted %s", bad[i]);
        assert_non_null(error);
        srv_request_clear(&request);
    }
}

static void numbers_have_bounds(void **state) {
    (void)state;
    srv_request request = {0};
    assert_true(srv_request_parse_target(&request, "/a?n=5&big=5001&neg=-1&word=x&e=", NULL));
    uint64_t value = 7;
    assert_true(srv_request_unsigned(&request, "none", 1, 5000, &value, NULL));
    assert_int_equal(value, 7);
    assert_true(srv_request_unsigned(&request, "n", 1, 5000, &value, NULL));
    assert_int_equal(value, 5);
    const char *bad[] = {"big", "neg", "word", "e"};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        assert_false(srv_request_unsigned(&request, bad[i], 1, 5000, &value, &error));
        assert_non_null(strstr(error->message, "from 1 to 5000"));
    }
    srv_request_clear(&request);
}

static void ids_are_positive(void **state) {
    (void)state;
    const struct {
        const char *text;
        bool good;
    } cases[] = {{"1", true},   {"9223372036854775807", true},  {"0", false},  {"-1", false},
                 {"1x", false}, {"9223372036854775808", false}, {"+1", false}, {" 1", false}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        srv_request request = {.params = {g_strdup(cases[i].text)}};
        g_autoptr(GError) error = NULL;
        int64_t id = 0;
        if (srv_request_id(&request, 0, &id, &error) != cases[i].good)
            fail_msg("%s", cases[i].text);
        srv_request_clear(&request);
    }
}

static void bodies_are_objects(void **state) {
    (void)state;
    const struct {
        const char *text;
        const char *wrong; /* in the error; NULL: accepted */
    } cases[] = {{"{\"a\": 1}", NULL},
                 {"", "no body"},
                 {"[1]", "not an object"},
                 {"{\"a\": 1,}", "line 1, column"},
                 {"{\n\"a\": x}", "line 2, column"},
                 {"{\"a\": 1, \"a\": 2}", "duplicate"},
                 {"{\"a\": \"\xff\"}", "0xff"},
                 {"{} {}", "end of file"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        srv_request request = {.body = g_byte_array_new()};
        g_byte_array_append(request.body, (const guint8 *)cases[i].text,
                            (guint)strlen(cases[i].text));
        g_autoptr(GError) error = NULL;
        json_t *json = srv_request_json(&request, &error);
        if ((json != NULL) != (!cases[i].wrong))
            fail_msg("%s", cases[i].text);
        if (error && !strstr(error->message, cases[i].wrong))
            fail_msg("%s: %s", cases[i].text, error->message);
        json_decref(json);
        srv_request_clear(&request);
    }
}

static void deep_nesting_is_refused(void **state) {
    (void)state;
    srv_request request = {.body = g_byte_array_new()};
    g_autofree char *deep = g_strnfill(100000, '[');
    g_byte_array_append(request.body, (const guint8 *)deep, 100000);
    g_autoptr(GError) error = NULL;
    assert_null(srv_request_json(&request, &error));
    assert_non_null(error);
    srv_request_clear(&request);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_number_of_a_process_is_read),
        cmocka_unit_test(decodes_path_and_query),
        cmocka_unit_test(refuses_tricks),
        cmocka_unit_test(numbers_have_bounds),
        cmocka_unit_test(ids_are_positive),
        cmocka_unit_test(bodies_are_objects),
        cmocka_unit_test(deep_nesting_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
