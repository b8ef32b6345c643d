#include "server/site.h"

#include "config/json_text.h"
#include "config/log.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"
#include "server/ground/thread.h"
#include "server/views/views.h"

#include "web/site/site.h"

#include <gio/gio.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    LATEST_MS = 3600000,  /* a project that is never settled is shown by then */
    LOOK_MS = 60000,      /* nothing to do, or not for this server: looks again */
    RETRY_MS = 600000,    /* after a failure */
    LOWEST_PRIORITY = 19, /* it must not disturb who measures beside it */
};

struct srv_site {
    srv_context *context;
    srv_site_ask ask;
    void *user; /* of ask */
    srv_store *store;
    _Atomic(srv_timer *) timer; /* NULL: it does not run; its one slot looks */
    int64_t retry_us;           /* of its thread: not before, after a failure */
    atomic_bool stopping;
    pthread_mutex_t lock; /* of the following */
    GHashTable *projects; /* that changed; "": any */
    int64_t since_us;     /* when the first of them did */
    char *problem;        /* NULL: none */
};

void srv_site_look(srv_site *site) {
    srv_timer *timer = site ? atomic_load(&site->timer) : NULL;
    if (timer)
        srv_timer_within(timer, 0, 0);
}

void srv_site_changed(srv_site *site, const char *project) {
    if (!site)
        return;
    pthread_mutex_lock(&site->lock);
    if (g_hash_table_size(site->projects) == 0)
        site->since_us = g_get_monotonic_time();
    g_hash_table_add(site->projects, g_strdup(project ? project : ""));
    pthread_mutex_unlock(&site->lock);
    srv_site_look(site);
}

char *srv_site_problem(srv_site *site) {
    if (!site)
        return NULL;
    SRV_HOLD(&site->lock);
    return g_strdup(site->problem);
}

/* Takes problem; NULL: all is well. */
static void conclude(srv_site *site, char *problem) {
    if (problem)
        cfg_log("error", "site", "not_written", "folder=%s reason=%s",
                site->context->config->site.folder, problem);
    else
        cfg_log("info", "site", "written", "folder=%s", site->context->config->site.folder);
    SRV_HOLD(&site->lock);
    g_free(site->problem);
    site->problem = problem ? g_strconcat("site: ", problem, NULL) : NULL;
    g_free(problem);
}

static bool is_changed(srv_site *site) {
    SRV_HOLD(&site->lock);
    return g_hash_table_size(site->projects) > 0;
}

/* What has changed, [char*]; NULL: it is time whatever is under way. */
static char **waiting_for(srv_site *site) {
    SRV_HOLD(&site->lock);
    const bool late = g_hash_table_contains(site->projects, "") ||
                      g_get_monotonic_time() - site->since_us >= (int64_t)LATEST_MS * 1000;
    g_autofree char **keys =
        late ? NULL : (char **)g_hash_table_get_keys_as_array(site->projects, NULL);
    return g_strdupv(keys);
}

/* Has it nothing under way? One that is gone has not. */
static bool is_settled(srv_store *store, const char *name, bool *settled, GError **error) {
    g_autoptr(GError) wrong = NULL;
    json_auto_t *project = srv_view_project(store, name, &wrong);
    *settled = !project || cfg_json_true(project, "settled");
    if (project || g_error_matches(wrong, SRV_ERROR, SRV_ERROR_NOT_FOUND))
        return true;
    g_propagate_error(error, g_steal_pointer(&wrong));
    return false;
}

/* Is it time: has a project that changed nothing under way, or did they change long ago? Only those
 * that changed are asked about: this happens at each job that ends. */
static bool is_due(srv_site *site, srv_store *store, bool *due, GError **error) {
    g_auto(GStrv) names = waiting_for(site);
    bool good = true;
    *due = !names;
    for (char **name = names; name && *name && good && !*due; name++)
        good = is_settled(store, *name, due, error);
    return good;
}

/* What is written now has all that changed until now; who is not settled changes again. */
static void forget(srv_site *site) {
    SRV_HOLD(&site->lock);
    g_hash_table_remove_all(site->projects);
}

