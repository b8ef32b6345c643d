#pragma once
/*
 * yaml_edit - puts values into a YAML text and leaves every other byte of it as it was: comments,
 * order, quotes, line ends.
 */
#include <glib.h>

/**
 * cfg_yaml_set - sets one scalar.
 * text   UTF-8, with a mapping at the top
 * path   of keys, ends with NULL; in a list a word is the `name` of the mapping that is meant
 * value  as it is to stand there, quoted if need be; no line end
 * A key that is there gets another value; one that is not is added: in a block mapping on a line of
 * its own below the last short value, in a flow mapping before its end.
 * Returns the new text to g_free; NULL with CFG_ERROR_MEANING: the way leads to no mapping, or the
 * value there is no scalar; CFG_ERROR_SYNTAX: the text is not YAML.
 */
char *cfg_yaml_set(const char *text, const char *const *path, const char *value,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* cfg_yaml_quoted - text as a scalar in single quotes; of one line; owned. */
char *cfg_yaml_quoted(const char *text);
