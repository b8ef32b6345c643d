/* What valgrind's tools wrote, and each way in which it is no count. */
#include "tests/unit/test.h"

#include "runner/count/valgrind.h"
#include "runner/ground/error.h"

#include <string.h>

#define FRAMES                                                                                     \
    "\"ftbl\": [\"[root]\", \"0x1: malloc (in /usr/libexec/x.so)\","                               \
    " \"0x2: moobench_monitored_method (in /h/moobench)\", \"0x3: main (main.c:3)\"]"
#define POINTS(points) "{\"dhatFileVersion\": 2, " FRAMES ", \"pps\": [" points "]}"

static void instructions_are_the_totals(void **state) {
    static const struct {
        const char *text, *wrong;
        double value;
    } cases[] = {
        {"version: 1\nevents: Ir\nfn=(1) a\n1 5\n\ntotals: 41230\n", NULL, 20615},
        {"summary: 7\ntotals: 12\n", NULL, 6},
        {"fn=(1) totals: 5\n", "no totals", 0},
        {"x\ntotals: \n", "no totals", 0},
        {"", "no totals", 0},
        {"x\ntotals: 0\n", "is the program stripped", 0},
        {"x\ntotals: -5\n", "is the program stripped", 0},
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double value = 0;
        const bool good =
            run_valgrind_instructions(cases[i].text, strlen(cases[i].text), 2, &value, &error);
        assert_int_equal(good, !cases[i].wrong);
        if (good)
            assert_true(value == cases[i].value);
        else if (!strstr(error->message, cases[i].wrong))
            fail_msg("\"%s\" does not say \"%s\"", error->message, cases[i].wrong);
    }
}

/* Only what was allocated below the method counts. */
static void allocations_are_those_below_the_method(void **state) {
    static const struct {
        const char *text, *wrong;
        double blocks, bytes;
    } cases[] = {
        {POINTS("{\"tb\": 960, \"tbk\": 20, \"fs\": [1, 2, 3]},"
                "{\"tb\": 40000, \"tbk\": 1, \"fs\": [1, 3]},"
                "{\"tb\": 40, \"tbk\": 10, \"fs\": [1, 2]}"),
         NULL, 3, 100},
        {POINTS(""), NULL, 0, 0},
        {POINTS("{\"tb\": 960, \"tbk\": 20, \"fs\": [99, -1, \"x\"]}"), NULL, 0, 0},
        {POINTS("{\"tb\": -1, \"tbk\": 20, \"fs\": [2]}"), "is not a whole number", 0, 0},
        {POINTS("{\"tb\": 8, \"tbk\": \"many\", \"fs\": [2]}"), "is not a whole number", 0, 0},
        {"{" FRAMES "}", "no places", 0, 0},
        {"{\"pps\": []}", "no places", 0, 0},
        {POINTS("{\"tb\": 960"), "its file, line 1", 0, 0},
        {"", "its file, line 1", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double values[2] = {-1, -1};
        const bool good =
            run_valgrind_allocations(cases[i].text, strlen(cases[i].text), 10, values, &error);
        assert_int_equal(good, !cases[i].wrong);
        if (!good && !strstr(error->message, cases[i].wrong))
            fail_msg("\"%s\" does not say \"%s\"", error->message, cases[i].wrong);
        if (good) {
            assert_true(values[0] == cases[i].blocks);
            assert_true(values[1] == cases[i].bytes);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_the_totals),
        cmocka_unit_test(allocations_are_those_below_the_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
