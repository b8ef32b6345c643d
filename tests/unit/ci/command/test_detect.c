/* moowatch detect: a policy tried on a history in a file, at once or night after night. */
#include "tests/unit/ci/command/called.h"

/* Nights of loop means of T and I; from the night `from` on I takes 10 % longer. */
static GString *history(guint nights, guint from) {
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    GString *text = g_string_new("night,c0_1,c0_2,c0_3,c1_1,c1_2,c1_3\n");
    for (guint night = 0; night < nights; night++) {
        g_string_append_printf(text, "%u", night);
        for (guint i = 0; i < 6; i++) {
            const double level = i < 3 ? 1000 : night >= from ? 2200 : 2000;
            char number[G_ASCII_DTOSTR_BUF_SIZE];
            g_string_append_printf(
                text, ",%s",
                g_ascii_dtostr(number, sizeof number, level + g_rand_double_range(random, -2, 2)));
        }
        g_string_append_c(text, '\n');
    }
    return text;
}

static char *put_history(const char *folder, guint nights, guint from) {
    GString *text = history(nights, from);
    char *path = put(folder, "history.csv", text->str);
    g_string_free(text, TRUE);
    return path;
}

static guint lines_of(const char *text) {
    guint count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static void a_change_is_found(void **state) {
    g_autofree char *path = put_history(*state, 60, 40);
    g_auto(called) c = CALL(ci_command_detect.run, "detect", "--chain", "T,I:0", path, "--changes");
    expect_called(&c, CI_FOUND, NULL, "");
    g_auto(GStrv) lines = g_strsplit(c.out, "\n", -1);
    json_t *found = NULL;
    for (guint i = 0; lines[i] && !found; i++) {
        json_t *line = json_loads(lines[i], 0, NULL);
        if (g_strcmp0(cfg_json_word(line, "verdict", ""), "anomaly") == 0)
            found = json_incref(line);
        json_decref(line);
    }
    expect_text(found, "portion", "I");
    expect_text(found, "direction", "up");
    expect_text(json_object_get(found, "to"), "night", "40");
    expect_text(json_object_get(found, "from"), "night", "39");
    assert_true(fabs(cfg_json_number(json_object_get(found, "difference"), "mean_ns") - 200) < 5);
    json_decref(found);
}

/* Its file has no unit: nobody knows that they are ns. */
static void a_value_without_a_unit(void **state) {
    GString *text = g_string_new("index,value\n");
    for (int night = 0; night < 40; night++)
        g_string_append_printf(text, "%d,%d\n", night, (night < 30 ? 810 : 1370) + night % 3);
    g_autofree char *path = put(*state, "plain.csv", text->str);
    g_string_free(text, TRUE);
    g_auto(called) c = CALL(ci_command_detect.run, "detect", path, "--changes");
    expect_called(&c, CI_FOUND, "value rose from 811 to 1371 (+560, +69.0 %; ", "");
    g_auto(called) all = CALL(ci_command_detect.run, "detect", path);
    assert_null(strstr(all.out, " ns"));
    assert_null(strstr(all.out, " µs"));
    assert_null(strstr(all.out, "  "));
}

/* As history, of which the first nights are `broken` times as large, T alone. */
static char *put_broken(const char *folder, guint nights, guint broken) {
    GString *text = g_string_new("night,c0_1,c0_2,c1_1,c1_2\n");
    for (guint night = 0; night < nights; night++) {
        const guint t = night < broken ? 270000 : 1000 + night % 3;
        g_string_append_printf(text, "%u,%u,%u,%u,%u\n", night, t, t + 3, t + 1000 + night % 2,
                               t + 1004);
    }
    char *path = put(folder, "broken.csv", text->str);
    g_string_free(text, TRUE);
    return path;
}

/* Of portion T: the first letters of the verdicts, night by night. */
static char *verdicts_of(const called *c) {
    g_auto(GStrv) lines = g_strsplit(c->out, "\n", -1);
    GString *said = g_string_new(NULL);
    for (guint i = 0; lines[i]; i++) {
        json_t *line = json_loads(lines[i], 0, NULL);
        if (g_strcmp0(cfg_json_word(line, "portion", ""), "T") == 0)
            g_string_append_c(said, *cfg_json_word(line, "verdict", "?"));
        json_decref(line);
    }
    return g_string_free(said, FALSE);
}

/* Nothing is said that the next nights take back. */
static void a_history_that_begins_broken(void **state) {
    const char *folder = *state;
    g_autofree char *path = put_broken(folder, 12, 2);
    g_auto(called) whole = CALL(ci_command_detect.run, "detect", path);
    expect_called(&whole, CI_OK, NULL, "");
    g_autofree char *at_once = verdicts_of(&whole);
    assert_string_equal(at_once, "hhfooooooooo");
}

/* Without --changes a line a night and portion; nothing found is another exit status. */
static void a_quiet_history(void **state) {
    g_autofree char *path = put_history(*state, 30, 30);
    g_auto(called) all = CALL(ci_command_detect.run, "detect", path);
    expect_called(&all, CI_OK, NULL, "");
    assert_int_equal(lines_of(all.out), 60);
    g_auto(called) changes = CALL(ci_command_detect.run, "detect", path, "--changes");
    expect_called(&changes, CI_OK, "", "");
}

static void only_one_direction_matters(void **state) {
    g_autofree char *path = put_history(*state, 60, 40);
    g_auto(called) down =
        CALL(ci_command_detect.run, "detect", path, "--direction=down", "--changes");
    assert_int_equal(down.exit, CI_OK);
    g_auto(called) up = CALL(ci_command_detect.run, "detect", path, "--direction=up", "--changes");
    assert_int_equal(up.exit, CI_FOUND);
    g_auto(called) small = CALL(ci_command_detect.run, "detect", path, "--effect=50", "--changes");
    assert_int_equal(small.exit, CI_OK);
}

static void nights_that_do_not_follow(void **state) {
    g_autofree char *same = put(*state, "s.csv", "night,c0_1,c0_2\n4,1,1\n4,1,1\n");
    g_autofree char *dates =
        put(*state, "d.csv", "night,c0_1,c0_2\n2024-03-05,1,1\n2024-03-04,1,1\n");
    g_auto(called) again = CALL(ci_command_detect.run, "detect", same);
    expect_called(&again, CI_INPUT, NULL, "s.csv:3:1: night 4 is not after night 4");
    g_auto(called) back = CALL(ci_command_detect.run, "detect", dates);
    expect_called(&back, CI_INPUT, NULL, "night 2024-03-04 is not after night 2024-03-05");
    g_auto(called) none = CALL(ci_command_detect.run, "detect", "/no/such.csv");
    expect_called(&none, CI_INPUT, "", "/no/such.csv");
}

static void options_out_of_range(void **state) {
    g_autofree char *path = put_history(*state, 5, 5);
    static const char *const wrong[] = {"--confidence=0.4", "--confidence=1",    "--baseline=0",
                                        "--baseline=-3",    "--minimum-loops=0", "--patience=0",
                                        "--patience=5",     "--direction=left",  "--effect=-1",
                                        "--effect-ns=-1"};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_auto(called) c = CALL(ci_command_detect.run, "detect", path, wrong[i]);
        expect_called(&c, CI_USAGE, "", "an option is out of range");
    }
    static const char *const chains[] = {"--chain=T",     "--chain=T,I,C", "--chain=T,I:1",
                                         "--chain=T,I:9", "--chain=",      "--chain=T,"};
    for (size_t i = 0; i < G_N_ELEMENTS(chains); i++) {
        g_auto(called) c = CALL(ci_command_detect.run, "detect", path, chains[i]);
        expect_called(&c, CI_USAGE, "", "--chain must name each of the 2 configurations");
    }
    g_auto(called) twice = CALL(ci_command_detect.run, "detect", path, "--chain=T,T:0");
    expect_called(&twice, CI_USAGE, "", "the portion \"T\" is used twice");
}

