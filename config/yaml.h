#pragma once
/*
 * yaml - one YAML file against one libcyaml schema, with exact places for every error.
 *
 * libcyaml names the place of the last value it took; for a key it does not know that is the line
 * before. So the file is also kept as libyaml's node tree, and every message looks its line up
 * there.
 */
#include <cyaml/cyaml.h>
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A configuration file is written by hand; anything larger is a mistake (the wrong file). */
#define CFG__FILE_LIMIT_BYTES (1024 * 1024)

typedef struct cfg__yaml cfg__yaml;

/**
 * cfg__yaml_load - reads and checks a file.
 * schema  the top-level mapping (pointer)
 * Returns the file with its data, NULL with error "FILE:LINE: …".
 */
cfg__yaml *cfg__yaml_load(const char *path, const cyaml_schema_value_t *schema,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
void cfg__yaml_free(cfg__yaml *yaml);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(cfg__yaml, cfg__yaml_free)

/* The loaded structure; borrowed. */
void *cfg__yaml_data(const cfg__yaml *yaml);

/**
 * cfg__yaml_wrong - sets error CFG_ERROR_MEANING "FILE:LINE: key: text" and returns false.
 * key  a path such as "benchmark.configurations[2].parent"; the nearest existing parent gives the
 * line
 */
bool cfg__yaml_wrong(const cfg__yaml *yaml, GError **error, const char *key, const char *format,
                     ...) G_GNUC_PRINTF(4, 5);

/** cfg__yaml_has - is this key there? libcyaml makes nothing of an empty list. */
bool cfg__yaml_has(const cfg__yaml *yaml, const char *key);

/** cfg__yaml_within - from now on keys are of this section; NULL: of the whole file. Borrowed. */
void cfg__yaml_within(cfg__yaml *yaml, const char *section);

/* What a number may be; what it is when it is left out. */
typedef struct {
    uint64_t fallback, low, high;
} cfg__range;

typedef struct {
    double fallback, low, high;
} cfg__real_range;

/**
 * cfg__yaml_number - an unsigned number that may be left out.
 * key    as for cfg__yaml_wrong, which says what is wrong with it
 * value  as it was read, NULL when it was left out
 */
bool cfg__yaml_number(const cfg__yaml *yaml, const char *key, const uint64_t *value,
                      cfg__range range, uint64_t *out, GError **error);
/* The same for 32-bit targets: range.high <= UINT_MAX. */
bool cfg__yaml_unsigned(const cfg__yaml *yaml, const char *key, const uint64_t *value,
                        cfg__range range, unsigned *out, GError **error);
/* The same for a finite real number. */
bool cfg__yaml_real(const cfg__yaml *yaml, const char *key, const double *value,
                    cfg__real_range range, double *out, GError **error);

/* true and false only: libcyaml takes any word it does not know for true. */
typedef enum { CFG__FALSE, CFG__TRUE } cfg__flag;
extern const cyaml_strval_t cfg__flags[2];
bool cfg__flag_or(const cfg__flag *flag, bool fallback);

/* An entry of a sequence of strings. */
extern const cyaml_schema_value_t cfg__string;

/* A path relative to the file's folder, made absolute; NULL stays NULL. Caller frees. */
char *cfg__yaml_path(const cfg__yaml *yaml, const char *path);

/* cfg__yaml_schema - the schema as JSON Schema, for editors; owned. Keys, kinds, words and lengths;
 * what a value means is judged when the file is read. */
json_t *cfg__yaml_schema(const cyaml_schema_value_t *schema);

/*
 * yaml_bounds - whether a YAML text from elsewhere may be read at all, told before anything is
 * built from it.
 *
 * Refused, naming the line: aliases and anchors (a few kilobytes can stand for gigabytes),
 * directives, more bytes, nodes or levels than the bounds. Linear in the text, memory for one node
 * at a time.
 */

typedef struct {
    size_t bytes_max;
    size_t nodes_max; /* scalars, lists and mappings */
    unsigned depth_max;
} cfg__yaml_bounds;

/**
 * cfg__yaml_check - of the first document in the text; what follows it is not looked at.
 * name  of the file, for errors "FILE:LINE: …"
 * Returns false with CFG_ERROR_SYNTAX, CFG_ERROR_READ without memory.
 */
bool cfg__yaml_check(const char *text, size_t size, const char *name,
                     const cfg__yaml_bounds *bounds, GError **error) G_GNUC_WARN_UNUSED_RESULT;
