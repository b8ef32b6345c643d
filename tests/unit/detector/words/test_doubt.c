/* doubt: when a step is doubted, and the sentences as people read them. */
#include "tests/unit/test.h"

#include "detector/words/counted.h"

#include <math.h>
#include <string.h>

static void a_silent_step(void **state) {
    (void)state;
    assert_true(det_doubt_silent(-1, -2));
    assert_true(det_doubt_silent(0, 0));
    assert_false(det_doubt_silent(-1, 5));
    assert_false(det_doubt_silent(5, -1));
    assert_false(det_doubt_silent(NAN, -1));
    assert_false(det_doubt_silent(-1, NAN));
}

static void sentences(void **state) {
    (void)state;
    char text[DET_DOUBT_MAX];
    det_doubt_put_silent(text, sizeof text, "I", "probe", "none", false);
    assert_string_equal(text, "I: these loops cannot tell probe from none. Measure more, or check "
                              "that it instruments and records.");
    det_doubt_put_silent(text, sizeof text, "I", "probe", "none", true);
    assert_string_equal(text, "I: in these loops probe takes less than none. Check that it "
                              "instruments and records.");
    det_doubt_put_dropped(text, sizeof text, "otlp", 200, 2000);
    assert_string_equal(
        text, "otlp: 200 of 2000 records reached the receiver (10.0 %); the rest was dropped.");
    det_doubt_put_dropped(text, sizeof text, "otlp", 0, 0);
    assert_non_null(strstr(text, "(0.0 %)"));
    det_doubt_put_unwritten(text, sizeof text, "text", 1999, 2000);
    assert_string_equal(
        text, "text: 1999 of 2000 records were written, as verify counted (99.9 %); the rest was "
              "dropped.");
    det_doubt_put_failed(text, sizeof text, "tcp", 2, 12, "receiver: port 4318: in use");
    assert_string_equal(text, "tcp: 2 of 12 loops failed; the last: receiver: port 4318: in use");
    det_doubt_put_failed(text, sizeof text, "tcp", 1, 1, "why");
    assert_string_equal(text, "tcp has no result: why");
}

static void what_does_not_fit_is_cut(void **state) {
    (void)state;
    char text[12];
    memset(text, 'x', sizeof text);
    det_doubt_put_failed(text, sizeof text, "configuration", 1, 2, "why");
    assert_string_equal(text, "configurati");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_silent_step), cmocka_unit_test(sentences),
                                       cmocka_unit_test(what_does_not_fit_is_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