/* A single value a night has an interval or none, and no control. */
static void a_plain_series(void **state) {
    GString *text = g_string_new("index,value\n");
    for (guint i = 0; i < 80; i++)
        g_string_append_printf(text, "%u,%u\n", i, (i < 50 ? 1000 : 1300) + i * 7 % 5);
    g_autofree char *path = put(*state, "plain.csv", text->str);
    g_string_free(text, TRUE);
    g_auto(called) c = CALL(ci_command_detect.run, "detect", path, "--changes");
    expect_called(&c, CI_FOUND, "\"portion\":\"value\"", "");
    assert_non_null(strstr(c.out, "\"to\":{\"night\":\"50\"}"));
}

/* What was judged before it is told; nothing after it is. */
static void a_line_that_is_none(void **state) {
    GString *text = history(3, 3);
    g_string_append(text, "3,1,x,1,1,1,1\n");
    g_autofree char *path = put(*state, "history.csv", text->str);
    g_string_free(text, TRUE);
    g_auto(called) c = CALL(ci_command_detect.run, "detect", path);
    expect_called(&c, CI_INPUT, NULL, "history.csv:5:");
    assert_int_equal(lines_of(c.out), 3 * 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_change_is_found),
        IN_FOLDER(a_history_that_begins_broken),
        IN_FOLDER(a_quiet_history),
        IN_FOLDER(only_one_direction_matters),
        IN_FOLDER(nights_that_do_not_follow),
        IN_FOLDER(options_out_of_range),
        IN_FOLDER(a_plain_series),
        IN_FOLDER(a_value_without_a_unit),
        IN_FOLDER(a_line_that_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
