#include "tests/unit/test.h"

#include "config/moobench.h"
#include "config/yaml.h"

#include <string.h>

static const cfg__yaml_bounds bounds = {.bytes_max = 100000, .nodes_max = 100, .depth_max = 5};

static void expect(const char *text, const char *wrong) {
    GError *problem = NULL;
    bool good = cfg__yaml_check(text, strlen(text), "f.yaml", &bounds, &problem);
    assert_int_equal(good, !wrong);
    if (wrong && !strstr(problem->message, wrong))
        fail_msg("\"%s\" does not say \"%s\"", problem->message, wrong);
    g_clear_error(&problem);
}

static void plain_texts(void **state) {
    (void)state;
    const char *const texts[] = {"",
                                 "a: 1\n",
                                 "# %YAML\n\na: [1, {b: c}]\n",
                                 "a: '%TAG & *x'\n",
                                 "---\na: 1\n...\n# end\n---\n",
                                 "--- {a: 1}\r\n...\r\n",
                                 "a: 1\n... # end\n--- # nothing\n   # more\n",
                                 "\xef\xbb\xbf- 1",
                                 "a: |\n  *b &c\n"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect(texts[i], NULL);
}

/* What stands behind the document would not be read. */
static void one_document(void **state) {
    (void)state;
    expect("a: 1\n---\nb: 2\n", "f.yaml:3: a second document begins here");
    expect("a: 1\n...\n---#b\n", "f.yaml:3: a second document begins here");
    expect("a: 1\n--- {b: 2}\n", "f.yaml:2: a second document begins here");
    expect("- 1\n...\n%YAML 1.1\n---\n*later\n", "f.yaml:3: a second document begins here");
}

static void bombs(void **state) {
    (void)state;
    expect("a: &x [1]\nb: *x\n", "f.yaml:1: anchors and aliases");
    expect("a: 1\nb: &x {c: 1}\n", "f.yaml:2: anchors and aliases");
    expect("a: 1\nb: &x 1\n", "f.yaml:2: anchors and aliases");
    expect("b: *x\n", "f.yaml:1: anchors and aliases");
    expect("# a\n%TAG ! tag:x,2000:\n---\na: 1\n", "f.yaml:2: directives");
    expect("[[[[[[1]]]]]]", "deeper than 5 levels");
    expect("a: [\n", "f.yaml:2: not valid YAML");
}

static void too_much(void **state) {
    (void)state;
    g_autoptr(GString) text = g_string_new(NULL);
    for (int i = 0; i < 100; i++)
        g_string_append(text, "- 1\n");
    expect(text->str, "f.yaml:100: more than 100 values");
    g_string_set_size(text, 0);
    for (int i = 0; i < 100001; i++)
        g_string_append_c(text, ' ');
    expect(text->str, "100001 bytes, more than the limit of 100000");
}

/* `moowatch import` and the runner read it alike. */
static void moobench_results(void **state) {
    (void)state;
    const char *text = "kind: x\nexperiments:\n- &e\n  timestamp: 1\n  measurements: {}\n- *e\n";
    GError *problem = NULL;
    assert_null(cfg_moobench_parse(text, strlen(text), "results.yaml", &problem));
    assert_non_null(strstr(problem->message, "results.yaml:3: anchors and aliases are not read"));
    g_clear_error(&problem);
    const char *two = "kind: x\nexperiments: []\nkind: x\nexperiments: []\n";
    assert_null(cfg_moobench_parse(two, strlen(two), "results.yaml", &problem));
    assert_non_null(strstr(problem->message, "results.yaml:4: \"experiments\" is there twice"));
    g_clear_error(&problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(plain_texts), cmocka_unit_test(bombs),
                                       cmocka_unit_test(one_document), cmocka_unit_test(too_much),
                                       cmocka_unit_test(moobench_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
