#pragma once
/*
 * error - what can go wrong on the data side, in the terms of whoever asked.
 *
 * The listener maps the codes to HTTP: see each line. The message is a sentence for people
 * (problem+json's "detail"): what was wrong, where, and what to do.
 */
#include <glib.h>
#include <stdbool.h>

#define SRV_ERROR (srv_error_quark())
static inline GQuark srv_error_quark(void) {
    return g_quark_from_static_string("srv-error-quark");
}

typedef enum {
    SRV_ERROR_NOT_FOUND, /* 404: no such project, job, experiment, alert, raw file */
    SRV_ERROR_CONFLICT,  /* 409: lease lost, job ended, another result is already there */
    SRV_ERROR_INVALID,   /* 400: malformed */
    SRV_ERROR_REJECTED,  /* 422: well-formed and kept, but not usable; do not send it again */
    SRV_ERROR_TOO_LARGE, /* 413 */
    SRV_ERROR_FULL,      /* 507: no space left, or less than the reserve; try again later */
    SRV_ERROR_BUSY,      /* 503: the database was locked for too long; try again */
    SRV_ERROR_GONE,      /* 410: it was there, and a policy has removed it */
    SRV_ERROR_FORBIDDEN, /* 403: this token may not do it */
    SRV_ERROR_INTERNAL   /* 500: the database or a file is broken; the log says more */
} srv_error;

/* SRV__FAIL - g_set_error, and false: return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "…").
 * SRV__NULL - likewise, and NULL. */
#define SRV__FAIL(...) (g_set_error(__VA_ARGS__), false)
#define SRV__NULL(...) (g_set_error(__VA_ARGS__), NULL)

/* SRV__NONE - sets NOT_FOUND, "there is no job 7", and false. */
#define SRV__NONE(error, what, id)                                                                 \
    SRV__FAIL(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no %s %" G_GINT64_FORMAT, what,     \
              (int64_t)(id))
