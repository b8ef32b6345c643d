#include "ci/command/client.h"

#include "ci/command/progress.h"
#include "ci/formats/night.h"

/* The shortest night takes minutes: asking more often tells nobody anything sooner. */
#define ASK_EVERY_US (2 * G_USEC_PER_SEC)

static bool has_ended(const json_t *job) {
    const char *state = cfg_json_word(job, "state", "");
    return g_str_equal(state, "done") || g_str_equal(state, "failed") ||
           g_str_equal(state, "cancelled");
}

static void show(const json_t *job) {
    const json_t *progress = json_object_get(job, "progress");
    g_autofree char *text =
        g_strdup_printf("job %.0f %s", cfg_json_number(job, "id"),
                        cfg_json_word(progress, "phase", cfg_json_word(job, "state", "")));
    ci_progress((guint)json_integer_value(json_object_get(progress, "done")),
                (guint)json_integer_value(json_object_get(progress, "total")), text);
}

json_t *ci_job_wait(ci_client *client, json_int_t number, unsigned timeout_s, GError **error) {
    g_autofree char *id = g_strdup_printf("%" JSON_INTEGER_FORMAT, number);
    g_autofree char *path = ci_client_path("jobs", id, NULL);
    const gint64 end = g_get_monotonic_time() + (gint64)timeout_s * G_USEC_PER_SEC;
    for (;;) {
        g_autoptr(GError) wrong = NULL;
        json_auto_t *job = ci_client_get(client, path, &wrong);
        if (job && has_ended(job)) {
            ci_progress_end();
            return json_incref(job);
        }
        const gint64 left = end - g_get_monotonic_time();
        if (job)
            show(job);
        if (left <= 0 || (!job && ci_client_refused(client))) {
            ci_progress_end();
            if (!job)
                g_propagate_error(error, g_steal_pointer(&wrong));
            else
                g_set_error(error, CI_ERROR, CI_ERROR_TIMEOUT,
                            "job %s is still %s after %u s; ask again later", id,
                            cfg_json_word(job, "state", "?"), timeout_s);
            return NULL;
        }
        g_usleep((gulong)MIN(left, ASK_EVERY_US));
    }
}

ci_exit ci_job_ended(const json_t *job, GError **error) {
    const char *state = cfg_json_word(job, "state", "?");
    if (g_str_equal(state, "done"))
        return CI_OK;
    g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "job %.0f %s: %s", cfg_json_number(job, "id"),
                state, cfg_json_word(job, "error", "no reason given"));
    return CI_INPUT;
}
