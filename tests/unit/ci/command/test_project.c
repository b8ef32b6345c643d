/* moowatch project: the server's rules, before a server sees the file; what becomes of one. */
#include "tests/unit/ci/command/asked.h"

#define GOOD                                                                                       \
    "name: kieker\nrepository: https://h/r.git\nbranch: trunk\nbenchmark:\n  driver: native\n"     \
    "  loops: 4\n  configurations:\n    - {name: none, portion: T}\n"                              \
    "    - {name: full, label: All of it, portion: W, parent: none}\n"

static void a_good_file(void **state) {
    g_autofree char *file = put(*state, "kieker.yaml", GOOD);
    g_auto(called) c = CALL(ci_command_project.run, "project", "check", file);
    expect_called(&c, CI_OK, "valid; project kieker, 4 loops of none (T), full (W)\n", "");
    assert_true(g_str_has_prefix(c.out, file));
}

/* Every file is looked at: a bad one does not hide the next. */
static void several_files(void **state) {
    g_autofree char *first = put(*state, "first.yaml", "name: a\n");
    g_autofree char *good = put(*state, "good.yaml", GOOD);
    g_autofree char *last = put(*state, "last.yaml", "\x1b[2J: {\n");
    g_auto(called) c = CALL(ci_command_project.run, "project", "check", first, good, last);
    expect_called(&c, CI_INPUT, "good.yaml: valid", "first.yaml");
    assert_non_null(strstr(c.err, "last.yaml"));
    assert_null(strchr(c.err, '\x1b'));
}

/* What init could not know is a person's to do, before a server measures it. */
static void an_unfinished_file(void **state) {
    g_autofree char *file = put(*state, "init.yaml",
                                GOOD "# CHANGE THIS: \"bench\" is a guess\n"
                                     "#\n# you write none. CHANGE THIS: tell the agent\n");
    g_autofree char *says =
        g_strdup_printf("%s:10: do this, then remove the comment: CHANGE THIS: \"bench\" is a "
                        "guess\n%s:12: do this, then remove the comment: CHANGE THIS: tell the "
                        "agent\n",
                        file, file);
    g_auto(called) c = CALL(ci_command_project.run, "project", "check", file);
    expect_called(&c, CI_INPUT, "", says);
}

static void called_wrongly(void **state) {
    (void)state;
    g_auto(called) other = CALL(ci_command_project.run, "project", "mend", "x.yaml");
    expect_called(&other, CI_USAGE, "", "unknown command \"project mend\"");
    g_auto(called) alone = CALL(ci_command_project.run, "project", "check");
    expect_called(&alone, CI_USAGE, "", "an argument is missing");
    g_auto(called) missing = CALL(ci_command_project.run, "project", "check", "/no/such.yaml");
    expect_called(&missing, CI_INPUT, "", "/no/such.yaml");
}

#define PROJECT(a, ...) CALL(ci_command_project.run, "project", "--server", (a)->url, __VA_ARGS__)

/* A tenth above the most of the nights: of a whole process what is watched, of time each portion.
 */
static void limits_are_proposed(void **state) {
    asked *a = *state;
    static const char nights[] =
        "{\"items\": [{\"night\": \"2024-03-05\", \"portions\": [{\"portion\": \"T\", \"mean_ns\": "
        "70}, "
        "{\"portion\": \"W\", \"mean_ns\": 1000}, {\"portion\": \"sent\", \"unit\": \"records/s\", "
        "\"better\": \"higher\", \"mean_ns\": 900}]}, {\"night\": \"2024-03-04\", \"portions\": "
        "[{\"portion\": \"W\", \"mean_ns\": 1030}, {\"portion\": \"sent\", \"mean_ns\": 1000}]}], "
        "\"next\": null}";
    static const char none[] = "{\"items\": [], \"next\": null}";
    static const char cpu[] = "{\"items\": [{\"portions\": [{\"portion\": \"T\", \"mean\": 100, "
                              "\"total\": 100}, {\"portion\": "
                              "\"W\", \"mean\": 20, \"total\": 120}]}], \"next\": null}";
    ANSWER(a, JSON(nights), JSON(none), JSON(none), JSON(none), JSON(cpu), JSON(none), JSON(none),
           JSON(none), JSON(none), JSON(none));
    g_auto(called) c = PROJECT(a, "limits", "p");
    expect_called(&c, CI_OK,
                  "detection:\n  limits: # a tenth from the worst of 2 nights\n"
                  "    - 'cpu <= 140 ms'\n    - 'T <= 77 ns'\n    - 'W <= 1200 ns'\n"
                  "    - 'sent >= 810 records/s'\n",
                  "");
    assert_string_equal(receiver_get(a->server, 4)->query, "dimension=cpu_ms&limit=30");
    g_auto(called) wrong = PROJECT(a, "limits", "p", "q");
    expect_called(&wrong, CI_USAGE, "", "project limits takes one project");
}

