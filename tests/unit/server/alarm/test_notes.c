/* What people say of a night: made, shown, removed, audited. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/alarm/notes.h"
#include "server/ground/error.h"
#include "server/views/views.h"

#include <string.h>

static const double means[4] = {70, 470, 1600, 3200};

static int64_t add(fixture *fix, const char *night, const char *text) {
    GError *error = NULL;
    int64_t id = 0;
    const srv_note note = {night, text, "ada"};
    if (!srv_note_add(fix->store, "kieker", &note, fix->now_ms, &id, &error))
        fail_msg("%s", error->message);
    return id;
}

static size_t shown(fixture *fix) {
    json_auto_t *notes =
        srv_view_list(fix->store, &srv_list_notes, "kieker", NULL, (srv_page){.limit = 10}, NULL);
    assert_non_null(notes);
    return json_array_size(json_object_get(notes, "items"));
}

/* The audit log's newest row says this. */
static void audited(fixture *fix, const char *what, const char *why) {
    json_auto_t *log =
        srv_view_list(fix->store, &srv_list_audit, NULL, "note", (srv_page){.limit = 1}, NULL);
    const json_t *row = json_array_get(json_object_get(log, "items"), 0);
    assert_string_equal(text_of(row, "who"), "ada");
    assert_non_null(strstr(text_of(row, "what"), what));
    assert_string_equal(text_of(row, "why"), why);
}

static void a_night_has_its_note(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 3, means);
    assert_int_equal(add(fix, "2013-04-02", "JDK updated"), 1);
    audited(fix, "note 1 made: kieker, 2013-04-02", "JDK updated");
    json_auto_t *nights =
        srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){0, NULL}, NULL);
    const json_t *items = json_object_get(nights, "items");
    assert_null(text_of(json_array_get(items, 0), "note"));
    assert_string_equal(text_of(json_array_get(items, 1), "note"), "JDK updated");
    add(fix, "2013-04-02", "and a kernel");
    json_auto_t *night = srv_view_experiment(fix->store, 2, NULL);
    assert_string_equal(text_of(night, "note"), "and a kernel");
    assert_int_equal(shown(fix), 2);
}

static void a_removed_one_is_shown_no_more(void **state) {
    fixture *fix = *state;
    g_autoptr(GError) error = NULL;
    fix_nights(fix, "kieker", 1, 1, means);
    const int64_t id = add(fix, "2013-04-01", "JDK updated");
    assert_true(srv_note_remove(fix->store, id, "ada", "it was not", fix->now_ms, NULL));
    audited(fix, "note 1 removed", "it was not");
    json_auto_t *night = srv_view_experiment(fix->store, 1, NULL);
    assert_null(text_of(night, "note"));
    assert_int_equal(shown(fix), 0);
    assert_false(srv_note_remove(fix->store, id, "ada", "again", fix->now_ms, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
}

static void what_is_no_note_is_refused(void **state) {
    fixture *fix = *state;
    g_autofree char *much = g_strnfill(SRV_NOTE_BYTES + 1, 'x');
    const srv_note bad[] = {{"2013-02-30", "x", "ada"},  {"today", "x", "ada"},
                            {NULL, "x", "ada"},          {"2013-04-01", "", "ada"},
                            {"2013-04-01", NULL, "ada"}, {"2013-04-01", "a\nb", "ada"},
                            {"2013-04-01", much, "ada"}, {"2013-04-01", "\xff", "ada"},
                            {"2013-04-01", "x", ""},     {"2113-04-01", "x", "ada"}};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        int64_t id;
        assert_false(srv_note_add(fix->store, "kieker", &bad[i], fix->now_ms, &id, &error));
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    }
    g_autoptr(GError) error = NULL;
    int64_t id;
    const srv_note good = {"2013-04-01", "x", "ada"};
    assert_false(srv_note_add(fix->store, "none", &good, fix->now_ms, &id, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_clear_error(&error);
    assert_false(srv_note_remove(fix->store, 1, "ada", "", fix->now_ms, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    assert_int_equal(shown(fix), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(a_night_has_its_note),
        FIX_TEST(a_removed_one_is_shown_no_more),
        FIX_TEST(what_is_no_note_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
