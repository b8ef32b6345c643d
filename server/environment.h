#pragma once
/*
 * environment - what differs between two of them, for people.
 */
#include <jansson.h>

/* srv__environment_difference - "cpu: A -> B; kernel: C -> D"; nested members as
 * "parameters.threads". Owned by the caller. */
char *srv__environment_difference(const json_t *old_one, const json_t *new_one);
