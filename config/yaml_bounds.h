#pragma once
/*
 * yaml_bounds - whether a YAML text from elsewhere may be read at all, told before anything is
 * built from it.
 *
 * Refused, naming the line: aliases and anchors (a few kilobytes can stand for gigabytes),
 * directives, more bytes, nodes or levels than the bounds. Linear in the text, memory for one node
 * at a time.
 */
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

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
