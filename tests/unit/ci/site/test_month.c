/* Which experiments of a month are asked for, and that what is kept is what would be written. */
#include "tests/unit/ci/site/served.h"

#include "ci/site/month.h"

#include <stdlib.h>
#include <string.h>

#define FOLDER "api/v1/projects/p/"
#define BASE FOLDER "nights/2026-02.json.gz"
#define MORE FOLDER "experiments/2026-02.json.gz"
#define LOOPS FOLDER "loops/2026-02.json.gz"

/* A month as the server has it: its nights, and how they were written the last time. */
typedef struct {
    const char *nights;
    json_int_t before;
    const char *asked; /* the experiments that are asked for: "43" of 4 and 3 */
} turn;

static const receiver_page EXPERIMENTS[] = {
    {"/api/v1/experiments/1", EXPERIMENT("1", "2026-02-01")},
    {"/api/v1/experiments/2", EXPERIMENT("2", "2026-02-02")},
    {"/api/v1/experiments/3", EXPERIMENT("3", "2026-02-03")},
    {"/api/v1/experiments/4", EXPERIMENT("4", "2026-02-04")},
};

#define LINE(id_, word_) "{\"experiment\": " id_ ", \"word\": \"" word_ "\", \"level\": 0.95}"
#define FAILED "{\"experiment\": null, \"word\": \"failed\", \"level\": 0.95}"

static bool write_turn(asked *a, const turn *now, bool again, GError **error) {
    const ci_client_options o = {.server = a->url};
    g_autoptr(ci_client) client = ci_client_new(&o, NULL);
    const ci_source source = {.client = client, .files = ci_files_open(a->folder, again, NULL)};
    json_auto_t *nights = json_loads(now->nights, 0, NULL), *newest = json_object();
    const ci_site_months of = {&source, "api/v1/projects/p", json_array_get(nights, 0), newest};
    g_autofree char *own = ci_source_digest(nights);
    g_autofree char *digest = g_strdup_printf("%s-%" JSON_INTEGER_FORMAT, own, now->before);
    const bool good = ci_site_month_kept(&of, "2026-02", digest) ||
                      ci_site_month(&of, "2026-02", digest, nights, error);
    assert_true(ci_files_close(source.files, !good, NULL, NULL));
    return good;
}

static void expect_asked(asked *a, const char *ids) {
    assert_int_equal(receiver_count(a->server), strlen(ids));
    for (guint i = 0; ids[i]; i++) {
        g_autofree char *line = g_strdup_printf("GET /api/v1/experiments/%c", ids[i]);
        assert_string_equal(receiver_get(a->server, i)->line, line);
    }
}

static void take_turn(asked *a, const turn *now) {
    GError *error = NULL;
    receiver_pages(a->server, EXPERIMENTS, G_N_ELEMENTS(EXPERIMENTS));
    receiver_forget(a->server);
    if (!write_turn(a, now, false, &error))
        fail_msg("%s", error->message);
    expect_asked(a, now->asked);
}

/* What lies there now is what a folder with nothing in it would get, to the byte. */
static void expect_as_anew(asked *a, const turn *now) {
    asked *other;
    void *state;
    assert_int_equal(asked_make(&state), 0);
    other = state;
    turn all = *now;
    g_autofree char *asked_for = g_strdup("");
    for (const char *at = now->nights; (at = strstr(at, "\"experiment\": ")); at++)
        if (g_ascii_isdigit(at[14])) {
            g_autofree char *before = asked_for;
            asked_for = g_strdup_printf("%s%c", before, at[14]);
        }
    all.asked = asked_for;
    take_turn(other, &all);
    static const char *const paths[] = {BASE, MORE, LOOPS, CI_FILES_MANIFEST};
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_autofree char *ours = text_at(a, paths[i]), *anew = text_at(other, paths[i]);
        assert_string_equal(ours, anew);
    }
    assert_int_equal(served_free(&state), 0);
}

/* Of the oldest nights that are as they were nothing is asked; of all from the first change on it
 * is: their numbers were judged by what has changed. */
