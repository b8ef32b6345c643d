#include "server/notify/troubles.h"

#include "config/json_text.h"
#include "config/log.h"
#include "server/ground/clock.h"
#include "server/ground/thread.h"
#include "server/store/store_sql.h"
#include "sql/outbox.h"
#include "sql/projects.h"

#include <string.h>
#include <sys/statvfs.h>

#define FULL_BYTES (UINT64_C(1) << 20) /* with less free nothing can be written */

enum {
    DAY_MS = 86400000,
    OVER_MS = 3600000, /* what was not there for so long is over; when it comes back, it is news */
    NOTED_MS = 300000, /* what lasts is noted so often */
    FAILING_MOST = 100 /* messages, of outbox_failing */
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
    else if (free_bytes < FULL_BYTES)
        add(problems, g_strdup_printf("%s: the disk of %s is full: what is new cannot be kept; "
                                      "free some space",
                                      key, dir));
}

static void add_repositories(json_t *problems, const json_t *failing) {
    size_t i;
    json_t *project;
    json_array_foreach (failing, i, project) {
        g_autofree char *since = srv_minute_text(cfg_json_integer(project, "since_ms"));
        add(problems, g_strdup_printf("repository of %s: it could not be read since %s: %s",
                                      cfg_json_word(project, "name", NULL), since,
                                      cfg_json_word(project, "problem", NULL)));
    }
}

static void add_messages(json_t *problems, const json_t *failing) {
    const json_t *newest = json_array_get(failing, 0);
    if (newest)
        add(problems,
            g_strdup_printf(
                "messages: %zu%s could not be sent and are tried again; the newest, of "
                "%s by %s: %s",
                json_array_size(failing), json_array_size(failing) < FAILING_MOST ? "" : " or more",
                cfg_json_word(newest, "project", NULL), cfg_json_word(newest, "channel", NULL),
                cfg_json_word(newest, "note", NULL)));
}

static void add_fault(json_t *problems, srv_context *context) {
    SRV_HOLD(&context->lock);
    if (context->fault && srv_now_ms() - context->fault_ms < DAY_MS) {
        g_autofree char *time = srv_minute_text(context->fault_ms);
        add(problems, g_strdup_printf("requests: %u failed since the start; the last, %s: %s",
                                      context->faults, time, context->fault));
    }
}

void srv_troubles_add(srv_context *context, srv_store *store, json_t *problems) {
    const cfg_server *config = context->config;
    add_disk(problems, "data_dir", config->data_dir, config->disk_reserve_bytes);
    if (g_strcmp0(config->shared_dir, config->data_dir) != 0)
        add_disk(problems, "shared_dir", config->shared_dir, config->disk_reserve_bytes);
    g_autoptr(GError) error = NULL;
    json_auto_t *messages = srv__array(store, ASK(outbox_failing), &error);
    json_auto_t *repositories = messages ? srv__array(store, ASK(projects_failing), &error) : NULL;
    add_messages(problems, messages);
    add_repositories(problems, repositories);
    if (error) {
        cfg_log("error", "status", "store_not_read", "reason=%s", error->message);
        add(problems, g_strdup_printf("database: %s", error->message));
    }
    add_fault(problems, context);
}

/* What a problem begins with says of what kind it is; the rest changes. */
static char *kind_of(const json_t *problem) {
    const char *text = json_string_value(problem);
    return g_strndup(text, strcspn(text, ":"));
}

/* The clock may have been set back meanwhile. */
static bool is_older(int64_t seen_ms, int64_t than_ms, int64_t now_ms) {
    return now_ms - seen_ms > than_ms || now_ms < seen_ms;
}

GHashTable *srv_troubles_new(void) {
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

static void remember(GHashTable *told, const char *kind, int64_t seen_ms) {
    g_hash_table_insert(told, g_strdup(kind), g_memdup2(&seen_ms, sizeof seen_ms));
}

/* Of a store that does not answer, srv_troubles_add has told. */
static void note(srv_store *store, const srv_sql *sql, const srv__arg *args) {
    g_autoptr(GError) error = NULL;
    if (!srv__run(store, sql, args, &error))
        cfg_log("error", "troubles", "not_noted", "reason=%s", error->message);
}

/* What the store knows, of this server before its start and of others; while it does not answer,
 * what this one remembers. */
static void recall(GHashTable *told, srv_store *store) {
    json_auto_t *rows = srv__array(store, ASK(troubles), NULL);
    size_t i;
    json_t *row;
    json_array_foreach (rows, i, row) {
        const char *kind = cfg_json_word(row, "kind", NULL);
        const int64_t *known_ms = g_hash_table_lookup(told, kind);
        const int64_t seen_ms = cfg_json_integer(row, "seen_ms");
        if (!known_ms || *known_ms < seen_ms)
            remember(told, kind, seen_ms);
    }
}

static void see(GHashTable *told, srv_store *store, const char *kind, int64_t now_ms) {
    const int64_t *seen_ms = g_hash_table_lookup(told, kind);
    if (seen_ms && !is_older(*seen_ms, NOTED_MS, now_ms))
        return;
    remember(told, kind, now_ms);
    note(store, ASK(trouble_seen, kind, now_ms));
}

static void forget_what_is_over(GHashTable *told, srv_store *store, int64_t now_ms) {
    GHashTableIter each;
    void *kind, *seen_ms;
    g_hash_table_iter_init(&each, told);
    while (g_hash_table_iter_next(&each, &kind, &seen_ms))
        if (is_older(*(int64_t *)seen_ms, OVER_MS, now_ms)) {
            note(store, ASK(trouble_over, kind));
            g_hash_table_iter_remove(&each);
        }
}

char *srv_troubles_unsent(GHashTable *told, srv_store *store, json_t *problems, int64_t now_ms) {
    GString *text = g_string_new(NULL);
    size_t i;
    json_t *problem;
    recall(told, store);
    json_array_foreach (problems, i, problem) {
        g_autofree char *kind = kind_of(problem);
        if (g_hash_table_contains(told, kind))
            see(told, store, kind, now_ms);
        else
            g_string_append_printf(text, "- %s\n", json_string_value(problem));
    }
    forget_what_is_over(told, store, now_ms);
    return g_string_free(text, text->len == 0);
}

void srv_troubles_sent(GHashTable *told, srv_store *store, json_t *problems, int64_t now_ms) {
    size_t i;
    json_t *problem;
    json_array_foreach (problems, i, problem) {
        g_autofree char *kind = kind_of(problem);
        see(told, store, kind, now_ms);
    }
}
