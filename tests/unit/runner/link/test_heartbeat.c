/* The lease is kept, the progress told, and a server that is away stops nobody. */
#include "tests/unit/runner/served.h"

#include "runner/link/heartbeat.h"
#include "runner/protocol.h"

#define PROGRESS "POST /api/v1/runner/jobs/7/progress"
#define RESUME "POST /api/v1/runner/jobs/7/resume"

static char phase[] = RUN_PHASE_MEASURE, node[] = "blade1";

static run_heartbeat beat_of(const served *s) {
    return (run_heartbeat){.client = s->client,
                           .node = node,
                           .job = 7,
                           .lease = g_strdup("lease-1"),
                           .confirmed = true,
                           .expires_s = 60,
                           .phase = phase,
                           .loop = 2,
                           .loops = 10,
                           .done = 5,
                           .total = 40,
                           .eta_s = -1};
}

static json_t *body_of(served *s, guint i) {
    json_t *body = json_loads(receiver_get(s->server, i)->body, 0, NULL);
    assert_non_null(body);
    return body;
}

static void what_is_told(void **state) {
    served *s = *state;
    run_heartbeat beat = beat_of(s);
    ANSWER(s, {200, NULL, NULL, "{\"expires_seconds\": 90}"});
    assert_true(run_heartbeat_beat(&beat, false, 10, NULL));
    EXPECT_LINES(s, PROGRESS);
    json_t *body = body_of(s, 0),
           *wanted =
               json_pack("{s:s,s:s,s:i,s:i,s:i,s:i,s:s}", "lease", "lease-1", "phase", "measure",
                         "loop", 2, "loops", 10, "done", 5, "total", 40, "message", "");
    assert_true(json_equal(body, wanted));
    assert_int_equal(beat.expires_s, 90);
    json_decref(body);
    beat.configuration = "full";
    beat.message = "waiting for an idle machine";
    beat.eta_s = 12.6;
    assert_true(run_heartbeat_beat(&beat, false, 10, NULL));
    body = body_of(s, 1);
    assert_string_equal(json_string_value(json_object_get(body, "configuration")), "full");
    assert_string_equal(json_string_value(json_object_get(body, "message")), beat.message);
    assert_int_equal(json_integer_value(json_object_get(body, "eta_seconds")), 13);
    json_decref(body);
    json_decref(wanted);
    g_free(beat.lease);
}

/* Only when a third of the lease has gone by, but the first one always. */
static void when_it_is_due(void **state) {
    served *s = *state;
    run_heartbeat beat = beat_of(s);
    assert_true(run_heartbeat_tick(&beat, NULL));
    assert_true(run_heartbeat_tick(&beat, NULL));
    assert_int_equal(receiver_count(s->server), 1);
    static const struct {
        unsigned expires_s, ago_s;
        bool due;
    } cases[] = {{60, 9, false}, {60, 15, true}, {3600, 9, false}, {3600, 15, true},
                 {9, 0, false},  {9, 3, true},   {0, 1, true},     {2, 1, true}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        receiver_forget(s->server);
        beat.expires_s = cases[i].expires_s;
        beat.last_us = g_get_monotonic_time() - (int64_t)cases[i].ago_s * G_USEC_PER_SEC;
        assert_true(run_heartbeat_tick(&beat, NULL));
        assert_int_equal(receiver_count(s->server), cases[i].due);
    }
    g_free(beat.lease);
}

/* "measuring none, loop 1 of 10", 0 %, was told for ten minutes while others used the node. */
static void waiting_is_told_at_once(void **state) {
    served *s = *state;
    run_heartbeat beat = beat_of(s);
    beat.message = "commit 1a2b";
    assert_true(run_heartbeat_tick(&beat, NULL));
    run_heartbeat_waits(&beat, "others used 204.0 % of a processor (bound 10.0 %)");
    assert_true(run_heartbeat_tick(&beat, NULL));
    run_heartbeat_waits(&beat, "others used 190.0 % of a processor (bound 10.0 %)");
    assert_true(run_heartbeat_tick(&beat, NULL));
    run_heartbeat_waits(&beat, NULL);
    assert_true(run_heartbeat_tick(&beat, NULL));
    assert_int_equal(receiver_count(s->server), 3);
    static const char *const phases[] = {RUN_PHASE_MEASURE, "wait", RUN_PHASE_MEASURE};
    static const char *const messages[] = {
        "commit 1a2b", "others used 204.0 % of a processor (bound 10.0 %)", "commit 1a2b"};
    for (guint i = 0; i < 3; i++) {
        json_t *body = body_of(s, i);
        assert_string_equal(json_string_value(json_object_get(body, "phase")), phases[i]);
        assert_string_equal(json_string_value(json_object_get(body, "message")), messages[i]);
        json_decref(body);
    }
    g_free(beat.lease);
}

static void an_expiry_that_cannot_be(void **state) {
    served *s = *state;
    run_heartbeat beat = beat_of(s);
    static const char *const bodies[] = {"{\"expires_seconds\": 0}",
                                         "{\"expires_seconds\": -5}",
                                         "{\"expires_seconds\": 86401}",
                                         "{\"expires_seconds\": \"9\"}",
                                         "[]",
                                         ""};
    for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++) {
        ANSWER(s, {200, NULL, NULL, bodies[i]});
        assert_true(run_heartbeat_beat(&beat, false, 10, NULL));
        assert_int_equal(beat.expires_s, 60);
    }
    g_free(beat.lease);
}

