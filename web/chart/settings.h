#pragma once
/*
 * settings - what two nights set differently: of their environments, or of their benchmarks.
 */
#include <jansson.h>

/**
 * web_settings_differ - [{key, a, b}], a list by dotted names; a or b is null where that side has
 * no such key. What a night found while it measured is no setting. a, b: borrowed; NULL: none.
 * Owned.
 */
json_t *web_settings_differ(json_t *a, json_t *b);
