#include "server/poll/poller.h"

#include "config/log.h"
#include "server/git/fetch.h"
#include "server/ground/clock.h"
#include "server/ground/thread.h"
#include "server/poll/question.h"
#include "server/store/changes.h"

#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum {
    PATIENCE_MS = 500,   /* then a host that has not answered waits without a place */
    SILENT_MAX = 28,     /* so many may wait so */
    REST_AFTER_MS = 5000 /* the git process is not kept over a longer pause */
};

/* Who asks takes a place for as long as he works or something is transferred. A host that does not
 * answer has none meanwhile, so that SILENT_MAX of those hold up nobody; one more of them takes a
 * thread that others need. */
struct srv_poller {
    srv_context *context;
    int stop_fd;
    pthread_mutex_t lock;   /* of all that follows */
    pthread_cond_t changed; /* something to do, for an idle thread */
    pthread_cond_t placed;  /* a place, for one that needs it */
    uint64_t changes;
    GHashTable *kicked; /* names; "" means all */
    bool ending;
    int64_t watched_ms; /* an idle thread waits for what is due then; INT64_MAX: none does */
    srv__turns *turns;
    GHashTable *memories;   /* name → srv__memory, which is of who asks */
    GPtrArray *places;      /* srv_store of those that are free */
    GArray *threads;        /* pthread_t */
    unsigned idle, waiting; /* threads without a repository; without a place, which they need */
};

/* A thread that asks one repository after the other; without a store it has no place. */
typedef struct {
    srv__asker ask; /* first: one is the other */
    srv_poller *poller;
} asker;

static void *ask_in_turn(void *data);

/* With the lock held. */
static srv__memory *remember(srv_poller *poller, const char *project) {
    srv__memory *m = g_hash_table_lookup(poller->memories, project);
    if (!m) {
        m = srv__memory_new();
        g_hash_table_insert(poller->memories, g_strdup(project), m);
    }
    return m;
}

/* With the lock held. */
static bool start_one(srv_poller *poller, GError **error) {
    pthread_t thread;
    if (!srv_thread_start(&thread, "poller", ask_in_turn, poller, error))
        return false;
    g_array_append_val(poller->threads, thread);
    poller->idle++;
    return true;
}

/* There may be something to do: an idle thread looks, or a new one. With the lock held. */
static void call_one(srv_poller *poller) {
    g_autoptr(GError) error = NULL;
    const unsigned most = poller->context->config->fetch_parallel + SILENT_MAX;
    poller->changes++;
    if (poller->idle > 0)
        pthread_cond_signal(&poller->changed);
    else if (!poller->ending && poller->threads->len < most && !start_one(poller, &error))
        cfg_log("warning", "poller", "no_thread", "reason=%s", error->message);
}

/* With the lock held, when there is one. */
static void place_have(asker *by) {
    GPtrArray *places = by->poller->places;
    by->ask.store = g_ptr_array_steal_index_fast(places, places->len - 1);
}

/* Takes a place as soon as there is one; false when the end comes first. */
static bool place_take(srv__asker *ask) {
    asker *by = (asker *)ask;
    srv_poller *poller = by->poller;
    SRV_HOLD(&poller->lock);
    poller->waiting++;
    while (!by->ask.store && poller->places->len == 0 && !poller->ending)
        pthread_cond_wait(&poller->placed, &poller->lock);
    poller->waiting--;
    if (!by->ask.store && poller->places->len > 0)
        place_have(by);
    return by->ask.store != NULL;
}

/* With the lock held. */
static void place_give(asker *by) {
    srv_poller *poller = by->poller;
    if (!by->ask.store)
        return;
    g_ptr_array_add(poller->places, by->ask.store);
    by->ask.store = NULL;
    if (poller->waiting > 0)
        pthread_cond_signal(&poller->placed);
    else
        call_one(poller);
}

static void host_is_silent(void *user) {
    asker *by = user;
    SRV_HOLD(&by->poller->lock);
    place_give(by);
}

static void host_has_answered(void *user) {
    (void)place_take(user); /* when the end comes first, the question is given up next */
}

/* Makes what was kicked due now. With the lock held. */
static void take_kicks(srv_poller *poller) {
    GHashTableIter each;
    void *name = NULL;
    g_hash_table_iter_init(&each, poller->kicked);
    while (g_hash_table_iter_next(&each, &name, NULL))
        srv__turns_kick(poller->turns, *(const char *)name == '\0' ? NULL : name);
    g_hash_table_remove_all(poller->kicked);
}

