/* options: what is accepted, what each refusal says. */
#include "tests/unit/test.h"

#include "runner/moobench/c/moobench.h"

#include <string.h>

enum { ARGUMENTS_MAX = 8 };

static moobench_request parse(const char *const *arguments, moobench_options *options,
                              char problem[256]) {
    static char copies[ARGUMENTS_MAX][64];
    char *argv[ARGUMENTS_MAX + 1] = {copies[0]};
    strcpy(copies[0], "moobench");
    int argc = 1;
    for (; arguments[argc - 1]; argc++) {
        assert_true(argc < ARGUMENTS_MAX && strlen(arguments[argc - 1]) < sizeof copies[0]);
        strcpy(copies[argc], arguments[argc - 1]);
        argv[argc] = copies[argc];
    }
    problem[0] = '\0';
    return moobench_options_parse(argc, argv, options, problem, 256);
}

static void test_defaults_are_the_thesis_ones(void **state) {
    (void)state;
    moobench_options options;
    char problem[256];
    assert_int_equal(
        parse((const char *[]){"--output-filename", "raw.csv", NULL}, &options, problem),
        MOOBENCH_RUN);
    assert_int_equal(options.total_calls, 2000000);
    assert_int_equal(options.method_time_ns, 0);
    assert_int_equal(options.recursion_depth, 10);
    assert_int_equal(options.total_threads, 1);
    assert_false(options.quickstart);
    assert_string_equal(options.output_filename, "raw.csv");
}

static void test_both_ways_of_giving_a_value(void **state) {
    (void)state;
    moobench_options options;
    char problem[256];
    assert_int_equal(parse((const char *[]){"--total-calls=7", "--method-time", "500000",
                                            "--quickstart", "--output-filename=a=b", NULL},
                           &options, problem),
                     MOOBENCH_RUN);
    assert_int_equal(options.total_calls, 7);
    assert_int_equal(options.method_time_ns, 500000);
    assert_true(options.quickstart);
    assert_string_equal(options.output_filename, "a=b");
}

static void test_bounds_are_inclusive(void **state) {
    (void)state;
    static const struct {
        const char *argument;
        bool accepted;
    } rows[] = {
        {"--total-calls=1", true},          {"--total-calls=0", false},
        {"--total-calls=1000000000", true}, {"--total-calls=1000000001", false},
        {"--method-time=0", true},          {"--method-time=3600000000001", false},
        {"--recursion-depth=100000", true}, {"--recursion-depth=100001", false},
        {"--recursion-depth=0", false},     {"--total-threads=1024", true},
        {"--total-threads=1025", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        moobench_options options;
        char problem[256];
        moobench_request request = parse(
            (const char *[]){"--output-filename=x", rows[i].argument, NULL}, &options, problem);
        assert_int_equal(request, rows[i].accepted ? MOOBENCH_RUN : MOOBENCH_USAGE);
    }
}

static void test_each_refusal_says_what_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *first, *second;
        const char *said;
    } rows[] = {
        {"--total-call", "5", "unknown option '--total-call'"},
        {"5", NULL, "unknown option '5'"},
        {"--total-calls", NULL, "--total-calls needs a value"},
        {"--total-calls=", NULL, "--total-calls needs a value"},
        {"--total-calls", "12x", "--total-calls: '12x' is not a whole number from 1 to 1000000000"},
        {"--total-calls", "-1", "'-1' is not a whole number"},
        {"--total-calls", " 1", "' 1' is not a whole number"},
        {"--total-calls", "1e6", "'1e6' is not a whole number"},
        {"--total-calls", "99999999999999999999", "is not a whole number"},
        {"--quickstart=yes", NULL, "--quickstart takes no value"},
        {"--quickstart", NULL, "--output-filename is missing"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        moobench_options options;
        char problem[256];
        assert_int_equal(
            parse((const char *[]){rows[i].first, rows[i].second, NULL}, &options, problem),
            MOOBENCH_USAGE);
        assert_non_null(strstr(problem, rows[i].said));
    }
}

static void test_help_and_version_need_no_file(void **state) {
    (void)state;
    moobench_options options;
    char problem[256];
    assert_int_equal(parse((const char *[]){"--help", NULL}, &options, problem), MOOBENCH_HELP);
    assert_int_equal(parse((const char *[]){"--version", NULL}, &options, problem),
                     MOOBENCH_VERSION);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_are_the_thesis_ones),
        cmocka_unit_test(test_both_ways_of_giving_a_value),
        cmocka_unit_test(test_bounds_are_inclusive),
        cmocka_unit_test(test_each_refusal_says_what_is_wrong),
        cmocka_unit_test(test_help_and_version_need_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
