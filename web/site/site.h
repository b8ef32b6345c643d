#pragma once
/*
 * site - what a server shows as files that any web server can serve: its pages, and its answers as
 * they come (writer.h says in which file each is). Whoever writes it says how the server is asked:
 * the daemon asks itself (server/site.c), `moowatch site` over HTTP.
 */
#include "web/site/files.h"

#include <stdint.h>

#define WEB_SITE_ERROR (web_site_error_quark())
GQuark web_site_error_quark(void);
typedef enum {
    WEB_SITE_ERROR_FOLDER,  /* cannot be written, or holds what is not ours */
    WEB_SITE_ERROR_PROJECT, /* one was asked for that is not there */
    WEB_SITE_ERROR_ANSWER,  /* is not what a server of this version says */
    WEB_SITE_ERROR_ABSENT   /* of an ask: the server has no such thing */
} web_site_error;

/**
 * web_site_ask - what the server answers to GET address; owned.
 * etag  in: of what is known already, or NULL; out: of what came, or NULL; freed and replaced
 * NULL without error: it is still what etag says. NULL with error: it is not there
 * (WEB_SITE_ERROR_ABSENT), or it cannot be asked: then nothing more is.
 */
typedef GBytes *(*web_site_ask)(void *user, const char *address, char **etag, GError **error);

typedef struct {
    const char *folder;
    const char *base;          /* where it will be served: feeds lead there; NULL: to the server */
    const char *asks;          /* who asks whom: of another one nothing is kept; may be NULL */
    const char *const *wanted; /* names of projects; NULL or none: all */
    bool again;                /* ask for everything, not only for what changed */
    int64_t now_ms;
    web_site_ask ask;
    void *user;
} web_site_options;

/** web_site_write - all of it; count: out. After an error nothing of the folder was removed. */
bool web_site_write(const web_site_options *options, web_files_count *count,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
