/* Collapsed stacks: what is read is what was written, and what is wrong is named with its line. */
#include "tests/unit/test.h"

#include "detector/profile/stacks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static det_stacks *read_one(const char *text) {
    det_stacks_error error;
    det_stacks *stacks = det_stacks_new(1);
    assert_non_null(stacks);
    if (det_stacks_read(stacks, 0, text, strlen(text), &error) != DET_OK)
        fail_msg("line %zu: %s", error.line, error.text);
    return stacks;
}

static void a_text_comes_back_as_it_was(void **state) {
    (void)state;
    static const char text[] = "main 1\nmain;work 12\nmain;work;calloc [libc.so.6] 300\nother 7\n";
    det_stacks *stacks = read_one(text);
    char *again = det_stacks_text(stacks, 0, SIZE_MAX);
    assert_string_equal(again, text);
    assert_int_equal(det_stacks_count(stacks), 5); /* with the root */
    assert_int_equal(det_stacks_columns(stacks), 1);
    free(again);
    det_stacks_free(stacks);
}

/* Each rounded as it is decided whether it stands there, so that no line says 0. */
static void costs_become_whole_numbers(void **state) {
    (void)state;
    det_stacks *stacks = read_one("a 0.49\nb 0.5\nc 1.5\nd 2.5\n");
    char *text = det_stacks_text(stacks, 0, SIZE_MAX);
    assert_string_equal(text, "b 1\nc 2\nd 3\n");
    free(text);
    det_stacks_free(stacks);
}

static void the_same_stack_twice_is_added_up(void **state) {
    (void)state;
    det_stacks *stacks = read_one("a;b 1\r\n\na;b 2.5\na;b;a 4");
    assert_int_equal(det_stacks_count(stacks), 4);
    const det_frame inner = det_stacks_frame(stacks, 3);
    assert_string_equal(inner.name, "a");
    assert_int_equal(inner.depth, 3);
    assert_int_equal(inner.parent, 2);
    assert_int_equal(inner.label, det_stacks_frame(stacks, 1).label);
    assert_float_equal(det_stacks_self(stacks, 2, 0), 3.5, 0);
    assert_float_equal(det_stacks_self(stacks, 3, 0), 4, 0);
    det_stacks_free(stacks);
}

static void columns_share_their_frames(void **state) {
    (void)state;
    det_stacks_error error;
    det_stacks *stacks = det_stacks_new(2);
    assert_int_equal(det_stacks_read(stacks, 0, "a;b 1\n", 6, &error), DET_OK);
    assert_int_equal(det_stacks_read(stacks, 1, "a;b 5\na;c 2\n", 12, &error), DET_OK);
    assert_int_equal(det_stacks_count(stacks), 4);
    assert_float_equal(det_stacks_self(stacks, 2, 0), 1, 0);
    assert_float_equal(det_stacks_self(stacks, 2, 1), 5, 0);
    assert_float_equal(det_stacks_self(stacks, 3, 0), 0, 0);
    assert_int_equal(det_stacks_read(stacks, 2, "a 1", 3, &error), DET_EINVAL);
    det_stacks_free(stacks);
}

/* Names are data: what they would mean to a page is nothing to a tree. */
static void markup_spaces_and_other_letters_are_names(void **state) {
    (void)state;
    static const char text[] = "<script>alert(1)</script>;operator new(unsigned long);größe 3\n";
    det_stacks *stacks = read_one(text);
    char *again = det_stacks_text(stacks, 0, SIZE_MAX);
    assert_string_equal(again, text);
    free(again);
    det_stacks_free(stacks);
}

static const struct {
    const char *text;
    size_t line;
    const char *says;
} bad[] = {
    {"a;b\n", 1, "a space and a number"},
    {"a;b 1\nc;d x\n", 2, "a space and a number"},
    {"a;b -1\n", 1, "a space and a number"},
    {"a;b 1e5\n", 1, "a space and a number"},
    {"a;b nan\n", 1, "a space and a number"},
    {"a;b .\n", 1, "a space and a number"},
    {"a;b 1.2.3\n", 1, "a space and a number"},
    {"a;b 99999999999999999999\n", 1, "a space and a number"},
    {" 12\n", 1, "a space and a number"},
    {"12\n", 1, "a space and a number"},
    {"a;;b 1\n", 1, "no name"},
    {";a 1\n", 1, "no name"},
    {"a; 1\n", 1, "no name"},
    {"a\tb 1\n", 1, "control character"},
};

static void what_is_wrong_is_named(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        det_stacks_error error = {0};
        det_stacks *stacks = det_stacks_new(1);
        assert_int_equal(det_stacks_read(stacks, 0, bad[i].text, strlen(bad[i].text), &error),
                         DET_ESYNTAX);
        assert_int_equal(error.line, bad[i].line);
        if (!strstr(error.text, bad[i].says))
            fail_msg("\"%s\" says: %s", bad[i].text, error.text);
        det_stacks_free(stacks);
    }
}

