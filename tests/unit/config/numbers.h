#pragma once
/* numbers - rows of a setting that is a number: where it stands in its struct, and its bounds. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    const char *key;
    size_t at;
    bool wide; /* uint64_t, else unsigned */
    uint64_t fallback, low, high;
} number_row;

#define WIDE_OF(type, key, member, fallback, low, high)                                            \
    { key, offsetof(type, member), true, fallback, low, high }
#define SMALL_OF(type, key, member, fallback, low, high)                                           \
    { key, offsetof(type, member), false, fallback, low, high }

/* What stands there in a struct of that type. */
static inline uint64_t number_at(const void *base, const number_row *row) {
    const char *at = (const char *)base + row->at;
    uint64_t wide;
    unsigned small;
    memcpy(&wide, at, row->wide ? sizeof wide : 0);
    memcpy(&small, at, sizeof small);
    return row->wide ? wide : small;
}
