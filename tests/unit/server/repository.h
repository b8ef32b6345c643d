#pragma once
/* repository - a Git repository in a temporary folder, made with the git command: commits with the
 * messages and times that a test gives, and the path of a mirror that is not there yet. */
#include <glib.h>
#include <stdint.h>

typedef struct {
    char *dir, *url, *mirror; /* url: the repository's path; mirror: below dir */
} repository;

/* Of what has no time of its own. */
#define REPOSITORY_TIME_S INT64_C(1366000000)

/* Empty, with the branch main checked out. */
repository *repository_new(void);
void repository_free(repository *at);

/* Runs git in the repository; the arguments end with NULL. What it prints, without the last line
 * end, is the caller's. */
char *repository_git(const repository *at, ...) G_GNUC_NULL_TERMINATED;
void repository_do(const repository *at, ...) G_GNUC_NULL_TERMINATED;

/* An empty commit on what is checked out, by Ada, at this time (Unix seconds); its id, the
 * caller's. */
char *repository_commit(const repository *at, int64_t time_s, const char *message);
