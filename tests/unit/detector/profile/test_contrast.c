/* Differences of differences per function, on profiles made by hand: the answers are exact. */
#include "detector/profile/contrast.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LOOPS_MAX 4

/* Stacks of configuration and parent, before and after, in the order of the columns. */
typedef struct {
    det_stacks *stacks;
    double calls[4 * LOOPS_MAX];
    det_contrast_plan plan;
    det_contrast contrast;
} made;

static void make(made *m, size_t loops, bool has_parent, const char *const *texts, double calls) {
    det_stacks_error error;
    m->stacks = det_stacks_new(4 * loops);
    for (size_t i = 0; i < 4 * loops; i++) {
        m->calls[i] = calls;
        if (texts[i])
            assert_int_equal(det_stacks_read(m->stacks, i, texts[i], strlen(texts[i]), &error),
                             DET_OK);
    }
    m->plan = (det_contrast_plan){loops, has_parent, m->calls, 0.95};
    assert_int_equal(det_contrast_make(&m->contrast, m->stacks, &m->plan), DET_OK);
}

static void clear(made *m) {
    det_contrast_clear(&m->contrast);
    det_stacks_free(m->stacks);
}

static const char *const planted[] = {
    "method;exit 1000\n", /* before, configuration */
    "method;exit 200\n",  /* before, parent */
    ("method;exit 900\nmethod;exit;add 500\nmethod;exit;add;calloc [libc.so.6] 3000\n"
     "method;exit;add;calloc [libc.so.6];memset [libc.so.6] 500\n"), /* after, configuration */
    "method;exit 200\n"};                                            /* after, parent */

static void what_is_called_outside_is_the_callers(void **state) {
    (void)state;
    made m;
    make(&m, 1, true, planted, 100);
    assert_int_equal(m.contrast.count, 2);
    const det_contrast_function *first = &m.contrast.functions[0];
    assert_string_equal(first->name, "add");
    assert_string_equal(first->caller, "exit");
    assert_true(first->is_new && !first->is_gone);
    assert_float_equal(first->before, 0, 0);
    assert_float_equal(first->after, 40, 1e-12);
    assert_float_equal(first->change.mean, 40, 1e-12);
    assert_float_equal(first->change.low, 40, 1e-12);
    assert_float_equal(first->change.high, 40, 1e-12);
    const det_contrast_function *second = &m.contrast.functions[1];
    assert_string_equal(second->name, "exit");
    assert_string_equal(second->caller, "method");
    assert_false(second->is_new || second->is_gone);
    assert_float_equal(second->change.mean, -1, 1e-12);
    assert_float_equal(m.contrast.before, 8, 1e-12);
    assert_float_equal(m.contrast.after, 47, 1e-12);
    assert_float_equal(m.contrast.change.mean, 39, 1e-12);
    assert_float_equal(m.contrast.level_cost, 10, 1e-12);
    clear(&m);
}

static void what_the_parent_has_too_is_not_the_portions(void **state) {
    (void)state;
    static const char *const texts[] = {"m;a 100\nm;b 50\n", "m;a 100\n", "m;a 300\nm;b 70\n",
                                        "m;a 300\n"};
    made m;
    make(&m, 1, true, texts, 10);
    assert_int_equal(m.contrast.count, 1);
    assert_string_equal(m.contrast.functions[0].name, "b");
    assert_float_equal(m.contrast.functions[0].change.mean, 2, 1e-12);
    clear(&m);
}

static void without_a_parent_it_is_the_configuration(void **state) {
    (void)state;
    static const char *const texts[] = {"m;a 100\nm;gone 40\n", NULL, "m;a 150\n", NULL};
    made m;
    make(&m, 1, false, texts, 10);
    assert_int_equal(m.contrast.count, 2);
    assert_string_equal(m.contrast.functions[0].name, "a");
    assert_float_equal(m.contrast.functions[0].change.mean, 5, 1e-12);
    assert_string_equal(m.contrast.functions[1].name, "gone");
    assert_true(m.contrast.functions[1].is_gone);
    assert_float_equal(m.contrast.functions[1].change.mean, -4, 1e-12);
    clear(&m);
}