static void one_is_put_away_renamed_and_deleted(void **state) {
    asked *a = *state;
    static const struct {
        const char *path, *body;
    } expected[] = {
        {"POST /api/v1/projects/p/archive", "{\"reason\":\"r\",\"archived\":true}"},
        {"POST /api/v1/projects/p/archive", "{\"reason\":\"r\",\"archived\":false}"},
        {"POST /api/v1/projects/p/rename", "{\"reason\":\"r\",\"name\":\"q\"}"},
        {"POST /api/v1/projects/p/delete", "{\"reason\":\"r\"}"},
        {"POST /api/v1/projects/p/delete", "{\"reason\":\"r\",\"confirm\":\"p\"}"},
    };
    ANSWER(a, JSON("{\"name\": \"p\"}"), JSON("{}"), JSON("{\"name\": \"q\"}"),
           {409, NULL, NULL, "{\"detail\": \"deleting p removes for ever: results 7\"}"},
           JSON("{\"nights\": 7}"));
    g_auto(called) away = PROJECT(a, "archive", "p", "--reason=r");
    expect_called(&away, CI_OK, "{\"name\":\"p\"}\n", "");
    g_auto(called) back = PROJECT(a, "archive", "p", "--undo", "--reason=r");
    expect_called(&back, CI_OK, "{}\n", "");
    g_auto(called) other = PROJECT(a, "rename", "p", "q", "--reason=r");
    expect_called(&other, CI_OK, "{\"name\":\"q\"}\n", "");
    g_auto(called) asks = PROJECT(a, "delete", "p", "--reason=r");
    expect_called(&asks, CI_SERVER, "", "deleting p removes for ever: results 7");
    g_auto(called) gone = PROJECT(a, "delete", "p", "--confirm=p", "--reason=r");
    expect_called(&gone, CI_OK, "{\"nights\":7}\n", "");
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        const receiver_request *request = receiver_get(a->server, i);
        assert_string_equal(request->line, expected[i].path);
        assert_string_equal(request->body, expected[i].body);
    }
}

static void what_is_half_said_is_refused(void **state) {
    asked *a = *state;
    g_auto(called) why = PROJECT(a, "archive", "p");
    expect_called(&why, CI_USAGE, "", "give a reason with --reason");
    g_auto(called) half = PROJECT(a, "rename", "p", "--reason=r");
    expect_called(&half, CI_USAGE, "", "project rename takes the old name and the new one");
    g_auto(called) much = PROJECT(a, "delete", "p", "q", "--reason=r");
    expect_called(&much, CI_USAGE, "", "project delete takes one project");
    g_auto(called) undone = PROJECT(a, "delete", "p", "--undo", "--confirm=p", "--reason=r");
    expect_called(&undone, CI_USAGE, "", "--undo goes with archive alone");
    g_auto(called) sure = PROJECT(a, "rename", "p", "q", "--confirm=p", "--reason=r");
    expect_called(&sure, CI_USAGE, "", "--confirm goes with delete alone");
    EXPECT_NO_REQUEST(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_good_file),
        IN_FOLDER(several_files),
        IN_FOLDER(an_unfinished_file),
        cmocka_unit_test(called_wrongly),
        ASKED(limits_are_proposed),
        ASKED(one_is_put_away_renamed_and_deleted),
        ASKED(what_is_half_said_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
