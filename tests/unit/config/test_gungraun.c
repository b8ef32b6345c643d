/* The shapes that versions 3 to 7 of Gungraun's summaries have, as their published schemas say. */
#include "tests/unit/test.h"

#include "config/gungraun.h"

#include <math.h>
#include <string.h>

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

static json_t *json_of(const char *text) {
    g_autofree char *quoted = g_strdelimit(g_strdup(text), "'", '"');
    json_t *json = json_loads(quoted, 0, NULL);
    assert_non_null(json);
    return json;
}

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
        {SEVEN("{'new': '9'}"), NAN},
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
        json_t *summary = json_of(cases[i].text);
        const double count = cfg_gungraun_instructions(summary);
        assert_true(cfg_gungraun_is(summary));
        if (isnan(cases[i].count) ? !isnan(count) : count != cases[i].count)
            fail_msg("%s: %g", cases[i].text, count);
        json_decref(summary);
    }
}

static void a_benchmark_is_its_path_and_id(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {SEVEN("{}"), "b::g::f"}, {SIX("{}"), "b::g::f x_0"}, {"{'id': 'x'}", " x"}, {"{}", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *summary = json_of(cases[i][0]);
        g_autofree char *name = cfg_gungraun_name(summary);
        assert_string_equal(name, cases[i][1]);
        json_decref(summary);
    }
}

static void a_summary_is_known_by_its_members(void **state) {
    (void)state;
    static const char *const others[] = {"{}",
                                         "[]",
                                         "{'module_path': 'a'}",
                                         "{'module_path': 'a', 'profiles': {}}",
                                         "{'module_path': 3, 'profiles': []}",
                                         "{'profiles': []}"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        json_t *other = json_of(others[i]);
        assert_false(cfg_gungraun_is(other));
        json_decref(other);
    }
    assert_false(cfg_gungraun_is(NULL));
}

static size_t lines(const char *text) {
    g_autofree char *quoted = g_strdelimit(g_strdup(text), "'", '"');
    json_t *summaries = cfg_gungraun_lines(quoted, strlen(quoted));
    const size_t count = json_array_size(summaries);
    json_decref(summaries);
    return count;
}

static void a_summary_a_line(void **state) {
    (void)state;
#define A "{'module_path': 'a', 'profiles': []}"
    assert_int_equal(lines(A), 1);
    assert_int_equal(lines(A "\n" A "\n\n" A), 3);
    assert_int_equal(lines(""), 0);
    assert_int_equal(lines("\n\n"), 0);
    assert_int_equal(lines(A "\nwarning: x"), 0);
    assert_int_equal(lines("{'module_path':\n'a', 'profiles': []}"), 0);
    assert_int_equal(lines("[" A "]"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_of_every_version),
        cmocka_unit_test(a_benchmark_is_its_path_and_id),
        cmocka_unit_test(a_summary_is_known_by_its_members),
        cmocka_unit_test(a_summary_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
