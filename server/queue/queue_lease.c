#include "server/ground/fields.h"
#include "server/queue/queue.h"
#include "server/queue/queue_internal.h"
#include "server/queue/queue_queries.h"

#include <string.h>

/* A node that asks every second is written down only so often. */
#define SEEN_EVERY_MS 10000
#define NODE_NAME_LIMIT 100u

static void drop_absent(json_t *row, const char *key) {
    if (json_is_null(json_object_get(json_object_get(row, key), "name")))
        json_object_del(row, key);
}

/* What lease and resume answer; owned, NULL with error. */
static json_t *answer_of(srv_store *store, int64_t job, unsigned lease_s, GError **error) {
    json_t *row;
    if (!srv__job_order(store, job, &row, error))
        return NULL;
    json_t *lease = json_incref(json_object_get(row, "lease"));
    json_object_del(row, "lease");
    json_t *extra = json_object_get(row, "extra");
    if (json_is_object(extra))
        json_object_update(row, extra);
    json_object_del(row, "extra");
    if (json_is_null(json_object_get(row, "against")))
        json_object_del(row, "against");
    drop_absent(row, "artifact");
    drop_absent(row, "against_artifact");
    return json_pack("{s:o,s:o,s:i}", "job", row, "lease", lease, "expires_seconds", (int)lease_s);
}

bool srv__holding_get(srv_store *store, int64_t job, const char *lease, srv__holding *holding,
                      GError **error) {
    json_t *row;
    if (!srv__job_holding(store, job, &row, error))
        return false;
    if (!row) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no job %" G_GINT64_FORMAT,
                    job);
        return false;
    }
    const char *present = json_string_value(json_object_get(row, "lease"));
    *holding = (srv__holding){.id = job,
                              .project = json_integer_value(json_object_get(row, "project_id")),
                              .revision = json_integer_value(json_object_get(row, "revision_id")),
                              .benchmark = json_integer_value(json_object_get(row, "benchmark_id")),
                              .attempts = json_integer_value(json_object_get(row, "attempts")),
                              .held = lease && present && g_str_equal(lease, present)};
    g_strlcpy(holding->state, json_string_value(json_object_get(row, "state")),
              sizeof holding->state);
    g_strlcpy(holding->kind, json_string_value(json_object_get(row, "kind")), sizeof holding->kind);
    json_decref(row);
    return true;
}

bool srv__holding_lost(const srv__holding *holding, GError **error) {
    const char *what = g_str_equal(holding->state, "leased") ? "was given to another runner"
                       : g_str_equal(holding->state, "queued")
                           ? "was taken back and is queued again"
                           : "has ended";
    g_set_error(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                "job %" G_GINT64_FORMAT " %s (it is %s); stop it and discard its results",
                holding->id, what, holding->state);
    return false;
}

static bool node_check(const char *node, GError **error) {
    if (node && *node != '\0' && strlen(node) <= NODE_NAME_LIMIT && g_utf8_validate(node, -1, NULL))
        return true;
    g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                "node: must be a name of 1 to %u bytes of UTF-8", NODE_NAME_LIMIT);
    return false;
}

static char *list_text(const json_t *list) {
    char *dumped = json_is_array(list) ? json_dumps(list, JSON_COMPACT) : NULL;
    char *text = g_strdup(dumped ? dumped : "[]");
    free(dumped);
    return text;
}

/* version NULL: only that it was seen. */
static bool node_seen(srv_store *store, const char *node, const char *version, const json_t *labels,
                      const json_t *can, int64_t now_ms, GError **error) {
    int64_t seen;
    if (!srv__node_seen_ms(store, node, &seen, error))
        return false;
    if (seen >= 0 && seen + SEEN_EVERY_MS > now_ms)
        return true;
    if (!version)
        return srv__node_touch(store, node, now_ms, error);
    g_autofree char *label_text = list_text(labels);
    g_autofree char *can_text = list_text(can);
    return srv__node_put(store, node, version, label_text, can_text, now_ms, error);
}

