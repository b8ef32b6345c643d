#pragma once
/*
 * question - one repository is asked for news, and its answer is taken in: nights and deliveries
 * are queued, releases, announcements, culprits, pull requests and backports looked after, trouble
 * is told.
 */
#include "config/config.h"
#include "server/catalog.h"
#include "server/git/fetch.h"
#include "server/store/projects.h"
#include "server/store/store.h"

#include <jansson.h>
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

/** srv__question_ask - milliseconds until the next question; -1: it failed, which is told.
 * near  another project of the same branch that was asked just now, whose mirror has what the
 *       repository has; NULL: the repository is asked */
int64_t srv__question_ask(srv__asker *by, const cfg_project *project, const cfg_project *near,
                          srv__memory *m);

/* srv__commit_read - a commit as the git process describes it; borrows its strings; written
 * whole. Error: its answer is invalid. */
bool srv__commit_read(json_t *item, srv_commit *commit, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__question_texts - these texts as a list, owned; NULL: there are none. */
json_t *srv__question_texts(char *const *texts, unsigned count);

/*
 * releases - which of the measured commits carry a tag that makes them a release.
 */

/**
 * srv_releases_mark - make the project's releases exactly these.
 * releases   {"<commit's full id>": "<tag>"}; commits that the store does not know are passed
 *            over, earlier releases that are not among them are dropped. NULL: none
 */
bool srv_releases_mark(srv_store *store, const char *project, json_t *releases,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * backports - does a branch have the commits that changed the other branches of its project?
 */

/**
 * srv_backports_look - asks the branch for the commits behind the other branches' alerts, once for
 * each of its heads; a number at a time, the newest first. Reads mirrors only.
 * project  the branch; head: its newest commit as just fetched
 * Error: the store's, or that the poller ends. What git cannot say is asked again at another poll,
 * after the others.
 */
bool srv_backports_look(srv_context *context, srv_store *store, srv_fetch *fetch,
                        const cfg_project *project, const char *head,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * pulls - what webhooks said of pull requests is heard, and git is asked for the merge bases of
 * those that wait.
 */

/** srv_pulls_look - after the project's branch was fetched. Returns false with error: the store
 * failed, or the repository cannot be asked. */
bool srv_pulls_look(srv__asker *by, const cfg_project *project, int64_t now_ms,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
