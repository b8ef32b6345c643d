/* Files as callgrind writes them, made by hand: what each function and stack costs is exact. */
#include "tests/unit/test.h"

#include "detector/profile/callgrind.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static det_callgrind *read_file(const char *text) {
    det_stacks_error error;
    det_callgrind *file;
    if (det_callgrind_read(&file, text, strlen(text), &error) != DET_OK)
        fail_msg("line %zu: %s", error.line, error.text);
    return file;
}

static void stacks_are(const det_callgrind *file, const char *root, const char *expected) {
    static const char *const own[] = {"/own/"};
    const det_callgrind_wanted wanted = {root, own, 1};
    det_stacks *stacks = det_stacks_new(1);
    assert_int_equal(det_callgrind_stacks(file, &wanted, stacks, 0), DET_OK);
    char *text = det_stacks_text(stacks, 0, SIZE_MAX);
    assert_string_equal(text, expected);
    free(text);
    det_stacks_free(stacks);
}

#define HEAD "# callgrind format\nversion: 1\npositions: instr\nevents: Ir\nsummary: 999\n\n"

/* main calls method, that calls itself, and exit of another object, that calls calloc. */
static const char sample[] = HEAD "ob=(1) /own/bench\n"
                                  "fl=(1) main.c\n"
                                  "fn=(1) main\n"
                                  "0x10 3\n"
                                  "cfn=(2) method\n"
                                  "calls=5 0x40\n"
                                  "+4 1000\n"
                                  "+4 7\n"
                                  "fn=(2)\n"
                                  "0x40 100\n"
                                  "cfn=(2)\n"
                                  "calls=9 0x40\n"
                                  "+2 800\n"
                                  "cob=(2) /own/lib.so\n"
                                  "cfn=(3) exit\n"
                                  "calls=5 0x90\n"
                                  "* 900\n"
                                  "ob=(2)\n"
                                  "fn=(3)\n"
                                  "0x90 200\n"
                                  "+5 100\n"
                                  "cob=(3) /lib/libc.so.6\n"
                                  "cfn=(4) calloc\n"
                                  "calls=5 0x700\n"
                                  "-5 600\n"
                                  "ob=(3)\n"
                                  "fn=(4)\n"
                                  "0x700 600\n"
                                  "totals: 1000\n";

static void stacks_begin_where_they_are_wanted(void **state) {
    (void)state;
    det_callgrind *file = read_file(sample);
    stacks_are(file, "method", "method 100\nmethod;exit 300\nmethod;exit;calloc [libc.so.6] 600\n");
    stacks_are(file, NULL,
               "main 10\nmain;method 100\nmain;method;exit 300\n"
               "main;method;exit;calloc [libc.so.6] 600\n");
    det_callgrind_free(file);
}

static void a_root_that_is_not_there_is_said(void **state) {
    (void)state;
    det_callgrind *file = read_file(sample);
    det_stacks *stacks = det_stacks_new(1);
    const det_callgrind_wanted wanted = {"moobench_monitored_method", NULL, 0};
    assert_int_equal(det_callgrind_stacks(file, &wanted, stacks, 0), DET_ESHORT);
    assert_int_equal(det_callgrind_stacks(file, &wanted, stacks, 1), DET_EINVAL);
    det_stacks_free(stacks);
    det_callgrind_free(file);
}

static size_t place_of(const det_callgrind *file, const char *object, uint64_t address) {
    for (size_t i = 0; i < det_callgrind_places(file); i++) {
        const det_callgrind_place at = det_callgrind_place_at(file, i);
        if (strcmp(at.object, object) == 0 && at.address == address)
            return i;
    }
    fail_msg("no place at %lx", (unsigned long)address);
    return 0;
}

/* The call of calloc and 200 of exit's own are at 0x90, 100 at 0x95. */
static void inlined_functions_have_frames_of_their_own(void **state) {
    (void)state;
    det_callgrind *file = read_file(sample);
    const size_t first = place_of(file, "/own/lib.so", 0x90);
    assert_true(det_callgrind_inline(file, first, "nothing"));
    assert_true(det_callgrind_inline(file, first, "history_add;entry_new"));
    stacks_are(file, "method",
               "method 100\nmethod;exit 100\nmethod;exit;history_add;entry_new 200\n"
               "method;exit;history_add;entry_new;calloc [libc.so.6] 600\n");
    det_callgrind_free(file);
}

