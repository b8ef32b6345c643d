/* Stacks of sampling profilers: where they begin, how a recursion is folded, which names last. */
#include "tests/unit/test.h"

#include "detector/profile/sampled.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *collapsed(const char *text, const det_sampled_wanted *wanted) {
    det_stacks_error error;
    det_stacks *stacks = det_stacks_new(1);
    assert_non_null(stacks);
    if (det_sampled_read(stacks, 0, text, strlen(text), wanted, &error) != DET_OK)
        fail_msg("line %zu: %s", error.line, error.text);
    char *out = det_stacks_text(stacks, 0, SIZE_MAX);
    det_stacks_free(stacks);
    return out;
}

static void becomes(const char *text, const det_sampled_wanted *wanted, const char *expected) {
    char *out = collapsed(text, wanted);
    assert_string_equal(out, expected);
    free(out);
}

static det_sampled_wanted plain(const char *root) {
    return (det_sampled_wanted){.names = DET_SAMPLED_PLAIN, .root = root, .scale = 1};
}

static void stacks_begin_at_the_root(void **state) {
    (void)state;
    const det_sampled_wanted wanted = plain("bench");
    becomes("main;run;bench;probe 7\nmain;start 5\nmain;run;bench 2\n", &wanted,
            "bench 2\nbench;probe 7\n");
    const det_sampled_wanted all = plain(NULL);
    becomes("main;run 7\r\n\nmain 1", &all, "main 1\nmain;run 7\n");
}

static void a_recursion_is_folded(void **state) {
    (void)state;
    const det_sampled_wanted wanted = plain("bench");
    /* ten activations, each in its probe, are one */
    becomes("x;bench;method;probe;method;probe;method;probe;send 3\n"
            "x;bench;method;probe;method;probe;method 2\n"
            "x;bench;bench;method 1\n",
            &wanted, "bench;method 3\nbench;method;probe;send 3\n");
    /* what was left out by a fold may come again behind it */
    becomes("bench;a;b;a;b;c 4\n", &wanted, "bench;a;b;c 4\n");
}

static void a_sample_has_a_cost(void **state) {
    (void)state;
    det_sampled_wanted wanted = plain(NULL);
    wanted.scale = 1e6;
    becomes("a;b 3\n", &wanted, "a;b 3000000\n");
    assert_true(det_sampled_sum("a;b 3\nno number\nc 4\n", 20) == 7);
    assert_true(det_sampled_sum("", 0) == 0);
}

static void names_of_a_jvm_are_those_of_every_other(void **state) {
    (void)state;
    const det_sampled_wanted wanted = {.names = DET_SAMPLED_JAVA, .root = "a/B.run", .scale = 1};
    becomes("java/lang/Thread.run_[j];a/B.run_[0];k/Probe.enter_[i];"
            "k/P$$Lambda$14/0x00007f1a2c0b8000.get_[j];malloc 1\n"
            "a/B.run_[1];k/P$$Lambda.0x000000010a.get_[j];sys_futex_[k] 2\n"
            "a/B.run_[j];k/Call$$Lambda+0x00001234.x_[0] 4\n"
            "Compiler::run 9\n",
            &wanted,
            "a/B.run;k/Probe.enter;k/P$$Lambda.get;malloc [native] 1\n"
            "a/B.run;k/P$$Lambda.get;sys_futex [kernel] 2\na/B.run;k/Call$$Lambda.x 4\n");
    const det_sampled_wanted jfr = {.names = DET_SAMPLED_JFR, .scale = 1};
    becomes("k/P$$Lambda$9.0x00000001.get 1\n", &jfr, "k/P$$Lambda.get 1\n");
}

static void what_is_allocated_is_the_last_frame(void **state) {
    (void)state;
    const det_sampled_wanted wanted = {
        .names = DET_SAMPLED_ALLOCATED, .root = "a/B.run", .scale = 1};
    becomes("a/B.run_[j];k/Probe.text_[j];java.lang.String_[i] 24\n"
            "a/B.run_[1];k/Probe.text_[j];byte[]_[k] 56\n"
            "a/B.run_[1];java/lang/String.split_[j];k.P$$Lambda$14/0x00007f1a2c0b8000_[i] 16\n"
            "a/B.run_[j];k/Probe.text_[j];java.lang.String_[k] 8\n"
            "Other.run_[j];byte[]_[i] 4096\n"
            "a/B.run_[j];Unmarked 1\n",
            &wanted,
            "a/B.run;k/Probe.text;new java.lang.String 32\na/B.run;k/Probe.text;new byte[] 56\n"
            "a/B.run;java/lang/String.split;new k.P$$Lambda 16\na/B.run;new Unmarked 1\n");
    char line[DET_STACKS_NAME_MAX + 100];
    (void)snprintf(line, sizeof line, "a/B.run_[j];%0*d_[i] 7", (int)DET_STACKS_NAME_MAX + 50, 1);
    char *out = collapsed(line, &wanted);
    assert_int_equal(strncmp(out, "a/B.run;new 000", 15), 0);
    assert_true(strlen(out) < DET_STACKS_NAME_MAX + 20);
    free(out);
}