/* It may only have run out while the server was away: asked once more, the job is ours again. */
static void a_lease_that_ran_out(void **state) {
    served *s = *state;
    run_heartbeat beat = beat_of(s);
    ANSWER(s, {409, NULL, NULL, "{}"},
           {200, NULL, NULL, "{\"lease\": \"lease-2\", \"expires_seconds\": 30}"});
    assert_true(run_heartbeat_beat(&beat, false, 10, NULL));
    EXPECT_LINES(s, PROGRESS, RESUME);
    json_t *body = body_of(s, 1);
    assert_string_equal(json_string_value(json_object_get(body, "lease")), "lease-1");
    assert_string_equal(json_string_value(json_object_get(body, "node")), "blade1");
    assert_string_equal(beat.lease, "lease-2");
    assert_int_equal(beat.expires_s, 30);
    assert_true(beat.confirmed);
    json_decref(body);
    g_free(beat.lease);
}

static void a_job_that_is_lost(void **state) {
    served *s = *state;
    static const unsigned firsts[] = {404, 409, 410}, seconds[] = {404, 409, 410};
    for (size_t i = 0; i < G_N_ELEMENTS(firsts); i++) {
        run_heartbeat beat = beat_of(s);
        GError *error = NULL;
        receiver_forget(s->server);
        ANSWER(s, {firsts[i], NULL, NULL, "{}"}, {seconds[i], NULL, NULL, "{}"});
        assert_false(run_heartbeat_beat(&beat, false, 10, &error));
        EXPECT_LINES(s, PROGRESS, RESUME);
        assert_error(error, RUN_ERROR_LOST, "resume: ");
        assert_false(beat.confirmed);
        g_free(beat.lease);
    }
}

/* After a restart the first call asks for the job. */
static void not_confirmed_yet(void **state) {
    served *s = *state;
    run_heartbeat beat = beat_of(s);
    beat.confirmed = false;
    ANSWER(s, {200, NULL, NULL, "{\"lease\": \"lease-9\"}"});
    assert_true(run_heartbeat_beat(&beat, false, 10, NULL));
    EXPECT_LINES(s, RESUME, PROGRESS);
    json_t *body = body_of(s, 1);
    assert_string_equal(json_string_value(json_object_get(body, "lease")), "lease-9");
    json_decref(body);
    g_free(beat.lease);
}

static void a_server_that_is_away(void **state) {
    served *s = *state;
    run_heartbeat beat = beat_of(s);
    static const unsigned statuses[] = {500, 503, 401, 429, 400};
    for (size_t i = 0; i < G_N_ELEMENTS(statuses); i++) {
        ANSWER(s, {statuses[i], NULL, NULL, "{}"});
        assert_true(run_heartbeat_beat(&beat, false, 10, NULL));
        assert_true(beat.away);
        assert_true(beat.confirmed);
    }
    assert_true(run_heartbeat_beat(&beat, false, 10, NULL));
    assert_false(beat.away);
    g_autofree char *gone = nobody_there();
    g_autoptr(run_client) alone = run_client_new(gone, "t", -1, NULL);
    beat.client = alone;
    assert_true(run_heartbeat_beat(&beat, false, 10, NULL));
    assert_true(beat.away);
    g_free(beat.lease);
}

static void told_to_stop(void **state) {
    served *s = *state;
    run_heartbeat beat = beat_of(s);
    GError *error = NULL;
    served_stop(s);
    assert_false(run_heartbeat_beat(&beat, false, 10, &error));
    assert_error(error, RUN_ERROR_STOPPED, "told to stop");
    g_free(beat.lease);
}

/* Those that wait for their turn keep their leases; what the server says of them, they hear later.
 */
static void those_beside_it(void **state) {
    served *s = *state;
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    run_heartbeat beats[3];
    for (int i = 0; i < 3; i++) {
        beats[i] = beat_of(s);
        beats[i].job = 7 + i;
        beats[i].beside = all;
        g_ptr_array_add(all, &beats[i]);
    }
    beats[2].last_us = g_get_monotonic_time(); /* not due */
    ANSWER(s, {200, NULL, NULL, "{}"}, {409, NULL, NULL, "{}"}, {409, NULL, NULL, "{}"});
    assert_true(run_heartbeat_beat(&beats[0], false, 10, NULL));
    EXPECT_LINES(s, PROGRESS, "POST /api/v1/runner/jobs/8/progress",
                 "POST /api/v1/runner/jobs/8/resume");
    assert_false(beats[1].confirmed);
    for (int i = 0; i < 3; i++)
        g_free(beats[i].lease);
}

/* Waiting for a server that is away would take the node's time as often as there are nights. */
static void nobody_beside_it_when_away(void **state) {
    served *s = *state;
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    run_heartbeat beats[] = {beat_of(s), beat_of(s)};
    for (int i = 0; i < 2; i++) {
        beats[i].beside = all;
        g_ptr_array_add(all, &beats[i]);
    }
    ANSWER(s, {503, NULL, NULL, "{}"});
    assert_true(run_heartbeat_beat(&beats[0], false, 10, NULL));
    EXPECT_LINES(s, PROGRESS);
    assert_true(beats[0].away);
    for (int i = 0; i < 2; i++)
        g_free(beats[i].lease);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SERVED(what_is_told),
        SERVED(when_it_is_due),
        SERVED(waiting_is_told_at_once),
        SERVED(an_expiry_that_cannot_be),
        SERVED(a_lease_that_ran_out),
        SERVED(a_job_that_is_lost),
        SERVED(not_confirmed_yet),
        SERVED(a_server_that_is_away),
        SERVED(told_to_stop),
        SERVED(those_beside_it),
        SERVED(nobody_beside_it_when_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
