#include "config/number.h"

#include <stddef.h>
#include <string.h>

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

static bool is_hex(const char *text, size_t digits) {
    return text && strlen(text) == digits && strspn(text, "0123456789abcdef") == digits;
}

bool cfg_is_sha256(const char *text) {
    return is_hex(text, 64);
}

bool cfg_is_commit(const char *text) {
    return is_hex(text, 40) || is_hex(text, 64);
}

static guint number_at(const char *text, int at, int digits) {
    guint value = 0;
    for (int i = at; i < at + digits; i++)
        value = 10 * value + (guint)(text[i] - '0');
    return value;
}

/* Does it begin so? 'd' is a digit. */
static bool has_shape(const char *text, const char *shape) {
    for (size_t i = 0; shape[i]; i++)
        if (!text || (shape[i] == 'd' ? !g_ascii_isdigit(text[i]) : text[i] != shape[i]))
            return false;
    return true;
}

int cfg_clock_read(const char *text, char end) {
    if (!has_shape(text, "dd:dd") || text[5] != end)
        return -1;
    const unsigned hour = number_at(text, 0, 2), minute = number_at(text, 3, 2);
    return hour < 24 && minute < 60 ? (int)(hour * 60 + minute) : -1;
}

bool cfg_is_clock(const char *text) {
    return cfg_clock_read(text, '\0') >= 0;
}

bool cfg_date_read(const char *text, GDate *out) {
    if (!has_shape(text, "dddd-dd-dd") || text[10] != '\0')
        return false;
    const GDateYear year = (GDateYear)number_at(text, 0, 4);
    const GDateMonth month = (GDateMonth)number_at(text, 5, 2);
    const GDateDay day = (GDateDay)number_at(text, 8, 2);
    if (!g_date_valid_dmy(day, month, year))
        return false;
    g_date_clear(out, 1);
    g_date_set_dmy(out, day, month, year);
    return true;
}
