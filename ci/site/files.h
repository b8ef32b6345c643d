#pragma once
/*
 * files - a folder that a program fills again and again: only what changed is written, only what
 * the program wrote itself is removed, and nothing of others is touched.
 *
 * What is ours stands in the folder's manifest, CI_FILES_MANIFEST. A folder that holds files and no
 * manifest is refused; so is a file of others where one of ours would go. Names that begin with a
 * dot (.git) and CNAME are left alone. All calls but open and close may come from several threads.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

#define CI_FILES_MANIFEST "moowatch-site.json"

typedef struct ci_files ci_files;

typedef struct {
    unsigned written, same, removed;
    guint64 bytes; /* of all files that are there now */
} ci_files_count;

/**
 * ci_files_open - the folder, made when it is not there.
 * again  write everything anew: nothing counts as unchanged
 * NULL with error (CI_ERROR_INPUT): it holds files of others, or cannot be read.
 */
ci_files *ci_files_open(const char *folder, bool again, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_files_unchanged - was the file made of just this source, and is it there? Then it stays. */
bool ci_files_unchanged(ci_files *files, const char *path, const char *source);

/** ci_files_keep - a file whose source did not change; false: it is not there as it was written. */
bool ci_files_keep(ci_files *files, const char *path);

/**
 * ci_files_source - what the file was made of, when it is there as it was written; owned. NULL: not
 * known, or it is not there.
 */
char *ci_files_source(ci_files *files, const char *path);

/**
 * ci_files_written - what a JSON file of ours holds, unpacked where it is packed; owned.
 * source  what it was made of; owned, NULL: not known
 * NULL: it is not there just as it was written, or everything is written anew.
 */
json_t *ci_files_written(ci_files *files, const char *path, char **source);

/** ci_files_json - what a file of ours holds that is no ".gz"; owned, NULL: it is not there. */
json_t *ci_files_json(ci_files *files, const char *path);

/**
 * ci_files_put - a file's content; written only when it is another than before.
 * path    below the folder, with '/': made of parts that are no "..", begin with no dot and have
 *         letters, digits and "._-@+%" only; else CI_ERROR_INPUT
 * source  what it was made of, for ci_files_unchanged; NULL: not known
 */
bool ci_files_put(ci_files *files, const char *path, const char *source, GBytes *bytes,
                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_files_put_json - compact JSON; as gzip of its packed columns where path ends in ".gz". */
bool ci_files_put_json(ci_files *files, const char *path, const char *source, json_t *json,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * ci_files_of - the same files, where what is put and kept is a project's; ends with
 * ci_files_part. files: borrowed, must live longer.
 */
ci_files *ci_files_of(ci_files *files, const char *project);
void ci_files_part(ci_files *files);

/**
 * ci_files_keep_all - keeps all that was this project's the last time, where stamp is that of then
 * and every file is there; their paths, owned. NULL: that is not so. stamp NULL: never.
 * ci_files_stamp - what the project is as of, once all of it is put; NULL: nobody knows.
 * files  of ci_files_of
 */
GPtrArray *ci_files_keep_all(ci_files *files, const char *stamp) G_GNUC_WARN_UNUSED_RESULT;
void ci_files_stamp(ci_files *files, const char *stamp);

/**
 * ci_files_close - removes those of our files that were neither put nor unchanged, and writes the
 * manifest. Frees files. keep: after an error, when nothing may be removed.
 */
bool ci_files_close(ci_files *files, bool keep, ci_files_count *count,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