static void python_files_of_the_project_are_told_from_others(void **state) {
    (void)state;
    static const char *const own[] = {"/srv/tree", "/opt/harness"};
    const det_sampled_wanted wanted = {.names = DET_SAMPLED_PYTHON,
                                       .root = "measure (moobench.py)",
                                       .scale = 1,
                                       .own = own,
                                       .own_count = 2};
    becomes("<module> (/opt/harness/moobench.py);measure (/opt/harness/moobench.py);"
            "probe (/srv/tree/lib/kieker/probe.py);dumps (/usr/lib/python3.11/json/encoder.py) 5\n"
            "measure (/opt/harness/moobench.py);x (/srv/treeless/y.py) 1\n"
            "measure (/opt/harness/moobench.py);<built-in> 2\n",
            &wanted,
            "measure (moobench.py);probe (lib/kieker/probe.py);"
            "dumps (/usr/lib/python3.11/json/encoder.py) [python] 5\n"
            "measure (moobench.py);x (/srv/treeless/y.py) [python] 1\n"
            "measure (moobench.py);<built-in> [python] 2\n");
}

/* Numbers of threads and of a pool's members differ from process to process. */
static void threads_are_told_by_name(void **state) {
    (void)state;
    det_sampled_wanted wanted = {.names = DET_SAMPLED_JAVA, .scale = 1};
    becomes(
        "[main tid=4711];A.run_[j] 3\n[GC Thread#1 tid=4712];mark 1\n[GC Thread#12 tid=4713];mark "
        "2\n[unknown_Java] 4\n[7 tid=8];B.run_[j] 5\n[tid=15];mark 6\n",
        &wanted,
        "thread main;A.run 3\nthread GC Thread#;mark [native] 3\n[unknown_Java] [native] 4\n"
        "thread 7;B.run 5\nthread without a name;mark [native] 6\n");
    wanted.root = "A.run"; /* where calls alone are looked at, threads are not */
    becomes("[main tid=4711];A.run_[j] 3\n", &wanted, "A.run 3\n");
    wanted = (det_sampled_wanted){.names = DET_SAMPLED_PYTHON, .scale = 1};
    becomes("thread (0x7F1A2C0B8000): OtelBatchSpanRecordProcessor;work (/o/w.py) 2\n"
            "thread (4711): ;work (/o/w.py) 1\nthread (4711);work (/o/w.py) 3\n"
            "thread (/o/w.py) 5\n",
            &wanted,
            "thread OtelBatchSpanRecordProcessor;work (/o/w.py) [python] 2\n"
            "thread without a name;work (/o/w.py) [python] 4\n"
            "thread (/o/w.py) [python] 5\n");
}

static void what_is_no_stack_is_named_with_its_line(void **state) {
    (void)state;
    static const char *const texts[] = {"a 1\nb\n",     "a 1\nb x\n",
                                        "a 1\n5\n",     "a 1\nb -1\n",
                                        "a 1\nb 1.5\n", "a 1\nb 12345678901234567890\n"};
    const det_sampled_wanted wanted = plain(NULL);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        det_stacks_error error;
        det_stacks *stacks = det_stacks_new(1);
        assert_int_equal(det_sampled_read(stacks, 0, texts[i], strlen(texts[i]), &wanted, &error),
                         DET_ESYNTAX);
        assert_int_equal(error.line, 2);
        assert_non_null(strstr(error.text, "a whole number"));
        det_stacks_free(stacks);
    }
}

