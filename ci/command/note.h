#pragma once
/*
 * said - what people say of a project's nights: listed, and taken back by its number.
 */
#include "ci/command/client.h"

/** ci_said_listed - prints a project's `things` ("notes"), a row each, or all as a JSON object. */
bool ci_said_listed(ci_client *client, const char *things, const char *project, bool json,
                    void (*show)(const json_t *row), GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_said_number - an option's, which is the number of `what` ("a note"); CI_ERROR_USAGE. */
bool ci_said_number(const char *option, const char *what, const char *text, gint64 *number,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What is taken back, in the words of the address and of a sentence. */
typedef struct {
    const char *things, *verb, *what; /* "notes", "remove" (the option, too), "a note" */
} ci_said;

/**
 * ci_said_back - takes one of them back, for this reason.
 * number  as it was typed; CI_ERROR_USAGE when it is not a number
 */
bool ci_said_back(ci_client *client, const ci_said *said, const char *number, const char *reason,
                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
