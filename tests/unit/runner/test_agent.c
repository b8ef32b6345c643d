/* Several nights with one node and one server: who has a turn when, and what is handed over. */
#include "runner/agent.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/served.h"
#include "tests/unit/runner/shell_bench.h"

#include "runner/measure/trees.h"

#include <sys/stat.h>

enum { FIRST = 1, SECOND = 2, URGENT = 3, BROKEN = 4 };

/* Says in a file which night it is of; its calls are made up. */
#define SAYS "echo %d >>'%s'; for raw; do :; done; printf '0;5\n0;7\n' >\"$raw\""

typedef struct {
    served *s;
    char *work, *order;
    cfg_runner config;
    run_node node;
    int64_t beside; /* as last asked */
    int asked;
    GQueue given; /* int: what the server has, for each time it is asked; 0: nothing */
} place;

static void place_init(place *at, served *s) {
    *at = (place){.s = s,
                  .work = g_build_filename(s->folder, "work", NULL),
                  .order = g_build_filename(s->folder, "order", NULL)};
    bench_node(&at->node, &at->config, at->work);
    at->config.nights_in_turn = 3;
    at->node.client = s->client;
    at->node.stop_fd = s->stop[0];
    g_queue_init(&at->given);
}

static void place_clear(place *at) {
    (void)unlink(at->order);
    assert_true(run_scratch_remove(at->work, NULL));
    g_queue_clear(&at->given);
    g_free(at->work);
    g_free(at->order);
}

/* A job of two loops, whose commit is its number forty times. */
static json_t *job_of(const place *at, int number) {
    g_autofree char *commit = g_strnfill(40, (char)('0' + number));
    g_autofree char *line = g_strdup_printf(SAYS, number, at->order);
    return json_pack("{s:i, s:s, s:s, s:i, s:s, s:{s:s, s:s}, s:b,"
                     " s:{s:s, s:[], s:i, s:i, s:i, s:i, s:i, s:i, s:i,"
                     " s:[{s:s, s:i, s:i, s:[s, s, s, s]}]}}",
                     "id", number, "project", "p", "kind", number == URGENT ? "manual" : "backfill",
                     "seed", 42, "commit", commit, "repository", "url", "https://h/r.git", "branch",
                     "main", "beside", number != URGENT, "benchmark", "driver", "native", "prepare",
                     "prepare_timeout_seconds", 900, "loops", 2, "method_time_ns", 0,
                     "recursion_depth", 10, "threads", 1, "loop_timeout_seconds", 600,
                     "rest_seconds", 0, "configurations", "name", "none", "total_calls", 2,
                     "warmup_calls", 0, "command", "/bin/sh", "-c",
                     number == BROKEN ? "exit 3" : line, "sh");
}

/* Leased, and its tree made ready. */
static run_spool *spool_of(const place *at, int number) {
    json_t *job = job_of(at, number);
    assert_non_null(job);
    g_autoptr(run_job) parsed = run_job_parse(job, NULL);
    assert_non_null(parsed);
    run_trees trees;
    run_trees_find(&trees, &at->node, parsed);
    assert_int_equal(g_mkdir_with_parents(trees.checkout[0], 0700), 0);
    run_trees_clear(&trees);
    json_t *head = json_pack("{s:o, s:s, s:i, s:[]}", "job", job, "lease", "lease", "started_ms", 1,
                             "prepared");
    run_spool *spool = run_spool_create(at->work, number, head, NULL);
    json_decref(head);
    assert_non_null(spool);
    return spool;
}

/* Between two turns no tree is open to code under test: neither of nights that wait nor of measured
 * ones. */
static void expect_closed(const place *at) {
    g_autofree char *path = g_build_filename(at->work, "checkout", NULL);
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    const char *name;
    assert_non_null(folder);
    while ((name = g_dir_read_name(folder))) {
        g_autofree char *tree = g_build_filename(path, name, NULL);
        struct stat now;
        assert_int_equal(stat(tree, &now), 0);
        assert_int_equal(now.st_mode & 0777, 0700);
    }
}

static run_spool *give(void *data, int64_t asked, bool room, unsigned *expires_s) {
    place *at = data;
    const int number = GPOINTER_TO_INT(g_queue_pop_head(&at->given));
    at->beside = asked;
    at->asked++;
    expect_closed(at);
    if (number == 0)
        return NULL;
    assert_true(room || number == URGENT);
    *expires_s = 60;
    return spool_of(at, number);
}

static run_session_end work(place *at, const int *given) {
    const run_turns turns = {&at->node, NULL, give, at};
    for (; *given >= 0; given++)
        g_queue_push_tail(&at->given, GINT_TO_POINTER(*given));
    return turns_work(&turns, spool_of(at, FIRST), 60);
}

