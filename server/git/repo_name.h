#pragma once
/*
 * repo_name - is a repository address or a branch name one that may reach git?
 * Pure text checks, done before any of it gets near a transport, a path or a log line.
 */
#include <glib.h>
#include <stdbool.h>

/**
 * srv_repo_url_check - https, http, ssh, git, file URLs, user@host:path, and absolute paths.
 * Refused: other schemes (ext::, fd::, …), control characters, blanks, a leading dash, > 2048
 * bytes. Returns false with error (G_IO_ERROR_INVALID_ARGUMENT) saying what is accepted.
 */
bool srv_repo_url_check(const char *url, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_repo_branch_check - what git-check-ref-format accepts as refs/heads/NAME, and nothing a
 * shell, a page or a log could trip over (control characters). At most 255 bytes, valid UTF-8.
 */
bool srv_repo_branch_check(const char *branch, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_repo_commit_check - 7 to 40 hex digits. */
bool srv_repo_commit_check(const char *commit);
