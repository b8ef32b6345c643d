/* Records that were dropped are told beside the result. */
#include "tests/unit/ci/command/called.h"

#include "ci/command/received.h"

#include <glib/gstdio.h>

static char *printed(const char *record) {
    g_autofree char *folder = g_dir_make_tmp("moowatch-received-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "experiment.json", NULL);
    if (record)
        assert_true(g_file_set_contents(path, record, -1, NULL));
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    ci_received_print(folder, to);
    (void)fclose(to);
    g_unlink(path);
    g_rmdir(folder);
    char *owned = g_strdup(text);
    free(text);
    return owned;
}

#define LOOP(name, failed, told)                                                                   \
    "{\"configuration\":\"" name "\",\"failed\":" failed ",\"readings\":{" told "}}"
#define TOLD(records) "\"receiver\":{\"records\":" #records ",\"expected\":1000}"

static void what_was_dropped_is_told(void **state) {
    (void)state;
    static const struct {
        const char *loops, *says;
    } cases[] = {
        {LOOP("w", "null", TOLD(50)) "," LOOP("w", "null", TOLD(150)),
         "w: 200 of 2000 records reached the receiver (10.0 %); the rest was dropped.\n"},
        {LOOP("w", "null", TOLD(1000)), ""},
        {LOOP("w", "\"why\"", TOLD(0)) "," LOOP("w", "null", TOLD(1000)), ""},
        {LOOP("b", "null", TOLD(1)) "," LOOP("a", "null", TOLD(2)),
         "a: 2 of 1000 records reached the receiver (0.2 %); the rest was dropped.\n"
         "b: 1 of 1000 records reached the receiver (0.1 %); the rest was dropped.\n"},
        {LOOP("w", "null", "\"verify\":{\"records\":30,\"expected\":40}"),
         "w: 30 of 40 records were written, as verify counted (75.0 %); the rest was dropped.\n"},
        {LOOP("w", "null", "\"verify\":{\"records\":30}"), ""},
        {LOOP("w", "null", "\"verify\":{\"records\":40,\"expected\":40}"), ""},
        {LOOP("none", "null", "") "," LOOP("w", "null", "\"receiver\":{\"expected\":9}"), ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *record = g_strdup_printf("{\"loops\":[%s]}", cases[i].loops);
        g_autofree char *text = printed(record);
        assert_string_equal(text, cases[i].says);
    }
    g_autofree char *without = printed(NULL), *broken = printed("{");
    assert_string_equal(without, "");
    assert_string_equal(broken, "");
}

/* The doubts of a night beside this record. */
static json_t *doubts(const char *record, const char *night_text) {
    g_autofree char *folder = g_dir_make_tmp("moowatch-received-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "experiment.json", NULL);
    if (record)
        assert_true(g_file_set_contents(path, record, -1, NULL));
    json_t *night = json_loads(night_text, 0, NULL);
    json_t *list = ci_received_doubts(folder, night);
    json_decref(night);
    g_unlink(path);
    g_rmdir(folder);
    return list;
}

static void doubts_are_of_the_night_and_its_loops(void **state) {
    (void)state;
    static const char night[] =
        "{\"portions\":[{\"portion\":\"I\",\"configuration\":\"probe\",\"parent\":\"none\","
        "\"low_ns\":-1,\"median_low_ns\":-1}]}";
    static const char *const expect[][2] = {{"silent", "probe"}, {"dropped", "w"}, {"failed", "w"}};
    json_t *list = doubts("{\"loops\":[" LOOP("w", "null", TOLD(50)) "," LOOP(
                              "none", "null", "") "," LOOP("w", "\"why\"", TOLD(0)) ",{}]}",
                          night);
    assert_int_equal(json_array_size(list), G_N_ELEMENTS(expect));
    for (size_t i = 0; i < G_N_ELEMENTS(expect); i++) {
        const json_t *one = json_array_get(list, i);
        assert_string_equal(json_string_value(json_object_get(one, "kind")), expect[i][0]);
        assert_string_equal(json_string_value(json_object_get(one, "configuration")), expect[i][1]);
    }
    json_decref(list);
    list = doubts(NULL, night);
    assert_int_equal(json_array_size(list), 1);
    json_decref(list);
    list = doubts(NULL, "{}");
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_dropped_is_told),
                                       cmocka_unit_test(doubts_are_of_the_night_and_its_loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
