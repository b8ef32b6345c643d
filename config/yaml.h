#pragma once
/*
 * yaml - one YAML file against the table of what it may hold, with exact places for every error.
 *
 * The table is that of the struct which the file fills (config/model/model.h): a row names the key,
 * says what it is when it is left out, and what it may be. From the table follow reading, errors,
 * the schema for editors, and the release of memory.
 */
#include "config/model/model.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

/* A configuration file is written by hand; anything larger is a mistake (the wrong file). */
#define CFG__FILE_LIMIT_BYTES (1024 * 1024)

typedef struct cfg__yaml cfg__yaml;

/**
 * cfg__yaml_load - reads and checks a file.
 * noun  the table of out. A number is written in decimal digits, a flag is true or false; a
 *       MODEL_MAP is written as a list of NAME=value. A text has a byte at least, an entry of a
 *       list need not. A MODEL_JSON has what a section holds, checked by its noun.
 * out   written whole, for model_clear; after an error nothing is to be released
 * Returns the file, for what the table cannot say; NULL with error "FILE:LINE: key: …".
 */
cfg__yaml *cfg__yaml_load(const char *path, const model_noun *noun, void *out,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
void cfg__yaml_free(cfg__yaml *yaml);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(cfg__yaml, cfg__yaml_free)

/**
 * cfg__yaml_wrong - sets error CFG_ERROR_MEANING "FILE:LINE: key: text" and returns false.
 * key  a path such as "benchmark.configurations[2].parent"; the nearest existing parent gives the
 * line
 */
bool cfg__yaml_wrong(const cfg__yaml *yaml, GError **error, const char *key, const char *format,
                     ...) G_GNUC_PRINTF(4, 5);

/** cfg__yaml_has - is this key there? */
bool cfg__yaml_has(const cfg__yaml *yaml, const char *key);

/* What a number may be; what it is when it is left out. */
typedef struct {
    uint64_t fallback, low, high;
} cfg__range;

/* cfg__yaml_range - a number whose bounds or default depend on others: as read, in and out. False
 * with error: it is there, and out of them. */
bool cfg__yaml_range(const cfg__yaml *yaml, const char *key, cfg__range range, uint64_t *value,
                     GError **error);

/* A default that only other keys tell: cfg__yaml_range has it. No error names it. */
#define CFG__TOLD_LATER (-1)

/* cfg__yaml_path - a path relative to the file's folder, made absolute. Caller frees. */
char *cfg__yaml_path(const cfg__yaml *yaml, const char *path);

/* cfg__yaml_otherwise - a text that was left out is this one, which other keys tell. */
void cfg__yaml_otherwise(char **text, const char *otherwise);

/* cfg__yaml_schema - the table as JSON Schema, for editors; owned. Keys, kinds, words and bounds;
 * what a value means is judged when the file is read. */
json_t *cfg__yaml_schema(const model_noun *noun);

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
 * cfg__yaml_check - of a text of one document; behind it comments may follow.
 * name  of the file, for errors "FILE:LINE: …"
 * Returns false with CFG_ERROR_SYNTAX, CFG_ERROR_READ without memory.
 */
bool cfg__yaml_check(const char *text, size_t size, const char *name,
                     const cfg__yaml_bounds *bounds, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* cfg__yaml_parse - what libyaml makes of a text, for yaml_document_delete; errors as above. */
bool cfg__yaml_parse(const char *text, size_t size, const char *name, yaml_document_t *document,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* cfg__yaml_text, cfg__yaml_pair - of a scalar; of a mapping, with this key. NULL: the node is
 * none, or has none. Borrowed from the document. */
const char *cfg__yaml_text(const yaml_node_t *node);
const yaml_node_pair_t *cfg__yaml_pair(yaml_document_t *document, const yaml_node_t *node,
                                       const char *key);
