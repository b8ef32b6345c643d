#pragma once
/*
 * app - the daemon's parts, and what they do without being asked: when something changed, and when
 * it is time. One per process. Requests get it (http/route.h); daemon.h starts and ends it.
 */
#include "server/catalog.h"
#include "server/ground/auth.h"
#include "server/ground/refusals.h"
#include "server/ground/spawn.h"
#include "server/ground/thread.h"
#include "server/http/http.h"
#include "server/http/longpoll.h"
#include "server/http/stream.h"
#include "server/ingest/raw_store.h"
#include "server/notify/notify.h"
#include "server/poll/poller.h"
#include "server/queue/artifact.h"
#include "server/queue/queue.h"
#include "server/retention/retention.h"
#include "server/site.h"
#include "server/store/changes.h"
#include "server/transfer/export.h"
#include "server/views/histories.h"
#include "server/work.h"

typedef struct srv_hook_batch srv_hook_batch; /* routes/hook_batch.h */

struct srv_app {
    srv_context context;
    const cfg_server *config; /* the context's */
    const char *commit;       /* of the program; "" or NULL: not known */
    int64_t started_ms;
    srv_queue_rules rules;
    int lock_fd;
    pthread_mutex_t lock; /* of the following one */
    int64_t leased_us;    /* monotonic time of the last lease, resume or heartbeat */
    srv_auth *auth;
    srv_identities *identities;
    srv_http_tls *tls;      /* NULL: plain HTTP */
    srv_refusals *refusals; /* not written down yet */
    srv_rate *requests;
    srv_rate *failures;
    srv_rate *unproved; /* webhooks whose signature was wrong, or is just looked at */
    srv__place *raw;
    srv_artifacts *artifacts;
    srv_retention *retention; /* of raw */
    atomic_bool sweeping;     /* of srv_tidy */
    srv__place *imports;
    srv_changes *changes; /* of the database */
    srv_leader *leader;
    srv_peers *peers; /* the other servers; NULL: the database is a file */
    srv_histories *histories;
    srv_stream_hub *hub;
    srv_timer *timer;
    srv_longpoll *leases;  /* runners that wait for a job */
    srv_hook_batch *hooks; /* webhooks on their way to the disk */
    srv_work *readers;
    srv_work *expensive; /* reads too, one at a time: what is expensive */
    srv_work *writer;
    srv_work *takers;   /* of results */
    srv_work *remote;   /* what waits for the bucket; NULL: there is none */
    srv_bucket *bucket; /* likewise */
    srv_http_options http_options;
    srv_http *http;
    srv_notify *notify;
    srv_poller *poller;
    srv_runner_child *runner;
    srv_site *site; /* NULL: none is wanted */
};

/* What is done without being asked, when it is time. */
typedef enum {
    SRV_DUE_LEASES,    /* the runners that wait for a job are looked through */
    SRV_DUE_STREAMS,   /* every stream gets a sign of life */
    SRV_DUE_SILENT,    /* jobs of silent runners are taken back */
    SRV_DUE_ARTIFACTS, /* what waits for one, or gets old */
    SRV_DUE_ALERTS,    /* those that have aged */
    SRV_DUE_REFUSALS,  /* are written down */
    SRV_DUE_USES,      /* likewise, of tokens */
    SRV_DUE_STORAGE,   /* raw data that may go */
    SRV_DUE_COUNT
} srv_app_task;

/** srv_app_due - in so many milliseconds, unless it is due earlier. Thread-safe. */
void srv_app_due(srv_app *app, srv_app_task task, int64_t ms);

/** srv_app_leased - a runner holds a job: look after silent ones in time. Thread-safe. */
void srv_app_leased(srv_app *app);

/** srv_app_refused - a request (of an srv_app) was refused; why: in few plain words. Counted,
 * written into the log and the audit log. Thread-safe. */
void srv_app_refused(void *app, const srv_request *request, const char *why);

/* For daemon.c alone. The timer, with what it is for; what the listener tells of (options' app is
 * an srv_app): streams, uses of tokens, refusals, and answers 500 and 507, which are kept for who
 * runs it; something has changed. */
bool srv__app_timer_start(srv_app *app, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv__app_hear(srv_http_options *options);
void srv__app_event(srv_store *store, srv_event what, int64_t id, void *app);
/* Another server asks for a project to be polled; this server has begun to lead. */
void srv__app_asked(const char *project, void *app);
void srv__app_leads(void *app);
