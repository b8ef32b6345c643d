#include "server/notify/troubles.h"

#include "server/ground/clock.h"
#include "server/ground/log.h"
#include "server/store/store_outbox.h"

#include <string.h>
#include <sys/statvfs.h>

enum {
    DAY_MS = 86400000,
    OVER_MS = 3600000 /* what was not there for so long is over; when it comes back, it is news */
};

static void add(json_t *problems, char *text) {
    json_array_append_new(problems, json_string(text));
    g_free(text);
}

static void add_disk(json_t *problems, const char *key, const char *dir, uint64_t reserve_bytes) {
    struct statvfs space;
    if (!dir)
        return;
    const bool is_read = statvfs(dir, &space) == 0;
    const uint64_t free_bytes = is_read ? (uint64_t)space.f_bavail * space.f_frsize : 0;
    if (!is_read)
        add(problems, g_strdup_printf("%s: %s cannot be read", key, dir));
    else if (free_bytes < reserve_bytes)
        add(problems,
            g_strdup_printf("%s: %" G_GUINT64_FORMAT " MiB are free in %s, and %" G_GUINT64_FORMAT
                            " MiB must stay free (disk_reserve_bytes): nothing is fetched and "
                            "uploads are refused; free some space",
                            key, free_bytes >> 20, dir, reserve_bytes >> 20));
}

static void add_messages(json_t *problems, srv_store *store) {
    g_autoptr(GError) error = NULL;
    json_auto_t *failing = srv_outbox_failing(store, &error);
    const json_t *newest = json_array_get(failing, 0);
    if (!failing)
        srv_log_error("status", "no_messages", "reason", error->message, NULL);
    if (newest)
        add(problems,
            g_strdup_printf("messages: %zu%s could not be sent and are tried again; the newest, of "
                            "%s by %s: %s",
                            json_array_size(failing),
                            json_array_size(failing) < SRV_OUTBOX_FAILING ? "" : " or more",
                            json_string_value(json_object_get(newest, "project")),
                            json_string_value(json_object_get(newest, "channel")),
                            json_string_value(json_object_get(newest, "note"))));
}

static void add_fault(json_t *problems, srv_context *context) {
    pthread_mutex_lock(&context->lock);
    if (context->fault && srv_now_ms() - context->fault_ms < DAY_MS) {
        g_autoptr(GDateTime) at = g_date_time_new_from_unix_utc(context->fault_ms / 1000);
        g_autofree char *time = g_date_time_format(at, "%Y-%m-%d %H:%M UTC");
        add(problems, g_strdup_printf("requests: %u failed since the start; the last, %s: %s",
                                      context->faults, time, context->fault));
    }
    pthread_mutex_unlock(&context->lock);
}

void srv_troubles_add(srv_context *context, srv_store *store, json_t *problems) {
    const cfg_server *config = context->config;
    add_disk(problems, "data_dir", config->data_dir, config->disk_reserve_bytes);
    if (g_strcmp0(config->shared_dir, config->data_dir) != 0)
        add_disk(problems, "shared_dir", config->shared_dir, config->disk_reserve_bytes);
    add_messages(problems, store);
    add_fault(problems, context);
}

/* What a problem begins with says of what kind it is; the rest changes. */
static char *kind_of(const json_t *problem) {
    const char *text = json_string_value(problem);
    return g_strndup(text, strcspn(text, ":"));
}

static gboolean is_over(void *kind, void *seen_ms, void *now_ms) {
    (void)kind;
    return *(int64_t *)now_ms - *(int64_t *)seen_ms > OVER_MS;
}

GHashTable *srv_troubles_new(void) {
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

char *srv_troubles_news(GHashTable *told, json_t *problems, int64_t now_ms) {
    GString *text = g_string_new(NULL);
    size_t i;
    json_t *problem;
    json_array_foreach (problems, i, problem) {
        g_autofree char *kind = kind_of(problem);
        int64_t *seen_ms = g_hash_table_lookup(told, kind);
        if (seen_ms)
            *seen_ms = now_ms;
        else
            g_string_append_printf(text, "- %s\n", json_string_value(problem));
    }
    g_hash_table_foreach_remove(told, is_over, &now_ms);
    return g_string_free(text, text->len == 0);
}

void srv_troubles_told(GHashTable *told, json_t *problems, int64_t now_ms) {
    size_t i;
    json_t *problem;
    json_array_foreach (problems, i, problem)
        g_hash_table_insert(told, kind_of(problem), g_memdup2(&now_ms, sizeof now_ms));
}