static void a_cost_is_shared_by_what_the_calls_cost(void **state) {
    (void)state;
    det_callgrind *file = read_file(HEAD "fn=(1) m\n1 10\ncfn=(2) a\ncalls=1 0\n+1 400\n"
                                         "cfn=(3) b\ncalls=1 0\n+1 800\n"
                                         "fn=(2)\n1 100\ncfn=(4) shared\ncalls=1 0\n+1 300\n"
                                         "fn=(3)\n1 200\ncfn=(4)\ncalls=2 0\n+1 600\n"
                                         "fn=(4)\n1 900\n");
    stacks_are(file, "m", "m 10\nm;a 100\nm;a;shared 300\nm;b 200\nm;b;shared 600\n");
    det_callgrind_free(file);
}

/* a calls b and b calls a: each is once on a stack, and nothing is counted twice. */
static void circles_are_cut(void **state) {
    (void)state;
    det_callgrind *file = read_file(HEAD "fn=(1) m\n1 1\ncfn=(2) a\ncalls=1 0\n+1 300\n"
                                         "fn=(2)\n1 100\ncfn=(3) b\ncalls=1 0\n+1 250\n"
                                         "fn=(3)\n1 200\ncfn=(2)\ncalls=1 0\n+1 120\n");
    stacks_are(file, "m", "m 1\nm;a 100\nm;a;b 200\n");
    det_callgrind_free(file);
}

static void lines_without_addresses_are_read_too(void **state) {
    (void)state;
    det_callgrind *file = read_file("positions: line\nevents: Ir Dr\nfl=x.c\nfn=m\n16 100 3\n"
                                    "+1 20\njcnd=1/2 18\n19\njump=3 20\n* 5\n+2 7\n");
    assert_int_equal(det_callgrind_places(file), 1);
    stacks_are(file, "m", "m 127\n");
    det_callgrind_free(file);
    file = read_file("positions: instr line\nevents: Ir\nfn=m\n0x10 16 100\n+3 +1 20\n* * 1\n");
    assert_int_equal(det_callgrind_places(file), 2);
    stacks_are(file, "m", "m 121\n");
    det_callgrind_free(file);
}

static void a_file_that_is_cut_off_is_what_came_before(void **state) {
    (void)state;
    size_t lines = 0, cut_inside = 0;
    for (size_t size = 0; size <= strlen(sample); size++) {
        const bool whole = size == 0 || sample[size - 1] == '\n';
        det_stacks_error error = {0};
        det_callgrind *file = NULL;
        const det_status status = det_callgrind_read(&file, sample, size, &error);
        lines += size > 0 && whole;
        if (whole)
            assert_int_equal(status, DET_OK);
        else if (status != DET_OK) {
            assert_int_equal(status, DET_ESYNTAX);
            assert_int_equal(error.line, lines + 1);
            cut_inside++;
        }
        det_callgrind_free(file);
    }
    assert_true(cut_inside > 0);
}

static const struct {
    const char *text;
    size_t line;
} bad[] = {
    {"fn=(x) m\n", 1},
    {"fn=(1) m\nfn=(2)\n", 2},
    {"fn=(99999999) m\n", 1},
    {"positions: instr\n0x10 5\n", 2}, /* of no function */
    {"fn=(1) m\n+x 5\n", 2},
    {"fn=(1) m\ncalls=1 0\n+1 5\n", 3}, /* of nobody */
    {"positions: instr\nfn=(1) m\n0xg 5\n", 3},
};

static void what_is_wrong_is_named(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        det_stacks_error error = {0};
        det_callgrind *file;
        if (det_callgrind_read(&file, bad[i].text, strlen(bad[i].text), &error) != DET_ESYNTAX)
            fail_msg("accepted: %s", bad[i].text);
        assert_int_equal(error.line, bad[i].line);
        assert_null(file);
    }
}

