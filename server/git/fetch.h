#pragma once
/*
 * fetch - asks git things through a child process that can be killed.
 *
 * libgit2 has no network timeout, and a repository is a stranger's data: so the daemon never calls
 * it, a child does (fetch_helper.c), in a process group of its own, with a deadline for every
 * question. A child that is late is killed with its group; the next question starts a new one. One
 * srv_fetch belongs to one thread. The child lives until srv_fetch_rest, so that many repositories
 * cost one process start.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

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
 * srv_fetch_ask - one question, as below.
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

/*
 * fetch_helper - the other end of fetch.h: the process that talks to git.
 *
 * One JSON object a line on standard input, one answer a line on standard output, until the input
 * ends:
 *   {"op": "poll", "mirror", "url", "near": path|null, "branch", "known": sha|null, "force": bool,
 *    "night_at", "schedule", "time_zone", "since": date|null, "brand_new": bool, "now_s",
 *    "ssh_key_file": path|null, "ssh_host_fingerprints": ["SHA256:…"]|null}
 *     → {"head", "unchanged": bool, "rewritten": bool, "nights": [{"date", "commit": C}],
 *        "idle": patterns of paths that match nothing}
 *   {"op": "describe", "mirror", "commit"} → {"commit": C}
 *   {"op": "between", "mirror", "branch", "from", "to", "limit", "cut": bool}
 *     → {"commits": [C after from up to to, oldest first], "total", "reason": why there is none};
 *       more than the limit: none, or with cut the newest of them
 * With "tells": true a question for which a host is asked is answered twice: SRV_FETCH_CONNECTED
 * comes once, as soon as the host has answered, and nothing is transferred before an empty line has
 * come for it; a second one ends the child. C is {"sha", "author", "author_email", "time_ms",
 * "subject", "parent"}. Errors are
 * {"error": sentence}. The addresses come by standard input so that no password is ever seen in the
 * process list.
 */

#define SRV_FETCH_CONNECTED "{\"connected\":true}\n"

/** srv_fetch_helper_main - serves until the input ends; returns the exit status. */
int srv_fetch_helper_main(void);

/*
 * confine - what a process that reads a stranger's repository may touch.
 *
 * Landlock (Linux 5.13) holds whoever has taken over the process to one folder: it runs no program,
 * writes nothing beside that folder, and reads only what is named and what TLS, names of hosts and
 * their clocks need of the system. From version 4 it listens to no TCP port, and connects to none
 * where it need not; from version 6 no signal and no abstract socket reaches another process. A
 * kernel without Landlock confines nothing.
 */

typedef struct {
    const char *folder;       /* read and written; it is there */
    const char *const *reads; /* NULL-ended; files and folders, those not there are passed over */
    bool reads_all, connects;
} srv_confinement;

/** srv_confine_version - of the kernel's Landlock; 0: none. */
int srv_confine_version(void);
