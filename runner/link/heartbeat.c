#include "runner/link/heartbeat.h"

#include "config/json_text.h"
#include "config/log.h"
#include "runner/ground/error.h"
#include "runner/protocol.h"

#include <inttypes.h>
#include <stdio.h>

static char *job_path(const run_heartbeat *beat, const char *call) {
    return g_strdup_printf(RUN_PATH_JOBS "/%" PRId64 "/%s", beat->job, call);
}

static void take_expiry(run_heartbeat *beat, json_t *body) {
    json_int_t seconds = cfg_json_integer(body, "expires_seconds");
    if (seconds > 0 && seconds <= 86400)
        beat->expires_s = (unsigned)seconds;
}

bool run_heartbeat_resume(run_heartbeat *beat, unsigned timeout_s, GError **error) {
    g_autofree char *path = job_path(beat, "resume");
    g_auto(run_answer) answer = {0};
    json_auto_t *body =
        json_pack("{s:s, s:s, s:[s, s, s]}", "node", beat->node, "lease", beat->lease, "can",
                  RUN_CAN_CONFIRMATION, RUN_CAN_ARTIFACT, RUN_CAN_EXPLAIN);
    bool good = run_client_post(beat->client, path, body, timeout_s, &answer, error);
    if (!good)
        return false;
    if (answer.status == 404 || answer.status == 410)
        return run_fail(error, RUN_ERROR_LOST, "resume: the server does not know this job");
    if (!run_client_judge(&answer, "resume", error))
        return false;
    const char *lease = cfg_json_word(answer.body, "lease", NULL);
    if (lease) {
        g_free(beat->lease);
        beat->lease = g_strdup(lease);
    }
    take_expiry(beat, answer.body);
    beat->confirmed = true;
    return true;
}

static json_t *progress_body(const run_heartbeat *beat) {
    json_t *body =
        json_pack("{s:s, s:s, s:s*, s:i, s:i, s:i, s:i, s:s}", "lease", beat->lease, "phase",
                  beat->waits ? RUN_PHASE_WAIT : beat->phase, "configuration", beat->configuration,
                  "loop", (int)beat->loop, "loops", (int)beat->loops, "done", (int)beat->done,
                  "total", (int)beat->total, "message",
                  beat->waits     ? beat->waits
                  : beat->message ? beat->message
                                  : "");
    if (beat->eta_s >= 0)
        json_object_set_new(body, "eta_seconds", json_integer((json_int_t)(beat->eta_s + 0.5)));
    g_autofree char *tail = beat->printed ? run_printed_tail(beat->printed) : NULL;
    if (tail)
        json_object_set_new(body, "log", json_string(tail));
    return body;
}

static bool tell_progress(run_heartbeat *beat, unsigned timeout_s, GError **error) {
    g_autofree char *path = job_path(beat, "progress");
    g_auto(run_answer) answer = {0};
    json_auto_t *body = progress_body(beat);
    bool good = run_client_post(beat->client, path, body, timeout_s, &answer, error);
    if (!good)
        return false;
    if (run_client_judge(&answer, "progress", error)) {
        take_expiry(beat, answer.body);
        return true;
    }
    if (answer.status == 404 || answer.status == 409 || answer.status == 410) {
        /* The lease may only have run out while the server was away: ask once more for the job. */
        beat->confirmed = false;
        g_clear_error(error);
        return run_heartbeat_resume(beat, timeout_s, error);
    }
    return false;
}

void run_heartbeat_print(const json_t *line) {
    (void)json_dumpf(line, stdout, JSON_COMPACT);
    (void)puts("");
    (void)fflush(stdout);
}

static bool beat_one(run_heartbeat *beat, bool due_only, unsigned timeout_s, GError **error) {
    int64_t now_us = g_get_monotonic_time();
    unsigned every_s = CLAMP(beat->expires_s / 3, 1, RUN_HEARTBEAT_S);
    if (due_only && beat->last_us != 0 && now_us - beat->last_us < every_s * G_USEC_PER_SEC)
        return true;
    if (!beat->client) {
        json_auto_t *body = progress_body(beat);
        json_object_del(body, "lease");
        json_object_del(body, "log");
        run_heartbeat_print(body);
        beat->last_us = now_us;
        return true;
    }
    g_autoptr(GError) problem = NULL;
    bool good = beat->confirmed || run_heartbeat_resume(beat, timeout_s, &problem);
    good = good && tell_progress(beat, timeout_s, &problem);
    beat->last_us = g_get_monotonic_time();
    if (g_error_matches(problem, RUN_ERROR, RUN_ERROR_LOST) ||
        g_error_matches(problem, RUN_ERROR, RUN_ERROR_STOPPED)) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return false;
    }
    if (good == beat->away) {
        cfg_log(good ? "info" : "warning", "heartbeat", good ? "server_back" : "server_away",
                "job=%" PRId64 " reason=\"%s\"", beat->job, good ? "" : problem->message);
    }
    beat->away = !good;
    return true;
}

/* What the server says of those that wait, they hear when their turn comes. */
static void beat_those_beside(const run_heartbeat *beat, unsigned timeout_s) {
    for (guint i = 0; beat->beside && i < beat->beside->len && !beat->away; i++) {
        run_heartbeat *other = g_ptr_array_index(beat->beside, i);
        g_autoptr(GError) ignored = NULL;
        if (other != beat)
            (void)!beat_one(other, true, timeout_s, &ignored);
    }
}

bool run_heartbeat_beat(run_heartbeat *beat, bool due_only, unsigned timeout_s, GError **error) {
    if (!beat_one(beat, due_only, timeout_s, error))
        return false;
    beat_those_beside(beat, timeout_s);
    return true;
}

void run_heartbeat_waits(void *data, const char *reason) {
    run_heartbeat *beat = data;
    if (!beat->waits != !reason)
        beat->last_us = 0;
    g_free(beat->waits);
    beat->waits = g_strdup(reason);
}

bool run_heartbeat_tick(void *beat, GError **error) {
    return run_heartbeat_beat(beat, true, RUN_QUIET_CALL_TIMEOUT_S, error);
}