/* Until something changes, or, when nobody waits for it yet, until then. With the lock held, but
 * not while the git process ends. */
static void wait_until(asker *by, uint64_t changes, int64_t due_ms) {
    srv_poller *poller = by->poller;
    const struct timespec until = {.tv_sec = due_ms / 1000, .tv_nsec = due_ms % 1000 * 1000000};
    if (due_ms >= poller->watched_ms || due_ms - srv_monotonic_ms() > REST_AFTER_MS) {
        pthread_mutex_unlock(&poller->lock); /* it waits for the process to be gone */
        srv_fetch_rest(by->ask.fetch);
        pthread_mutex_lock(&poller->lock);
    }
    const bool watches = due_ms < poller->watched_ms;
    if (poller->changes != changes || poller->ending)
        return;
    if (!watches) {
        pthread_cond_wait(&poller->changed, &poller->lock);
        return;
    }
    poller->watched_ms = due_ms;
    pthread_cond_timedwait(&poller->changed, &poller->lock, &until);
    if (poller->watched_ms == due_ms)
        poller->watched_ms = INT64_MAX;
}

/* Another server polls: whoever was kicked here is asked there. With the lock held, but not
 * meanwhile. */
static void pass_on(asker *by) {
    srv_poller *poller = by->poller;
    GHashTableIter each;
    void *name = NULL;
    g_autoptr(GHashTable) kicked = poller->kicked;
    poller->kicked = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    place_have(by);
    pthread_mutex_unlock(&poller->lock);
    g_hash_table_iter_init(&each, kicked);
    while (g_hash_table_iter_next(&each, &name, NULL)) {
        g_autoptr(GError) error = NULL;
        if (!srv_peers_ask(by->ask.store, name, &error))
            cfg_log("warning", "poll", "not_passed_on", "project=%s reason=%s", (const char *)name,
                    error->message);
    }
    pthread_mutex_lock(&poller->lock);
    place_give(by);
}

/* With the lock held, but not while it is asked. */
static bool ask_one(asker *by, const cfg_project *project, const cfg_project *near) {
    srv_poller *poller = by->poller;
    const int64_t poll_ms = (int64_t)poller->context->config->poll_s * 1000;
    srv__memory *m = remember(poller, project->name);
    pthread_mutex_unlock(&poller->lock);
    const int64_t wait_ms = srv__question_ask(&by->ask, project, near, m);
    pthread_mutex_lock(&poller->lock);
    srv__turns_end(poller->turns, project, srv_monotonic_ms(), wait_ms < 0 ? poll_ms : wait_ms,
                   wait_ms < 0);
    return wait_ms >= 0;
}

/* All of one branch: the repository is asked until it has answered once. With the lock held, but
 * not meanwhile. */
static void take_turn(asker *by, const GArray *projects) {
    srv_poller *poller = by->poller;
    const cfg_project *near = NULL;
    place_have(by);
    poller->idle--;
    call_one(poller); /* for what else is due */
    for (guint i = 0; i < projects->len && !poller->ending; i++) {
        const cfg_project *project = g_array_index(projects, const cfg_project *, i);
        if (ask_one(by, project, near))
            near = project;
    }
    poller->idle++;
    place_give(by);
}

/* Asks the next repository that is due; else the time until which there is none. With the lock
 * held. */
static int64_t ask_next(asker *by, const srv_catalog *catalog) {
    srv_poller *poller = by->poller;
    int64_t due_ms = INT64_MAX;
    g_autoptr(GArray) projects = g_array_new(FALSE, FALSE, sizeof(const cfg_project *));
    if (poller->places->len == 0)
        return INT64_MAX;
    if (srv_leader_leads(poller->context->leader)) {
        take_kicks(poller);
        (void)srv__turns_next(poller->turns, catalog, srv_monotonic_ms(), projects, &due_ms);
    } else if (g_hash_table_size(poller->kicked) > 0)
        pass_on(by);
    if (projects->len == 0)
        return due_ms;
    take_turn(by, projects);
    return 0;
}

static void ask_again(srv__asker *by, const char *project) {
    srv_poller_kick(((asker *)by)->poller, project);
}

