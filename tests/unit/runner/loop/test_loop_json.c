#include "tests/unit/runner/test.h"

#include "runner/loop/loop_json.h"

#include <limits.h>

#define SHA256 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/* What the protocol's page shows, and each way a loop can be. */
static const char *const whole[] = {
    "{\"configuration\":\"none\",\"loop\":1,\"position\":4,\"attempt\":2,\"disturbed\":false,"
    "\"started_ms\":1700000000000,\"seconds\":1.5,\"calls\":4,\"warmup_calls\":1,"
    "\"summary\":{\"n\":3,\"mean_ns\":20.25,\"sd_ns\":1.0,\"min_ns\":10.0,\"q1_ns\":15.0,"
    "\"median_ns\":20.0,\"q3_ns\":25.0,\"max_ns\":30.0},\"calls_per_second\":[7,8],"
    "\"readings\":{\"settled\":true,\"usage\":{\"a\":1}},\"failed\":null,"
    "\"raw\":{\"sha256\":\"" SHA256 "\",\"bytes\":9,\"uncompressed_bytes\":12}}",
    "{\"configuration\":\"none\",\"loop\":1,\"position\":0,\"attempt\":1,\"disturbed\":true,"
    "\"started_ms\":1,\"seconds\":0.0,\"commit\":\"aa\","
    "\"readings\":{\"disturbed_by\":\"others\",\"stray\":true,\"turn\":3},\"failed\":\"exit status "
    "1\"}",
    "{\"configuration\":\"none\",\"loop\":2,\"position\":0,\"attempt\":1,\"disturbed\":false,"
    "\"started_ms\":1,\"seconds\":0.5,\"calls\":1,\"warmup_calls\":0,"
    "\"summary\":{\"n\":1,\"mean_ns\":7.5},\"calls_per_second\":[],\"failed\":null}"};

static void test_comes_back_as_it_was(void **state) {
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(whole); i++) {
        json_t *before = json_loads(whole[i], JSON_REJECT_DUPLICATES, NULL);
        g_autoptr(run_loop) loop = run_loop_read(before);
        assert_non_null(loop);
        json_t *after = run_loop_json(loop);
        if (!json_equal(before, after))
            fail_msg("%s", json_dumps(after, JSON_COMPACT));
        json_decref(before);
        json_decref(after);
    }
}

static void test_members(void **state) {
    (void)state;
    json_t *object = json_loads(whole[0], 0, NULL);
    g_autoptr(run_loop) loop = run_loop_read(object);
    assert_string_equal(loop->configuration, "none");
    assert_int_equal(loop->number, 1);
    assert_int_equal(loop->position, 4);
    assert_int_equal(loop->attempt, 2);
    assert_int_equal(loop->calls, 4);
    assert_int_equal(loop->warmup_calls, 1);
    assert_int_equal(loop->summary.n, 3);
    assert_close(loop->summary.q3, 25, 0);
    assert_int_equal(g_array_index(loop->calls_per_second, uint64_t, 1), 8);
    assert_string_equal(loop->raw.sha256, SHA256);
    assert_null(loop->failed);
    assert_null(loop->commit);
    json_decref(object);
}

static void test_what_is_no_loop(void **state) {
    (void)state;
    const char *const texts[] = {
        "{}", "[]", "{\"configuration\":\"none\"}",
        "{\"configuration\":1,\"loop\":1,\"failed\":\"x\"}",
        "{\"configuration\":\"none\",\"loop\":\"1\",\"failed\":\"x\"}",
        "{\"configuration\":\"none\",\"loop\":1,\"failed\":null}",
        "{\"configuration\":\"none\",\"loop\":1,\"summary\":{}}",
        /* found by tests/fuzz/runner/fuzz_loop: a hash that is none */
        "{\"configuration\":\"none\",\"loop\":1,\"raw\":{\"sha256\":\"000\xef\xbf\xbd\"}}"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        json_t *object = json_loads(texts[i], 0, NULL);
        assert_null(run_loop_read(object));
        json_decref(object);
    }
    assert_null(run_loop_read(NULL));
}

/* Found by tests/fuzz/runner/fuzz_loop: it was written below 0, and read as another loop. */
static void test_a_number_that_is_too_large(void **state) {
    (void)state;
    json_t *object = json_pack("{s:s, s:I, s:I, s:I, s:s}", "configuration", "none", "loop",
                               (json_int_t)-1, "position", (json_int_t)INT_MAX, "attempt",
                               (json_int_t)INT_MAX + 1, "failed", "why");
    g_autoptr(run_loop) loop = run_loop_read(object);
    assert_int_equal(loop->number, 0);
    assert_int_equal(loop->position, INT_MAX);
    assert_int_equal(loop->attempt, 0);
    json_decref(object);
}

static void test_marks(void **state) {
    (void)state;
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    run_loop_set_disturbed(loop, "it stands apart");
    loop->stray = true;
    json_t *object = run_loop_json(loop);
    json_t *readings = json_object_get(object, "readings");
    assert_true(json_is_true(json_object_get(object, "disturbed")));
    assert_true(json_is_true(json_object_get(readings, "stray")));
    json_decref(object);
    run_loop_set_disturbed(loop, NULL);
    assert_false(loop->stray);
    object = run_loop_json(loop);
    assert_true(json_is_false(json_object_get(object, "disturbed")));
    assert_null(json_object_get(object, "readings"));
    json_decref(object);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comes_back_as_it_was), cmocka_unit_test(test_members),
        cmocka_unit_test(test_what_is_no_loop), cmocka_unit_test(test_a_number_that_is_too_large),
        cmocka_unit_test(test_marks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
