#pragma once
/*
 * moobench - MooBench's results.yaml: what upstream's statistics script leaves behind.
 *
 *   kind: <framework>
 *   experiments:
 *   - timestamp: <seconds>
 *     measurements:
 *       <label>: [mean, sd, ci95, q1, median, q3, max, min]       microseconds
 *
 * and the names of its raw files, raw-<loop>-<depth>-<configuration>.csv.
 */
#include <glib.h>
#include <stdbool.h>

#define CFG_MOOBENCH_VALUES 8

typedef struct {
    char *label;
    double us[CFG_MOOBENCH_VALUES]; /* in the order above; NaN where it says .NAN */
} cfg_measurement;

typedef struct {
    double timestamp_s;   /* Unix */
    GArray *measurements; /* cfg_measurement */
} cfg_moobench_experiment;

typedef struct {
    char *kind;
    GPtrArray *experiments; /* cfg_moobench_experiment* */
} cfg_moobench;

/**
 * cfg_moobench_parse - read such a text.
 * name  of the file, for errors "FILE:LINE: …"
 * Anchors, aliases and directives are refused, and more than 256 MiB, 4,000,000 values or 16
 * levels. Free with cfg_moobench_free. NULL with error (CFG_ERROR_SYNTAX).
 */
cfg_moobench *cfg_moobench_parse(const char *text, gsize size, const char *name,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
void cfg_moobench_free(cfg_moobench *moobench);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(cfg_moobench, cfg_moobench_free)

typedef struct {
    unsigned loop, depth;
    char configuration[61]; /* [A-Za-z0-9._-]: a number upstream */
} cfg_moobench_raw;

/* cfg_moobench_raw_name - the parts of a raw file's name; false: it is not called like one. */
bool cfg_moobench_raw_name(const char *name, cfg_moobench_raw *out);

/*
 * labels - MooBench's labels.sh: TITLE[0]="No instrumentation" and so on.
 *
 * It is a shell script upstream; it is never run here, only its assignments are read. Assignments
 * inside a condition count: the label names a configuration whether or not it was measured here.
 */

/**
 * cfg_labels_parse - the titles of a labels.sh.
 * Returns GHashTable from configuration number (GUINT_TO_POINTER) to label, owned by the caller.
 * Lines that assign no title are passed over; numbers above 999 are, too.
 */
GHashTable *cfg_labels_parse(const char *text);
