#pragma once
/* hook_read - the pieces that every kind of webhook is read with. */
#include "server/hook/hook.h"

/* srv__hook_wrong - sets INVALID_ARGUMENT; returns false. */
bool srv__hook_wrong(GError **error, const char *text);
/* srv__hook_ignore - well-formed, nothing to do; returns true. */
bool srv__hook_ignore(srv_hook *hook, const char *reason);
/* srv__hook_text - the text at a path of one or two keys; borrowed, NULL: not there or no text. */
const char *srv__hook_text(json_t *json, const char *first, const char *second);
/* srv__hook_commit - a full commit id; all zeros is how they say "none". */
bool srv__hook_commit(srv_hook *hook, const char *sha, const char *key, GError **error);
bool srv__hook_branch(srv_hook *hook, const char *branch, const char *key, GError **error);
