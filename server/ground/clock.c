#include "server/ground/clock.h"

#include "config/number.h"
#include "server/ground/error.h"

#include <gio/gio.h>
#include <string.h>

/* GDate counts days from 0001-01-01 = 1. */
#define GDATE_OF_1970 INT64_C(719163)
#define HOUR_MS INT64_C(3600000)
#define OVER_HOURS 36 /* after a date's begin in UTC: noon of the next day */

int64_t srv_now_ms(void) {
    return g_get_real_time() / 1000;
}

int64_t srv_monotonic_ms(void) {
    return g_get_monotonic_time() / 1000;
}

int64_t srv_night_over_ms(const char *night, int64_t now_ms) {
    GDate date;
    if (!cfg_date_read(night, &date))
        return now_ms;
    const int64_t days = (int64_t)g_date_get_julian(&date) - GDATE_OF_1970;
    return MIN((days * 24 + OVER_HOURS) * HOUR_MS, now_ms);
}

static const struct {
    char unit;
    int64_t ms;
} units[] = {{'m', 60000}, {'h', 3600000}, {'d', 86400000}, {'w', 604800000}};

bool srv_span_read(const char *text, int64_t max_ms, int64_t *ms, GError **error) {
    const size_t length = strlen(text);
    for (size_t i = 0; i < G_N_ELEMENTS(units) && length > 1; i++) {
        guint64 count = 0;
        g_autofree char *number = g_strndup(text, length - 1);
        if (text[length - 1] != units[i].unit ||
            !cfg_number_unsigned(number, 0, (guint64)(max_ms / units[i].ms), &count))
            continue;
        *ms = (int64_t)count * units[i].ms;
        return true;
    }
    return SRV__FAIL(
        error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
        "%s: must be a whole number and m, h, d or w, as in 90d, and at most %" G_GINT64_FORMAT "d",
        text, max_ms / 86400000);
}
