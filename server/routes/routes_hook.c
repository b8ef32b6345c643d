
#include "config/log.h"
#include "server/app.h"
#include "server/ground/error.h"
#include "server/ground/thread.h"
#include "server/hook/hook.h"
#include "server/notify/notify_rule.h"
#include "server/routes/routes.h"

#include <gio/gio.h>
#include <string.h>

enum { SECRET_MIN = 8, SECRET_FILE_MAX = 4096, GUESSES_PAUSE_S = 30, FAULT_PAUSE_S = 60 };

/*
 * The request is answered (202, or 200 when all were known) once written.
 * deliveries  [srv_delivery*], stays with the request until it is answered (request->held)
 * Returns false when the writer's queue is full; then the request is still the caller's to answer.
 */
static bool hook_batch_add(srv_hook_batch *batch, srv_request *request, GPtrArray *deliveries);

static const char *header_of(const void *request, const char *name) {
    return srv_request_header(request, name);
}

static void delivery_free(void *data) {
    srv_delivery *delivery = data;
    /* All are copies; the struct only lends them. */
    union {
        const char *lent;
        char *own;
    } parts[] = {{delivery->provider},
                 {delivery->id},
                 {delivery->project},
                 {delivery->sha},
                 {delivery->pull}};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
        g_free(parts[i].own);
    g_free(delivery);
}

static void hook_completed(srv_app *app, srv_request *request, bool sent) {
    (void)app;
    (void)sent;
    g_ptr_array_unref(request->held);
    request->held = NULL;
}

/* The first line of a file; NULL with error. */
static char *read_secret(const char *path, GError **error) {
    g_autofree char *text = NULL;
    gsize size = 0;
    if (!g_file_get_contents(path, &text, &size, error))
        return NULL;
    text[strcspn(text, "\r\n")] = '\0';
    if (strlen(text) >= SECRET_MIN && size <= SECRET_FILE_MAX)
        return g_steal_pointer(&text);
    return SRV__NULL(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                     "%s: the first line must be a secret of at least %d bytes", path, SECRET_MIN);
}

/* The one of path and, while it is replaced, that of old; NULL-ended, owned; NULL with error. */
static char **read_secrets(const char *path, const char *old, GError **error) {
    g_autofree char *now = read_secret(path, error);
    g_autofree char *before = now && old ? read_secret(old, error) : NULL;
    g_autoptr(GStrvBuilder) both = g_strv_builder_new();
    g_strv_builder_add_many(both, now, before, NULL);
    return now && (before || !old) ? g_strv_builder_end(both) : NULL;
}

/* Which of them it is signed with, from 0; -1 with the error of the newest. */
static int signed_with(const srv_request *request, srv_hook_provider provider, char **secrets,
                       GBytes *body, GError **error) {
    for (int i = 0; secrets[i]; i++)
        if (srv_hook_signed(provider, secrets[i], body, header_of, request,
                            srv_request_query(request, "token"), i == 0 ? error : NULL)) {
            g_clear_error(error);
            return i;
        }
    return -1;
}

/* A project whose file has a fault is not known, and may be the one that is meant. */
static bool incomplete(const srv_catalog *catalog) {
    return catalog->problems->len > 0;
}

static srv_reply *unknown_now(void) {
    return srv_reply_later("a project's file cannot be used (the log says which), so it is not "
                           "known whether this one is watched",
                           FAULT_PAUSE_S);
}

/* A token for some projects alone says nothing for what the body names: others may be meant. */
static bool is_for(const srv_request *request, const cfg_project *project) {
    const char *const *own = (const char *const *)request->projects;
    return !own || (project && (g_strv_contains(own, project->name) ||
                                (project->main && g_strv_contains(own, project->main))));
}