static void only_what_may_have_changed(void **state) {
    asked *a = *state;
    static const turn turns[] = {
        {"[" LINE("1", "a") "]", 0, "1"},
        {"[" LINE("1", "a") "]", 0, ""},
        {"[" LINE("2", "a") ", " LINE("1", "a") "]", 0, "2"},
        {"[" FAILED ", " LINE("2", "a") ", " LINE("1", "a") "]", 0, ""},
        {"[" LINE("4", "a") ", " FAILED ", " LINE("2", "a") ", " LINE("1", "a") "]", 0, "4"},
        /* a night between, measured later */
        {"[" LINE("4", "a") ", " LINE("3", "a") ", " LINE("2", "a") ", " LINE("1", "a") "]", 0,
         "43"},
        /* an older one is judged anew */
        {"[" LINE("4", "a") ", " LINE("3", "a") ", " LINE("2", "b") ", " LINE("1", "a") "]", 0,
         "432"},
        /* the newest one has a note */
        {"[" LINE("4", "b") ", " LINE("3", "a") ", " LINE("2", "b") ", " LINE("1", "a") "]", 0,
         "4"},
        /* a night before the month */
        {"[" LINE("4", "b") ", " LINE("3", "a") ", " LINE("2", "b") ", " LINE("1", "a") "]", 7,
         "4321"},
        /* one went */
        {"[" LINE("3", "a") ", " LINE("2", "b") ", " LINE("1", "a") "]", 7, ""},
        {"[" LINE("3", "a") ", " LINE("2", "b") "]", 7, "32"},
        {"[]", 7, ""}};
    for (size_t i = 0; i < G_N_ELEMENTS(turns); i++) {
        take_turn(a, &turns[i]);
        expect_as_anew(a, &turns[i]);
    }
}

#define TWO "[" LINE("2", "a") ", " LINE("1", "a") "]"
#define THREE "[" LINE("3", "a") ", " LINE("2", "a") ", " LINE("1", "a") "]"

static void put_over(const asked *a, const char *path, const char *text) {
    g_autofree char *full = g_build_filename(a->folder, path, NULL);
    assert_true(g_file_set_contents(full, text, -1, NULL));
}

/* Nothing is kept of a file that is not there as it was written. */
static void not_as_it_was_written(void **state) {
    asked *a = *state;
    static const char *const paths[] = {BASE, MORE, LOOPS};
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        take_turn(a, &(turn){TWO, (json_int_t)i + 1, "21"});
        put_over(a, paths[i], "[]");
        take_turn(a, &(turn){THREE, (json_int_t)i + 1, "321"});
        g_autofree char *full = g_build_filename(a->folder, paths[i], NULL);
        assert_int_equal(g_unlink(full), 0);
        take_turn(a, &(turn){TWO, (json_int_t)i + 1, "21"});
        expect_as_anew(a, &(turn){TWO, (json_int_t)i + 1, "21"});
    }
}

/* --all: whatever is there. */
static void all_again(void **state) {
    asked *a = *state;
    GError *error = NULL;
    take_turn(a, &(turn){TWO, 0, "21"});
    receiver_forget(a->server);
    assert_true(write_turn(a, &(turn){.nights = TWO}, true, &error));
    expect_asked(a, "21");
    receiver_forget(a->server);
    assert_true(write_turn(a, &(turn){.nights = THREE}, true, &error));
    expect_asked(a, "321");
    expect_as_anew(a, &(turn){THREE, 0, "321"});
}

/* An experiment that cannot be asked for: all files stay as they are, and the next time goes on
 * from there. */
static void trouble(void **state) {
    asked *a = *state;
    GError *error = NULL;
    take_turn(a, &(turn){TWO, 0, "21"});
    g_autofree char *before = text_at(a, MORE);
    receiver_pages(a->server, &(receiver_page){"/api/v1/experiments/3", TROUBLE}, 1);
    assert_false(write_turn(a, &(turn){.nights = THREE}, false, &error));
    EXPECT_ERROR(error, CI_ERROR_SERVER, ": 503 no room");
    expect_text_at(a, MORE, before);
    take_turn(a, &(turn){THREE, 0, "3"});
    expect_as_anew(a, &(turn){THREE, 0, "3"});
}

/* The newest one is asked for once, for its own file too: whole, with what its night says. */
static void the_newest_one(void **state) {
    asked *a = *state;
    const ci_client_options o = {.server = a->url};
    g_autoptr(ci_client) client = ci_client_new(&o, NULL);
    receiver_pages(a->server, EXPERIMENTS, G_N_ELEMENTS(EXPERIMENTS));
    const ci_source source = {.client = client, .files = ci_files_open(a->folder, false, NULL)};
    json_auto_t *nights = json_loads(TWO, 0, NULL), *newest = json_object();
    const ci_site_months of = {&source, "api/v1/projects/p", json_array_get(nights, 0), newest};
    assert_true(ci_site_month(&of, "2026-02", "x-0", nights, NULL));
    assert_int_equal(json_integer_value(json_object_get(newest, "id")), 2);
    assert_string_equal(ci_json_text(newest, "night", ""), "2026-02-02");
    assert_true(ci_files_close(source.files, false, NULL, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {IN_SERVED(only_what_may_have_changed),
                                       IN_SERVED(not_as_it_was_written), IN_SERVED(all_again),
                                       IN_SERVED(trouble), IN_SERVED(the_newest_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
