#pragma once
/*
 * repo_answer - what fetch_helper.h's lines ask, answered with libgit2. srv_repo_init comes first.
 */
#include <glib.h>
#include <jansson.h>

/* srv__repo_answer - request: borrowed. connected: called when a host that is asked for it has
 * answered; may be NULL. The answer, owned, or NULL with error (its sentence). */
json_t *srv__repo_answer(json_t *request, void (*connected)(void),
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