/* NULL: go on. A token with the scope submit stands for a signature. */
static srv_reply *prove(srv_app *app, const srv_request *request, const srv_catalog *catalog,
                        const cfg_project *project, srv_hook_provider provider, GBytes *body) {
    g_autoptr(GError) error = NULL;
    const bool own = project && project->webhook_secret_file;
    const char *path = own ? project->webhook_secret_file : app->config->webhook_secret_file;
    const char *old = own ? project->webhook_old_secret_file : app->config->webhook_old_secret_file;
    if ((request->scopes & SRV_SCOPE_SUBMIT) != 0 && is_for(request, project))
        return NULL;
    if (!path && !project && incomplete(catalog))
        return unknown_now();
    if (!path)
        return srv_reply_problem(401, "no webhook_secret_file is configured for this; configure "
                                      "one, or send a token with the scope submit");
    g_auto(GStrv) secrets = read_secrets(path, old, &error);
    if (!secrets) {
        cfg_log("error", "hook", "no_secret", "reason=%s", error->message);
        return srv_reply_later("the webhook's secret cannot be read; see the log", FAULT_PAUSE_S);
    }
    /* Counted before it is looked at: a secret is a person's, so guesses may be right. */
    if (!srv_rate_take(app->unproved, request->client, g_get_monotonic_time()))
        return srv_reply_later("too many wrong signatures from this address", GUESSES_PAUSE_S);
    const int which = signed_with(request, provider, secrets, body, &error);
    if (which >= 0) {
        srv_rate_give(app->unproved, request->client, g_get_monotonic_time());
        if (which > 0)
            cfg_log("info", "hook", "old_secret", "client=%s provider=%s", request->client,
                    request->params[0]);
        return NULL;
    }
    cfg_log("warning", "hook", "refused", "client=%s provider=%s reason=%s", request->client,
            request->params[0], error->message);
    srv_app_refused(app, request, "wrong signature");
    return srv_reply_problem(401, error->message);
}

static srv_reply *state_reply(const char *state, const char *reason) {
    srv_reply *reply =
        srv_reply_json(200, json_pack("{s:s, s:s*}", "state", state, "reason", reason));
    reply->cache = "no-store";
    return reply;
}

/* Where this project opens issues in the repository that the body names: the channel, to g_free;
 * NULL: it opens none there. */
static char *issue_channel(const cfg_project *project, const srv_hook *hook) {
    const char *name = cfg_json_word(hook->pull, "repository", "");
    for (unsigned i = 0; i < project->notify_count; i++) {
        const cfg_notify *rule = &project->notify[i];
        if (rule->via == CFG_NOTIFY_GITHUB_ISSUE && rule->repository &&
            g_ascii_strcasecmp(rule->repository, name) == 0)
            return srv_notify_channel(rule);
    }
    return NULL;
}

static bool is_meant(const cfg_project *project, const srv_hook *hook, bool by_address) {
    if (hook->kind == SRV_HOOK_ISSUE) {
        g_autofree char *channel = issue_channel(project, hook);
        return channel && project->enabled; /* else nobody asks for it, and it waited for years */
    }
    if (hook->pull && project->pull_requests.minutes <= 0)
        return false;
    if (!project->enabled || (hook->branch && strcmp(hook->branch, project->branch) != 0))
        return false;
    for (guint i = 0; by_address && i < hook->urls->len; i++)
        if (srv_hook_same_repository(g_ptr_array_index(hook->urls, i), project->repository))
            return true;
    return !by_address;
}

static bool knows_repository(const srv_catalog *catalog, const srv_hook *hook) {
    for (guint i = 0; i < catalog->projects->len; i++) {
        const cfg_project *project = g_ptr_array_index(catalog->projects, i);
        for (guint k = 0; k < hook->urls->len; k++)
            if (srv_hook_same_repository(g_ptr_array_index(hook->urls, k), project->repository))
                return true;
    }
    return false;
}

/* In the address: a project, or the branch of it that the body names; of an issue, any of them. */
static bool is_named(const cfg_project *project, const cfg_project *named, const srv_hook *hook) {
    return !named || project == named ||
           ((hook->branch || hook->kind == SRV_HOOK_ISSUE) &&
            g_strcmp0(project->main, named->name) == 0);
}

/* What the poller is told; NULL: of a commit alone. */
static char *pull_of(const cfg_project *project, const srv_hook *hook) {
    json_auto_t *said = hook->pull ? json_copy(hook->pull) : NULL;
    g_autofree char *channel = hook->kind == SRV_HOOK_ISSUE ? issue_channel(project, hook) : NULL;
    if (channel)
        json_object_set_new(said, "channel", json_string(channel));
    return said ? cfg_json_text(said, 0) : NULL;
}

