/* One YAML file: what is refused before its keys are looked at, and where errors are said to be. */
#include "tests/unit/test.h"

#include "config/config.h"
#include "config/projects.h"
#include "config/yaml.h"
#include "file.h"

#include <string.h>

typedef struct {
    char *text;
    uint64_t number, later;
    double real;
    bool flag, other_flag;
    char **list;
    unsigned list_count;
    uint64_t *numbers;
    unsigned numbers_count;
    json_t *section;
} sample;

static const model_member inner_members[] = {
    MODEL(sample, text, "text"), MODEL(sample, number, "number", MODEL_LEFT_OUT, 5, 3, 10)};
static const model_noun inner = MODEL_NOUN(sample, inner_members, "section");

static const model_member members[] = {
    MODEL(sample, text, "text"),
    MODEL(sample, number, "number", MODEL_LEFT_OUT, 5, 3, 10),
    MODEL(sample, later, "later", MODEL_LEFT_OUT, CFG__TOLD_LATER, 1, 100),
    MODEL(sample, real, "real", MODEL_LEFT_OUT, 1.5, 1, 2),
    MODEL(sample, flag, "flag", MODEL_LEFT_OUT),
    MODEL(sample, other_flag, "other_flag", MODEL_LEFT_OUT, true),
    MODEL_COUNTED(sample, list, "list", MODEL_LEFT_OUT, .most_items = 3),
    MODEL_COUNTED(sample, numbers, "numbers", MODEL_LEFT_OUT, .low = 1, .high = 9),
    MODEL(sample, section, "section", MODEL_LEFT_OUT, .noun = &inner)};
static const model_noun noun = MODEL_NOUN(sample, members, "sample");

static void sample_clear(sample *data) {
    model_clear(&noun, data);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(sample, sample_clear)

static sample last;

/* What the last file said is in `last`. */
static cfg__yaml *load(const char *text, gssize length, GError **error) {
    char *path = test_file(text, length);
    sample_clear(&last);
    cfg__yaml *yaml = cfg__yaml_load(path, &noun, &last, error);
    test_file_remove(path);
    return yaml;
}

static void everything_is_read(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg__yaml) yaml = load("# a comment\ntext: 'a: b'\nnumber: 7\nreal: 2\nflag: true\n"
                                     "list: [x, 'y z', '']\nnumbers: [1, 9]\n"
                                     "section: {text: b, number: 4}\n",
                                     -1, &error);
    assert_null(error);
    assert_non_null(yaml);
    assert_string_equal(last.text, "a: b");
    assert_true(last.number == 7 && last.real == 2 && last.flag);
    assert_int_equal(last.list_count, 3);
    assert_string_equal(last.list[1], "y z");
    assert_int_equal(last.numbers_count, 2);
    assert_true(last.numbers[1] == 9);
    g_autofree char *section = json_dumps(last.section, JSON_COMPACT);
    assert_string_equal(section, "{\"text\":\"b\",\"number\":4}");
}

/* The default need not lie within the bounds: 0 for "none". */
static void what_is_left_out_is_its_default(void **state) {
    (void)state;
    g_autoptr(cfg__yaml) yaml = load("text: a\n", -1, NULL);
    uint64_t later = last.later;
    assert_true(last.number == 5 && last.real == 1.5);
    assert_true(!last.flag && last.other_flag);
    assert_int_equal(last.list_count, 0);
    assert_null(last.list[0]);
    assert_null(last.section);
    assert_true(cfg__yaml_range(yaml, "later", (cfg__range){0, 3, 10}, &later, NULL));
    assert_true(later == 0);
}

static void a_bound_may_depend_on_others(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg__yaml) yaml = load("text: a\nlater: 12\n", -1, NULL);
    uint64_t later = last.later;
    assert_true(cfg__yaml_range(yaml, "later", (cfg__range){5, 3, 12}, &later, NULL));
    assert_true(later == 12);
    assert_false(cfg__yaml_range(yaml, "later", (cfg__range){5, 3, 11}, &later, &error));
    assert_non_null(strstr(error->message, ":2: later: 12 is not a whole number between 3 and 11"));
}

