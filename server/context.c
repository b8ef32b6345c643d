#include "server/context.h"

char *srv_context_database(const cfg_server *config) {
    return config->database ? g_strdup(config->database)
                            : g_build_filename(config->data_dir, "moowatch.db", NULL);
}

void srv_context_init(srv_context *context, const cfg_server *config, const char *program) {
    *context = (srv_context){
        .config = config,
        .program = program,
        .database = srv_context_database(config),
        .mirrors = g_build_filename(config->shared_dir ? config->shared_dir : config->data_dir,
                                    "mirrors", NULL),
    };
    pthread_mutex_init(&context->lock, NULL);
}

void srv_context_clear(srv_context *context) {
    srv_catalog_free(context->catalog);
    pthread_mutex_destroy(&context->lock);
    g_free(context->database);
    g_free(context->mirrors);
    g_free(context->fault);
}

void srv_context_failed(srv_context *context, const char *why, int64_t now_ms) {
    pthread_mutex_lock(&context->lock);
    context->faults++;
    context->fault_ms = now_ms;
    g_free(context->fault);
    context->fault = g_strdup(why);
    pthread_mutex_unlock(&context->lock);
}

srv_store *srv_context_store(const srv_context *context, GError **error) {
    srv_store *store = srv_store_open(context->database, error);
    if (store)
        srv_store_on_event(store, context->on_event, context->on_event_user);
    return store;
}

srv_catalog *srv_context_catalog(srv_context *context) {
    pthread_mutex_lock(&context->lock);
    srv_catalog *catalog = context->catalog;
    catalog->references++;
    pthread_mutex_unlock(&context->lock);
    return catalog;
}

void srv_context_catalog_done(srv_context *context, srv_catalog *catalog) {
    pthread_mutex_lock(&context->lock);
    bool last = --catalog->references == 0;
    pthread_mutex_unlock(&context->lock);
    if (last)
        srv_catalog_free(catalog);
}

void srv_context_catalog_set(srv_context *context, srv_catalog *catalog) {
    pthread_mutex_lock(&context->lock);
    srv_catalog *old = context->catalog;
    context->catalog = catalog;
    pthread_mutex_unlock(&context->lock);
    if (old)
        srv_context_catalog_done(context, old);
}

char *srv_context_mirror(const srv_context *context, const char *project) {
    g_autofree char *name = g_strconcat(project, ".git", NULL);
    return g_build_filename(context->mirrors, name, NULL);
}
