#pragma once
/*
 * app - the daemon's parts and how they hang together. One per process.
 *
 * Started in the order of its members, ended in the reverse one. What changes while it runs (the
 * catalog, the time of the last lease) has its own lock.
 */
#include "server/auth.h"
#include "server/catalog.h"
#include "server/http/http.h"
#include "server/http/park.h"
#include "server/http/stream.h"
#include "server/ingest/raw_store.h"
#include "server/notify/notify.h"
#include "server/poll/poller.h"
#include "server/queue/artifact.h"
#include "server/queue/queue.h"
#include "server/routes/hook_batch.h"
#include "server/runner_child.h"
#include "server/timer.h"
#include "server/transfer/import_upload.h"
#include "server/views/histories.h"
#include "server/work.h"

#include <pthread.h>

typedef struct {
    const char *program; /* path of moowatchd itself, for its helpers */
    bool with_runner;
} srv_app_options;

struct srv_app {
    const cfg_server *config;
    srv_app_options options;
    char *database;
    char *mirrors; /* folder */
    int64_t started_ms;
    srv_queue_rules rules;
    int lock_fd;
    pthread_mutex_t lock; /* of the following two */
    srv_catalog *catalog;
    int64_t leased_us; /* monotonic time of the last lease, resume or heartbeat */
    srv_auth *auth;
    srv_http_tls *tls; /* NULL: plain HTTP */
    srv_rate *requests;
    srv_rate *failures;
    srv_raw_store *raw;
    srv_artifacts *artifacts;
    srv_imports *imports;
    srv_changes *changes; /* of the database */
    srv_histories *histories;
    srv_stream_hub *hub;
    srv_timer *timer;
    srv_park *leases;      /* runners that wait for a job */
    srv_hook_batch *hooks; /* webhooks on their way to the disk */
    srv_work *readers;
    srv_work *writer;
    srv_http_options http_options;
    srv_http *http;
    srv_notify *notify;
    srv_poller *poller;
    srv_runner_child *runner;
};

/** srv_app_start - config outlives the app. NULL with error; everything begun is ended again. */
srv_app *srv_app_start(const cfg_server *config, const srv_app_options *options,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_app_stop - ends everything: new requests refused, streams ended, workers joined. */
void srv_app_stop(srv_app *app);

/** srv_app_reload - reads the projects and the certificate again; on error the old ones stay. */
bool srv_app_reload(srv_app *app, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_app_catalog, srv_app_catalog_done - the projects of this moment, for as long as they are
 * held. */
srv_catalog *srv_app_catalog(srv_app *app);
void srv_app_catalog_done(srv_app *app, srv_catalog *catalog);

/** srv_app_store - a database connection whose events reach the streams; NULL with error. */
srv_store *srv_app_store(srv_app *app, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_app_leased - a runner holds a job: look after silent ones in time. Thread-safe. */
void srv_app_leased(srv_app *app);

/** srv_app_artifacts_changed - what waits or gets old is looked through soon. Thread-safe. */
void srv_app_artifacts_changed(srv_app *app);

/** srv_app_park_within - the park of waiting runners is looked through in ms milliseconds. */
void srv_app_park_within(srv_app *app, int64_t ms);

/** srv_app_mirror - path of a project's mirror; caller frees. */
char *srv_app_mirror(const srv_app *app, const char *project);

/** srv_app_now_ms - Unix milliseconds. */
int64_t srv_app_now_ms(void);
