#pragma once
/*
 * fetch - asks git things through a child process that can be killed.
 *
 * libgit2 has no network timeout, and a repository is a stranger's data: so the daemon never calls
 * it, a child does (fetch_helper.h), in a process group of its own, with a deadline for every
 * question. A child that is late is killed with its group; the next question starts a new one. One
 * srv_fetch belongs to one thread. The child lives until srv_fetch_rest, so that many repositories
 * cost one process start.
 */
#include <glib.h>
#include <jansson.h>

typedef struct srv_fetch srv_fetch;

/**
 * srv_fetch_new
 * program  path of moowatchd itself; copied
 * home     the child's HOME (config isolation, ssh's known_hosts); copied
 * stop_fd  becomes readable when the daemon ends: a question under way is given up (CANCELLED); -1:
 * none
 */
srv_fetch *srv_fetch_new(const char *program, const char *home, int stop_fd);
void srv_fetch_free(srv_fetch *fetch);

/**
 * srv_fetch_ask - one question, as in fetch_helper.h.
 * request     borrowed
 * timeout_ms  until the whole answer is there
 * Returns the answer (owned by the caller), or NULL with error in G_IO_ERROR: the helper's own
 * error sentence (FAILED), TIMED_OUT, or BROKEN_PIPE when it died.
 */
json_t *srv_fetch_ask(srv_fetch *fetch, json_t *request, int timeout_ms,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* How long to wait for an answer for which a host is asked. */
typedef struct {
    int connect_ms;                /* until the host has answered at all */
    int answer_ms;                 /* from then on, until the whole answer is there */
    int patience_ms;               /* after it silent is called, if the host has not answered */
    void (*silent)(void *user);    /* NULL: nobody wants to know */
    void (*connected)(void *user); /* nothing is transferred until it returns; NULL likewise */
    void *user;
} srv_fetch_wait;

/** srv_fetch_ask_host - as srv_fetch_ask, with a limit for the connection and one for the transfer.
 */
json_t *srv_fetch_ask_host(srv_fetch *fetch, json_t *request, const srv_fetch_wait *wait,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_fetch_rest - ends the child; the next question starts another. */
void srv_fetch_rest(srv_fetch *fetch);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_fetch, srv_fetch_free)
