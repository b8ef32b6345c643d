#include "tests/unit/runner/node_folder.h"

#include "runner/node/machine.h"

static const char *text_of(json_t *record, const char *key) {
    return json_string_value(json_object_get(record, key));
}

static void test_facts(void **state) {
    put_node(*state);
    json_t *record = json_object();
    run_machine_add(record, *state);
    const struct {
        const char *key, *expected;
    } cases[] = {{"cpu", "Xeon  X"},
                 {"microcode", "0x2a"},
                 {"governor", "powersave"},
                 {"turbo", "on"},
                 {"smt", "notsupported"},
                 {"thp", "madvise"},
                 {"mitigations", "mds: Vulnerable | meltdown: Mitigation: PTI"},
                 {"kernel_options", "quiet isolcpus=1"},
                 {"aslr", "unknown"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(text_of(record, cases[i].key), cases[i].expected);
    assert_int_equal(json_integer_value(json_object_get(record, "sockets")), 2);
    assert_close(json_number_value(json_object_get(record, "memory_gb")), 15.6, 1e-9);
    json_decref(record);
}

static void test_twice_the_same(void **state) {
    put_node(*state);
    json_t *one = json_object(), *two = json_object();
    run_machine_add(one, *state);
    run_machine_add(two, *state);
    assert_true(json_object_size(one) > 0);
    assert_true(json_equal(one, two));
    json_decref(one);
    json_decref(two);
}

static void test_nothing_known(void **state) {
    g_autofree char *empty = g_build_filename(*state, "empty", NULL);
    json_t *record = json_object();
    run_machine_add(record, empty);
    assert_string_equal(text_of(record, "cpu"), "unknown");
    assert_string_equal(text_of(record, "mitigations"), "unknown");
    assert_string_equal(text_of(record, "turbo"), "unknown");
    json_decref(record);
}

static void test_other_processors(void **state) {
    const struct {
        const char *cpuinfo, *expected;
    } cases[] = {{"processor : 0\nBogoMIPS : 1\nModel\t\t: Raspberry Pi 4\n", "Raspberry Pi 4"},
                 {"cpu\t\t: POWER9\n", "POWER9"},
                 {"model name\t: no newline", "no newline"},
                 {"modelname: x\n", "unknown"},
                 {"", "unknown"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_file(*state, "/proc/cpuinfo", cases[i].cpuinfo);
        json_t *record = json_object();
        run_machine_add(record, *state);
        assert_string_equal(text_of(record, "cpu"), cases[i].expected);
        json_decref(record);
    }
}

static void test_choice(void **state) {
    (void)state;
    const char *cases[][2] = {{"always [madvise] never", "madvise"},
                              {"[a]", "a"},
                              {"plain", "plain"},
                              {"[open", "[open"}};
    for (size_t i = 0; i < 4; i++) {
        g_autofree char *chosen = run_machine_choice(cases[i][0]);
        assert_string_equal(chosen, cases[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts), cmocka_unit_test(test_twice_the_same),
        cmocka_unit_test(test_nothing_known), cmocka_unit_test(test_other_processors),
        cmocka_unit_test(test_choice)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
