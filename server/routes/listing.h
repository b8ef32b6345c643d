#pragma once
/*
 * listing - what all calls about a list, or about one thing by its number, share.
 */
#include "server/app.h"
#include "server/http/reply.h"
#include "server/http/route.h"
#include "server/views/views.h"

/* srv__page_asked - the query's limit and cursor; borrowed from the request. INVALID. */
bool srv__page_asked(const srv_request *request, srv_page *page,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__reply_view - a view's JSON, or its error. Takes both. */
srv_reply *srv__reply_view(json_t *value, GError *error);

typedef json_t *(*srv__view_page)(srv_store *store, const char *project, srv_page page,
                                  GError **error);
typedef json_t *(*srv__view_one)(srv_store *store, int64_t id, GError **error);

/* srv__reply_page - a page of the list of the project that the address names first.
 * srv__reply_one - the thing whose number the address names first. */
srv_reply *srv__reply_page(srv_store *store, const srv_request *request, srv__view_page view);
srv_reply *srv__reply_one(srv_store *store, const srv_request *request, srv__view_one view);

typedef bool (*srv__withdraw)(srv_store *store, int64_t id, const char *author, const char *reason,
                              int64_t now_ms, GError **error);

/* srv__reply_withdrawn - what somebody said, whose number the address names first, is taken back
 * for the body's "reason"; {noun: number}. */
srv_reply *srv__reply_withdrawn(srv_store *store, srv_request *request, const char *noun,
                                srv__withdraw withdraw);

/* remote - what waits for the bucket has threads of its own, so that nobody else waits with it. */

typedef srv_reply *(*srv__remote_act)(srv_app *app, srv_store *store, srv_request *request);

/**
 * srv__remotely - for a handler: answers by act, on this thread where nothing is remote; else act
 * runs on one of those threads, and NULL (answered later) is returned, or why there is no room.
 */
srv_reply *srv__remotely(srv_app *app, srv_store *store, srv_request *request, srv__remote_act act);

/* raw_csv - a stored raw file, unpacked while it is sent. Memory: 1 MiB a download. */

/** srv_raw_csv - takes fd over; a broken file ends the download with an error. */
srv_reply_source srv_raw_csv(int fd);
