#include "server/ground/clock.h"

#include "config/number.h"
#include "server/ground/error.h"

#include <gio/gio.h>
#include <string.h>

/* GDate counts days from 0001-01-01 = 1. */
enum { GDATE_OF_1970 = 719163, GDATE_OF_9999_12_31 = 3652059 };

int64_t srv_now_ms(void) {
    return g_get_real_time() / 1000;
}

int64_t srv_monotonic_ms(void) {
    return g_get_monotonic_time() / 1000;
}

bool srv_day_read(const char *date, int64_t *day) {
    GDate read;
    if (!cfg_date_read(date, &read))
        return false;
    *day = (int64_t)g_date_get_julian(&read) - GDATE_OF_1970;
    return true;
}

void srv_day_text(int64_t day, char out[11]) {
    int64_t julian = CLAMP(day + GDATE_OF_1970, 1, GDATE_OF_9999_12_31);
    GDate date;
    g_date_clear(&date, 1);
    g_date_set_julian(&date, (guint32)julian);
    g_snprintf(out, 11, "%04u-%02u-%02u", (unsigned)g_date_get_year(&date) % 10000,
               (unsigned)g_date_get_month(&date) % 100, (unsigned)g_date_get_day(&date) % 100);
}

char *srv_minute_text(int64_t at_ms) {
    g_autoptr(GDateTime) at = g_date_time_new_from_unix_utc(at_ms / 1000);
    return g_date_time_format(at, "%Y-%m-%d %H:%M UTC");
}

/* At noon of the next day. */
int64_t srv_night_over_ms(const char *night, int64_t now_ms) {
    int64_t day;
    return srv_day_read(night, &day) ? MIN(day * SRV_DAY_MS + 3 * SRV_DAY_MS / 2, now_ms) : now_ms;
}

static const struct {
    char unit;
    int64_t ms;
} units[] = {{'m', 60000}, {'h', 3600000}, {'d', SRV_DAY_MS}, {'w', 604800000}};

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
        text, max_ms / SRV_DAY_MS);
}
