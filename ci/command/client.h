#pragma once
/*
 * client - the server's API (docs/api.md) over HTTP (config/http.h).
 *
 * Certificates are verified, redirects are not followed, answers are bounded, and the token is in
 * no message. A connection is kept between calls.
 */
#include "ci/command/command.h"

#include <stdio.h>

#define CI_ANSWER_BYTES_MAX ((size_t)64 * 1024 * 1024)

typedef struct {
    char *server;     /* --server, else $MOOWATCH_SERVER */
    char *token_file; /* --token-file; else $MOOWATCH_TOKEN holds the token; else none */
} ci_client_options;

#define CI_CLIENT_ENTRIES(o)                                                                       \
    {"server",    's',                                                                             \
     0,           G_OPTION_ARG_STRING,                                                             \
     &(o).server, "Address of moowatchd (default: $MOOWATCH_SERVER)",                              \
     "URL"},                                                                                       \
        CI_PATH("token-file", &(o).token_file, "File with the token (default: $MOOWATCH_TOKEN)",   \
                "FILE")

typedef struct ci_client ci_client;

/** ci_client_new - NULL with error (CI_ERROR_USAGE): no server given, token file unreadable. */
ci_client *ci_client_new(const ci_client_options *options,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
void ci_client_free(ci_client *client);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ci_client, ci_client_free)

/**
 * ci_client_get, ci_client_post - one call.
 * path  behind the server's address, e.g. "/api/v1/jobs/7"; what is put into it is escaped already
 * body  JSON, borrowed; NULL: its texts, which an error calls so, are not UTF-8 (CI_ERROR_USAGE)
 * Returns the JSON answer (owned), or NULL with error (CI_ERROR_SERVER) that has the problem's
 * text.
 */
json_t *ci_client_get(ci_client *client, const char *path,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
json_t *ci_client_post(ci_client *client, const char *path, const json_t *body, const char *texts,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_client_experiment - an experiment by its number; as ci_client_get. */
json_t *ci_client_experiment(ci_client *client, json_int_t number,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_client_identity - which server is asked, and with which token: a word that tells others from
 * it and neither of them. Owned. */
char *ci_client_identity(const ci_client *client);

/**
 * ci_client_fetch - the bytes of any address; owned.
 * etag  in: of what is known already, or NULL; out: of what came, or NULL; freed and replaced
 * NULL without error: it is still what etag says. NULL with error (CI_ERROR_SERVER) otherwise.
 */
GBytes *ci_client_fetch(ci_client *client, const char *path, char **etag,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_client_refused - was the last call answered, so that asking again will not help? */
bool ci_client_refused(const ci_client *client);

/**
 * ci_client_put_file - uploads a file, streamed, with its SHA-256 in Content-Digest.
 * Returns the JSON answer as above; CI_ERROR_INPUT when the file cannot be read or is empty.
 */
json_t *ci_client_put_file(ci_client *client, const char *path, const char *file,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * ci_client_post_file - an open file, streamed, as JSON lines; the server may think about it for
 * minutes. Returns the JSON answer as above.
 */
json_t *ci_client_post_file(ci_client *client, const char *path, FILE *file,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_client_path - "/api/v1" and up to three parts (NULL: none), each escaped; caller frees. */
char *ci_client_path(const char *first, const char *second, const char *third);

/**
 * ci_client_pages - the pages of a list, one after the other, until one is enough.
 * list  its path, with a query of its own or without
 * False with error: a page did not come.
 */
typedef bool (*ci_page_fn)(void *user, const json_t *page);
bool ci_client_pages(ci_client *client, const char *list, ci_page_fn is_enough, void *user,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * ci_client_nights - a project's nights, newest first.
 * limit   at most so many; 0: all
 * commit  of the newest commit alone whose id begins so, each result of it; NULL: of all
 */
json_t *ci_client_nights(ci_client *client, const char *project, unsigned limit, const char *commit,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct {
    const char *missing; /* what it is not yet: "is not settled" */
    bool (*is_over)(const json_t *thing);
    char *(*words)(const json_t *thing); /* how it stands; owned */
    void (*show)(const json_t *thing);   /* on a terminal; NULL: those words */
} ci_awaited;

/**
 * ci_await - ask for a thing of the server until it is over, with a line on a terminal.
 * name       of the thing, for the error
 * timeout_s  how long; 0: ask once
 * Returns it (owned), or NULL with error (CI_ERROR_TIMEOUT, CI_ERROR_SERVER). A server that is away
 * for a moment is asked again until the time is up.
 */
json_t *ci_await(ci_client *client, const char *path, const char *name, const ci_awaited *what,
                 unsigned timeout_s, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* job - follow one of the server's jobs to its end. */

/**
 * ci_job_wait - ask until the job has ended, with a bar on a terminal.
 * As ci_await.
 */
json_t *ci_job_wait(ci_client *client, json_int_t job, unsigned timeout_s,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_job_ended - how a job's end is answered: CI_OK for done, with error for failed, cancelled. */
ci_exit ci_job_ended(const json_t *job, GError **error);
