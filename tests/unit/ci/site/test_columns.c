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

static void lines(void **state) {
    (void)state;
    g_autofree char *text = NULL;
    assert_true(
        g_file_get_contents(TEST_SOURCE_DIR "/tests/unit/ci/site/columns.txt", &text, NULL, NULL));
    g_auto(GStrv) each = g_strsplit(g_strstrip(text), "\n", -1);
    for (char **line = each; *line; line++) {
        g_auto(GStrv) sides = g_strsplit(*line, "\t", 2);
        expect_packed(sides[0], sides[1]);
    }
    assert_int_equal(g_strv_length(each), 19);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
