#pragma once
/*
 * imported - results of other tools as nights of plain values.
 *
 * A night is {"format","suite","night":"YYYY-MM-DD" or null,"time_ms" or null,
 * "commit":{"sha","subject","author","time_ms" where it is known} or null,"values":[value…],
 * "left":[{"name","why","failed" as of a value, all of whose loops failed}…],"left_out": how many
 * these are,"notes":[what was done with values], "machine":{what the file says of where it ran}};
 * a value that is no time has its "unit", which its numbers are in, and "better": "higher" where
 * more of it is; one that is a portion has the name of what it is a difference to, "over"; what a
 * file tells from others of its name, be they in it or not, has "alone" and "full", its name
 * without and with that, as has what is left, and with its unit what a custom file has; a value is
 * {"name","mean_ns","low_ns","high_ns","n","loops_ns":[…],"failed":[{"loop","why"}…]}: low, high
 * are null where the tool gives no 95 % interval, loops_ns (one mean a loop, n of them) and failed
 * (the loops of the file beside these, and which they were) are there where the tool has them.
 * Throughputs become times.
 */
#include "ci/command/command.h"
#include "ci/formats/chain.h"
#include "ci/formats/moobench.h"

#include <glib.h>
#include <jansson.h>
#include <stdio.h>

#define CI_IMPORT_BYTES_MAX ((gsize)256 * 1024 * 1024)

/**
 * ci_import - read a file; which format it is, its content says (config/formats/).
 * Returns an array of nights, oldest first, owned by the caller, or NULL with error
 * (CI_ERROR_INPUT) that names the file and what is wrong.
 */
json_t *ci_import(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * code_order - in which order the code of imported runs came about. A commit that is measured again
 * later is not a later commit.
 */

/** ci_is_commit - a full id, in small or capital letters. */
bool ci_is_commit(const char *sha);

/**
 * ci_code_order - of nights as ci_import gives them, oldest run first.
 * told  [char*] gets a line for each run that does not stay where it was
 * Returns those that stay, owned: a commit that was measured before, with others in between, is set
 * aside; one that is older than a commit measured before gets the night of its own date. Where no
 * commit or time is known, the order of the runs is all there is.
 */
json_t *ci_code_order(const json_t *nights, GPtrArray *told);

/* ci_chain_text - "T = No instrumentation, I = Deactivated probe less No instrumentation"; owned.
 */
char *ci_chain_text(const GPtrArray *links);

/* told - what an import left out or concluded, as lines for people. */

/** ci_import_notes - a line for each benchmark that is left out of nights (imported.h), with the
 * reason and in how many runs, and for each note. */
void ci_import_notes(GPtrArray *told, const json_t *nights);

/** ci_import_notes_print - the first lines and how many more there are. */
void ci_import_notes_print(const GPtrArray *told, FILE *to);

/*
 * links - the configurations of imported nights: one key for one thing, and what is compared with
 * what.
 */

/**
 * ci_links_of_nights - one for each name; a label that MooBench has renamed is the same one, and is
 * called as in the newest night.
 * chain  as told on the command line (chain.h); NULL: MooBench's where its labels are there, else
 *        none: nothing is subtracted
 * told   [char*] gets what was concluded
 * Returns [ci_link*] with keys as names, parents first, to g_ptr_array_unref; NULL with error
 * (CI_ERROR_INPUT): no value, more than can be analysed. A night with two names of one thing is
 * removed from nights, and told.
 */
GPtrArray *ci_links_of_nights(json_t *nights, const char *chain, GPtrArray *told,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_units_part - a name whose unit changes from one night to the next is called by it from there
 * on, which is told: it is another value. */
void ci_units_part(const json_t *nights, GPtrArray *told);

/** ci_links_find - where the one of that name is, -1: nowhere. */
int ci_links_find(const GPtrArray *links, const char *name);

/*
 * lines - results from elsewhere as the JSON lines that moowatchd import takes in (docs/export.md).
 *
 * Nothing is made up: what a file does not say is left out. Loops that a file has are loops; a
 * value with an interval alone becomes two loops around it whose Student interval is that one; a
 * value without becomes a single loop. What is left out, moved or concluded is told.
 */

typedef struct {
    const char *project; /* its name on the server */
    const char *suite;   /* which one; NULL: the only one there is */
    const char *match;   /* of names, with * and ?; NULL: all are taken */
    const char *chain;   /* see chain.h; NULL: by upstream's labels */
    const char *commit;  /* full id, of results that name none; NULL: none is known */
    const char *night;   /* "YYYY-MM-DD", of results that name none; NULL: none is known */
    bool allow_missing;  /* raw results: a loop without its file is a loop that failed */
    GPtrArray *told;     /* [char*] gets lines for people; NULL: nobody reads them */
} ci_lines_options;

/** ci_history_of - of what ci_import gives the nights of one suite as they follow each other: those
 * with a value, in the order of the code, a unit for each name; owned. NULL with error
 * (CI_ERROR_INPUT, CI_ERROR_USAGE): there is none of that name, or none is wanted of several. */
json_t *ci_history_of(const json_t *nights, const ci_lines_options *options,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * ci_lines_of_nights - what ci_import gives, one suite of it.
 * Returns an array of the lines as objects, oldest night first, owned; NULL with error
 * (CI_ERROR_INPUT, CI_ERROR_USAGE).
 */
json_t *ci_lines_of_nights(const json_t *nights, const ci_lines_options *options,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_lines_of_results - raw results: every loop with its statistics. Needs commit and night. */
json_t *ci_lines_of_results(const ci_results *results, const ci_lines_options *options,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
