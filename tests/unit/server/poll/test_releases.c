/* Releases among the measured commits are exactly those of the last poll. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/poll/question.h"
#include "server/store/store_core.h"
#include "server/store/store_sql.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/sql_text.h"

static int setup(void **state) {
    fix_setup(state);
    fix_sync(*state, "kieker", "other", NULL);
    for (int i = 1; i <= 3; i++) {
        g_autofree char *date = g_strdup_printf("2013-04-%02d", i);
        fix_add(*state, "kieker", i, date, SRV_KIND_NIGHTLY);
        fix_add(*state, "other", i, date, SRV_KIND_NIGHTLY);
    }
    return 0;
}

/* "1=v1 3=v2": the commits by number, of a project. */
static char *marked(fixture *fix, const char *project) {
    json_t *rows =
        srv__array(fix->store,
                   sql_text("SELECT r.sha, r.release FROM revision r JOIN project p"
                            " ON p.id=r.project_id WHERE p.name=$1 AND r.release IS NOT NULL"
                            " ORDER BY r.id",
                            "t"),
                   SRV__ARGS(project), NULL);
    GString *text = g_string_new(NULL);
    size_t k;
    json_t *row;
    json_array_foreach (rows, k, row)
        for (int i = 1; i <= 3; i++)
            if (g_str_equal(text_of(row, "sha"), fix_sha(i)))
                g_string_append_printf(text, "%s%d=%s", text->len > 0 ? " " : "", i,
                                       text_of(row, "release"));
    json_decref(rows);
    return g_string_free(text, FALSE);
}

/* Marks "1=v1 3=v2", NULL: none; commit 9 is one that nobody measured. */
static void mark(fixture *fix, const char *releases) {
    g_autoptr(GError) error = NULL;
    json_t *list = releases ? json_object() : NULL;
    g_auto(GStrv) parts = g_strsplit(releases ? releases : "", " ", -1);
    for (guint i = 0; parts[i]; i++)
        json_object_set_new(list, fix_sha(parts[i][0] - '0'), json_string(parts[i] + 2));
    if (!srv_releases_mark(fix->store, "kieker", list, &error))
        fail_msg("%s", error->message);
    json_decref(list);
}

static void each_poll_has_the_last_word(void **state) {
    static const struct {
        const char *given, *marked;
    } polls[] = {
        {"1=v1", "1=v1"},
        {"1=v1 3=v2", "1=v1 3=v2"},
        {"1=v1.0.1 3=v2", "1=v1.0.1 3=v2"}, /* the tag was renamed */
        {"2=v2 9=v9", "2=v2"},              /* moved; and one that is not measured */
        {"2=v2 9=v9", "2=v2"},
        {NULL, ""},
    };
    fixture *fix = *state;
    for (size_t i = 0; i < G_N_ELEMENTS(polls); i++) {
        mark(fix, polls[i].given);
        g_autofree char *text = marked(fix, "kieker");
        assert_string_equal(text, polls[i].marked);
        g_autofree char *others = marked(fix, "other");
        assert_string_equal(others, "");
    }
}

/* What pages show of nights is asked anew only when something has changed. */
static void the_same_again_writes_nothing(void **state) {
    fixture *fix = *state;
    mark(fix, "1=v1 2=v2");
    int64_t before = 0, after = 0;
    const char *changes = "SELECT total_changes()";
    if (!g_str_equal(fix->store->db->driver->name, "sqlite"))
        skip();
    assert_true(srv__number(fix->store, sql_text(changes, ""), SRV__NO_ARGS, 0, &before, NULL));
    mark(fix, "1=v1 2=v2");
    assert_true(srv__number(fix->store, sql_text(changes, ""), SRV__NO_ARGS, 0, &after, NULL));
    assert_int_equal(before, after);
}

static void an_unknown_project_is_told(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    assert_false(srv_releases_mark(fix->store, "nobody", NULL, &error));
    assert_srv_error(error, NOT_FOUND, "nobody");
}

int main(void) {
#define ON_COMMITS(test) cmocka_unit_test_setup_teardown(test, setup, fix_teardown)
    const struct CMUnitTest tests[] = {
        ON_COMMITS(each_poll_has_the_last_word),
        ON_COMMITS(the_same_again_writes_nothing),
        ON_COMMITS(an_unknown_project_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
