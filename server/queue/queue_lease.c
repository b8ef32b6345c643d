#include "config/json_text.h"
#include "server/ground/auth_random.h"
#include "server/queue/queue.h"
#include "server/queue/queue_internal.h"
#include "server/store/store_sql.h"
#include "sql/queue.h"
#include "sql/sweep.h"

#include <string.h>

/* A node that asks every second is written down only so often. */
#define SEEN_EVERY_MS 10000
#define NODE_NAME_LIMIT 100u

static void drop_absent(json_t *row, const char *key) {
    if (json_is_null(json_object_get(row, key)))
        json_object_del(row, key);
}

/* What lease and resume answer; owned, NULL with error. */
static json_t *answer_of(srv_store *store, int64_t job, unsigned lease_s, GError **error) {
    json_t *row;
    if (!srv__object(store, ASK(job_order, job), &row, error))
        return NULL;
    srv__member_instead(row, "minimum_loops", "minimum_loops");
    json_t *lease = json_incref(json_object_get(row, "lease"));
    json_object_del(row, "lease");
    json_t *extra = json_object_get(row, "extra");
    if (json_is_object(extra))
        json_object_update(row, extra);
    json_object_del(row, "extra");
    drop_absent(row, "before");
    drop_absent(row, "artifact");
    drop_absent(row, "before_artifact");
    if (srv__is_kind(cfg_json_word(row, "kind", NULL), SRV_KIND_BACKFILL))
        json_object_set_new(row, "beside", json_true());
    return json_pack("{s:o,s:o,s:i}", "job", row, "lease", lease, "expires_seconds", (int)lease_s);
}

static const model_member holding_members[] = {
    MODEL(srv__holding, project, "project_id"),
    MODEL(srv__holding, revision, "revision_id"),
    MODEL(srv__holding, benchmark, "benchmark_id"),
    MODEL(srv__holding, attempts, "attempts"),
    MODEL_CHARS_OF(srv__holding, state, "state"),
    MODEL_CHARS_OF(srv__holding, lease, "lease", MODEL_NULL),
    MODEL_CHARS_OF(srv__holding, kind, "kind")};
static const model_noun holding_noun = MODEL_NOUN(srv__holding, holding_members, "job");

bool srv__holding_get(srv_store *store, int64_t job, const char *lease, srv__holding *holding,
                      GError **error) {
    bool there;
    if (!srv__one(store, ASK(job_holding, job), &holding_noun, holding, &there, error))
        return false;
    holding->id = job;
    holding->held = lease && *lease != '\0' && g_str_equal(lease, holding->lease);
    return there || SRV__NONE(error, "job", job);
}

bool srv__holding_lost(const srv__holding *holding, GError **error) {
    const char *what = g_str_equal(holding->state, "leased") ? "was given to another runner"
                       : g_str_equal(holding->state, "queued")
                           ? "was taken back and is queued again"
                           : "has ended";
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                     "job %" G_GINT64_FORMAT " %s (it is %s); stop it and discard its results",
                     holding->id, what, holding->state);
}

static bool node_check(const char *node, GError **error) {
    if (node && *node != '\0' && strlen(node) <= NODE_NAME_LIMIT && g_utf8_validate(node, -1, NULL))
        return true;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                     "node: must be a name of 1 to %u bytes of UTF-8", NODE_NAME_LIMIT);
}

static char *list_text(const json_t *list) {
    return json_is_array(list) ? json_dumps(list, JSON_COMPACT) : g_strdup("[]");
}

/* A node as it asks, beside what is known of it. */
typedef struct {
    const srv_node *node;
    char *label_text, *can_text;
    int64_t seen_ms; /* -1: never */
    bool known;      /* with these labels and abilities */
} asking;

static void asking_clear(asking *node) {
    g_free(node->label_text);
    g_free(node->can_text);
}

typedef struct {
    int64_t seen_ms;
    char *labels, *can;
} known_node;

static const model_member known_members[] = {MODEL(known_node, seen_ms, "seen_ms"),
                                             MODEL_NULLS(known_node, labels, can)};
static const model_noun known_noun = MODEL_NOUN(known_node, known_members, "node");

/* What it says of itself is written down at once; that it asked, only so often. */
static bool asking_load(srv_store *store, asking *node, GError **error) {
    MODEL_HELD(known_node, row, known_noun);
    bool there;
    if (!srv__one(store, ASK(node_get, node->node->name), &known_noun, &row, &there, error))
        return false;
    node->seen_ms = there ? row.seen_ms : -1;
    node->known =
        g_strcmp0(row.labels, node->label_text) == 0 && g_strcmp0(row.can, node->can_text) == 0;
    return true;
}

static bool is_fresh(const asking *node, int64_t now_ms) {
    return node->known && node->seen_ms + SEEN_EVERY_MS > now_ms;
}

static bool labels_put(srv_store *store, const asking *node, GError **error) {
    bool good = srv__run(store, ASK(node_labels_drop, node->node->name), error);
    size_t i;
    json_t *label;
    json_array_foreach (node->node->labels, i, label)
        if (json_is_string(label))
            good = good &&
                   srv__run(store, ASK(node_label_add, node->node->name, json_string_value(label)),
                            error);
    return good;
}

