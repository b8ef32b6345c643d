#include "server/app.h"

#include "config/json_text.h"
#include "config/log.h"
#include "server/alarm/alerts.h"
#include "server/alarm/explanation.h"
#include "server/ground/clock.h"
#include "server/http/rate.h"
#include "server/store/store_audit.h"
#include "server/views/views.h"
#include "server/views/withhold.h"

enum {
    HEARTBEAT_MS = 15000,
    ARTIFACT_RETRY_MS = 60000,
    AGEING_LATEST_MS = 3600000,
    STORAGE_STEP_MS = 50, /* between two steps others have their turn */
    STORAGE_PASS_MS = 3600000,
    AUDIT_MS = 2000, /* refusals are written down together */
    USES_MS = 5000   /* likewise last uses of tokens */
};

_Static_assert(SRV_DUE_COUNT <= SRV_TIMER_SLOTS, "each has its place in the timer");

void srv_app_due(srv_app *app, srv_app_task task, int64_t ms) {
    srv_timer_within(app->timer, task, ms);
}

static void publish(srv_app *app, srv_event what, const json_t *data) {
    if (srv_stream_count(app->hub) == 0)
        return;
    json_auto_t *all = json_deep_copy(data), *less = json_deep_copy(data);
    if (what == SRV_EVENT_JOB) {
        srv_withhold_job(all, true);
        srv_withhold_job(less, false);
    }
    g_autofree char *text = cfg_json_text(all, 0), *shown = cfg_json_text(less, 0);
    if (text && shown)
        srv_stream_publish(app->hub, srv_event_name(what), text, shown);
}

/* Who has something to do now. */
static void wake(srv_app *app, srv_event what, const json_t *data) {
    const char *state = cfg_json_word(data, "state", NULL);
    const json_t *until = cfg_json_at(data, "waiting.until_ms");
    /* Git says which commits lie between; the search for the culprit need not wait for its turn. */
    if (what == SRV_EVENT_ALERT && g_strcmp0(state, "open") == 0)
        srv_poller_kick(app->poller, cfg_json_word(data, "project", NULL));
    if (what == SRV_EVENT_ALERT)
        srv_app_due(app, SRV_DUE_ALERTS, 0);
    if (what == SRV_EVENT_NIGHT || what == SRV_EVENT_ALERT)
        srv_site_changed(app->site, cfg_json_word(data, "project", NULL));
    else
        srv_site_look(app->site);
    if (what == SRV_EVENT_JOB && g_strcmp0(state, "queued") == 0)
        srv_longpoll_wake(app->leases);
    /* The server that leased it may be gone when the lease is over. */
    if (what == SRV_EVENT_JOB && g_strcmp0(state, "leased") == 0 && app->peers)
        srv_app_leased(app);
    if (until)
        srv_app_due(app, SRV_DUE_ARTIFACTS, MAX(0, json_integer_value(until) - srv_now_ms()));
}

void srv__app_event(srv_store *store, srv_event what, int64_t id, void *user) {
    srv_app *app = user;
    g_autoptr(GError) error = NULL;
    json_auto_t *data = srv_event_view(store, what, id, &error);
    if (what != SRV_EVENT_JOB)
        srv_notify_wake(app->notify);
    if (data) {
        publish(app, what, data);
        wake(app, what, data);
    } else {
        cfg_log("error", "app", "event_lost", "event=%s reason=%s", srv_event_name(what),
                error->message);
    }
}

void srv__app_asked(const char *project, void *user) {
    srv_app *app = user;
    if (srv_leader_leads(app->leader))
        srv_poller_kick(app->poller, *project == '\0' ? NULL : project);
}

/* Whatever the one before has left. */
void srv__app_leads(void *user) {
    srv_app *app = user;
    srv_poller_kick(app->poller, NULL);
    srv_notify_wake(app->notify);
    srv_app_leased(app);
    srv_app_due(app, SRV_DUE_ARTIFACTS, 0);
    srv_app_due(app, SRV_DUE_ALERTS, 0);
    srv_app_due(app, SRV_DUE_STORAGE, 0);
    srv_site_look(app->site);
}

static void expire_leases(srv_store *store, void *data) {
    srv_app *app = data;
    unsigned expired = 0;
    g_autoptr(GError) error = NULL;
    if (!srv_queue_expire(store, &app->rules, srv_now_ms(), &expired, &error))
        cfg_log("error", "queue", "expire_failed", "reason=%s", error->message);
    if (expired == 0)
        return;
    cfg_log("warning", "queue", "expired", "jobs=%u", expired);
    srv_longpoll_wake(app->leases);
}

static void tell_count(const char *event, unsigned count) {
    if (count > 0)
        cfg_log("info", "artifact", event, "count=%u", count);
}

