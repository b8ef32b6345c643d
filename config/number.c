#include "config/number.h"

#include <stddef.h>

/* False: no digits, something else among them, or more than fits. */
static bool digits(const char *text, uint64_t *out) {
    uint64_t value = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        const unsigned digit = (unsigned)(unsigned char)*text - '0';
        if (digit > 9 || value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool cfg_number_unsigned(const char *text, uint64_t min, uint64_t max, uint64_t *out) {
    uint64_t value = 0;
    if (!text || !digits(text, &value) || value < min || value > max)
        return false;
    *out = value;
    return true;
}

bool cfg_number_signed(const char *text, int64_t min, int64_t max, int64_t *out) {
    const bool negative = text && text[0] == '-';
    uint64_t size = 0;
    if (!text || !digits(text + negative, &size) || size > (uint64_t)INT64_MAX + negative)
        return false;
    const int64_t value = negative ? (int64_t)(0 - size) : (int64_t)size;
    if (value < min || value > max)
        return false;
    *out = value;
    return true;
}
