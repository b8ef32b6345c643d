#pragma once
/*
 * code_order - in which order the code of imported runs came about. A commit that is measured again
 * later is not a later commit.
 */
#include <glib.h>
#include <jansson.h>

/**
 * ci_code_order - of nights as ci_import gives them, oldest run first.
 * told  [char*] gets a line for each run that does not stay where it was
 * Returns those that stay, owned: a commit that was measured before, with others in between, is set
 * aside; one that is older than a commit measured before gets the night of its own date. Where no
 * commit or time is known, the order of the runs is all there is.
 */
json_t *ci_code_order(const json_t *nights, GPtrArray *told);
