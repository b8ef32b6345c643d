/* The shapes that versions 3 to 7 of Gungraun's summaries have, as their published schemas say. */
#include "tests/unit/config/formats/reader.h"

/* As released, 0.14: the tools but for Callgrind are in a list of their own. */
#define THREE(metrics)                                                                             \
    "{'version': '3', 'module_path': 'b::g::f', 'callgrind_summary': {'out_paths': [],"            \
    " 'callgrind_run': {'segments': [{'events': {'Ir': {'metrics': {'Left': 1}}}}], 'total':"      \
    " {'regressions': [], 'summary': {'Dr': {'metrics': {'Left': 2}}, 'Ir': {'diffs': null,"       \
    " 'metrics': " metrics "}}}}}, 'tool_summaries': [{'tool': 'DHAT', 'summaries': {}}]}"
/* 0.15 */
#define FOUR(metrics)                                                                              \
    "{'version': '4', 'module_path': 'b::g::f', 'baselines': [null, null], 'profiles': [{'tool':"  \
    " 'DHAT', 'summaries': {}}, {'tool': 'Callgrind', 'summaries': {'parts': [], 'total':"         \
    " {'regressions': [], 'summary': {'Callgrind': {'Ir': {'metrics': " metrics "}}}}}}]}"
#define SIX(metrics)                                                                               \
    "{'version': '6', 'module_path': 'b::g::f', 'id': 'x_0', 'profiles': [{'tool': 'Callgrind',"   \
    " 'summaries': {'parts': [], 'total': {'regressions': [], 'summary': {'Callgrind': {'Ir':"     \
    " {'metrics': " metrics "}}}}}}]}"
#define SEVEN(values)                                                                              \
    "{'version': '7', 'module_path': 'b::g::f', 'id': null, 'profiles': [{'tool': 'Callgrind',"    \
    " 'data': {'parts': [], 'total': {'regressions': [], 'metrics': {'Ir': {'values': " values     \
    "}, 'Dr': {'values': {'new': 1}}}}}}]}"

static void instructions_of_every_version(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double count; /* NaN: none */
    } cases[] = {
        {THREE("{'Left': 687}"), 687},
        {THREE("{'Both': [687, 700]}"), 687},
        {THREE("{'Right': 700}"), NAN}, /* only the run that it was compared with */
        {FOUR("{'Left': 687}"), 687},
        {FOUR("{'Both': [687, 700]}"), 687},
        {FOUR("{'Right': 700}"), NAN},
        {SIX("{'Left': {'Int': 56}}"), 56},
        {SIX("{'Both': [{'Int': 56}, {'Int': 57}]}"), 56},
        {SIX("{'Left': {'Float': 56.5}}"), 56.5},
        {SIX("{'Both': []}"), NAN},
        {SEVEN("{'new': 687}"), 687},
        {SEVEN("{'new': 687, 'old': 1}"), 687},
        {SEVEN("{'old': 1}"), NAN},
        {SEVEN("{'new': {'value': 9, 'unit': null}}"), 9},
        {SEVEN("null"), NAN},
        /* the shapes of the examples in its repository (crates/gungraun-summary/tests/fixtures and
         * docs/src/cli_and_env/output, of 2026): heap profile beside, change beside the values, no
         * id */
        {"{'baselines': [null, null], 'kind': 'LibraryBenchmark', 'module_path': 'b::g::f', 'id':"
         " 'x_0', 'profiles': [{'flamegraphs': [], 'summaries': {'parts': [{'metrics_summary':"
         " {'Callgrind': {'Ir': {'metrics': {'Both': [{'Int': 1}, {'Int': 1}]}}}}}], 'total':"
         " {'regressions': [], 'summary': {'Callgrind': {'D1MissRate': {'metrics': {'Both':"
         " [{'Float': 0.0}, {'Float': 0.0}]}}, 'Ir': {'diffs': {'diff_pct': '0', 'factor': '1'},"
         " 'metrics': {'Both': [{'Int': 56}, {'Int': 56}]}}}}}}, 'tool': 'Callgrind'},"
         " {'summaries': {'total': {'summary': {'Dhat': {'TotalBytes': {'metrics': {'Both':"
         " [{'Int': 8}, {'Int': 8}]}}}}}}, 'tool': 'DHAT'}], 'version': '6'}",
         56},
        {"{'group': 'g', 'module_path': 'b::g::f', 'profiles': [{'data': {'parts': [{'metrics':"
         " {'Ir': {'values': {'new': 1, 'old': 1}}}}], 'total': {'metrics': {'D1MissRate':"
         " {'values': {'new': 0.33, 'old': 0.33}}, 'Ir': {'change': {'diff_pct': '0', 'factor':"
         " '1'}, 'values': {'new': 687, 'old': 687}}}, 'regressions': []}}, 'duration_ns': "
         "200542320,"
         " 'tool': 'Callgrind'}], 'version': '7'}",
         687},
        {"{'module_path': 'a', 'callgrind_summary': null, 'tool_summaries': []}", NAN},
        {"{'module_path': 'a', 'callgrind_summary': {}, 'tool_summaries': []}", NAN},
        {"{'module_path': 'a', 'profiles': [{'tool': 'DHAT'}]}", NAN},
        {"{'module_path': 'a', 'profiles': [3, {'tool': 'Callgrind'}]}", NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fmt_night *night = night_of("gungraun", cases[i].text);
        const bool none = isnan(cases[i].count);
        expect_values(night, none ? 0 : 1, none ? 1 : 0);
        if (!isnan(cases[i].count) && value_at(night, 0)->mean_ns != cases[i].count)
            fail_msg("%s: %g", cases[i].text, value_at(night, 0)->mean_ns);
        fmt_night_free(night);
    }
}

