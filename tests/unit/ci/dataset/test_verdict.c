/* Which night is meant, what a kernel says of its processor, and whether intervals hold. */
#include "ci/command/replicate.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/ci/expect.h"

#include "ci/command/command.h"

#define NIGHTS                                                                                     \
    "[{\"night\": \"2026-03-05\", \"state\": \"measured\", \"commit\": {\"sha\": \"aaaa1\"}},"     \
    " {\"night\": \"2026-03-06\", \"state\": \"measured\", \"commit\": {\"sha\": \"bbbb2\"}},"     \
    " {\"night\": \"2026-03-07\", \"state\": \"quarantined\", \"commit\": {\"sha\": \"cccc3\"}}]"

static void nights(void **state) {
    (void)state;
    static const char *const cases[][2] = {{NULL, "2026-03-06"},   {"2026-03-05", "2026-03-05"},
                                           {"aaaa", "2026-03-05"}, {"bbbb2", "2026-03-06"},
                                           {"bb", NULL},           {"cccc3", NULL},
                                           {"2026-03-07", NULL}};
    json_auto_t *all = json_loads(NIGHTS, 0, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        const json_t *night = dataset_night(all, cases[i][0], &error);
        assert_true(!night == !cases[i][1]);
        assert_true(!error == !!night);
        if (night)
            expect_text(night, "night", cases[i][1]);
        else
            assert_int_equal(error->code, CI_ERROR_INPUT);
    }
    json_auto_t *none = json_array();
    g_autoptr(GError) error = NULL;
    assert_null(dataset_night(none, NULL, &error));
    assert_non_null(strstr(error->message, "has no measured night"));
}

static void a_night_that_is_a_path(void **state) {
    (void)state;
    json_auto_t *all = json_pack("[{s:s, s:s}]", "night", "x/../../elsewhere", "state", "measured");
    g_autoptr(GError) error = NULL;
    assert_null(dataset_night(all, NULL, &error));
    assert_non_null(strstr(error->message, "\"x/../../elsewhere\" is not the date of a night"));
}

static void architectures(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"6.1.0-18-amd64", "x86_64"},
                                           {"5.14.0-362.el9.x86_64", "x86_64"},
                                           {"6.1.0-9-arm64", "aarch64"},
                                           {"6.5.0-s390x", "s390x"},
                                           {"6.18.44-fc-v669", NULL},
                                           {"", NULL},
                                           {NULL, NULL}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_int_equal(g_strcmp0(dataset_architecture(cases[i][0]), cases[i][1]), 0);
}

static json_t *one(const char *published, const char *here) {
    g_autofree char *a = g_strdup_printf("{\"portions\": [%s]}", published);
    g_autofree char *b = g_strdup_printf("{\"portions\": [%s]}", here);
    json_auto_t *night = json_loads(a, 0, NULL);
    json_auto_t *own = json_loads(b, 0, NULL);
    assert_non_null(night);
    assert_non_null(own);
    g_auto(cfg_night) theirs = cfg_night_of(night), ours = cfg_night_of(own);
    assert_int_equal(theirs.portions_count, 1);
    const repetition found = repeated(&theirs.portions[0], &ours);
    return repetition_json(&found);
}

#define PORTION(name, more) "{\"portion\": \"T\", \"configuration\": \"" name "\", " more "}"
#define RANGE(mean, low, high) "\"mean_ns\": " mean ", \"low_ns\": " low ", \"high_ns\": " high

static void intervals(void **state) {
    (void)state;
    static const struct {
        const char *published, *here;
        int holds; /* -1: null */
        double ratio;
    } cases[] = {
        {PORTION("a", RANGE("100", "90", "110")), PORTION("a", RANGE("120", "110", "130")), 1, 1.2},
        {PORTION("a", RANGE("100", "90", "110")), PORTION("a", RANGE("50", "40", "60")), 0, 0.5},
        {PORTION("a", RANGE("100", "99", "101") ", \"judged\": {" RANGE("100", "80", "120") "}"),
         PORTION("a", RANGE("110", "105", "115")), 1, 1.1},
        {PORTION("a", RANGE("100", "null", "null")), PORTION("a", RANGE("100", "90", "110")), -1,
         1},
        {PORTION("a", RANGE("100", "90", "110")), PORTION("b", RANGE("100", "90", "110")), -1,
         (double)NAN}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_auto_t *got = one(cases[i].published, cases[i].here);
        const json_t *holds = json_object_get(got, "holds");
        assert_int_equal(json_is_null(holds) ? -1 : json_is_true(holds), cases[i].holds);
        expect_real(got, "ratio", cases[i].ratio);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nights), cmocka_unit_test(a_night_that_is_a_path),
        cmocka_unit_test(architectures), cmocka_unit_test(intervals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