static bool node_seen(srv_store *store, asking *node, int64_t now_ms, GError **error) {
    if (!asking_load(store, node, error))
        return false;
    if (is_fresh(node, now_ms))
        return true;
    const srv_node *said = node->node;
    return srv__run(store,
                    ASK(node_put, said->name, said->version ? said->version : "", node->label_text,
                        node->can_text, strstr(node->can_text, "\"confirmation\"") != NULL,
                        strstr(node->can_text, "\"artifact\"") != NULL, now_ms,
                        strstr(node->can_text, "\"explain\"") != NULL),
                    error) &&
           (node->known || labels_put(store, node, error));
}

/* The job to hand out: one whose answer may have been lost, else the first in the queue. */
static bool job_pick(srv_store *store, const srv_node *node, int64_t now_ms, int64_t *again,
                     int64_t *next, GError **error) {
    return srv__number(store, ASK(job_again, node->name, now_ms), 0, again, error) &&
           srv__number(store,
                       ASK(job_next, node->name, now_ms, now_ms + SRV__PAUSE_LAST_MS, node->beside,
                           node->room),
                       0, next, error);
}

/* Who has a job, and until when; borrowed. */
typedef struct {
    int64_t job;
    const char *node, *id; /* id: the secret that the node shows */
    int64_t expires_ms;
    bool fresh; /* a new attempt begins with it */
} held_lease;

static bool job_hold(srv_store *store, const held_lease *lease, int64_t now_ms, GError **error) {
    return srv__run(store,
                    ASK(job_lease, lease->job, lease->node, lease->id, lease->expires_ms,
                        lease->fresh, now_ms),
                    error) &&
           srv__run(store, ASK(node_holds, lease->node, lease->job), error) &&
           srv__run(store, ASK(sweep_stays, lease->job, lease->node), error) &&
           srv__event(store, SRV_EVENT_JOB, lease->job);
}

static bool lease_next(srv_store *store, const srv_queue_rules *rules, const srv_node *node,
                       int64_t now_ms, json_t **answer, GError **error) {
    int64_t again, next;
    if (!job_pick(store, node, now_ms, &again, &next, error))
        return false;
    if (again == 0 && next == 0)
        return true;
    if (again == 0) {
        char id[SRV_AUTH_UUID_SIZE];
        const held_lease lease = {.job = next,
                                  .node = node->name,
                                  .id = id,
                                  .expires_ms = now_ms + 1000 * (int64_t)rules->lease_s,
                                  .fresh = true};
        if (!srv_auth_uuid(id, error) || !job_hold(store, &lease, now_ms, error) ||
            !srv__run(store, ASK(project_served, next, now_ms), error))
            return false;
    }
    *answer = answer_of(store, again != 0 ? again : next, rules->lease_s, error);
    return *answer != NULL;
}

static bool lease(srv_store *store, const srv_queue_rules *rules, asking *node, int64_t now_ms,
                  json_t **answer, GError **error) {
    int64_t again = 0, next = 0;
    if (!asking_load(store, node, error) ||
        (node->known && !job_pick(store, node->node, now_ms, &again, &next, error)))
        return false;
    /* Waiting runners ask often: no write, no sync to disk, when there is nothing to say. */
    if (again == 0 && next == 0 && is_fresh(node, now_ms))
        return true;
    if (!srv__begin(store, error))
        return false;
    bool good = node_seen(store, node, now_ms, error) &&
                lease_next(store, rules, node->node, now_ms, answer, error);
    if (srv__end(store, good, error))
        return true;
    g_clear_pointer(answer, json_decref);
    return false;
}

bool srv_queue_lease(srv_store *store, const srv_queue_rules *rules, const srv_node *node,
                     int64_t now_ms, json_t **answer, GError **error) {
    *answer = NULL;
    if (!node_check(node->name, error))
        return false;
    asking who = {
        .node = node, .label_text = list_text(node->labels), .can_text = list_text(node->can)};
    bool good = lease(store, rules, &who, now_ms, answer, error);
    asking_clear(&who);
    return good;
}

/* That a node is there, without what it says of itself. */
static bool node_touch(srv_store *store, const char *node, int64_t now_ms, GError **error) {
    int64_t seen_ms; /* the first column */
    if (!srv__number(store, ASK(node_get, node), INT64_MIN, &seen_ms, error))
        return false;
    return seen_ms + SEEN_EVERY_MS > now_ms ||
           srv__run(store, ASK(node_touch, node, now_ms), error);
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
    const held_lease renewed = {.job = job,
                                .node = node,
                                .id = lease,
                                .expires_ms = now_ms + 1000 * (int64_t)rules->lease_s};
    if (!node_touch(store, node, now_ms, error) || !job_hold(store, &renewed, now_ms, error))
        return NULL;
    return answer_of(store, job, rules->lease_s, error);
}

json_t *srv_queue_resume(srv_store *store, const srv_queue_rules *rules, int64_t job,
                         const char *node, const char *lease, int64_t now_ms, GError **error) {
    if (!node_check(node, error) || !srv__begin(store, error))
        return NULL;
    json_auto_t *answer = resume(store, rules, job, node, lease, now_ms, error);
    return srv__end(store, answer != NULL, error) ? json_incref(answer) : NULL;
}

bool srv_node_pause(srv_store *store, const char *node, const char *why, GError **error) {
    int64_t changed;
    if (!srv__change(store, ASK(node_pause_set, node, why), &changed, error))
        return false;
    return changed != 0 || SRV__FAIL(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                                     "node %s has never asked for work", node);
}
