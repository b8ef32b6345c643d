#pragma once
/*
 * site - keeps the server's pages as files (`site:`): after every night, once its project is
 * settled, the program moowatch writes what changed. A child at the lowest priority, ended after
 * half an hour; on the server that leads. What goes wrong is in the log and in the status, and is
 * tried again in ten minutes.
 */
#include "server/context.h"

typedef struct srv_site srv_site;

/**
 * srv_site_new - nothing is written yet.
 * context  borrowed; its config has a site, and its program moowatch beside it, in ../ci or in
 *          ../bin
 * srv_site_run - from now on; whatever is there already is written at once. url: the server's own.
 */
srv_site *srv_site_new(srv_context *context, GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv_site_run(srv_site *site, const char *url, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_site_changed - a night or an alert of a project came, NULL: of any. srv_site_look - jobs
 * have ended: projects may be settled now. Thread-safe; site NULL: nothing. */
void srv_site_changed(srv_site *site, const char *project);
void srv_site_look(srv_site *site);

/** srv_site_problem - why the last write failed, "site: …"; owned, NULL: it did not. Thread-safe;
 * site NULL: NULL. */
char *srv_site_problem(srv_site *site);

/** srv_site_stop - ends the child and writes no more. srv_site_free - when nobody calls it any
 * more. NULL is fine. */
void srv_site_stop(srv_site *site);
void srv_site_free(srv_site *site);
