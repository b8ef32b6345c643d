/* Which benchmarks are the same, and JSON in one spelling. */
#include "tests/unit/test.h"

#include "server/result/result.h"

#include <stdbool.h>
#include <string.h>

static json_t *json_of(const char *text) {
    g_autofree char *quoted = g_strdelimit(g_strdup(text), "'", '"');
    json_t *json = json_loads(quoted, JSON_DECODE_ANY, NULL);
    assert_non_null(json);
    return json;
}

static const char base[] =
    "{'driver': 'command', 'loops': 10, 'total_calls': 100, 'read': {'pattern': 'x'},"
    " 'configurations': [{'name': 'none', 'portion': 'T', 'label': 'None', 'options': ['-a']}]}";

static char *identity_with(const char *members, const char *read, const char *configuration) {
    json_t *benchmark = json_of(base), *more = json_of(members), *reading = json_of(read);
    json_t *own = json_of(configuration);
    json_object_update(benchmark, more);
    json_object_update(json_object_get(benchmark, "read"), reading);
    json_object_update(json_array_get(json_object_get(benchmark, "configurations"), 0), own);
    json_t *before = json_deep_copy(benchmark);
    char *identity = srv_benchmark_identity(benchmark);
    assert_true(json_equal(before, benchmark));
    json_decref(before);
    json_decref(own);
    json_decref(reading);
    json_decref(more);
    json_decref(benchmark);
    return identity;
}

static const struct {
    const char *members, *read, *configuration;
    bool same;
} cases[] = {
    {"{'loops': 20}", "{}", "{}", true},
    {"{'prepare_timeout_seconds': 1}", "{}", "{}", true},
    {"{'loop_timeout_seconds': 1}", "{}", "{}", true},
    {"{'rest_seconds': 0}", "{}", "{}", true},
    {"{'confidence': 0.99}", "{}", "{}", true},
    {"{'artifact_wait_seconds': 5}", "{}", "{}", true},
    {"{'precision_percent': 1.5}", "{}", "{}", true},
    {"{'budget_minutes': 20}", "{}", "{}", true},
    {"{'warmup_evidence': 'x'}", "{}", "{}", true},
    {"{'network': 'off'}", "{}", "{}", true},
    {"{'count': 'auto'}", "{}", "{}", true},
    {"{}", "{'match_limit': 7, 'timeout_seconds': 1, 'size_limit_bytes': 9}", "{}", true},
    {"{}", "{}", "{'label': 'another', 'portion': 'X'}", true},
    {"{'total_calls': 101}", "{}", "{}", false},
    {"{'driver': 'native'}", "{}", "{}", false},
    {"{'artifact': 'x.jar'}", "{}", "{}", false},
    {"{'threads': 2}", "{}", "{}", false},
    {"{}", "{'pattern': 'y'}", "{}", false},
    {"{}", "{'several': 'samples'}", "{}", false},
    {"{}", "{}", "{'name': 'bare'}", false},
    {"{}", "{}", "{'options': ['-b']}", false},
    {"{}", "{}", "{'environment': {}}", false},
};

static void what_makes_another_series(void **state) {
    (void)state;
    g_autofree char *own = identity_with("{}", "{}", "{}");
    assert_int_equal(strlen(own), 64);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *other =
            identity_with(cases[i].members, cases[i].read, cases[i].configuration);
        if ((strcmp(own, other) == 0) != cases[i].same)
            fail_msg("%s %s %s", cases[i].members, cases[i].read, cases[i].configuration);
    }
}

#define NONE "{'name': 'none', 'portion': 'T'}"
#define ON "{'name': 'on', 'portion': 'I', 'parent': 'none'}"
#define FILE_WRITER "{'name': 'file', 'portion': 'W', 'parent': 'on'}"
#define TCP_WRITER "{'name': 'tcp', 'portion': 'W', 'parent': 'on', 'options': ['-t']}"

