/* What lists become, column by column; web/site/unpack.js is held against the same lines
 * (site.test.mjs). */
#include "tests/unit/test.h"

#include "ci/site/columns.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

static void expect_packed(const char *plain, const char *packed) {
    json_auto_t *value = json_loads(plain, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    json_auto_t *made = ci_columns_pack(value);
    char *text = json_dumps(made, JSON_COMPACT | JSON_ENCODE_ANY);
    assert_string_equal(text, packed);
    free(text);
    json_auto_t *again = json_loads(plain, JSON_DECODE_ANY, NULL);
    assert_true(json_equal(value, again)); /* what was packed is as it was */
}

/* Just so, in the same order: packed again it is the same text. */
static void expect_unpacked(const char *packed, const char *plain) {
    json_auto_t *given = json_loads(packed, JSON_DECODE_ANY, NULL);
    json_auto_t *value = ci_columns_unpack(given);
    json_auto_t *expected = json_loads(plain, JSON_DECODE_ANY, NULL);
    assert_true(json_equal(value, expected));
    json_auto_t *again = ci_columns_pack(value);
    g_autofree char *text = json_dumps(again, JSON_COMPACT | JSON_ENCODE_ANY);
    assert_string_equal(text, packed);
}

static void lines(void **state) {
    (void)state;
    g_autofree char *text = NULL;
    assert_true(
        g_file_get_contents(TEST_SOURCE_DIR "/tests/unit/ci/site/columns.txt", &text, NULL, NULL));
    g_auto(GStrv) each = g_strsplit(g_strstrip(text), "\n", -1);
    for (char **line = each; *line; line++) {
        g_auto(GStrv) sides = g_strsplit(*line, "\t", 2);
        expect_packed(sides[0], sides[1]);
        expect_unpacked(sides[1], sides[0]);
    }
    assert_int_equal(g_strv_length(each), 19);
}

/* Somebody's own text in the place of ours: some value, and an end. */
static void what_was_never_packed(void **state) {
    (void)state;
    static const char *const cases[] = {"{\"=\": 1}",
                                        "{\"=\": [2]}",
                                        "{\"=\": [-1, 2]}",
                                        "{\"*\": [2, {\"a\": 7, \"b\": [1]}]}",
                                        "{\"*\": []}",
                                        "{\"/\": [[2, -3, \"x\"], [1]]}",
                                        "{\"/\": {}}",
                                        "{\"?\": [\"0112\", [1]]}",
                                        "{\"?\": [3, {\"x\": 1}]}",
                                        "{\"!\": 4}",
                                        "[{\"*\": null}, [{\"?\": \"\"}]]"};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_auto_t *given = json_loads(cases[i], 0, NULL);
        json_auto_t *value = ci_columns_unpack(given);
        assert_true(json_is_array(value) || json_is_object(value));
        assert_true(json_array_size(value) <= 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines),
                                       cmocka_unit_test(what_was_never_packed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
