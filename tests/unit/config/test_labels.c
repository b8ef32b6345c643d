#include "tests/unit/test.h"

#include "config/moobench.h"

static void expect(const char *text, guint number, const char *label) {
    g_autoptr(GHashTable) labels = cfg_labels_parse(text);
    const char *got = g_hash_table_lookup(labels, GUINT_TO_POINTER(number));
    if (label)
        assert_string_equal(got, label);
    else
        assert_null(got);
}

static void upstream_forms(void **state) {
    (void)state;
    expect("TITLE[0]=\"No instrumentation\"\nTITLE[1]=\"Deactivated probe\"\n", 1,
           "Deactivated probe");
    expect("if [ x ]\nthen\n\tTITLE[4]=\"Prometheus\"\nfi\n", 4, "Prometheus");
    expect("TITLE[2]='single'\n", 2, "single");
    expect("TITLE[2]=bare # why\n", 2, "bare");
    expect("TITLE[2]=\"first\"\nTITLE[2]=\"second\"\n", 2, "second");
}

static void what_is_passed_over(void **state) {
    (void)state;
    expect("#TITLE[5]=\"commented\"\n", 5, NULL);
    expect("TITLE[0]=\"\"\n", 0, NULL);
    expect("OTHER[0]=\"x\"\n", 0, NULL);
    expect("TITLE[1000]=\"too many\"\n", 1000, NULL);
    expect("TITLE[0]=\"open\n", 0, NULL);
    expect("", 0, NULL);
}

static void nothing_is_run(void **state) {
    (void)state;
    expect("TITLE[0]=\"$(touch /tmp/never)\"\n", 0, "$(touch /tmp/never)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upstream_forms),
        cmocka_unit_test(what_is_passed_over),
        cmocka_unit_test(nothing_is_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