static void broken_files_name_their_line(void **state) {
    (void)state;
    static const struct {
        const char *what, *text, *place, *words;
        int code;
    } cases[] = {
        {"nothing", "", ":1: ", "key: value", CFG_ERROR_SYNTAX},
        {"a comment alone", "# x\n", ":1: ", "key: value", CFG_ERROR_SYNTAX},
        {"a list", "- a\n- b\n", ":1: ", "key: value", CFG_ERROR_SYNTAX},
        {"a word", "text\n", ":1: ", "key: value", CFG_ERROR_SYNTAX},
        {"a tab", "text: a\n\tnumber: 3\n", ":2: ", "not valid YAML", CFG_ERROR_SYNTAX},
        {"an open quote", "text: a\nlist: ['x\n", ":3: ", "not valid YAML", CFG_ERROR_SYNTAX},
        {"an open bracket", "text: a\nlist: [x\nnumber: 1\n", "", "not valid YAML",
         CFG_ERROR_SYNTAX},
        {"an unknown key", "text: a\n\n\nnumbr: 3\n", ":4: ", "is not allowed here",
         CFG_ERROR_SYNTAX},
        {"a missing key", "number: 3\n", "", "text: is missing; add it", CFG_ERROR_SYNTAX},
        {"a missing key of a section", "text: a\nsection: {number: 3}\n",
         ":2: ", "section.text: is missing", CFG_ERROR_SYNTAX},
        {"a key with a bracket", "text: a\ntext[: 3\n", ":2: ", "text[: this key is not allowed",
         CFG_ERROR_SYNTAX},
        {"a key that is a list", "text: a\n? [a]\n: b\n", ":2: ", "not allowed", CFG_ERROR_SYNTAX},
        {"an empty text", "text: ''\n", ":1: ", "text: must not be empty", CFG_ERROR_SYNTAX},
        {"no value", "text:\n", ":1: ", "text: must not be empty", CFG_ERROR_SYNTAX},
        {"a text that is a list", "text: [a]\n", ":1: ", "single value", CFG_ERROR_SYNTAX},
        {"a section that is a word", "text: a\nsection: b\n", ":2: ", "key: value",
         CFG_ERROR_SYNTAX},
        {"a number of a list", "text: a\nnumbers:\n  - 1\n  - 10\n",
         ":4: ", "numbers[1]: 10 is not", CFG_ERROR_SYNTAX},
        {"an alias", "text: &x a\nlist: [*x]\n", "", "aliases are not", CFG_ERROR_SYNTAX},
        {"a key twice", "text: a\nnumber: 1\ntext: b\n", ":3: ", "is given twice",
         CFG_ERROR_SYNTAX},
        {"a flag of another word", "text: a\nflag: yes\n",
         ":2: ", "must be true or false, not \"yes\"", CFG_ERROR_SYNTAX},
        {"a number that is text", "text: a\nnumber: many\n", ":2: ", "", CFG_ERROR_SYNTAX},
        {"a list that is text", "text: a\nlist: x\n", ":2: ", "must be a list", CFG_ERROR_SYNTAX},
        {"too many in a list", "text: a\nlist: [1, 2, 3, 4]\n", ":2: ", "", CFG_ERROR_SYNTAX},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(load(cases[i].text, -1, &error));
        assert_true(error->domain == CFG_ERROR);
        assert_int_equal(error->code, cases[i].code);
        if (!strstr(error->message, cases[i].place) || !strstr(error->message, cases[i].words) ||
            !strstr(error->message, "file.yaml"))
            fail_msg("%s: %s", cases[i].what, error->message);
    }
}

static void bytes_that_are_no_text(void **state) {
    (void)state;
    static const char zero[] = "text: a\0b\n", latin[] = "text: \xe4\n";
    g_autoptr(GError) error = NULL;
    assert_null(load(zero, sizeof zero - 1, &error));
    assert_int_equal(error->code, CFG_ERROR_SYNTAX);
    g_clear_error(&error);
    assert_null(load(latin, -1, &error));
    assert_int_equal(error->code, CFG_ERROR_SYNTAX);
}

static void a_file_at_the_limit(void **state) {
    (void)state;
    g_autofree char *text = g_strnfill(CFG__FILE_LIMIT_BYTES, '#');
    memcpy(text, "text: a\n", 8); /* NOLINT(bugprone-not-null-terminated-result): its end is */
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg__yaml) yaml = load(text, CFG__FILE_LIMIT_BYTES, &error);
    assert_null(error);
    assert_non_null(yaml);
    g_autofree char *longer = g_strconcat(text, "#", NULL);
    assert_null(load(longer, CFG__FILE_LIMIT_BYTES + 1, &error));
    assert_int_equal(error->code, CFG_ERROR_READ);
}

static void a_file_that_is_not_there(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    assert_null(cfg__yaml_load("/nonexistent/file.yaml", &noun, &last, &error));
    assert_int_equal(error->code, CFG_ERROR_READ);
    assert_non_null(strstr(error->message, "/nonexistent/file.yaml"));
}

