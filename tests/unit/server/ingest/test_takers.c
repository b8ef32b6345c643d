/* Results that several threads take in at once, as the daemon does. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/views/views.h"

enum { PROJECTS = 4, NIGHTS = 6, TAKERS = 4 };

static const char *const projects[PROJECTS] = {"kieker", "inspectit", "otel", "scouter"};
static const double level[4] = {70, 270, 1400, 3000};

/* A result that a node has ready. */
typedef struct {
    int64_t job, experiment;
    json_t *body;
    bool created;
} ready;

typedef struct {
    srv_store *store;
    ready *results; /* of all takers */
    int count;
    int *next;
    int failed;
    GThread *thread;
} taker;

/* Each project's commit of one night, on a node of its own. */
static void measure(fixture *fix, int night, ready *results) {
    g_autofree char *date = g_strdup_printf("2013-04-%02d", night);
    for (int i = 0; i < PROJECTS; i++)
        (void)fix_add(fix, projects[i], night, date, SRV_KIND_NIGHTLY);
    for (int i = 0; i < PROJECTS; i++) {
        g_autofree char *node = g_strdup_printf("blade%d", i);
        json_t *leased = NULL;
        GError *error = NULL;
        if (!srv_queue_lease(fix->store, &fix_rules, &(srv_node){.name = node, .version = "0.1"},
                             fix->now_ms, &leased, &error))
            fail_msg("%s", error->message);
        results[i] = (ready){.job = job_id(leased), .body = fix_result(fix, leased, level)};
        json_object_set_new(json_object_get(results[i].body, "environment"), "node",
                            json_string(node));
        json_object_set_new(results[i].body, "node", json_string(node));
        json_decref(leased);
    }
}

static void *take(void *user) {
    taker *self = user;
    for (int i; (i = g_atomic_int_add(self->next, 1)) < self->count;) {
        g_autoptr(GError) error = NULL;
        ready *at = &self->results[i];
        json_t *answer = srv_ingest_result(self->store, at->job, at->body, 1, &at->created, &error);
        at->experiment = answer ? number_of(answer, "experiment") : 0;
        if (!answer)
            print_error("%s\n", error->message);
        self->failed += !answer;
        json_decref(answer);
    }
    return NULL;
}

static void takers_open(fixture *fix, taker *takers) {
    for (int i = 0; i < TAKERS; i++) {
        GError *error = NULL;
        takers[i].store = srv_store_open(fix->path, &error);
        if (!takers[i].store)
            fail_msg("%s", error->message);
    }
}

static void take_all(taker *takers, ready *results, int count) {
    int next = 0;
    for (int i = 0; i < TAKERS; i++) {
        takers[i] =
            (taker){.store = takers[i].store, .results = results, .count = count, .next = &next};
        takers[i].thread = g_thread_new("taker", take, &takers[i]);
    }
    for (int i = 0; i < TAKERS; i++) {
        g_thread_join(takers[i].thread);
        assert_int_equal(takers[i].failed, 0);
    }
}

static int64_t measured(fixture *fix, const char *project) {
    json_t *view = srv_view_nights(fix->store, project, (srv_dates){0}, (srv_page){0, NULL}, NULL);
    assert_non_null(view);
    const size_t nights = json_array_size(json_object_get(view, "items"));
    json_decref(view);
    return (int64_t)nights;
}

static void all_projects_results_are_taken_in(void **state) {
    fixture *fix = *state;
    taker takers[TAKERS];
    fix_sync(fix, projects[0], projects[1], projects[2], projects[3], NULL);
    takers_open(fix, takers);
    for (int night = 1; night <= NIGHTS; night++) {
        ready results[PROJECTS];
        measure(fix, night, results);
        take_all(takers, results, PROJECTS);
        for (int i = 0; i < PROJECTS; i++) {
            assert_true(results[i].created);
            json_decref(results[i].body);
        }
    }
    for (int i = 0; i < PROJECTS; i++)
        assert_int_equal(measured(fix, projects[i]), NIGHTS);
    for (int i = 0; i < TAKERS; i++)
        srv_store_close(takers[i].store);
}

/* A node that heard no answer sends it once more, while the first one is still being taken in. */
static void the_same_result_at_once_is_one_night(void **state) {
    fixture *fix = *state;
    taker takers[TAKERS];
    ready all[PROJECTS], same[TAKERS];
    int created = 0;
    fix_sync(fix, projects[0], projects[1], projects[2], projects[3], NULL);
    takers_open(fix, takers);
    measure(fix, 1, all);
    for (int i = 0; i < TAKERS; i++)
        same[i] = all[0];
    take_all(takers, same, TAKERS);
    for (int i = 0; i < TAKERS; i++) {
        created += same[i].created;
        assert_int_equal(same[i].experiment, same[0].experiment);
    }
    assert_int_equal(created, 1);
    for (int i = 0; i < PROJECTS; i++)
        json_decref(all[i].body);
    for (int i = 0; i < TAKERS; i++)
        srv_store_close(takers[i].store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(all_projects_results_are_taken_in),
        FIX_TEST(the_same_result_at_once_is_one_night),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