/* One delivery for each project that is meant. */
static GPtrArray *deliveries_of(const srv_catalog *catalog, const cfg_project *named,
                                const srv_hook *hook, const char *provider, const char *id) {
    GPtrArray *all = g_ptr_array_new_with_free_func(delivery_free);
    for (guint i = 0; i < catalog->projects->len; i++) {
        const cfg_project *project = g_ptr_array_index(catalog->projects, i);
        if (!is_named(project, named, hook) || !is_meant(project, hook, !named))
            continue;
        srv_delivery *delivery = g_new0(srv_delivery, 1);
        *delivery = (srv_delivery){.provider = g_strdup(provider),
                                   .id = g_strdup(id),
                                   .project = g_strdup(project->name),
                                   .sha = g_strdup(hook->sha),
                                   .pull = pull_of(project, hook)};
        g_ptr_array_add(all, delivery);
    }
    return all;
}

/* An issue answers an alert. A token may do so with the scope run alone, as everywhere. */
static bool may_answer(const srv_request *request, const cfg_project *named) {
    return (request->scopes & SRV_SCOPE_SUBMIT) == 0 || !is_for(request, named) ||
           (request->scopes & SRV_SCOPE_RUN) != 0;
}

/* NULL: it waits until the deliveries are on disk. */
static srv_reply *take(srv_app *app, srv_request *request, const srv_catalog *catalog,
                       const cfg_project *named, const srv_hook *hook, const char *id) {
    if (hook->kind == SRV_HOOK_PING)
        return state_reply("pong", NULL);
    if (hook->kind == SRV_HOOK_IGNORED)
        return state_reply("ignored", hook->reason);
    const bool of_issue = hook->kind == SRV_HOOK_ISSUE;
    if (of_issue && !may_answer(request, named))
        return srv_reply_problem(403, "an issue answers an alert: sign the delivery, or send a "
                                      "token with the scope run");
    const bool known = named || of_issue || knows_repository(catalog, hook);
    if (!known && incomplete(catalog))
        return unknown_now();
    if (!known)
        return srv_reply_problem(404, "no project watches this repository; add one, or name the "
                                      "project in the address: /api/v1/hooks/PROVIDER/PROJECT");
    GPtrArray *all = deliveries_of(catalog, named, hook, request->params[0], id);
    if (all->len == 0) {
        g_ptr_array_unref(all);
        return state_reply("ignored", of_issue ? "no project opens issues in this repository"
                                      : hook->pull
                                          ? "no project measures pull requests into this branch"
                                          : "not a branch that is watched");
    }
    request->held = all;
    if (hook_batch_add(app->hooks, request, all))
        return NULL;
    return srv_reply_problem(503, "too many requests are waiting; deliver it again");
}

static srv_reply *parse_and_take(srv_app *app, srv_request *request, const srv_catalog *catalog,
                                 const cfg_project *named, srv_hook_provider provider,
                                 GBytes *body) {
    GError *error = NULL;
    g_auto(srv_hook) hook = {0};
    g_autofree char *id = srv_hook_delivery(provider, body, header_of, request);
    json_auto_t *json = srv_hook_body(body, srv_request_header(request, "content-type"), &error);
    bool ok = json && srv_hook_read(provider, json, header_of, request, &hook, &error);
    return ok ? take(app, request, catalog, named, &hook, id) : srv_reply_error(error);
}

#define LISTED(name, word) ", " word

static srv_reply *unknown_provider(void) {
    static const char listed[] = SRV_HOOK_PROVIDERS(LISTED);
    g_autofree char *text = g_strconcat("unknown provider; hooks exist for ", listed + 2, NULL);
    return srv_reply_problem(404, text);
}

static srv_reply *post_hook(srv_app *app, srv_store *store, srv_request *request) {
    (void)store;
    srv_hook_provider provider;
    const char *name = request->params[1];
    if (!srv_hook_provider_of(request->params[0], &provider))
        return unknown_provider();
    g_autoptr(GBytes) body = request->body
                                 ? g_bytes_new_static(request->body->data, request->body->len)
                                 : g_bytes_new_static("", 0);
    g_autoptr(srv_catalog) catalog = srv_context_catalog(&app->context);
    const cfg_project *named = name ? srv_catalog_find(catalog, name) : NULL;
    srv_reply *reply = prove(app, request, catalog, named, provider, body);
    if (!reply && name && !named)
        reply = incomplete(catalog)
                    ? unknown_now()
                    : srv_reply_problem(404, "no project of that name is configured");
    else if (!reply)
        reply = parse_and_take(app, request, catalog, named, provider, body);
    return reply;
}