static void numbers_are_what_was_written(void **state) {
    (void)state;
    static const struct {
        const char *key, *written;
        bool good;
    } cases[] = {
        {"number", "3", true},       {"number", "10", true},   {"number", "2", false},
        {"number", "11", false},     {"number", "-3", false},  {"number", "010", false},
        {"number", "0x5", false},    {"number", "+5", false},  {"number", "5", true},
        {"number", "'5'", true},     {"number", "", false},    {"real", "1", true},
        {"real", "2", true},         {"real", "1.5e0", true},  {"real", "0.9999999", false},
        {"real", "2.000001", false}, {"real", "nan", false},   {"real", ".nan", false},
        {"real", "inf", false},      {"real", "1e999", false}, {"real", "1 x", false},
        {"real", "", false}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf("text: a\n%s: %s\n", cases[i].key, cases[i].written);
        g_autofree char *place = g_strdup_printf(":2: %s: ", cases[i].key);
        g_autoptr(GError) error = NULL;
        g_autoptr(cfg__yaml) yaml = load(text, -1, &error);
        if (!yaml == cases[i].good)
            fail_msg("%s: %s", text, error ? error->message : "taken");
        if (error)
            assert_non_null(strstr(error->message, place));
    }
}

static void an_error_has_bounds_and_default(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"number: 2\n", "2 is not a whole number between 3 and 10; the default is 5"},
        {"real: 3\n", "3 is not a number between 1 and 2; the default is 1.5"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text = g_strconcat("text: a\n", cases[i][0], NULL);
        assert_null(load(text, -1, &error));
        assert_true(g_str_has_suffix(error->message, cases[i][1]));
    }
    /* a default that only others tell is not named */
    g_autoptr(GError) error = NULL;
    assert_null(load("text: a\nlater: 0\n", -1, &error));
    assert_true(g_str_has_suffix(error->message, "0 is not a whole number between 1 and 100"));
}

static void errors_name_the_nearest_line(void **state) {
    (void)state;
    g_autoptr(cfg__yaml) yaml = load("text: a\nlist:\n  - x\n  - y\n", -1, NULL);
    static const struct {
        const char *key, *place;
    } cases[] = {{"text", ":1: "},    {"list", ":2: "},    {"list[0]", ":3: "},
                 {"list[1]", ":4: "}, {"list[2]", ":2: "}, {"list[1].x", ":4: "},
                 {"other", ":1: "},   {"", ":1: "}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        assert_false(cfg__yaml_wrong(yaml, &error, cases[i].key, "%s %d", "words", 3));
        assert_int_equal(error->code, CFG_ERROR_MEANING);
        if (!strstr(error->message, cases[i].place) || !strstr(error->message, "words 3"))
            fail_msg("%s: %s", cases[i].key, error->message);
    }
}

static void paths_are_of_the_files_folder(void **state) {
    (void)state;
    char *path = test_file("text: a\n", -1);
    g_autofree char *folder = g_path_get_dirname(path);
    g_auto(sample) data = {0};
    g_autoptr(cfg__yaml) yaml = cfg__yaml_load(path, &noun, &data, NULL);
    test_file_remove(path);
    static const struct {
        const char *given, *below, *whole;
    } cases[] = {{"x", "x", NULL},
                 {"./x/../y", "y", NULL},
                 {"x/", "x/", NULL},
                 {"/etc/x", NULL, "/etc/x"},
                 {"/a/../b", NULL, "/b"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *got = cfg__yaml_path(yaml, cases[i].given);
        g_autofree char *below =
            cases[i].below ? g_build_filename(folder, cases[i].below, NULL) : NULL;
        g_autofree char *expected =
            below ? g_canonicalize_filename(below, NULL) : g_strdup(cases[i].whole);
        assert_string_equal(got, expected);
    }
}

static void names(void **state) {
    (void)state;
    g_autofree char *hundred = g_strnfill(100, 'a'), *more = g_strnfill(101, 'a');
    static const char *const good[] = {"a", "0", "kieker-java", "a.b_c-d", "9.9"};
    static const char *const bad[] = {"", "A", "-a", ".a", "_a", "a b", "a/b", "a\n", "ä", ".."};
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++)
        assert_true(cfg_is_name(good[i]));
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
        assert_false(cfg_is_name(bad[i]));
    assert_true(cfg_is_name(hundred));
    assert_false(cfg_is_name(more));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_read),
        cmocka_unit_test(what_is_left_out_is_its_default),
        cmocka_unit_test(a_bound_may_depend_on_others),
        cmocka_unit_test(broken_files_name_their_line),
        cmocka_unit_test(bytes_that_are_no_text),
        cmocka_unit_test(a_file_at_the_limit),
        cmocka_unit_test(a_file_that_is_not_there),
        cmocka_unit_test(numbers_are_what_was_written),
        cmocka_unit_test(an_error_has_bounds_and_default),
        cmocka_unit_test(errors_name_the_nearest_line),
        cmocka_unit_test(paths_are_of_the_files_folder),
        cmocka_unit_test(names),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sample_clear(&last);
    return failed;
}
