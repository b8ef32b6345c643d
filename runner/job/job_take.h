#pragma once
/*
 * job_take - members of the JSON that a server sends, taken one by one and checked.
 *
 * Each writes out, which is the caller's, and returns false with error (RUN_ERROR_JOB), naming the
 * member, when it is missing or not what it must be.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* run__take_wrong - the error: key must be what was expected. Returns false. */
bool run__take_wrong(GError **error, const char *key, const char *expected);

/* A whole number from low to high. */
bool run__take_number(json_t *object, const char *key, uint64_t low, uint64_t high, uint64_t *out,
                      GError **error);
bool run__take_unsigned(json_t *object, const char *key, unsigned low, unsigned high, unsigned *out,
                        GError **error);
/* A number from low to high; missing when there is none. */
bool run__take_real(json_t *object, const char *key, double low, double high, double missing,
                    double *out, GError **error);
/* One of two words; out: is it yes? */
bool run__take_choice(json_t *object, const char *key, const char *no, const char *yes, bool *out,
                      GError **error);

/* A text that is not empty and has no control characters: it may reach argv, a path or a log. */
bool run__take_text(json_t *object, const char *key, char **out, GError **error);
/* Texts, at most RUN_WORDS_MAX; none when the member is missing. out is set also on error. */
bool run__take_words(json_t *object, const char *key, GStrv *out, GError **error);
/* The member "environment" as "NAME=value"; likewise. */
bool run__take_environment(json_t *object, GStrv *out, GError **error);
/* A path below the checkout, whatever a server sends. */
bool run__take_path(json_t *object, const char *key, char **out, GError **error);