static void without_the_root_there_is_nothing(void **state) {
    (void)state;
    det_stacks_error error;
    det_stacks *stacks = det_stacks_new(1);
    det_sampled_wanted wanted = plain("bench");
    assert_int_equal(det_sampled_read(stacks, 0, "a;b 3\n", 6, &wanted, &error), DET_ESHORT);
    assert_int_equal(det_sampled_read(stacks, 0, "bench;b 0\n", 10, &wanted, &error), DET_ESHORT);
    assert_int_equal(det_sampled_read(stacks, 0, "", 0, &wanted, &error), DET_ESHORT);
    assert_int_equal(det_sampled_read(stacks, 1, "a 1", 3, &wanted, &error), DET_EINVAL);
    wanted.scale = 0;
    assert_int_equal(det_sampled_read(stacks, 0, "bench 1", 7, &wanted, &error), DET_EINVAL);
    det_stacks_free(stacks);
}

/* frames different functions, one below the other */
static char *deep(unsigned frames, bool one_name) {
    char *text = malloc(frames * 8u + 8), *at = text;
    for (unsigned i = 0; i < frames; i++)
        at += sprintf(at, "%sf%u", i > 0 ? ";" : "", one_name ? 0 : i);
    (void)sprintf(at, " 1\n");
    return text;
}

static void deep_stacks_are_cut_or_folded(void **state) {
    (void)state;
    const det_sampled_wanted wanted = plain(NULL);
    static const unsigned depths[] = {1999, 2000, 2001, 9000};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        det_stacks_error error;
        det_stacks *stacks = det_stacks_new(1);
        char *text = deep(depths[i], false);
        assert_int_equal(det_sampled_read(stacks, 0, text, strlen(text), &wanted, &error), DET_OK);
        const uint32_t deepest = det_stacks_count(stacks) - 1;
        assert_int_equal(deepest, depths[i] < 2000 ? depths[i] : 2000);
        assert_true(det_stacks_self(stacks, deepest, 0) == 1);
        det_stacks_free(stacks);
        free(text);
    }
    char *text = deep(8000, true);
    becomes(text, &wanted, "f0 1\n");
    free(text);
}

static void long_names_and_markup_are_only_names(void **state) {
    (void)state;
    static char text[40100], expected[DET_STACKS_NAME_MAX + 1];
    const det_sampled_wanted java = {.names = DET_SAMPLED_JAVA, .scale = 1};
    memset(text, 'n', 40000);
    memcpy(text + 40000, " 1\n", 4);
    char *out = collapsed(text, &java);
    assert_non_null(strstr(out, "n [native] 1\n"));
    assert_true(strlen(out) < sizeof expected);
    free(out);
    const det_sampled_wanted wanted = plain(NULL);
    becomes("<script>alert(1)</script>;`x`;\x01\x1b[0m 3\n", &wanted,
            "<script>alert(1)</script>;`x`;__[0m 3\n");
    becomes("a;;b 3\n 5\n", &wanted, "a;b 3\n"); /* a thread that is at nothing */
}

static void small_costs_go_to_their_callers(void **state) {
    (void)state;
    det_stacks_error error;
    det_stacks *stacks = det_stacks_new(1);
    const char text[] = "a;b;c 1\na;b;d 1\na;b 1\na;e 9\nx 1\n";
    assert_int_equal(det_stacks_read(stacks, 0, text, strlen(text), &error), DET_OK);
    det_stacks_merge_small(stacks, 0, 3);
    char *out = det_stacks_text(stacks, 0, SIZE_MAX);
    assert_string_equal(out, "a;b 3\na;e 9\nx 1\n");
    free(out);
    det_stacks_merge_small(stacks, 0, 100);
    out = det_stacks_text(stacks, 0, SIZE_MAX);
    assert_string_equal(out, "a 12\nx 1\n");
    free(out);
    det_stacks_free(stacks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_begin_at_the_root),
        cmocka_unit_test(a_recursion_is_folded),
        cmocka_unit_test(a_sample_has_a_cost),
        cmocka_unit_test(names_of_a_jvm_are_those_of_every_other),
        cmocka_unit_test(what_is_allocated_is_the_last_frame),
        cmocka_unit_test(python_files_of_the_project_are_told_from_others),
        cmocka_unit_test(threads_are_told_by_name),
        cmocka_unit_test(what_is_no_stack_is_named_with_its_line),
        cmocka_unit_test(without_the_root_there_is_nothing),
        cmocka_unit_test(deep_stacks_are_cut_or_folded),
        cmocka_unit_test(long_names_and_markup_are_only_names),
        cmocka_unit_test(small_costs_go_to_their_callers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