/* Jobs that have waited long enough, and artifacts that are old enough. */
static void look_at_artifacts(srv_store *store, void *data) {
    srv_app *app = data;
    g_autoptr(GError) error = NULL;
    int64_t now_ms = srv_now_ms(), due_ms = INT64_MAX, old_ms = INT64_MAX;
    unsigned expired = 0, removed = 0;
    if (!srv_leader_leads(app->leader))
        return;
    bool good = srv_queue_waits_expire(store, now_ms, &expired, &due_ms, &error) &&
                srv_artifacts_tidy(app->artifacts, store, now_ms, &removed, &old_ms, &error);
    tell_count("never_came", expired);
    tell_count("grew_old", removed);
    if (!good)
        cfg_log("error", "artifact", "look_failed", "reason=%s", error->message);
    int64_t next_ms = good ? MIN(due_ms, old_ms) : now_ms + ARTIFACT_RETRY_MS;
    if (next_ms != INT64_MAX)
        srv_app_due(app, SRV_DUE_ARTIFACTS, MAX(0, next_ms - now_ms));
}

static void on_artifact(void *data) {
    srv_app *app = data;
    if (!srv_work_push(app->writer, look_at_artifacts, app))
        srv_app_due(app, SRV_DUE_ARTIFACTS, ARTIFACT_RETRY_MS);
}

static void look_at_profiles(srv_app *app, srv_store *store, int64_t now_ms) {
    g_autoptr(GError) error = NULL;
    unsigned removed = 0;
    if (!srv__explanations_remove(store, app->config->profile_keep_days, now_ms, &removed, &error))
        cfg_log("error", "alert", "profiles_not_removed", "reason=%s", error->message);
    if (removed > 0)
        cfg_log("info", "alert", "profiles_removed", "alerts=%u", removed);
}

/* Not later than an hour from now: a command beside the daemon may have brought alerts. */
static void look_at_alerts(srv_store *store, void *data) {
    srv_app *app = data;
    g_autoptr(GError) error = NULL, kept = NULL;
    int64_t now_ms = srv_now_ms(), next_ms = INT64_MAX;
    unsigned ended;
    if (!srv_alerts_age(store, now_ms, &next_ms, &error))
        cfg_log("error", "alert", "ageing_failed", "reason=%s", error->message);
    if (!srv_queue_off_end(store, app->config->off_job_days, now_ms, &ended, &kept))
        cfg_log("error", "queue", "not_cancelled", "reason=%s", kept->message);
    look_at_profiles(app, store, now_ms);
    srv_app_due(app, SRV_DUE_ALERTS, CLAMP(next_ms - now_ms, 0, AGEING_LATEST_MS));
}

static void on_ageing(void *data) {
    srv_app *app = data;
    if (!srv_work_push(app->writer, look_at_alerts, app))
        srv_app_due(app, SRV_DUE_ALERTS, ARTIFACT_RETRY_MS);
}

/* A step of removing what nobody needs any more. */
static void look_at_storage(srv_store *store, void *data) {
    srv_app *app = data;
    g_autoptr(GError) error = NULL;
    bool more = false;
    if (!srv_leader_leads(app->leader))
        return;
    const srv_tidy tidy = {app->retention, app->raw, app->artifacts, &app->sweeping};
    if (!srv_tidy_step(&tidy, store, srv_now_ms(), &more, &error))
        cfg_log("warning", "storage", "not_removed", "reason=%s", error->message);
    srv_app_due(app, SRV_DUE_STORAGE, more ? STORAGE_STEP_MS : STORAGE_PASS_MS);
}

/* What waits for a bucket keeps nobody waiting who does not. */
static void on_storage(void *data) {
    srv_app *app = data;
    if (!srv_work_push(app->remote ? app->remote : app->writer, look_at_storage, app))
        srv_app_due(app, SRV_DUE_STORAGE, ARTIFACT_RETRY_MS);
}

static int64_t lease_ms(const srv_app *app) {
    return ((int64_t)app->rules.lease_s + 1) * 1000;
}

static void on_expire(void *data) {
    srv_app *app = data;
    pthread_mutex_lock(&app->lock);
    bool active = g_get_monotonic_time() - app->leased_us <= lease_ms(app) * 1000;
    pthread_mutex_unlock(&app->lock);
    bool pushed = srv_work_push(app->writer, expire_leases, app);
    if (active || !pushed)
        srv_app_due(app, SRV_DUE_SILENT, lease_ms(app));
}

static bool token_there(void *auth, const char *key) {
    return srv_auth_lives(auth, key, srv_now_ms());
}

