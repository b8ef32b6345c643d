/* A commit that is measured again later is not a later commit. */
#include "tests/unit/ci/expect.h"

#include "ci/formats/code_order.h"

#define DAY_MS 86400000

/* Runs on the days 10, 11, …: "a5" is commit a of day 5; a lone letter has no date. Returns "a@10
 * b@11": what stays, with its night. */
static char *order_of(const char *runs, GPtrArray *told) {
    json_auto_t *nights = json_array();
    g_auto(GStrv) each = g_strsplit(runs, " ", -1);
    for (int i = 0; each[i]; i++) {
        g_autofree char *day = g_strdup_printf("1970-01-%02d", i + 10),
                        *sha = g_strndup(each[i], 1);
        json_t *commit = json_pack("{s:s}", "sha", sha);
        if (each[i][1])
            json_object_set_new(commit, "time_ms",
                                json_integer((json_int_t)(atoi(each[i] + 1) - 1) * DAY_MS));
        json_array_append_new(nights, json_pack("{s:s,s:o}", "night", day, "commit", commit));
    }
    json_auto_t *kept = ci_code_order(nights, told);
    GString *text = g_string_new(NULL);
    size_t i;
    json_t *night;
    json_array_foreach (kept, i, night)
        g_string_append_printf(text, "%s%s@%s", i ? " " : "",
                               ci_json_text(json_object_get(night, "commit"), "sha", "?"),
                               ci_json_text(night, "night", "?") + strlen("1970-01-"));
    return g_string_free(text, FALSE);
}

static void runs_of_old_code(void **state) {
    (void)state;
    static const struct {
        const char *runs, *order;
        guint told;
    } cases[] = {
        {"a9 b10 c11", "a@10 b@11 c@12", 0},
        {"a9 a9 b10 b10", "a@10 a@11 b@12 b@13", 0}, /* the same night after night */
        {"a9 b10 a9 c11", "a@10 b@11 c@13", 1},      /* again, with another in between */
        {"a b a c", "a@10 b@11 c@13", 1},
        {"a7 b9 c3 d10", "c@03 a@10 b@11 d@13", 1},         /* filled in later: goes to its place */
        {"a7 b9 c3 c3 d10", "c@03 c@03 a@10 b@11 d@14", 2}, /* measured again at once */
        {"a7 b9 c3 b9 d10", "c@03 a@10 b@11 b@13 d@14", 1}, /* its place leaves b beside b */
        {"a9 b9 c9", "a@10 b@11 c@12", 0},
        {"a9 b8 c10", "a@10 b@11 c@12", 0}, /* a day apart says nothing of branches */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
        g_autofree char *order = order_of(cases[i].runs, told);
        assert_string_equal(order, cases[i].order);
        assert_int_equal(told->len, cases[i].told);
    }
}

static void it_is_said_which(void **state) {
    (void)state;
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *order = order_of("a9 b10 a9 c3", told);
    assert_string_equal(order, "c@03 a@10 b@11");
    assert_non_null(strstr(told->pdata[0], "run of 1970-01-12: commit a was measured before"));
    assert_non_null(strstr(told->pdata[1], "run of 1970-01-13: its commit c is of 1970-01-03"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_of_old_code),
                                       cmocka_unit_test(it_is_said_which)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
