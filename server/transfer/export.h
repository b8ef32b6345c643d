#pragma once
/*
 * export - everything measured for a project as JSON lines, and back.
 *
 * The first line says what it is: {"moowatch_export": 2, "project", "title", "repository",
 * "branch", "detection"}; then a line each: "benchmark", "night" (its commit and the result as the
 * runner sent it), "note", "baseline", "alert" and "incident" (what people said and answered), and
 * "explanation" (the profiles of an alert). Raw files are not in it; they keep their hashes.
 * Format: docs/export.md.
 */
#include "server/ingest/ingest.h"
#include "server/store/files.h"
#include "server/store/store.h"
#include "server/store/store_sql.h"

#include <stdio.h>

/* srv_export_fn - takes one line, without its end. false with error stops the export. */
typedef bool (*srv_export_fn)(const char *line, void *user, GError **error);

/* srv_export_project - oldest night first; memory: one night. Error: NOT_FOUND, or function's. */
bool srv_export_project(srv_store *store, const char *project, int64_t now_ms,
                        srv_export_fn function, void *user,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct srv_import srv_import;

typedef struct {
    unsigned nights;    /* taken in */
    unsigned known;     /* were there already, with these values */
    unsigned alerts;    /* what people said and answered, taken over */
    unsigned unmatched; /* of it what does not fit: an alert does not follow from these nights */
    unsigned changes;   /* alerts that these nights have raised */
    unsigned incidents; /* of machine and harness, likewise */
} srv_import_counts;

/**
 * srv_import_new - take an export in.
 * project   its name here; NULL: as in the export. One that is not configured is made, disabled
 * The same export again changes nothing. Nights are judged as they come, as nights that cannot be
 * measured again.
 */
srv_import *srv_import_new(srv_store *store, const char *project, int64_t now_ms);
void srv_import_free(srv_import *import);

/* srv_import_replace - nights that are here with other values get those of the file, if another
 * tool measured them. For srv_import_whole: they are judged again at the end. */
void srv_import_replace(srv_import *import);

/* srv_import_file - every line of a file; each is durable by itself. What they have brought is
 * counted and remembered. Error: INVALID, naming line and member. */
bool srv_import_file(srv_import *import, FILE *file, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_import_whole - likewise, in one transaction: all of it or, with error, nothing. */
bool srv_import_whole(srv_import *import, FILE *file, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_import_lines - how many lines have come; after an error the last one is to blame. */
unsigned srv_import_lines(const srv_import *import);

/* srv_import_report - all of it as JSON (docs/export.md), with the configurations that have no
 * result in some of the nights, "gaps", the nights that cannot be judged, "flaws", and those whose
 * values here are others, "differing", or were, "replaced", and what is "apart" from what has its
 * name here; owned. */
json_t *srv_import_report(const srv_import *import);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_import, srv_import_free)

/* import_line - a night, or what people answered, from one line of an export. */

#define SRV__IMPORT_LATEST_MS INT64_C(32503680000000) /* the year 3000 */

/* A benchmark of the file. */
typedef struct {
    int64_t id;     /* key here */
    char *lineage;  /* srv__lineage, from its first night on */
    char *own;      /* hash of what the file says, which may lack what is awaited here */
    json_t *turned; /* srv_benchmark_in_its_units */
    json_t *names;  /* of the file → here, where they are others */
    bool imported;  /* of another tool: no node measured it */
} srv__import_benchmark;

/* A night whose values were replaced, to be judged anew. */
typedef struct {
    int64_t series, experiment, over_ms;
} srv__again;

typedef struct {
    srv_store *store;
    int64_t project, now_ms;
    const char *name; /* of the project, here */
    char *branch;
    GHashTable *benchmarks; /* hash in the export → srv__import_benchmark */
    srv_import_counts counts;
    json_t *gaps;                 /* configuration → nights that lack it */
    json_t *flaws;                /* [{night, reason}] of those that cannot be judged */
    json_t *differing, *replaced; /* likewise of those that have other values here, or had */
    json_t *apart;                /* labels of what came of another's name, srv__import_names */
    GArray *again;                /* srv__again */
    bool replace;                 /* srv_import_replace */
    int64_t alert_before, incident_before; /* the newest before the first line */
} srv__importing;

/* srv__import_taken - a line of this type, in a transaction; counts are kept in into. What is here
 * already changes nothing; what does not fit here (the night was not measured, no such alert
 * follows) is counted and left. Error: INVALID, naming the member; there is no such type. */
bool srv__import_taken(srv__importing *into, const char *type, const json_t *object,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* import_names - what a benchmark of a file is called here. A file tells equal names apart only
 * where it has both: that one of them is missing must not give its name, and history, to the other.
 */

/* srv__import_names - names: of each name of the file the two that it may have, {"alone", "full"},
 * each {"name", "label"}; newest: an object of names that have a result in the newest night. body's
 * configurations get what they are called here, and "full"; turned gets name → name here, where
 * they differ. What has come apart from another of its name is told (into->apart). */
bool srv__import_names(srv__importing *into, json_t *names, const json_t *newest, json_t *body,
                       json_t *turned, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__import_names_turn - a night's result is changed; left, which may be NULL, is returned so;
 * owned. */
json_t *srv__import_names_turn(const json_t *turned, json_t *result,
                               json_t *left) G_GNUC_WARN_UNUSED_RESULT;

/* import_again - a night of the file that is here already. */

/* srv__import_again - in a transaction. there: out, is it here? Then it is counted: as known, or as
 * one whose values here are others, which are replaced where that is wanted. */
bool srv__import_again(srv__importing *into, srv__night *night, const srv__import_benchmark *of,
                       const srv__tree *tree, const srv__result *result, bool *there,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__import_judge_again - what was replaced, once all of it is here. */
bool srv__import_judge_again(srv__importing *into, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * imports - an export (export.h) on its way in over the network: first to the disk
 * (store/files.h), then all of it or nothing.
 *
 * begin is for any thread, finish for the one that writes. While it is taken in
 * nothing else is written to the database, which is what limit_bytes is for. Memory: the longest
 * line. What is cut off leaves nothing behind.
 */

/**
 * srv_imports_open - the place of uploads (store/files.h), of which nothing stays.
 * limit_bytes     of one import
 * reserve_bytes   free space below which nothing is taken
 */
srv__place *srv_imports_open(const char *dir, uint64_t limit_bytes, uint64_t reserve_bytes,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_imports_finish - takes it in, as srv_import_whole. Frees the upload in any case.
 * Error: INVALID, naming line and member; TOO_LARGE, BUSY, FULL. Then nothing was taken in.
 */
bool srv_imports_finish(srv__incoming *upload, srv_import *import,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
