#pragma once
/*
 * question - one repository is asked for news, and its answer is taken in: nights and deliveries
 * are queued, releases, announcements, culprits, pull requests and backports looked after, trouble
 * is told.
 */
#include "server/context.h"
#include "server/git/fetch.h"

#include <stdint.h>

/* What is remembered of a repository between two questions. */
typedef struct srv__memory srv__memory;
srv__memory *srv__memory_new(void);
void srv__memory_free(srv__memory *m);

/* Who asks, of one thread. */
typedef struct srv__asker {
    srv_context *context;
    srv_fetch *fetch;
    srv_fetch_wait wait;                       /* for a host */
    srv_store *store;                          /* may be lent to others while a host is silent */
    bool (*store_back)(struct srv__asker *by); /* it is there again; false: the end comes */
    void (*again)(struct srv__asker *by, const char *project); /* ask soon once more */
} srv__asker;

/** srv__question_ask_host - as srv_fetch_ask_host; the answer with a store, which may be another
 * one. CANCELLED: the end has come. */
json_t *srv__question_ask_host(srv__asker *by, json_t *request,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv__question_ask - milliseconds until the next question; -1: it failed, which is told. */
int64_t srv__question_ask(srv__asker *by, const cfg_project *project, srv__memory *m);