/* The job to hand out: one whose answer may have been lost, else the first in the queue. */
static bool job_pick(srv_store *store, const char *node, const json_t *labels, const json_t *can,
                     int64_t now_ms, int64_t *again, int64_t *next, GError **error) {
    g_autofree char *can_text = list_text(can);
    g_autofree char *label_text = list_text(labels);
    return srv__job_again(store, node, now_ms, again, error) &&
           srv__job_next(store, node, now_ms, can_text, label_text, next, error);
}

/* Node and lease are the job's from now on; fresh: this is a new attempt. */
static bool job_hold(srv_store *store, int64_t job, const char *node, const char *lease,
                     unsigned lease_s, bool fresh, int64_t now_ms, GError **error) {
    return srv__job_lease(store, job, node, lease, now_ms + 1000 * (int64_t)lease_s, fresh, now_ms,
                          error) &&
           srv__node_holds(store, node, job, error) && srv__event(store, SRV_EVENT_JOB, job);
}

static bool lease_next(srv_store *store, const srv_queue_rules *rules, const char *node,
                       const json_t *labels, const json_t *can, int64_t now_ms, json_t **answer,
                       GError **error) {
    int64_t again, next;
    if (!job_pick(store, node, labels, can, now_ms, &again, &next, error))
        return false;
    if (again == 0 && next == 0)
        return true;
    if (!srv__concerns_job(store, again != 0 ? again : next, error))
        return false;
    if (again == 0) {
        g_autofree char *lease = g_uuid_string_random();
        if (!job_hold(store, next, node, lease, rules->lease_s, true, now_ms, error) ||
            !srv__project_served(store, next, now_ms, error))
            return false;
    }
    *answer = answer_of(store, again != 0 ? again : next, rules->lease_s, error);
    return *answer != NULL;
}

bool srv_queue_lease(srv_store *store, const srv_queue_rules *rules, const char *node,
                     const char *version, const json_t *labels, const json_t *can, int64_t now_ms,
                     json_t **answer, GError **error) {
    int64_t again, next, seen;
    *answer = NULL;
    if (!node_check(node, error) || !srv__node_seen_ms(store, node, &seen, error) ||
        !job_pick(store, node, labels, can, now_ms, &again, &next, error))
        return false;
    /* Waiting runners ask often: no write, no sync to disk, when there is nothing to say. */
    if (again == 0 && next == 0 && seen >= 0 && seen + SEEN_EVERY_MS > now_ms)
        return true;
    if (!srv__begin(store, error))
        return false;
    srv__concerns(store, NULL); /* a node is shown by what nobody keeps */
    bool good = node_seen(store, node, version ? version : "", labels, can, now_ms, error) &&
                lease_next(store, rules, node, labels, can, now_ms, answer, error);
    if (srv__end(store, good, error))
        return true;
    g_clear_pointer(answer, json_decref);
    return false;
}

static json_t *resume(srv_store *store, const srv_queue_rules *rules, int64_t job, const char *node,
                      const char *lease, int64_t now_ms, GError **error) {
    srv__holding holding;
    if (!srv__holding_get(store, job, lease, &holding, error))
        return NULL;
    bool open = g_str_equal(holding.state, "leased") || g_str_equal(holding.state, "queued");
    if (!holding.held || !open) {
        srv__holding_lost(&holding, error);
        return NULL;
    }
    if (!node_seen(store, node, NULL, NULL, NULL, now_ms, error) ||
        !job_hold(store, job, node, lease, rules->lease_s, false, now_ms, error))
        return NULL;
    return answer_of(store, job, rules->lease_s, error);
}

json_t *srv_queue_resume(srv_store *store, const srv_queue_rules *rules, int64_t job,
                         const char *node, const char *lease, int64_t now_ms, GError **error) {
    if (!node_check(node, error) || !srv__begin(store, error))
        return NULL;
    json_t *answer = resume(store, rules, job, node, lease, now_ms, error);
    if (srv__end(store, answer != NULL, error))
        return answer;
    json_decref(answer);
    return NULL;
}

bool srv_node_pause(srv_store *store, const char *node, const char *why, GError **error) {
    int64_t changed;
    if (!srv__node_pause_set(store, node, why, &changed, error))
        return false;
    if (changed == 0)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "node %s has never asked for work",
                    node);
    return changed != 0;
}
