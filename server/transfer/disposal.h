#pragma once
/*
 * disposal - what becomes of a project that is not measured any more: it is put away, called
 * otherwise, or deleted, always with its further branches. Nothing of this is undone by a file that
 * comes back, but that a project which a file enables is not put away any more. All of it refuses a
 * project that is measured (CONFLICT) and one that is not there (NOT_FOUND).
 */
#include "server/queue/artifact.h"

/* srv_project_archive - its jobs are cancelled, and no list has it; its addresses stay. archived
 * false: it is as before, without these jobs. */
bool srv_project_archive(srv_store *store, const char *name, bool archived, const char *reason,
                         int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_project_rename - all that it has is to's from now on; what is asked of the old name says so.
 * A project that is called so already goes, if it has no night yet; its artifacts stay. Error:
 * INVALID, CONFLICT. */
bool srv_project_rename(srv_store *store, const char *name, const char *to, int64_t now_ms,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What a project has: nights, jobs, alerts, artifacts, files of raw data and their bytes. */
typedef struct {
    int64_t nights, jobs, alerts, artifacts, raw_files, raw_bytes;
} srv_project_content;

/**
 * srv_project_delete - all rows go, and the files that no other project has (an hour later).
 * confirmed  the name once more; another one, or NULL: nothing goes, and the error (CONFLICT) says
 *            what would
 * content    out, what went
 */
bool srv_project_delete(srv_store *store, srv_artifacts *artifacts, const char *name,
                        const char *confirmed, int64_t now_ms, srv_project_content *content,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
