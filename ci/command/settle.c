#include "ci/command/settle.h"

#include "ci/command/progress.h"

#define ASK_EVERY_US (2 * G_USEC_PER_SEC)

/* "1 job queued, 1 trial of two commits running" */
static char *open_words(const json_t *project) {
    g_autoptr(GString) text = g_string_new(NULL);
    size_t i;
    json_t *word;
    json_array_foreach (json_object_get(project, "open"), i, word)
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", json_string_value(word));
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static bool is_settled(const json_t *project) {
    return json_is_true(json_object_get(project, "settled"));
}

/* What ends the waiting of a project that is not settled, or of a server that says no. */
static json_t *give_up(json_t *project, const char *name, unsigned timeout_s, GError *wrong,
                       GError **error) {
    if (project) {
        g_autofree char *open = open_words(project);
        g_set_error(error, CI_ERROR, CI_ERROR_TIMEOUT,
                    "%s is not settled after %u s: %s; ask again later", name, timeout_s, open);
    } else {
        g_propagate_error(error, wrong);
    }
    json_decref(project);
    return NULL;
}

json_t *ci_settle_wait(ci_client *client, const char *name, unsigned timeout_s, GError **error) {
    g_autofree char *path = ci_client_path("projects", name, NULL);
    const gint64 end = g_get_monotonic_time() + (gint64)timeout_s * G_USEC_PER_SEC;
    for (;;) {
        GError *wrong = NULL;
        json_t *project = ci_client_get(client, path, &wrong);
        const gint64 left = end - g_get_monotonic_time();
        if (project && is_settled(project)) {
            ci_progress_end();
            return project;
        }
        if (left <= 0 || (!project && ci_client_refused(client))) {
            ci_progress_end();
            return give_up(project, name, timeout_s, wrong, error);
        }
        g_autofree char *open = project ? open_words(project) : NULL;
        if (open)
            ci_progress_words(open);
        g_clear_error(&wrong);
        json_decref(project);
        g_usleep((gulong)MIN(left, ASK_EVERY_US));
    }
}
