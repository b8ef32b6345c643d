#pragma once
/*
 * client - the runner's side of HTTP: JSON calls and uploads to one server, with its token.
 *
 * TLS is verified, redirects are not followed (they would carry the token away), answers are
 * bounded. A call is made once; who repeats it, and when, is the caller's business.
 */
#include "runner/process/process.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct run_client run_client;

#define RUN_ANSWER_BYTES_MAX (8u * 1024 * 1024) /* a job with 64 configurations is far below */

typedef struct {
    long status;  /* HTTP */
    json_t *body; /* parsed JSON object of a 2xx answer, else NULL; owned */
    char *detail; /* of an error answer: what the server says, bounded, one line; else NULL */
} run_answer;
void run_answer_clear(run_answer *answer);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(run_answer, run_answer_clear)

/**
 * run_client_new - for a base URL and a token.
 * token    NULL: calls have none, as to a registry of packages
 * stop_fd  run_stop_open or -1: ends a waiting call
 * Returns NULL with RUN_ERROR_JOB when the URL is not http(s).
 */
run_client *run_client_new(const char *server, const char *token, int stop_fd,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
void run_client_free(run_client *client);

/**
 * run_client_post - JSON out, JSON back.
 * path       from the root, e.g. RUN_PATH_LEASE
 * timeout_s  for the whole call
 * Returns false with RUN_ERROR_AWAY when there was no HTTP answer, RUN_ERROR_STOPPED when the
 * agent was told to stop; any HTTP answer is true.
 */
bool run_client_post(run_client *client, const char *path, json_t *body, unsigned timeout_s,
                     run_answer *answer, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_client_put_file - uploads a file with the lease header; gives up when nothing moves for 60
 * s. */
bool run_client_put_file(run_client *client, const char *path, const char *lease, const char *file,
                         run_answer *answer, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A file to be fetched. */
typedef struct {
    const char *path;
    int fd;                /* open for writing, at its start */
    uint64_t bytes_max;    /* more than that is refused (RUN_ERROR_REFUSED) */
    run_process_tick tick; /* asked about once a second, may call the server itself; its error ends
                              it; NULL: none */
    void *tick_data;
} run_download;

/**
 * run_client_get_file - downloads to an open file.
 * sha256  out [65]: of what came, hex
 * answer  of another status than 200: as run_client_post's
 * Errors as run_client_post, and RUN_ERROR_NODE when the file cannot be written. Gives up when
 * nothing moves for 60 s.
 */
bool run_client_get_file(run_client *client, const run_download *what, char sha256[65],
                         run_answer *answer, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_client_judge - what an answer means for the job.
 * Returns true for 2xx; else false with RUN_ERROR_LOST (409), RUN_ERROR_AWAY (try later: 408, 429,
 * 5xx, and 401, 403, as a token can be put right and the measured loops must not be lost meanwhile)
 * or RUN_ERROR_REFUSED, "what" in front of the server's words.
 */
bool run_client_judge(const run_answer *answer, const char *what,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_client, run_client_free)
