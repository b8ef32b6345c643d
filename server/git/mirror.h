#pragma once
/*
 * mirror - a mirror as files: how much it holds, what a killed fetch left, a new one in its place.
 *
 * libgit2 1.5 cannot collect garbage, and what was pushed away by force stays in its pack for ever.
 * So a mirror that has grown beyond its bound is fetched anew beside itself (NAME.new) and then
 * takes its place; NAME.old is the one that goes. A crash between leaves one of the two whole.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** srv__mirror_sweep - removes what a fetch that was killed left, its locks too; puts an old mirror
 * back when it is the only one. Nobody else may fetch into it meanwhile. */
void srv__mirror_sweep(const char *mirror);

/** srv__mirror_bytes - of all its files as the disk counts them; 0 when there is none. */
uint64_t srv__mirror_bytes(const char *mirror);

/** srv__mirror_mark, srv__mirror_marked - how much it held when it was fetched whole; 0: unknown.
 */
void srv__mirror_mark(const char *mirror);
uint64_t srv__mirror_marked(const char *mirror);

/** srv__mirror_next - where a new one is fetched to: NAME.new, not there; the caller's. */
char *srv__mirror_next(const char *mirror);

/** srv__mirror_replace - the one beside it takes its place. False with error: all is as before. */
bool srv__mirror_replace(const char *mirror, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv__mirror_forget - removes it with all that is in it. */
void srv__mirror_forget(const char *mirror);

/**
 * srv__mirror_share - gives a mirror, which is there, what another one beside it holds: the same
 * files by another name, which takes no room. Branches and tags stay as they are. False: nothing
 * was given.
 */
bool srv__mirror_share(const char *mirror, const char *from) G_GNUC_WARN_UNUSED_RESULT;

/** srv__mirror_room - is more than reserve_bytes free where it lies? False with error. */
bool srv__mirror_room(const char *mirror, uint64_t reserve_bytes,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
