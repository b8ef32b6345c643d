/* Gungraun's summaries: instructions, one as 1 ns. The versions' shapes:
 * tests/unit/config/test_gungraun.c. */
#include "tests/unit/ci/formats/reader.h"

#define SUMMARY(id, count)                                                                         \
    "{'module_path': 'b::g::f', 'id': '" id "', 'profiles': [{'tool': 'Callgrind', 'data':"        \
    " {'total': {'metrics': {'Ir': {'values': {'new': " count "}}}}}}]}"

static void a_list_of_benchmarks(void **state) {
    (void)state;
    json_t *night =
        night_of(ci__import_gungraun,
                 "[" SUMMARY("a", "687") "," SUMMARY("b", "null") "," SUMMARY("c", "12") ", 3]");
    expect_text(night, "format", "gungraun");
    expect_values(night, 2, 2);
    expect_mean(value_at(night, 0), "b::g::f a", 687, NAN, NAN);
    expect_mean(value_at(night, 1), "b::g::f c", 12, NAN, NAN);
    assert_null(json_object_get(value_at(night, 0), "loops_ns"));
    json_decref(night);
}

static void one_alone(void **state) {
    (void)state;
    json_t *night = night_of(ci__import_gungraun, SUMMARY("a", "5"));
    expect_values(night, 1, 0);
    expect_mean(value_at(night, 0), "b::g::f a", 5, NAN, NAN);
    json_decref(night);
}

static void another_tools_json(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{}", "[]", "[3]", "{'module_path': 'a'}", "[{'profiles': []}]", "{'profiles': []}"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect_refused(ci__import_gungraun, texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_of_benchmarks),
        cmocka_unit_test(one_alone),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