/* R: t.test(c(10, 12, 14))$conf.int -> 7.031724 16.968276 */
static void loops_give_an_interval(void **state) {
    (void)state;
    static const char *const texts[] = {"m;a 100\n", "m;a 100\n", "m;a 100\n", NULL, NULL, NULL,
                                        "m;a 200\n", "m;a 220\n", "m;a 240\n", NULL, NULL, NULL};
    made m;
    make(&m, 3, true, texts, 10);
    const det_interval change = m.contrast.functions[0].change;
    assert_float_equal(change.mean, 12, 1e-12);
    assert_float_equal(change.low, 7.031724, 1e-6);
    assert_float_equal(change.high, 16.968276, 1e-6);
    assert_float_equal(m.contrast.change.low, 7.031724, 1e-6);
    clear(&m);
}

static void a_recursion_is_one_function_called_from_outside_of_it(void **state) {
    (void)state;
    static const char *const texts[] = {"m;f 10\n", NULL, "m;f 20\nm;f;f 30\nm;f;f;f 40\n", NULL};
    made m;
    make(&m, 1, true, texts, 10);
    assert_int_equal(m.contrast.count, 1);
    assert_float_equal(m.contrast.functions[0].change.mean, 8, 1e-12);
    assert_string_equal(m.contrast.functions[0].caller, "m");
    clear(&m);
}

static void the_caller_is_the_one_with_most_of_it(void **state) {
    (void)state;
    static const char *const texts[] = {"m 1\n", NULL, "m;few;f 10\nm;many;f 90\nm;few 1\n", NULL};
    made m;
    make(&m, 1, true, texts, 1);
    assert_string_equal(m.contrast.functions[0].name, "f");
    assert_string_equal(m.contrast.functions[0].caller, "many");
    clear(&m);
}

static void a_stack_of_strangers_is_its_outermost_frames(void **state) {
    (void)state;
    static const char *const texts[] = {"x [a.so];y [b.so] 5\n", NULL, "x [a.so];y [b.so] 9\n",
                                        NULL};
    made m;
    make(&m, 1, true, texts, 1);
    assert_int_equal(m.contrast.count, 1);
    assert_string_equal(m.contrast.functions[0].name, "x [a.so]");
    assert_null(m.contrast.functions[0].caller);
    clear(&m);
}

static void strangers_are_known_by_their_names(void **state) {
    (void)state;
    assert_true(frame_is_foreign("calloc [libc.so.6]"));
    assert_true(frame_is_foreign("java/lang/StringBuilder.append"));
    assert_true(frame_is_foreign("org.aspectj.runtime.reflect.SignatureImpl.toString"));
    assert_true(frame_is_foreign("a/Aspect.ajc$inlineAccessMethod$a_Aspect$text"));
    assert_true(frame_is_foreign("a/MonitoredClass$AjcClosure1.run"));
    assert_false(frame_is_foreign("kieker/monitoring/core/MonitoringController.isProbeActivated"));
    assert_false(frame_is_foreign("history_add"));
    assert_false(frame_is_foreign("operator[]"));
    assert_false(frame_is_foreign(""));
}

static void plans_that_do_not_fit_are_refused(void **state) {
    (void)state;
    const double calls[8] = {1, 1, 1, 0, 1, 1, 1, 1};
    det_stacks *stacks = det_stacks_new(4);
    det_contrast out;
    assert_int_equal(det_contrast_make(&out, stacks, &(det_contrast_plan){1, 1, calls, 0.95}),
                     DET_EINVAL); /* no calls */
    assert_int_equal(det_contrast_make(&out, stacks, &(det_contrast_plan){2, 1, calls + 4, 0.95}),
                     DET_EINVAL); /* too few columns */
    assert_int_equal(det_contrast_make(&out, stacks, &(det_contrast_plan){0, 1, calls, 0.95}),
                     DET_EINVAL);
    assert_int_equal(det_contrast_make(&out, stacks, &(det_contrast_plan){1, 1, calls + 4, 0.95}),
                     DET_OK);
    assert_int_equal(out.count, 0);
    det_contrast_clear(&out);
    det_stacks_free(stacks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_called_outside_is_the_callers),
        cmocka_unit_test(what_the_parent_has_too_is_not_the_portions),
        cmocka_unit_test(without_a_parent_it_is_the_configuration),
        cmocka_unit_test(loops_give_an_interval),
        cmocka_unit_test(a_recursion_is_one_function_called_from_outside_of_it),
        cmocka_unit_test(the_caller_is_the_one_with_most_of_it),
        cmocka_unit_test(a_stack_of_strangers_is_its_outermost_frames),
        cmocka_unit_test(strangers_are_known_by_their_names),
        cmocka_unit_test(plans_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
