#pragma once
/*
 * columns - JSON whose lists of like things are kept column by column: what repeats stands once,
 * and what is alike lies together, so that it packs well. web/site/unpack.js reads it, too.
 *
 * A list becomes one of
 *   [v, …]                      as it is
 *   {"=": [n, v]}               n times v
 *   {"*": [n, {key: list, …}]}  n objects with the same keys: of each key the list of its values
 *   {"/": [list, list]}         lists: how long each is, and all their elements
 *   {"?": ["0110…", list]}      null where the mask has 0; the others
 * each packed in turn. An object whose only key is one of = * / ? ! is put into {"!": …}.
 */
#include <jansson.h>

/** ci_columns_pack - the same value packed; owned by the caller, shares no part with value. */
json_t *ci_columns_pack(json_t *value);

/** ci_columns_unpack - what ci_columns_pack was given; owned by the caller. What that never made
 * becomes some value. packed: borrowed; its parts may be shared. */
json_t *ci_columns_unpack(json_t *packed);
