/* One YAML file: what is refused before its keys are looked at, and where errors are said to be. */
#include "tests/unit/test.h"

#include "config/config.h"
#include "config/projects.h"
#include "config/yaml.h"
#include "file.h"

#include <math.h>
#include <string.h>

typedef struct {
    char *text;
    uint64_t *number;
    double *real;
    cfg__flag *flag;
    char **list;
    unsigned list_count;
} sample;

static const cyaml_schema_field_t fields[] = {
    CYAML_FIELD_STRING_PTR("text", CYAML_FLAG_POINTER, sample, text, 1, CYAML_UNLIMITED),
    CYAML_FIELD_UINT_PTR("number", CYAML_FLAG_OPTIONAL, sample, number),
    CYAML_FIELD_FLOAT_PTR("real", CYAML_FLAG_OPTIONAL, sample, real),
    CYAML_FIELD_ENUM_PTR("flag", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, sample, flag, cfg__flags,
                         2),
    CYAML_FIELD_SEQUENCE("list", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, sample, list,
                         &cfg__string, 0, 3),
    CYAML_FIELD_END};
static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sample, fields)};

static cfg__yaml *load(const char *text, gssize length, GError **error) {
    char *path = test_file(text, length);
    cfg__yaml *yaml = cfg__yaml_load(path, &schema, error);
    test_file_remove(path);
    return yaml;
}

static void everything_is_read(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg__yaml) yaml =
        load("# a comment\ntext: 'a: b'\nnumber: 7\nreal: 2.5\nflag: true\nlist: [x, 'y z']\n", -1,
             &error);
    assert_null(error);
    const sample *data = cfg__yaml_data(yaml);
    assert_string_equal(data->text, "a: b");
    assert_true(*data->number == 7 && *data->real == 2.5);
    assert_true(cfg__flag_or(data->flag, false));
    assert_int_equal(data->list_count, 2);
    assert_string_equal(data->list[1], "y z");
}

static void what_is_left_out_is_null(void **state) {
    (void)state;
    g_autoptr(cfg__yaml) yaml = load("text: a\n", -1, NULL);
    const sample *data = cfg__yaml_data(yaml);
    assert_null(data->number);
    assert_null(data->real);
    assert_null(data->flag);
    assert_true(cfg__flag_or(data->flag, true));
    assert_false(cfg__flag_or(data->flag, false));
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
        {"a key of before", "text: a\ncalibration:\n  commit: x\n", ":2: ", "remove this key",
         CFG_ERROR_SYNTAX},
        {"a missing key", "number: 3\n", "", "add it", CFG_ERROR_SYNTAX},
        {"an alias", "text: &x a\nlist: [*x]\n", "", "aliases are not", CFG_ERROR_SYNTAX},
        {"a key twice", "text: a\nnumber: 1\ntext: b\n", ":3: ", "is given twice",
         CFG_ERROR_SYNTAX},
        {"a flag of another word", "text: a\nflag: yes\n", ":2: ", "", CFG_ERROR_SYNTAX},
        {"a number that is text", "text: a\nnumber: many\n", ":2: ", "", CFG_ERROR_SYNTAX},
        {"a list that is text", "text: a\nlist: x\n", ":2: ", "SEQUENCE", CFG_ERROR_SYNTAX},
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
    assert_null(cfg__yaml_load("/nonexistent/file.yaml", &schema, &error));
    assert_int_equal(error->code, CFG_ERROR_READ);
    assert_non_null(strstr(error->message, "/nonexistent/file.yaml"));
}

/* libcyaml takes "-3" for 2^64 - 3 and "010" for 8. */
static void numbers_are_what_was_written(void **state) {
    (void)state;
    static const struct {
        const char *written;
        bool good;
    } cases[] = {{"3", true},    {"10", true},   {"2", false},  {"11", false}, {"-3", false},
                 {"010", false}, {"0x5", false}, {"+5", false}, {"5", true},   {"'5'", true}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf("text: a\nnumber: %s\n", cases[i].written);
        g_autoptr(GError) error = NULL;
        g_autoptr(cfg__yaml) yaml = load(text, -1, &error);
        uint64_t out = 0;
        const sample *data = yaml ? cfg__yaml_data(yaml) : NULL;
        const bool good = yaml && cfg__yaml_number(yaml, "number", data->number,
                                                   (cfg__range){5, 3, 10}, &out, &error);
        if (good != cases[i].good)
            fail_msg("%s: %s", cases[i].written, error ? error->message : "taken");
        if (!good)
            assert_non_null(strstr(error->message, ":2: "));
    }
}

static void left_out_numbers_are_the_default(void **state) {
    (void)state;
    g_autoptr(cfg__yaml) yaml = load("text: a\n", -1, NULL);
    uint64_t number = 0;
    unsigned small = 0;
    double real = 0;
    /* the default need not lie within the bounds: 0 for "none" */
    assert_true(cfg__yaml_number(yaml, "number", NULL, (cfg__range){0, 3, 10}, &number, NULL));
    assert_true(cfg__yaml_unsigned(yaml, "number", NULL, (cfg__range){42, 3, 10}, &small, NULL));
    assert_true(cfg__yaml_real(yaml, "real", NULL, (cfg__real_range){0.5, 1, 2}, &real, NULL));
    assert_true(number == 0 && small == 42 && real == 0.5);
}

static void reals_at_their_bounds(void **state) {
    (void)state;
    g_autoptr(cfg__yaml) yaml = load("text: a\nreal: 1\n", -1, NULL);
    const struct {
        double value;
        bool good;
    } cases[] = {
        {1, true},    {2, true},         {nextafter(1, 0), false}, {nextafter(2, 3), false},
        {NAN, false}, {INFINITY, false}, {-INFINITY, false},       {1.5, true}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double out = 0;
        assert_true(cfg__yaml_real(yaml, "real", &cases[i].value, (cfg__real_range){1.5, 1, 2},
                                   &out, &error) == cases[i].good);
        if (error)
            assert_non_null(strstr(error->message, ":2: real: "));
    }
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
    g_autoptr(cfg__yaml) yaml = cfg__yaml_load(path, &schema, NULL);
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
    assert_null(cfg__yaml_path(yaml, NULL));
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
        cmocka_unit_test(what_is_left_out_is_null),
        cmocka_unit_test(broken_files_name_their_line),
        cmocka_unit_test(bytes_that_are_no_text),
        cmocka_unit_test(a_file_at_the_limit),
        cmocka_unit_test(a_file_that_is_not_there),
        cmocka_unit_test(numbers_are_what_was_written),
        cmocka_unit_test(left_out_numbers_are_the_default),
        cmocka_unit_test(reals_at_their_bounds),
        cmocka_unit_test(errors_name_the_nearest_line),
        cmocka_unit_test(paths_are_of_the_files_folder),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