static void what_continues_a_series(void **state) {
    (void)state;
    static const struct {
        const char *now, *then;
        bool continues;
    } table[] = {
        {"[" NONE "," ON "," FILE_WRITER "]", "[" NONE "," ON "]", true},
        {"[" NONE "," ON "]", "[" NONE "," ON "," FILE_WRITER "]", true},
        {"[" NONE "," ON "," TCP_WRITER "," FILE_WRITER "]", "[" NONE "," ON "," FILE_WRITER "]",
         true},
        {"[" NONE "," ON "," TCP_WRITER "]", "[" NONE "," ON "," FILE_WRITER "]", false},
        {"[" NONE ",{'name': 'on', 'parent': 'none', 'options': ['-x']}]", "[" NONE "," ON "]",
         false},
        {"[]", "[" NONE "]", false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        json_t *now = json_of(base), *then = json_of(base);
        json_object_set_new(now, "configurations", json_of(table[i].now));
        json_object_set_new(then, "configurations", json_of(table[i].then));
        if (srv_benchmark_continues(now, then) != table[i].continues)
            fail_msg("%s after %s", table[i].now, table[i].then);
        json_object_set_new(now, "total_calls", json_integer(7));
        assert_false(srv_benchmark_continues(now, then));
        json_decref(now);
        json_decref(then);
    }
}

/* Results from elsewhere, with a writer that is compared with `parent`. */
static json_t *imported(const char *parent, const char *more) {
    g_autofree char *text = g_strdup_printf(
        "{'driver': 'imported', 'configurations': [{'name': 'none', 'portion': 'T', 'parent': "
        "null},"
        " {'name': 'off', 'portion': 'I', 'parent': 'none'}, {'name': 'on', 'portion': 'C',"
        " 'parent': 'off'}, {'name': 'p', 'portion': '%s', 'parent': '%s'}%s]}",
        parent, parent, more);
    return json_of(text);
}

/* A guess of another release goes on as the nights there have it, unless it is of something else.
 */
static void a_chain_as_it_was(void **state) {
    (void)state;
    json_t *before = imported("on", ""), *now = imported("off", "");
    json_t *more = imported("off", ", {'name': 'z', 'portion': 'W z', 'parent': 'on'}");
    assert_false(srv_benchmark_continues(now, before));
    json_t *kept = srv_benchmark_as_before(now, before, NULL);
    assert_true(json_equal(kept, before));
    json_t *grown = srv_benchmark_as_before(more, before, NULL);
    assert_true(srv_benchmark_continues(grown, before));
    json_t *configurations = json_object_get(grown, "configurations");
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(configurations, 3), "parent")), "on");
    assert_int_equal(json_array_size(configurations), 5);
    json_object_set_new(before, "driver", json_string("java"));
    assert_null(srv_benchmark_as_before(now, before, NULL));
    json_decref(grown);
    json_decref(kept);
    json_decref(more);
    json_decref(now);
    json_decref(before);
}

/* Instructions were 1 ns each, and throughputs turned round; any other unit is another thing, and
 * what had its unit before a night in another one has it again. */
static void what_was_ns_stays_that(void **state) {
    (void)state;
#define ONE(more)                                                                                  \
    "{'driver': 'imported', 'configurations': [{'name': 'a', 'portion': 'T', 'parent': null" more  \
    "}]}"
    json_t *before = json_of(ONE("")), *now = json_of(ONE(", 'unit': 'instructions'"));
    json_t *other = json_of(ONE(", 'unit': 'MiB'"));
    json_t *rate = json_of(ONE(", 'unit': 'kreq/s', 'better': 'higher'")), *turned = json_object();
    const json_t *const kinds[][3] = {{rate, rate, rate},    {rate, before, before},
                                      {now, before, before}, {now, now, now},
                                      {now, other, now},     {other, before, other}};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        json_auto_t *rows = json_pack("[{s:O}]", "body", kinds[i][1]);
        json_t *kept = srv_benchmark_in_its_units(kinds[i][0], rows, turned);
        assert_true(json_equal(kept, kinds[i][2]));
        assert_int_equal(json_object_size(turned), i > 0);
        json_decref(kept);
    }
    json_auto_t *both = json_pack("[{s:O},{s:O}]", "body", before, "body", rate);
    json_auto_t *again = srv_benchmark_in_its_units(rate, both, turned);
    assert_true(json_equal(again, rate));
    assert_true(json_number_value(json_object_get(turned, "a")) == 1e6);
    json_decref(turned);
    json_decref(rate);
    json_decref(before);
    json_decref(now);
    json_decref(other);
}

static void without_read_and_configurations(void **state) {
    (void)state;
    json_t *nothing = json_of("{'loops': 3}"), *empty = json_of("{}");
    g_autofree char *a = srv_benchmark_identity(nothing), *b = srv_json_hash(empty);
    assert_string_equal(a, b);
    json_decref(nothing);
    json_decref(empty);
}

/* printf '{"a":[1,true,null],"b":{"c":"\u00e4","d":1.5}}' | sha256sum */
static void one_spelling(void **state) {
    (void)state;
    static const char *const spellings[] = {
        "{'b': {'d': 1.5, 'c': '\u00e4'}, 'a': [1, true, null]}",
        "{ 'a':[1,true,null],\n'b':{'c':'\\u00e4','d':1.5}}",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(spellings); i++) {
        json_t *json = json_of(spellings[i]);
        g_autofree char *text = srv_json_canonical(json), *hash = srv_json_hash(json);
        assert_string_equal(text, "{\"a\":[1,true,null],\"b\":{\"c\":\"\u00e4\",\"d\":1.5}}");
        g_autofree char *expected = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
        assert_string_equal(hash, expected);
        json_decref(json);
    }
}

static void order_in_lists_counts(void **state) {
    (void)state;
    json_t *ab = json_of("['a', 'b']"), *ba = json_of("['b', 'a']");
    g_autofree char *x = srv_json_hash(ab), *y = srv_json_hash(ba);
    assert_string_not_equal(x, y);
    json_decref(ab);
    json_decref(ba);
}

static void a_word_alone(void **state) {
    (void)state;
    json_t *word = json_string("x\"y");
    g_autofree char *text = srv_json_canonical(word);
    assert_string_equal(text, "\"x\\\"y\"");
    json_decref(word);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_makes_another_series),
        cmocka_unit_test(what_continues_a_series),
        cmocka_unit_test(a_chain_as_it_was),
        cmocka_unit_test(what_was_ns_stays_that),
        cmocka_unit_test(without_read_and_configurations),
        cmocka_unit_test(one_spelling),
        cmocka_unit_test(order_in_lists_counts),
        cmocka_unit_test(a_word_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