static char *repeated(const char *what, size_t times, const char *end) {
    char *text = calloc(strlen(what) * times + strlen(end) + 1, 1);
    for (size_t i = 0; i < times; i++)
        strcat(text + i * strlen(what), what);
    strcat(text, end);
    return text;
}

static det_status read_status(const char *text, det_stacks_error *error) {
    det_stacks *stacks = det_stacks_new(1);
    const det_status status = det_stacks_read(stacks, 0, text, strlen(text), error);
    det_stacks_free(stacks);
    return status;
}

static void depth_and_names_have_bounds(void **state) {
    (void)state;
    det_stacks_error error;
    char *deepest = repeated("f;", DET_STACKS_DEPTH_MAX - 1, "f 1\n");
    char *deeper = repeated("f;", DET_STACKS_DEPTH_MAX, "f 1\n");
    char *longest = repeated("n", DET_STACKS_NAME_MAX, " 1\n");
    char *longer = repeated("n", DET_STACKS_NAME_MAX + 1, " 1\n");
    assert_int_equal(read_status(deepest, &error), DET_OK);
    assert_int_equal(read_status(deeper, &error), DET_ESYNTAX);
    assert_string_equal(error.text, "the stack is deeper than 2,000 frames");
    assert_int_equal(read_status(longest, &error), DET_OK);
    assert_int_equal(read_status(longer, &error), DET_ESYNTAX);
    assert_string_equal(error.text, "a name is longer than 10,000 bytes");
    free(deepest);
    free(deeper);
    free(longest);
    free(longer);
}

static void the_number_of_frames_has_a_bound(void **state) {
    (void)state;
    det_stacks *stacks = det_stacks_new(1);
    uint32_t frame = 0;
    det_status status = DET_OK;
    uint32_t made = 1;
    for (uint32_t i = 0; status == DET_OK; i++) {
        char name[6] = {(char)('a' + i % 26),
                        (char)('a' + i / 26 % 26),
                        (char)('a' + i / 676 % 26),
                        (char)('a' + i / 17576),
                        0,
                        0};
        status = det_stacks_child(stacks, DET_STACKS_ROOT, name, 4, &frame);
        made += status == DET_OK;
    }
    assert_int_equal(status, DET_ENOMEM);
    assert_int_equal(made, DET_STACKS_FRAMES_MAX);
    det_stacks_free(stacks);
}

static void a_child_is_made_fit_to_be_written(void **state) {
    (void)state;
    uint32_t frame;
    det_stacks *stacks = det_stacks_new(1);
    char *longer = repeated("n", DET_STACKS_NAME_MAX + 5, "");
    assert_int_equal(det_stacks_child(stacks, DET_STACKS_ROOT, "a;b\nc", 5, &frame), DET_OK);
    assert_string_equal(det_stacks_frame(stacks, frame).name, "a_b_c");
    assert_int_equal(det_stacks_child(stacks, frame, longer, strlen(longer), &frame), DET_OK);
    assert_int_equal(det_stacks_frame(stacks, frame).length, DET_STACKS_NAME_MAX);
    assert_int_equal(det_stacks_child(stacks, 9, "a", 1, &frame), DET_EINVAL);
    assert_int_equal(det_stacks_child(stacks, 0, "", 0, &frame), DET_EINVAL);
    det_stacks_add(stacks, 1, 0, -1);
    det_stacks_add(stacks, 1, 0, (double)NAN);
    det_stacks_add(stacks, 1, 0, (double)INFINITY);
    det_stacks_add(stacks, 77, 0, 1);
    assert_float_equal(det_stacks_self(stacks, 1, 0), 0, 0);
    free(longer);
    det_stacks_free(stacks);
}

static void a_text_has_a_bound(void **state) {
    (void)state;
    det_stacks_error error;
    det_stacks *stacks = det_stacks_new(1);
    assert_int_equal(det_stacks_read(stacks, 0, "a;b 10\na 7\n", 11, &error), DET_OK);
    char *whole = det_stacks_text(stacks, 0, 11);
    assert_int_equal(strlen(whole), 11);
    assert_null(det_stacks_text(stacks, 0, 10));
    free(whole);
    for (int i = 0; i < 2; i++)
        det_stacks_add(stacks, 1, 0, DET_STACKS_VALUE_MAX);
    assert_float_equal(det_stacks_self(stacks, 1, 0), DET_STACKS_VALUE_MAX, 0);
    det_stacks_free(stacks);
}

static void columns_have_a_bound(void **state) {
    (void)state;
    assert_null(det_stacks_new(0));
    assert_null(det_stacks_new(DET_STACKS_COLUMNS_MAX + 1));
    det_stacks_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_comes_back_as_it_was),
        cmocka_unit_test(costs_become_whole_numbers),
        cmocka_unit_test(the_same_stack_twice_is_added_up),
        cmocka_unit_test(columns_share_their_frames),
        cmocka_unit_test(markup_spaces_and_other_letters_are_names),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(depth_and_names_have_bounds),
        cmocka_unit_test(the_number_of_frames_has_a_bound),
        cmocka_unit_test(a_child_is_made_fit_to_be_written),
        cmocka_unit_test(a_text_has_a_bound),
        cmocka_unit_test(columns_have_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