typedef struct {
    srv_request *request;
    GPtrArray *deliveries;
} entry;

struct srv_hook_batch {
    srv_app *app;
    pthread_mutex_t lock;
    GArray *entries;
    bool pushed; /* a flush is on its way */
};

srv_hook_batch *srv_hook_batch_new(srv_app *app) {
    srv_hook_batch *batch = g_new0(srv_hook_batch, 1);
    batch->app = app;
    batch->entries = g_array_new(FALSE, FALSE, sizeof(entry));
    pthread_mutex_init(&batch->lock, NULL);
    return batch;
}

void srv_hook_batch_free(srv_hook_batch *batch) {
    if (!batch)
        return;
    pthread_mutex_destroy(&batch->lock);
    g_array_unref(batch->entries);
    g_free(batch);
}

static srv_reply *taken(const GPtrArray *deliveries) {
    bool fresh = false;
    json_t *projects = json_array();
    for (guint i = 0; i < deliveries->len; i++) {
        const srv_delivery *delivery = g_ptr_array_index(deliveries, i);
        fresh = fresh || delivery->fresh;
        json_array_append_new(projects, json_string(delivery->project));
    }
    const srv_delivery *first = g_ptr_array_index(deliveries, 0);
    srv_reply *reply = srv_reply_json(fresh ? 202 : 200,
                                      json_pack("{s:s, s:s, s:s, s:o}", "state",
                                                fresh ? "taken" : "known", "delivery", first->id,
                                                "commit", first->sha, "projects", projects));
    reply->cache = "no-store";
    return reply;
}

/* The delivery is a good one, and its sender shall repeat it: the fault is here. */
static srv_reply *not_kept(const GError *error) {
    if (g_error_matches(error, SRV_ERROR, SRV_ERROR_FULL))
        return srv_reply_error(g_error_copy(error));
    cfg_log("error", "hook", "not_kept", "reason=%s", error->message);
    return srv_reply_later("the delivery could not be kept; the log says why", FAULT_PAUSE_S);
}

static void flush(srv_store *store, void *data) {
    srv_hook_batch *batch = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    pthread_mutex_lock(&batch->lock);
    g_autoptr(GArray) entries = batch->entries;
    batch->entries = g_array_new(FALSE, FALSE, sizeof(entry));
    batch->pushed = false;
    pthread_mutex_unlock(&batch->lock);
    for (guint i = 0; i < entries->len; i++) {
        const GPtrArray *deliveries = g_array_index(entries, entry, i).deliveries;
        for (guint k = 0; k < deliveries->len; k++)
            g_ptr_array_add(all, g_ptr_array_index(deliveries, k));
    }
    bool good = srv_delivery_take(store, all, &error);
    for (guint i = 0; good && i < all->len; i++) {
        const srv_delivery *delivery = g_ptr_array_index(all, i);
        if (delivery->fresh)
            srv_poller_kick(batch->app->poller, delivery->project);
    }
    for (guint i = 0; i < entries->len; i++) {
        entry next = g_array_index(entries, entry, i);
        srv_http_answer(next.request, good ? taken(next.deliveries) : not_kept(error));
    }
}

static bool hook_batch_add(srv_hook_batch *batch, srv_request *request, GPtrArray *deliveries) {
    entry next = {request, deliveries};
    SRV_HOLD(&batch->lock);
    bool room = batch->pushed || srv_work_push(batch->app->writer, flush, batch);
    batch->pushed = room;
    if (room)
        g_array_append_val(batch->entries, next);
    return room;
}

const srv_route srv__routes_hook[] = {
    {"POST", SRV_API "hooks/{}", SRV_SCOPE_NONE, SRV_RUN_READ, SRV_BODY_HOOK, .handler = post_hook,
     .completed = hook_completed, .query = SRV_QUERY_ANY},
    {"POST", SRV_API "hooks/{}/{}", SRV_SCOPE_NONE, SRV_RUN_READ, SRV_BODY_HOOK,
     .handler = post_hook, .completed = hook_completed, .query = SRV_QUERY_ANY},
    {0}};