/* "121323…": whose processes ran, one after the other; to g_free. */
static char *order_of(const place *at) {
    char *text = NULL;
    assert_true(g_file_get_contents(at->order, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_free(text);
    return g_strjoinv("", lines);
}

/* The jobs whose results came in, one after the other; to g_free. */
static char *results_of(served *s) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < receiver_count(s->server); i++) {
        g_auto(GStrv) parts = g_strsplit(receiver_get(s->server, i)->line, "/", -1);
        if (g_strv_length(parts) == 7 && g_str_equal(parts[6], "result"))
            g_string_append(text, parts[5]);
    }
    return g_string_free(text, FALSE);
}

#define assert_in_turn(text, at)                                                                   \
    assert_true(memcmp((text) + (at), "12", 2) == 0 || memcmp((text) + (at), "21", 2) == 0)

static void rounds_of_two_nights(void **state) {
    place at;
    place_init(&at, *state);
    assert_int_equal(work(&at, (const int[]){SECOND, 0, -1}), RUN_SESSION_DONE);
    g_autofree char *order = order_of(&at), *results = results_of(*state);
    assert_int_equal(strlen(order), 4);
    assert_in_turn(order, 0);
    assert_in_turn(order, 2);
    assert_string_equal(results, "12");
    assert_int_equal(at.beside, FIRST);
    place_clear(&at);
}

static void what_goes_before_them(void **state) {
    place at;
    place_init(&at, *state);
    assert_int_equal(work(&at, (const int[]){SECOND, 0, URGENT, 0, -1}), RUN_SESSION_DONE);
    g_autofree char *order = order_of(&at), *results = results_of(*state);
    assert_int_equal(strlen(order), 6);
    assert_in_turn(order, 0);
    assert_memory_equal(order + 2, "33", 2);
    assert_in_turn(order, 4);
    assert_string_equal(results, "312");
    place_clear(&at);
}

/* The first one is measured, and waits for the second one, which came a round later. */
static void one_that_comes_later(void **state) {
    place at;
    place_init(&at, *state);
    assert_int_equal(work(&at, (const int[]){0, SECOND, 0, 0, -1}), RUN_SESSION_DONE);
    g_autofree char *order = order_of(&at), *results = results_of(*state);
    assert_int_equal(order[0], '1');
    assert_in_turn(order, 1);
    assert_string_equal(order + 3, "2");
    assert_string_equal(results, "12");
    assert_int_equal(at.asked, 4);
    place_clear(&at);
}

/* The server answers nothing any more: no round waits for it. */
static void a_silent_server(void **state) {
    place at;
    place_init(&at, *state);
    const receiver_answer away[] = {{503, NULL, NULL, "{}"},
                                    {503, NULL, NULL, "{}"},
                                    {503, NULL, NULL, "{}"},
                                    {503, NULL, NULL, "{}"}};
    receiver_script(((served *)*state)->server, away, G_N_ELEMENTS(away));
    assert_int_equal(work(&at, (const int[]){SECOND, -1}), RUN_SESSION_DONE);
    g_autofree char *order = order_of(&at), *results = results_of(*state);
    assert_string_equal(order, "11");
    assert_string_equal(results, "1");
    assert_int_equal(at.asked, 0);
    place_clear(&at);
}

/* It is told, and the others are measured. */
static void one_that_fails(void **state) {
    place at;
    place_init(&at, *state);
    assert_int_equal(work(&at, (const int[]){BROKEN, SECOND, 0, -1}), RUN_SESSION_FAILED);
    g_autofree char *order = order_of(&at), *results = results_of(*state);
    assert_int_equal(strlen(order), 4);
    assert_string_equal(results, "12");
    place_clear(&at);
}

/* No more than the node's number of them at once. */
static void there_is_no_room_for_more(void **state) {
    place at;
    place_init(&at, *state);
    at.config.nights_in_turn = 2;
    assert_int_equal(work(&at, (const int[]){SECOND, URGENT, 0, -1}), RUN_SESSION_DONE);
    g_autofree char *results = results_of(*state);
    assert_string_equal(results, "312");
    place_clear(&at);
}

/* What is measured waits in the spool. */
static void told_to_stop(void **state) {
    place at;
    place_init(&at, *state);
    served_stop(*state);
    assert_int_equal(work(&at, (const int[]){SECOND, 0, -1}), RUN_SESSION_STOPPED);
    g_autoptr(GArray) left = run_spool_list(at.work);
    assert_int_equal(left->len, 1);
    assert_int_equal(at.asked, 0);
    place_clear(&at);
}

static void which_jobs(void **state) {
    place at;
    place_init(&at, *state);
    g_autoptr(run_spool) nightly = spool_of(&at, FIRST), urgent = spool_of(&at, URGENT);
    assert_true(turns_apply(&at.node, nightly));
    assert_false(turns_apply(&at.node, urgent));
    at.config.nights_in_turn = 1;
    assert_false(turns_apply(&at.node, nightly));
    place_clear(&at);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SERVED(rounds_of_two_nights), SERVED(what_goes_before_them),     SERVED(one_that_fails),
        SERVED(told_to_stop),         SERVED(there_is_no_room_for_more), SERVED(which_jobs),
        SERVED(one_that_comes_later), SERVED(a_silent_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