static void asker_init(asker *by, srv_poller *poller) {
    srv_context *context = poller->context;
    *by = (asker){.poller = poller,
                  .ask = {.context = context,
                          .wait = {.connect_ms = (int)context->config->fetch_connect_s * 1000,
                                   .answer_ms = (int)context->config->fetch_timeout_s * 1000,
                                   .patience_ms = PATIENCE_MS,
                                   .silent = host_is_silent,
                                   .connected = host_has_answered,
                                   .user = by},
                          .store_back = place_take,
                          .again = ask_again}};
    by->ask.fetch = srv_fetch_new(context->program, context->config->data_dir, poller->stop_fd);
}

static void *ask_in_turn(void *data) {
    srv_poller *poller = data;
    asker by;
    asker_init(&by, poller);
    pthread_mutex_lock(&poller->lock);
    while (!poller->ending) {
        const uint64_t changes = poller->changes;
        pthread_mutex_unlock(&poller->lock);
        srv_catalog *catalog = srv_context_catalog(poller->context);
        pthread_mutex_lock(&poller->lock);
        const int64_t due_ms = poller->ending ? 0 : ask_next(&by, catalog);
        pthread_mutex_unlock(&poller->lock);
        srv_catalog_free(catalog);
        pthread_mutex_lock(&poller->lock);
        if (due_ms > 0)
            wait_until(&by, changes, due_ms);
    }
    pthread_mutex_unlock(&poller->lock);
    srv_fetch_free(by.ask.fetch);
    return NULL;
}

static void release(srv_poller *poller) {
    if (poller->stop_fd >= 0)
        close(poller->stop_fd);
    g_hash_table_unref(poller->kicked);
    g_hash_table_unref(poller->memories);
    g_ptr_array_unref(poller->places);
    g_array_unref(poller->threads);
    srv__turns_free(poller->turns);
    pthread_cond_destroy(&poller->changed);
    pthread_cond_destroy(&poller->placed);
    pthread_mutex_destroy(&poller->lock);
    g_free(poller);
}

static void memory_free(void *m) {
    srv__memory_free(m);
}

static void store_close(void *store) {
    srv_store_close(store);
}

/* A connection to the database for each place. */
static bool open_places(srv_poller *poller, GError **error) {
    for (unsigned i = 0; i < poller->context->config->fetch_parallel; i++) {
        srv_store *store = srv_context_store(poller->context, error);
        if (!store)
            return false;
        g_ptr_array_add(poller->places, store);
    }
    return true;
}

srv_poller *srv_poller_start(srv_context *context, GError **error) {
    srv_poller *poller = g_new0(srv_poller, 1);
    poller->context = context;
    poller->stop_fd = eventfd(0, EFD_CLOEXEC);
    poller->watched_ms = INT64_MAX;
    poller->kicked = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    poller->memories = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, memory_free);
    poller->places = g_ptr_array_new_with_free_func(store_close);
    poller->threads = g_array_new(FALSE, FALSE, sizeof(pthread_t));
    poller->turns = srv__turns_new((int64_t)context->config->poll_s * 1000);
    pthread_mutex_init(&poller->lock, NULL);
    srv_thread_cond_init(&poller->changed);
    srv_thread_cond_init(&poller->placed);
    cfg_log("info", "poller", "git", "landlock=%d", srv_confine_version());
    /* the thread may call others before this one has noted it */
    pthread_mutex_lock(&poller->lock);
    const bool good = open_places(poller, error) && start_one(poller, error);
    pthread_mutex_unlock(&poller->lock);
    if (good)
        return poller;
    release(poller);
    return NULL;
}

void srv_poller_kick(srv_poller *poller, const char *project) {
    SRV_HOLD(&poller->lock);
    g_hash_table_add(poller->kicked, g_strdup(project ? project : ""));
    call_one(poller);
}

void srv_poller_stop(srv_poller *poller) {
    if (!poller)
        return;
    pthread_mutex_lock(&poller->lock);
    poller->ending = true;
    pthread_cond_broadcast(&poller->changed);
    pthread_cond_broadcast(&poller->placed);
    pthread_mutex_unlock(&poller->lock);
    eventfd_write(poller->stop_fd, 1);
    /* no other one is started any more */
    for (guint i = 0; i < poller->threads->len; i++)
        pthread_join(g_array_index(poller->threads, pthread_t, i), NULL);
    g_array_set_size(poller->threads, 0);
}

void srv_poller_free(srv_poller *poller) {
    if (poller)
        release(poller);
}
