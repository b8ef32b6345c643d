#pragma once
/*
 * site - a server's pages as files that any static host can serve: the pages themselves, the
 * API's answers as JSON, charts, feeds and badges.
 */
#include "ci/site/source.h"

typedef struct {
    const char *folder;
    const char *url;           /* where it will be served; NULL: not known */
    const char *const *wanted; /* names of projects, NULL-terminated; NULL: all */
    bool again;                /* everything anew */
    gint64 now_ms;
} ci_site_options;

/**
 * ci_site_write - writes what changed, removes what is no more. After an error nothing is removed,
 * and what was written stays: the next run goes on from there.
 * client  borrowed; more are made of it, one a thread
 */
bool ci_site_write(ci_client *client, const ci_site_options *options, ci_files_count *count,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
