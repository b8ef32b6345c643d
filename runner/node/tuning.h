#pragma once
/*
 * tuning - settings of the node that make it quieter, set while measuring and restored afterwards.
 *
 * What a knob was before is on disk (restore.json, synced) before it is touched, so that a killed
 * agent's next start, or `moowatch-runner restore`, can put it back. A reboot forgets the settings,
 * and the file knows by the boot's id. What cannot be set is recorded, never fatal.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

#define RUN_RESTORE_FILE "restore.json" /* below work_dir */

typedef struct run_tuning run_tuning;

/* Names of all knobs, NULL at the end; and a sentence on each for people. */
extern const char *const run_tuning_names[];

const char *run_tuning_explain(const char *name);

typedef struct {
    const char *root;         /* "" for this node; a folder with proc/ and sys/ in tests */
    const char *restore_path; /* where what was before is kept */
    const char *housekeeping; /* processors for interrupts, "0"; NULL: the irq knob is refused */
} run_tuning_place;

/* run_tuning_check - false with RUN_ERROR_JOB: a name is unknown. */
bool run_tuning_check(char *const *names, unsigned count, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_tuning_apply - sets the named knobs, all of them known.
 * Returns what to give to run_tuning_end (never NULL with error unset). NULL with RUN_ERROR_NODE
 * when the restore file cannot be written: nothing is set then.
 */
run_tuning *run_tuning_apply(const run_tuning_place *place, char *const *names, unsigned count,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_tuning_outcome - {"governor": "set"|"already set"|"refused: …"|"absent"}; borrowed. */
json_t *run_tuning_outcome(const run_tuning *tuning);

/* run_tuning_effective - knobs in force, sorted, "aslr,governor"; "" when none. g_free. */
char *run_tuning_effective(const run_tuning *tuning);

/* run_tuning_fixed_addresses - whether the benchmark is to run without address randomisation. */
bool run_tuning_fixed_addresses(const run_tuning *tuning);

/* run_tuning_end - puts everything back and frees. NULL is fine. */
void run_tuning_end(run_tuning *tuning);

/**
 * run_tuning_recover - puts back what a killed agent left, if the node has not been booted since.
 * Returns how many settings were restored.
 */
unsigned run_tuning_recover(const run_tuning_place *place);

/*
 * knobs - which files of the kernel a knob of tuning.h stands for, and what is written there.
 */

typedef struct {
    char *path;  /* below root */
    char *value; /* to write */
} run_knob_file;

/* run_knob_files - files of a name that exist: GPtrArray of run_knob_file*, owned. */
GPtrArray *run_knob_files(const char *root, const char *name, const char *housekeeping);
