#pragma once
/* Nights of which one is suspicious, and trials that are answered, for the tests of the alarm. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include <string.h>

#include "server/alarm/bisection.h"
#include "server/alarm/series_alerts.h"
#include "server/ground/error.h"
#include "server/views/views.h"

static const double before[4] = {70, 470, 1600, 3200};
static const double after[4] = {70, 190, 1320, 2920}; /* I down from 400 to 120 */

static inline int setup(void **state) {
    fixture *fix = fix_new();
    fix_sync(fix, "kieker", NULL);
    fix->can = json_pack("[s]", "confirmation");
    *state = fix;
    return 0;
}

static inline int teardown(void **state) {
    fix_free(*state);
    return 0;
}

static inline int64_t night(fixture *fix, int day, const double means[4]) {
    g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
    fix->now_ms += 3600000;
    return fix_measure(fix, "kieker", day, date, means);
}

static inline size_t alerts(fixture *fix) {
    GError *error = NULL;
    json_t *page =
        srv_view_list(fix->store, &srv_list_alerts, "kieker", NULL, (srv_page){0, NULL}, &error);
    assert_non_null(page);
    size_t count = json_array_size(json_object_get(page, "items"));
    json_decref(page);
    return count;
}

static inline void verdict_is(fixture *fix, int64_t experiment, const char *expected) {
    json_t *view = srv_view_experiment(fix->store, experiment, NULL);
    json_t *portion = json_array_get(json_object_get(view, "portions"), 1);
    assert_string_equal(text_of(portion, "verdict"), expected);
    json_decref(view);
}

/* As on a machine that wavers: loops lie a fifth off, on both sides alike. */
static inline void waver(json_t *body) {
    static const double factor[] = {0.8, 1.1, 1.0, 1.2, 0.9};
    size_t i;
    json_t *loop, *value;
    const char *key;
    json_array_foreach (json_object_get(body, "loops"), i, loop)
        json_object_foreach (json_object_get(loop, "summary"), key, value)
            if (json_is_real(value))
                json_real_set(value, json_real_value(value) * factor[i % G_N_ELEMENTS(factor)]);
}

/* Take the open trial's jobs until there are none; how many there were. */
static inline int run_trial(fixture *fix, const double old_means[4], const double new_means[4],
                            int64_t about) {
    int jobs = 0;
    for (json_t *leased; (leased = fix_lease(fix)); jobs++) {
        GError *error = NULL;
        bool created;
        const json_t *job = json_object_get(leased, "job");
        assert_string_equal(text_of(job, "kind"), "confirmation");
        json_t *body = fix_trial(fix, leased, old_means, new_means);
        for (int i = 0; i < 2; i++) { /* the second is a lost answer's repetition */
            json_t *answer = srv_ingest_result(fix->store, number_of(job, "id"), body, fix->now_ms,
                                               &created, &error);
            if (!answer)
                fail_msg("%s", error->message);
            assert_int_equal(created, i == 0);
            assert_int_equal(number_of(answer, "experiment"), about);
            json_decref(answer);
        }
        json_decref(body);
        json_decref(leased);
    }
    return jobs;
}

static inline int64_t suspicious_night(fixture *fix) {
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    return night(fix, 7, after);
}