static GBytes *refuse(GError **error, const char *address, const srv_reply *reply) {
    const int code = reply->status < 500 ? WEB_SITE_ERROR_ABSENT : WEB_SITE_ERROR_ANSWER;
    g_autofree char *text =
        reply->body ? g_strndup(g_bytes_get_data(reply->body, NULL), g_bytes_get_size(reply->body))
                    : g_strdup("");
    return SRV__NULL(error, WEB_SITE_ERROR, code, "%s: %u %s", address, reply->status, text);
}

GBytes *srv_site_answer(void *question, const char *address, char **etag, GError **error) {
    const srv_site_question *q = question;
    g_autoptr(srv_reply) reply = q->ask(q->user, q->store, address);
    const bool same = *etag && g_strcmp0(*etag, reply->etag) == 0;
    g_free(*etag);
    *etag = g_strdup(reply->etag);
    if (reply->status != 200)
        return refuse(error, address, reply);
    return same ? NULL : g_bytes_ref(reply->body);
}

/* Nothing more is asked once the site is to stop. */
typedef struct {
    srv_site_question question;
    const srv_site *site;
} work;

static GBytes *answer_of(void *user, const char *address, char **etag, GError **error) {
    work *w = user;
    if (!atomic_load(&w->site->stopping))
        return srv_site_answer(&w->question, address, etag, error);
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the server ends");
    return NULL;
}

/* Why it failed, the caller's; NULL: it did not, or is to stop. */
static char *write_once(const srv_site *site, srv_store *store) {
    const cfg_server *config = site->context->config;
    work w = {{site->ask, site->user, store}, site};
    g_autoptr(GError) error = NULL;
    const web_site_options how = {.folder = config->site.folder,
                                  .base = config->site.base,
                                  .asks = config->public_details ? "details" : NULL,
                                  .now_ms = srv_now_ms(),
                                  .ask = answer_of,
                                  .user = &w};
    return web_site_write(&how, NULL, &error) || atomic_load(&site->stopping)
               ? NULL
               : g_strdup(error->message);
}

/* When there is something to do and it is this server's; how long to wait then. */
static int look(srv_site *site, srv_store *store) {
    g_autoptr(GError) error = NULL;
    /* a job's progress alone is no reason to ask about any */
    if (!srv_leader_leads(site->context->leader) || !is_changed(site))
        return LOOK_MS;
    bool due;
    char *problem = NULL;
    if (!is_due(site, store, &due, &error))
        problem = g_strdup(error->message);
    else if (!due)
        return LOOK_MS;
    else {
        forget(site);
        problem = write_once(site, store);
    }
    if (atomic_load(&site->stopping))
        return 0;
    const bool failed = problem != NULL;
    conclude(site, problem);
    if (failed)
        srv_site_changed(site, NULL);
    return failed ? RETRY_MS : LATEST_MS;
}

static void look_now(void *user) {
    srv_site *site = user;
    int64_t ms = (site->retry_us - g_get_monotonic_time()) / 1000;
    /* After a failure nights that come are no reason to try again sooner. */
    if (ms <= 0) {
        (void)setpriority(PRIO_PROCESS, (id_t)gettid(), LOWEST_PRIORITY); /* of this thread */
        ms = look(site, site->store);
        site->retry_us = ms == RETRY_MS ? g_get_monotonic_time() + ms * 1000 : 0;
    }
    srv_timer_within(site->timer, 0, ms);
}

void srv_site_free(srv_site *site) {
    if (!site)
        return;
    srv_site_stop(site);
    srv_timer_free(site->timer);
    pthread_mutex_destroy(&site->lock);
    g_hash_table_unref(site->projects);
    g_free(site->problem);
    g_free(site);
}

srv_site *srv_site_new(srv_context *context) {
    srv_site *site = g_new0(srv_site, 1);
    site->context = context;
    site->projects = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    pthread_mutex_init(&site->lock, NULL);
    srv_site_changed(site, NULL);
    return site;
}

bool srv_site_run(srv_site *site, srv_site_ask ask, void *user, GError **error) {
    site->ask = ask;
    site->user = user;
    site->store = srv_context_store(site->context, error);
    srv_timer *timer = site->store ? srv_timer_new("site", look_now, site, error) : NULL;
    atomic_store(&site->timer, timer);
    srv_site_look(site);
    return timer != NULL;
}

void srv_site_stop(srv_site *site) {
    if (!site)
        return;
    atomic_store(&site->stopping, true);
    srv_timer_stop(site->timer);
    g_clear_pointer(&site->store, srv_store_close);
}
