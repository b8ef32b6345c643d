#pragma once
/*
 * repo_why - why libgit2 cannot read a repository, in words of the person who owns it.
 *
 * libgit2 names a missing configuration value where the owner is another user, and an invalid
 * packet where the repository is a shallow clone. What is known of such repositories is asked here
 * of their files, or of libgit2's words where only a server has the files.
 */
#include <glib.h>
#include <stdbool.h>

/**
 * srv__repo_whole - false with error in G_IO_ERROR when url is a path on this machine that is not
 * there, or a shallow clone, whose history libgit2 would take for the whole.
 */
bool srv__repo_whole(const char *url, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv__repo_why - after libgit2 could not read url.
 * url   a path or address of a repository, or the path of a mirror
 * last  libgit2's words
 * Returns what is the matter and what to do about it, the caller's; NULL: nothing is known.
 */
char *srv__repo_why(const char *url, const char *last) G_GNUC_WARN_UNUSED_RESULT;
