#pragma once
/*
 * environment - what differs between two of them, for people.
 */
#include <jansson.h>

/**
 * srv__environment_difference - "kernel 6.1.0-10 → 6.1.0-12; JVM 17.0.14 → 17.0.15"; nested members
 * as "parameters.threads", long values cut, "" when nothing differs. Owned by the caller.
 */
char *srv__environment_difference(const json_t *old_one, const json_t *new_one);
