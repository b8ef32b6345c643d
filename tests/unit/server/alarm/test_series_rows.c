#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/alarm/series_rows.h"
#include "tests/unit/server/sql_text.h"

static const double means[4] = {70, 470, 1600, 3200};
enum { SIZE = 70000 };

/* A series with one night, whose place is 1. */
static int64_t series_of(fixture *fix, int64_t *experiment) {
    int64_t series;
    *experiment = fix_measure(fix, "kieker", 1, "2013-04-01", means);
    assert_true(srv__number(fix->store,
                            sql_text("SELECT series_id FROM experiment WHERE id=$1", "i"),
                            SRV__ARGS(*experiment), 0, &series, NULL));
    return series;
}

static int64_t stored_bytes(fixture *fix, int64_t series) {
    int64_t bytes;
    assert_true(srv__number(
        fix->store,
        sql_text("SELECT length(state) FROM series_state WHERE series_id=$1 AND place=1", "i"),
        SRV__ARGS(series), 0, &bytes, NULL));
    return bytes;
}

static void a_state_comes_back_as_it_was(void **state) {
    fixture *fix = *state;
    int64_t experiment;
    const int64_t series = series_of(fix, &experiment);
    g_autofree unsigned char *bytes = g_malloc(SIZE);
    for (int i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char)(i < SIZE / 3 ? g_random_int() : 0);
    srv__series_state given = {experiment, 1, bytes, SIZE}, got;
    assert_true(srv__series_state_put(fix->store, series, SRV__TIME, &given, NULL));
    assert_true(stored_bytes(fix, series) < SIZE / 2);
    assert_true(srv__series_state_upto(fix->store, series, SRV__TIME, 1, &got, NULL));
    assert_int_equal(got.experiment, experiment);
    assert_int_equal(got.size, SIZE);
    assert_memory_equal(got.bytes, bytes, SIZE);
    g_free(got.bytes);
}

/* Puts stored bytes in the place of what was packed. */
static void store_as_it_is(fixture *fix, int64_t series, const void *bytes, size_t size) {
    assert_true(srv__run(fix->store,
                         sql_text("UPDATE series_state SET state=$2 WHERE series_id=$1", "ib"),
                         SRV__ARGS(series, srv__arg_blob(bytes, size)), NULL));
}

/* The nights are judged anew then: there is a next one. */
static void a_damaged_state_is_none(void **state) {
    static const unsigned char endless[] = {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0xff, 0xff,
                                            0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    static const unsigned char cut[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x40, 0x01};
    fixture *fix = *state;
    int64_t experiment;
    const int64_t series = series_of(fix, &experiment);
    srv__series_state got;
    store_as_it_is(fix, series, endless, sizeof endless);
    assert_true(srv__series_state_upto(fix->store, series, SRV__TIME, 1, &got, NULL));
    assert_int_equal(got.size, 0);
    g_free(got.bytes);
    store_as_it_is(fix, series, cut, sizeof cut);
    assert_true(srv__series_state_upto(fix->store, series, SRV__TIME, 1, &got, NULL));
    assert_int_equal(got.size, 0);
    g_free(got.bytes);
    assert_true(fix_measure(fix, "kieker", 2, "2013-04-02", means) > experiment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(a_state_comes_back_as_it_was),
        FIX_TEST(a_damaged_state_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