static void a_name_of_any_length_is_bounded(void **state) {
    (void)state;
    const size_t length = 20000;
    char *text = calloc(length + 200, 1);
    strcpy(text, "ob=/lib/");
    memset(text + strlen(text), 'o', 5000);
    strcat(text, "\nfn=");
    memset(text + strlen(text), 'f', length - 6000);
    strcat(text, "\n1 5\n");
    det_callgrind *file = read_file(text);
    det_stacks *stacks = det_stacks_new(1);
    assert_int_equal(det_callgrind_stacks(file, &(det_callgrind_wanted){NULL, NULL, 0}, stacks, 0),
                     DET_OK);
    assert_int_equal(det_stacks_frame(stacks, 1).length, DET_STACKS_NAME_MAX);
    assert_int_equal(det_stacks_frame(stacks, 1).name[DET_STACKS_NAME_MAX - 1], ']');
    det_stacks_free(stacks);
    det_callgrind_free(file);
    free(text);
}

/* Each function calls the next from two places: 2^50 ways to the last. */
static void ways_have_a_bound(void **state) {
    (void)state;
    char text[8192];
    size_t at = (size_t)sprintf(text, HEAD);
    for (unsigned i = 0; i < 50; i++)
        for (unsigned call = 0; call < 2; call++)
            at += (size_t)sprintf(
                text + at, "fn=(%u) f%u\n0x%x 0\ncfn=(%u) f%u\ncalls=1 0\n0x%x %" PRIu64 "\n", i, i,
                i * 16, i + 1, i + 1, i * 16 + call, UINT64_C(1) << i);
    det_callgrind *file = read_file(text);
    det_stacks *stacks = det_stacks_new(1);
    assert_int_equal(det_callgrind_stacks(file, &(det_callgrind_wanted){"f0", NULL, 0}, stacks, 0),
                     DET_ENOMEM);
    det_stacks_free(stacks);
    det_callgrind_free(file);
}

static void names_have_a_bound(void **state) {
    (void)state;
    det_stacks_error error;
    det_callgrind *file;
    char *text = malloc(DET_CALLGRIND_NAMES_MAX * 5 + 1);
    for (size_t i = 0; i < DET_CALLGRIND_NAMES_MAX; i++)
        memcpy(text + i * 5, "fn=f\n", 6);
    assert_int_equal(det_callgrind_read(&file, text, strlen(text), &error), DET_ENOMEM);
    assert_int_equal(error.line, DET_CALLGRIND_NAMES_MAX);
    assert_string_equal(error.text, "it names more than 500,000 functions");
    free(text);
}

/* Parts without a name are no frames; beyond the deepest frame there are no more. */
static void inlined_names_have_bounds(void **state) {
    (void)state;
    static char names[2 * DET_STACKS_DEPTH_MAX + 20];
    det_callgrind *file = read_file("fn=f\n1 5\n");
    assert_true(det_callgrind_inline(file, 0, ";a;;b;"));
    stacks_are(file, NULL, "f;a;b 5\n");
    for (size_t i = 0; i + 2 < sizeof names; i++)
        names[i] = i % 2 == 0 ? 'n' : ';';
    assert_true(det_callgrind_inline(file, 0, names));
    det_stacks *stacks = det_stacks_new(1);
    assert_int_equal(det_callgrind_stacks(file, &(det_callgrind_wanted){NULL, NULL, 0}, stacks, 0),
                     DET_OK);
    assert_float_equal(det_stacks_self(stacks, det_stacks_count(stacks) - 1, 0), 5, 0);
    det_stacks_free(stacks);
    det_callgrind_free(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_begin_where_they_are_wanted),
        cmocka_unit_test(a_root_that_is_not_there_is_said),
        cmocka_unit_test(inlined_functions_have_frames_of_their_own),
        cmocka_unit_test(a_cost_is_shared_by_what_the_calls_cost),
        cmocka_unit_test(circles_are_cut),
        cmocka_unit_test(lines_without_addresses_are_read_too),
        cmocka_unit_test(a_file_that_is_cut_off_is_what_came_before),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(a_name_of_any_length_is_bounded),
        cmocka_unit_test(ways_have_a_bound),
        cmocka_unit_test(names_have_a_bound),
        cmocka_unit_test(inlined_names_have_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
