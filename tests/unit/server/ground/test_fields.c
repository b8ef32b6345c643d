/* Members of an object from outside: what is taken, and what the first error says. */
#include "tests/unit/test.h"

#include "server/ground/fields.h"

#include <math.h>
#include <string.h>

static json_t *json_of(const char *text) {
    g_autofree char *quoted = g_strdelimit(g_strdup(text), "'", '"');
    json_t *json = json_loads(quoted, JSON_ALLOW_NUL, NULL);
    assert_non_null(json);
    return json;
}

/* What a member is asked for as. */
typedef enum { TEXT, WHOLE, REAL, BOOL, LIST, OBJECT } kind;

static void ask(srv__fields *fields, kind as, bool optional) {
    switch (as) {
    case TEXT:
        (void)srv__field_text(fields, "x", 5, optional);
        break;
    case WHOLE:
        (void)srv__field_int(fields, "x", -3, 10, optional, 0);
        break;
    case REAL:
        (void)srv__field_real(fields, "x", 0, optional);
        break;
    case BOOL:
        (void)srv__field_bool(fields, "x", false);
        break;
    case LIST:
        (void)srv__field_json(fields, "x", JSON_ARRAY, optional);
        break;
    case OBJECT:
        (void)srv__field_json(fields, "x", JSON_OBJECT, optional);
        break;
    }
}

static void what_is_refused_and_why(void **state) {
    (void)state;
    static const struct {
        const char *object;
        kind as;
        const char *words; /* NULL: taken */
    } cases[] = {
        {"{'x': 'abcde'}", TEXT, NULL},
        {"{'x': ''}", TEXT, NULL},
        {"{'x': 'a\\tb\\n'}", TEXT, NULL},
        {"{'x': 'abcdef'}", TEXT, "too long"},
        {"{'x': 'äöü'}", TEXT, "too long"}, /* bytes, not letters */
        {"{'x': 'a\\u0000b'}", TEXT, "zero byte"},
        {"{'x': 'a\\u0001'}", TEXT, "control"},
        {"{'x': 'a\\u001b['}", TEXT, "control"},
        {"{'x': '\\u007f'}", TEXT, "control"},
        {"{'x': 3}", TEXT, "must be a text"},
        {"{'x': ['a']}", TEXT, "must be a text"},
        {"{}", TEXT, "is missing"},
        {"{'x': null}", TEXT, "is missing"},
        {"{'x': -3}", WHOLE, NULL},
        {"{'x': 10}", WHOLE, NULL},
        {"{'x': -4}", WHOLE, "is -4, must be -3 to 10"},
        {"{'x': 11}", WHOLE, "is 11, must be -3 to 10"},
        {"{'x': 3.0}", WHOLE, NULL}, /* as JSON Schema has it */
        {"{'x': 3.5}", WHOLE, "whole number"},
        {"{'x': 1e300}", WHOLE, "whole number"},
        {"{'x': 11.0}", WHOLE, "is 11, must be -3 to 10"},
        {"{'x': '3'}", WHOLE, "whole number"},
        {"{'x': true}", WHOLE, "whole number"},
        {"{'x': 0}", REAL, NULL},
        {"{'x': 1e300}", REAL, NULL},
        {"{'x': -1e-9}", REAL, "at least 0"},
        {"{'x': '1'}", REAL, "must be a number"},
        {"{}", REAL, "is missing"},
        {"{'x': true}", BOOL, NULL},
        {"{}", BOOL, NULL},
        {"{'x': 1}", BOOL, "true or false"},
        {"{'x': 'true'}", BOOL, "true or false"},
        {"{'x': []}", LIST, NULL},
        {"{'x': {}}", LIST, "must be a list"},
        {"{'x': {}}", OBJECT, NULL},
        {"{'x': []}", OBJECT, "must be an object"},
        {"{}", LIST, "is missing"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        json_t *object = json_of(cases[i].object);
        srv__fields fields = {.object = object, .where = "loops[3]", .error = &error};
        ask(&fields, cases[i].as, SRV__REQUIRED);
        if (fields.failed != (cases[i].words != NULL))
            fail_msg("%s: %s", cases[i].object, error ? error->message : "taken");
        if (error && (error->domain != SRV_ERROR || error->code != SRV_ERROR_INVALID ||
                      !g_str_has_prefix(error->message, "loops[3].x: ") ||
                      !strstr(error->message, cases[i].words)))
            fail_msg("%s: %s", cases[i].object, error->message);
        json_decref(object);
    }
}

static void what_may_be_missing(void **state) {
    (void)state;
    static const char *const objects[] = {"{}", "{'x': null}"};
    for (size_t i = 0; i < G_N_ELEMENTS(objects); i++) {
        g_autoptr(GError) error = NULL;
        json_t *object = json_of(objects[i]);
        srv__fields fields = {.object = object, .where = "", .error = &error};
        assert_null(srv__field_text(&fields, "x", 5, SRV__OPTIONAL));
        assert_int_equal(srv__field_int(&fields, "x", 1, 2, SRV__OPTIONAL, -7), -7);
        assert_true(isnan(srv__field_real(&fields, "x", 0, SRV__OPTIONAL)));
        assert_true(srv__field_bool(&fields, "x", true));
        assert_null(srv__field_json(&fields, "x", JSON_ARRAY, SRV__OPTIONAL));
        assert_false(fields.failed);
        assert_null(error);
        json_decref(object);
    }
}

static void the_first_error_stays(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    json_t *object = json_of("{'b': 3}");
    srv__fields fields = {.object = object, .where = "", .error = &error};
    assert_null(srv__field_text(&fields, "a", 5, SRV__REQUIRED));
    assert_null(srv__field_text(&fields, "b", 5, SRV__REQUIRED));
    assert_true(fields.failed);
    assert_string_equal(error->message, "a: is missing");
    json_decref(object);
}

static void a_list_is_no_object(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    json_t *list = json_of("[1]");
    srv__fields fields = {.object = list, .where = "", .error = &error};
    (void)srv__field_int(&fields, "x", 0, 1, SRV__REQUIRED, 0);
    assert_true(fields.failed);
    json_decref(list);
}

static void a_strangers_text_becomes_one_short_line(void **state) {
    (void)state;
    static const struct {
        const char *text;
        glong limit;
        const char *tidy;
    } cases[] = {
        {"plain", 10, "plain"},
        {NULL, 10, ""},
        {"", 10, ""},
        {"two\nlines\tand a tab", 40, "two lines and a tab"},
        {"bell \a and delete \x7f", 40, "bell   and delete  "},
        {"not \xc3( UTF-8", 40, "not \xef\xbf\xbd( UTF-8"},
        {"exactly ten", 11, "exactly ten"},
        {"exactly ten", 10, "exactly t…"},
        {"äöüßäöüß", 4, "äöü…"},
        {"日本語", 3, "日本語"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *tidy = srv__line_tidy(cases[i].text, cases[i].limit);
        assert_string_equal(tidy, cases[i].tidy);
        assert_true(g_utf8_validate(tidy, -1, NULL));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_refused_and_why),
        cmocka_unit_test(what_may_be_missing),
        cmocka_unit_test(the_first_error_stays),
        cmocka_unit_test(a_list_is_no_object),
        cmocka_unit_test(a_strangers_text_becomes_one_short_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
