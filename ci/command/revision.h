#pragma once
/* revision - what people call a commit, as its full id. Asks git. */
#include "ci/command/command.h"

/**
 * ci_revision_find - the full id of a commit.
 * repository  a folder, or anything git can ask (there only branches and tags have names)
 * branch      whose newest commit it is when text is NULL
 * text        a full id (taken as it is), "HEAD~2", "v1.0", …
 * Returns 40 or 64 hex digits, caller frees; NULL with error (CI_ERROR_INPUT).
 */
char *ci_revision_find(const char *repository, const char *branch, const char *text,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * ci_revision_given - the commit that a user named: digits of an id as they are, else what git in
 * this folder calls so ("HEAD", "v1.0").
 * Caller frees; NULL with error (CI_ERROR_USAGE; CI_ERROR_INPUT: there is no git).
 */
char *ci_revision_given(const char *text, GError **error) G_GNUC_WARN_UNUSED_RESULT;