static void write_refusals(srv_store *store, void *data) {
    srv_app *app = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) all = srv_refusals_take(app->refusals);
    g_autofree srv_audit_row *rows = g_new0(srv_audit_row, all->len + 1);
    for (guint i = 0; i < all->len; i++) {
        const srv_refusal *one = g_ptr_array_index(all, i);
        rows[i] = (srv_audit_row){one->first_ms, one->last_ms, SRV_AUDIT_REFUSED, one->who,
                                  one->client,   one->what,    one->why,          one->count};
    }
    if (all->len > 0 && !srv_audit_refusals(store, rows, all->len, &error))
        cfg_log("error", "audit", "not_written", "reason=%s", error->message);
}

/* A full queue is no reason to lose them: they wait, and are bounded. */
static void on_audit(void *data) {
    srv_app *app = data;
    if (!srv_work_push(app->writer, write_refusals, app))
        srv_app_due(app, SRV_DUE_REFUSALS, AUDIT_MS);
}

void srv_app_refused(void *data, const srv_request *request, const char *why) {
    srv_app *app = data;
    g_autofree char *what =
        g_strdup_printf("%s %s", request->method, request->route ? request->route->pattern : "");
    char client[SRV_RATE_KEY_SIZE]; /* as the limiter knows it: one has a whole /64 */
    srv_rate_key(request->client, client);
    if (srv_refusals_add(app->refusals, client, request->token, what, why, srv_now_ms()))
        cfg_log("warning", "audit", "refused", "client=%s token=%s what=%s why=%s", client,
                request->token, what, why);
    srv_app_due(app, SRV_DUE_REFUSALS, AUDIT_MS);
}

static void write_uses(srv_store *store, void *data) {
    (void)store;
    srv_app *app = data;
    g_autoptr(GError) error = NULL;
    if (!srv_auth_save_uses(app->auth, &error))
        cfg_log("error", "auth", "uses_not_saved", "reason=%s", error->message);
}

/* When it cannot be written now, it is with the next hour's. */
static void on_uses(void *data) {
    srv_app *app = data;
    (void)!srv_work_push(app->writer, write_uses, app);
}

static void token_used(void *data) {
    srv_app_due(data, SRV_DUE_USES, USES_MS);
}

static void on_heartbeat(void *data) {
    srv_app *app = data;
    srv_stream_review(app->hub, token_there, app->auth);
    if (srv_stream_count(app->hub) > 0)
        srv_stream_heartbeat(app->hub);
    if (srv_stream_count(app->hub) > 0)
        srv_app_due(app, SRV_DUE_STREAMS, HEARTBEAT_MS);
}

static void on_leases(void *data) {
    srv_app *app = data;
    int64_t next_us = srv_longpoll_expire(app->leases);
    if (next_us != INT64_MAX)
        srv_app_due(app, SRV_DUE_LEASES, (next_us - g_get_monotonic_time()) / 1000 + 1);
}

static void stream_came(void *data) {
    srv_app_due(data, SRV_DUE_STREAMS, HEARTBEAT_MS);
}

void srv_app_leased(srv_app *app) {
    pthread_mutex_lock(&app->lock);
    app->leased_us = g_get_monotonic_time();
    pthread_mutex_unlock(&app->lock);
    srv_app_due(app, SRV_DUE_SILENT, lease_ms(app));
}

static void failed(void *app, const char *why) {
    srv_context *context = &((srv_app *)app)->context;
    SRV_HOLD(&context->lock);
    context->faults++;
    context->fault_ms = srv_now_ms();
    g_free(context->fault);
    context->fault = g_strdup(why);
}

void srv__app_hear(srv_http_options *options) {
    options->on_stream = stream_came;
    options->on_use = token_used;
    options->on_refusal = srv_app_refused;
    options->on_fault = failed;
}

bool srv__app_timer_start(srv_app *app, GError **error) {
    app->timer = srv_timer_new("timer", NULL, NULL, error);
    if (!app->timer)
        return false;
    srv_timer_handle(app->timer, SRV_DUE_LEASES, on_leases, app);
    srv_timer_handle(app->timer, SRV_DUE_STREAMS, on_heartbeat, app);
    srv_timer_handle(app->timer, SRV_DUE_SILENT, on_expire, app);
    srv_timer_handle(app->timer, SRV_DUE_ARTIFACTS, on_artifact, app);
    srv_timer_handle(app->timer, SRV_DUE_ALERTS, on_ageing, app);
    srv_timer_handle(app->timer, SRV_DUE_REFUSALS, on_audit, app);
    srv_timer_handle(app->timer, SRV_DUE_USES, on_uses, app);
    srv_timer_handle(app->timer, SRV_DUE_STORAGE, on_storage, app);
    return true;
}
