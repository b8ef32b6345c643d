/* What `jfr print` tells, as collapsed stacks; whatever else stands there is passed over. */
#include "tests/unit/test.h"

#include "detector/profile/sampled.h"

#include <stdlib.h>
#include <string.h>

static void becomes(const char *text, const char *expected, size_t expected_samples) {
    size_t samples = 99;
    char *out = det_jfr_collapse(text, strlen(text), &samples);
    assert_non_null(out);
    assert_string_equal(out, expected);
    assert_int_equal(samples, expected_samples);
    free(out);
}

static void samples_are_stacks(void **state) {
    (void)state;
    /* as jfr of OpenJDK 17 prints it */
    becomes("jdk.ExecutionSample {\n  startTime = 14:02:11.318 (2026-11-22)\n"
            "  sampledThread = \"benchmark-1\" (javaThreadId = 14)\n  state = \"STATE_RUNNABLE\"\n"
            "  stackTrace = [\n    java.lang.String.valueOf(Object) line: 4218\n"
            "    kieker.probe.Aspect.operation(JoinPoint, int[]) line: 31\n"
            "    moowatch.moobench.BenchmarkThread.run() line: 44\n    ...\n  ]\n}\n\n"
            "jdk.ExecutionSample {\n  stackTrace = [\n"
            "    moowatch.moobench.BenchmarkThread.run() line: 44\r\n  ]\r\n}\n",
            "moowatch/moobench/BenchmarkThread.run;kieker/probe/Aspect.operation;"
            "java/lang/String.valueOf 1\nmoowatch/moobench/BenchmarkThread.run 1\n",
            2);
}

static void what_is_not_understood_is_passed_over(void **state) {
    (void)state;
    static const char *const nothing[] = {"",
                                          "\n\n",
                                          "stackTrace = [",
                                          "stackTrace = [\n]",
                                          "stackTrace = [\n  ...\n ]\n",
                                          "stackTrace = [\n a.b()\n",
                                          "stackTrace = N/A\n a.b()\n]\n",
                                          "]\n]\n"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        becomes(nothing[i], "", 0);
    becomes("stackTrace = [\nx(\n]", "x 1\n", 1);
    becomes("stackTrace = [\na;b.c()\n(\nd()\n]\n", "d;a_b.c 1\n", 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_stacks),
        cmocka_unit_test(what_is_not_understood_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
