#pragma once
/*
 * site - keeps the server's pages as files (`site:`, web/site/site.h): after every night, once its
 * project is settled, a thread of its own at the lowest priority writes what changed. On the server
 * that leads. What goes wrong is in the log and in the status, and is tried again in ten minutes.
 */
#include "server/catalog.h"
#include "server/http/reply.h"

typedef struct srv_site srv_site;

/** srv_site_ask - what this server answers to GET address; owned. */
typedef srv_reply *(*srv_site_ask)(void *user, srv_store *store, const char *address);

/* Who is asked for the files of a site. */
typedef struct {
    srv_site_ask ask;
    void *user; /* of ask */
    srv_store *store;
} srv_site_question;

/** srv_site_answer - as web_site_ask; question: an srv_site_question. */
GBytes *srv_site_answer(void *question, const char *address, char **etag,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_site_new - nothing is written yet. context: borrowed; its config has a site.
 * srv_site_run - from now on; what has changed already is written at once.
 */
srv_site *srv_site_new(srv_context *context);
bool srv_site_run(srv_site *site, srv_site_ask ask, void *user,
                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_site_changed - a night or an alert of a project came, NULL: of any. srv_site_look - jobs
 * have ended: projects may be settled now. Thread-safe; site NULL: nothing. */
void srv_site_changed(srv_site *site, const char *project);
void srv_site_look(srv_site *site);

/** srv_site_problem - why the last write failed, "site: …"; owned, NULL: it did not. Thread-safe;
 * site NULL: NULL. */
char *srv_site_problem(srv_site *site);

/** srv_site_stop - ends after the answer that is asked for, and writes no more. srv_site_free -
 * when nobody calls it any more. NULL is fine. */
void srv_site_stop(srv_site *site);
void srv_site_free(srv_site *site);
