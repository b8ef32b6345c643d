#pragma once
/* night - what a night says, from its JSON (docs/api.md). */
#include <jansson.h>

/**
 * web_night_headline - what stood out: "Writing (W) rose by 4.10 %", "nothing changed", "failed:
 * why". Free with g_free.
 */
char *web_night_headline(const json_t *night);
