/* `calibration`: the commit that a project's nodes measure in turn. */
#include "tests/unit/test.h"

#include "config/config.h"
#include "file.h"

#include <string.h>

static cfg_project *with(const char *calibration, GError **error) {
    g_autofree char *text =
        g_strdup_printf("name: a\nrepository: /tmp/a\n%sbenchmark:\n  driver: native\n"
                        "  configurations:\n    - {name: none, portion: T}\n",
                        calibration);
    return test_project(text, -1, error);
}

static void none_is_none(void **state) {
    (void)state;
    g_autoptr(cfg_project) project = with("", NULL);
    assert_non_null(project);
    assert_null(project->calibration.commit);
}

static void what_is_left_out_has_its_default(void **state) {
    (void)state;
    g_autoptr(cfg_project) project = with("calibration: {commit: 5158397b1}\n", NULL);
    assert_non_null(project);
    assert_string_equal(project->calibration.commit, "5158397b1");
    assert_int_equal(project->calibration.every_days, 7);
    assert_int_equal(project->calibration.limit_days, 90);
    assert_int_equal(project->calibration.take_over_hours, 0);
}

static void all_of_it_is_read(void **state) {
    (void)state;
    g_autoptr(cfg_project) project =
        with("calibration:\n  commit: \"0123456789012345678901234567890123456789\"\n"
             "  every_days: 30\n  limit_days: 120\n  take_over_hours: 36\n",
             NULL);
    assert_non_null(project);
    assert_int_equal(strlen(project->calibration.commit), 40);
    assert_int_equal(project->calibration.every_days, 30);
    assert_int_equal(project->calibration.limit_days, 120);
    assert_int_equal(project->calibration.take_over_hours, 36);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    static const struct {
        const char *calibration, *says;
    } cases[] = {
        {"calibration: {}\n", "commit"},
        {"calibration: {commit: main}\n", "calibration.commit: \"main\" is no commit"},
        {"calibration: {commit: abcdef}\n", "7 to 40 digits"},
        {"calibration: {commit: 5158397B1}\n", "0-9 and a-f"},
        {"calibration: {commit: \"01234567890123456789012345678901234567890\"}\n", "7 to 40"},
        {"calibration: {commit: 5158397b1, every_days: 0}\n", "calibration.every_days"},
        {"calibration: {commit: 5158397b1, every_days: 366}\n", "365"},
        {"calibration: {commit: 5158397b1, limit_days: 2}\n", "calibration.limit_days"},
        {"calibration: {commit: 5158397b1, every_days: 30, limit_days: 89}\n",
         "at least 3 times every_days (30)"},
        {"calibration: {commit: 5158397b1, take_over_hours: 8761}\n", "8760"},
        {"calibration: {commit: 5158397b1, evry_days: 3}\n", "evry_days"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(with(cases[i].calibration, &error));
        if (!strstr(error->message, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", error->message, cases[i].says);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_is_none),
        cmocka_unit_test(what_is_left_out_has_its_default),
        cmocka_unit_test(all_of_it_is_read),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