static void a_benchmark_is_its_path_and_id(void **state) {
    (void)state;
    fmt_night *night = night_of("gungraun", "[" SEVEN("{'new': 1}") "," SIX("{'Left': 2}") ", 3]");
    expect_values(night, 2, 1);
    expect_mean(value_at(night, 0), "b::g::f", 1, NAN, NAN);
    assert_string_equal(value_at(night, 0)->unit, "instructions");
    assert_false(value_at(night, 0)->higher);
    expect_mean(value_at(night, 1), "b::g::f x_0", 2, NAN, NAN);
    expect_left(night, 0, "", "without module_path or profiles");
    fmt_night_free(night);
}

static void what_else_was_counted_is_told(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {THREE("{'Left': 687}"), "beside the times, not read: Dr, DHAT"},
        {FOUR("{'Left': 687}"), "beside the times, not read: DHAT"},
        {SEVEN("{'new': 687}"), "beside the times, not read: Dr"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        fmt_night *night = night_of("gungraun", cases[i][0]);
        expect_note(night, cases[i][1]);
        fmt_night_free(night);
    }
}

/* One a line, or, as pretty-json prints them, one behind the other over many lines. */
static void several_stand_one_behind_the_other(void **state) {
    (void)state;
    static const char *const between[] = {"\n", "\n\n", "", " "};
    for (size_t i = 0; i < G_N_ELEMENTS(between); i++) {
        g_autofree char *text =
            g_strconcat(SEVEN("\n{'new':\n 687}"), between[i], SIX("{'Left': 2}"), "\n", NULL);
        fmt_night *night = night_of("gungraun", text);
        expect_values(night, 2, 0);
        fmt_night_free(night);
    }
    expect_wrong("gungraun", "[" SEVEN("{'new': 1}") "," SEVEN("{'new': 2}") "]",
                 "[1]: \"b::g::f\" is there twice");
}

static void another_tools_json(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{}", "[]", "[3]", "{'module_path': 'a'}", "[{'profiles': []}]", "{'profiles': []}"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect_refused("gungraun", texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_of_every_version),
        cmocka_unit_test(a_benchmark_is_its_path_and_id),
        cmocka_unit_test(what_else_was_counted_is_told),
        cmocka_unit_test(several_stand_one_behind_the_other),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
