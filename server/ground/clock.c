#include "server/ground/clock.h"

#include "config/date.h"

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
