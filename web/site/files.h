#pragma once
/*
 * files - a folder that is filled again and again: only what changed is written, only what was
 * written here before is removed, and nothing of others is touched.
 *
 * What is ours stands in the folder's manifest, WEB_FILES_MANIFEST. A folder that holds files and
 * no manifest is refused; so is a file of others where one of ours would go. Names that begin with
 * a dot (.git) and CNAME are left alone. For one thread.
 */
#include <glib.h>
#include <stdbool.h>

#define WEB_FILES_MANIFEST "moowatch-site.json"

typedef struct web_files web_files;

typedef struct {
    unsigned written, same, removed;
    guint64 bytes; /* of all files that are there now */
} web_files_count;

/**
 * web_files_open - the folder, made when it is not there.
 * again  write everything anew: nothing counts as unchanged
 * NULL with error: it holds files of others, or cannot be read.
 */
web_files *web_files_open(const char *folder, bool again, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** web_files_unchanged - was the file made of just this source, and is it there? Then it stays. */
bool web_files_unchanged(web_files *files, const char *path, const char *source);

/**
 * web_files_source - what the file was made of, when it is there as it was written; borrowed until
 * the file is put again. NULL: not known, or it is not there.
 */
const char *web_files_source(web_files *files, const char *path);

/** web_files_hash - of the file's bytes as this run has put or kept them; borrowed likewise, NULL:
 * it is not in the site. */
const char *web_files_hash(web_files *files, const char *path);

/** web_files_read - what a file holds, unpacked where it is packed; owned, NULL: it is not there.
 */
GBytes *web_files_read(web_files *files, const char *path);

/**
 * web_files_put - a file's content; written only when it is another than before.
 * path    below the folder, with '/': made of parts that begin with no dot and have letters,
 *         digits and "._-@+%~,=" only; else an error. Of "….gz" the bytes are packed
 * source  what it was made of, for web_files_unchanged; NULL: not known
 */
bool web_files_put(web_files *files, const char *path, const char *source, GBytes *bytes,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * web_files_close - removes what this run has neither put nor kept, and writes the manifest. Frees
 * files.
 * keep   remove nothing, for the run has failed: what there is stays ours
 * count  out; may be NULL
 */
bool web_files_close(web_files *files, bool keep, web_files_count *count,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
