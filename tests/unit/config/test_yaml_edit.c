/* One value is another, or new; every other byte is what it was. */
#include "tests/unit/test.h"

#include "config/yaml_edit.h"

#include <string.h>

typedef struct {
    const char *before, *path, *value, *after;
} edit;

static char *edited(const char *text, const char *path, const char *value, GError **error) {
    g_auto(GStrv) words = g_strsplit(path, "/", -1);
    return cfg_yaml_set(text, (const char *const *)words, value, error);
}

static void expect(const edit *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *got = edited(cases[i].before, cases[i].path, cases[i].value, &error);
        assert_null(error);
        assert_string_equal(got, cases[i].after);
    }
}

static void a_value_is_replaced(void **state) {
    (void)state;
    static const edit cases[] = {
        {"a: 1\nb: 2\n", "a", "30", "a: 30\nb: 2\n"},
        {"a:   1   # why\n# end\n", "a", "30", "a:   30   # why\n# end\n"},
        {"a: '1'\n", "a", "2", "a: 2\n"},
        {"\"a\": 1", "a", "2", "\"a\": 2"},
        {"a:\nb: 1\n", "a", "2", "a: 2\nb: 1\n"},
        {"x: \xc3\xa4\xe2\x82\xac\na: 1 # \xc3\xb6\n", "a", "22",
         "x: \xc3\xa4\xe2\x82\xac\na: 22 # \xc3\xb6\n"},
        {"a: 1\r\nb: 2\r\n", "b", "3", "a: 1\r\nb: 3\r\n"},
        {"m:\n  a: 1\n  b: 2\na: 7\n", "m/a", "9", "m:\n  a: 9\n  b: 2\na: 7\n"},
        {"m: {a: 1, b: [x, y]}\n", "m/a", "9", "m: {a: 9, b: [x, y]}\n"},
    };
    expect(cases, G_N_ELEMENTS(cases));
}

static void a_key_is_added(void **state) {
    (void)state;
    static const edit cases[] = {
        {"a: 1\n", "b", "2", "a: 1\nb: 2\n"},
        {"a: 1", "b", "2", "a: 1\nb: 2"},
        {"a: 1 # why\n\n# end\n", "b", "2", "a: 1 # why\nb: 2\n\n# end\n"},
        {"a: 1\r\nc:\r\n  - 1\r\n", "b", "2", "a: 1\r\nb: 2\r\nc:\r\n  - 1\r\n"},
        {"m:\n    a: 1\n    l:\n      - x\nz: 1\n", "m/b", "2",
         "m:\n    a: 1\n    b: 2\n    l:\n      - x\nz: 1\n"},
        {"m: {a: 1}\n", "m/b", "2", "m: {a: 1, b: 2}\n"},
        {"m: { a: 1 }  # c\n", "m/b", "2", "m: { a: 1, b: 2 }  # c\n"},
        {"m: {a: 1,}\n", "m/b", "2", "m: {a: 1, b: 2}\n"},
        {"m: {}\n", "m/b", "2", "m: {b: 2}\n"},
        {"m: {a: 1,\n    c: 3}\n", "m/b", "2", "m: {a: 1,\n    c: 3, b: 2}\n"},
    };
    expect(cases, G_N_ELEMENTS(cases));
}

static void a_list_is_entered_by_name(void **state) {
    (void)state;
    static const edit cases[] = {
        {"l:\n  - name: x\n    a: 1\n  - name: y\n    a: 2\n", "l/y/a", "3",
         "l:\n  - name: x\n    a: 1\n  - name: y\n    a: 3\n"},
        {"l:\n  - name: x\n  # between\n  - name: y # the second\n", "l/y/a", "3",
         "l:\n  - name: x\n  # between\n  - name: y # the second\n    a: 3\n"},
        {"l:\n- {name: x}\n- {name: y, o: [-a, -b]}\n", "l/x/a", "3",
         "l:\n- {name: x, a: 3}\n- {name: y, o: [-a, -b]}\n"},
        {"l: [{name: x}, {name: 'y'}]", "l/y/a", "3", "l: [{name: x}, {name: 'y', a: 3}]"},
    };
    expect(cases, G_N_ELEMENTS(cases));
}

static void what_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *path, *words;
    } cases[] = {
        {"a: 1\n", "b/c", "b.c: is not in a mapping"},
        {"a: 1\n", "a/c", "is not in a mapping"},
        {"- 1\n", "a", "is not in a mapping"},
        {"l:\n  - name: x\n", "l/y/a", "is not in a mapping"},
        {"l:\n  - name: x\n", "l/x", "is not in a mapping"},
        {"", "a", "is not in a mapping"},
        {"a: [1]\n", "a", "a: is not a plain value"},
        {"a: |\n  text\n", "a", "is not a plain value"},
        {"a:\n  - 1\n", "b", "b: there is no plain value beside it"},
        {"a: [\n", "a", "the text:2: not valid YAML"},
        {"a: \xff\n", "a", "not UTF-8"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(edited(cases[i].text, cases[i].path, "1", &error));
        if (!strstr(error->message, cases[i].words))
            fail_msg("%zu: %s", i, error->message);
    }
}

static void texts_are_quoted(void **state) {
    (void)state;
    g_autofree char *plain = cfg_yaml_quoted("5 of 5: yes"), *quote = cfg_yaml_quoted("it's");
    assert_string_equal(plain, "'5 of 5: yes'");
    assert_string_equal(quote, "'it''s'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_replaced),       cmocka_unit_test(a_key_is_added),
        cmocka_unit_test(a_list_is_entered_by_name), cmocka_unit_test(what_is_refused),
        cmocka_unit_test(texts_are_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
