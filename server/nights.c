#include "server/nights.h"

#include <gio/gio.h>
#include <string.h>

enum { DAY_S = 86400 };

/* Floor division: days before 1970 exist in old repositories. */
static int64_t day_of(int64_t seconds) {
    int64_t day = seconds / DAY_S;
    return seconds % DAY_S < 0 ? day - 1 : day;
}

static bool digits(const char *text, size_t n, int *out) {
    int value = 0;
    for (size_t i = 0; i < n; i++) {
        if (!g_ascii_isdigit(text[i]))
            return false;
        value = value * 10 + (text[i] - '0');
    }
    *out = value;
    return true;
}

static bool parse_night_at(const char *text, int64_t *seconds) {
    int hour = 0;
    int minute = 0;
    if (text == NULL || strlen(text) != 5 || text[2] != ':' || !digits(text, 2, &hour) ||
        !digits(text + 3, 2, &minute) || hour > 23 || minute > 59)
        return false;
    *seconds = hour * 3600 + minute * 60;
    return true;
}

bool srv_nights_day(const char *date, int64_t *day) {
    int y = 0;
    int m = 0;
    int d = 0;
    if (date == NULL || strlen(date) != 10 || date[4] != '-' || date[7] != '-' ||
        !digits(date, 4, &y) || !digits(date + 5, 2, &m) || !digits(date + 8, 2, &d) ||
        !g_date_valid_dmy((GDateDay)d, (GDateMonth)m, (GDateYear)y))
        return false;
    /* Days from civil, Hinnant 2013: the year starts in March, so leap days come last. */
    int64_t year = m <= 2 ? y - 1 : y;
    int64_t era = year / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    *day = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
    return true;
}

void srv_nights_date(int64_t day, char out[11]) {
    /* GDate counts from 0001-01-01 = 1; 1970-01-01 is 719163. */
    enum { GDATE_OF_1970 = 719163, GDATE_OF_9999_12_31 = 3652059 };
    int64_t julian = CLAMP(day + GDATE_OF_1970, 1, GDATE_OF_9999_12_31);
    GDate date;
    g_date_clear(&date, 1);
    g_date_set_julian(&date, (guint32)julian);
    g_snprintf(out, 11, "%04u-%02u-%02u", (unsigned)g_date_get_year(&date) % 10000,
               (unsigned)g_date_get_month(&date) % 100, (unsigned)g_date_get_day(&date) % 100);
}

int64_t srv_nights_next(const char *night_at, int64_t now_s) {
    int64_t at = 0;
    if (!parse_night_at(night_at, &at))
        return -1;
    return (day_of(now_s - at) + 1) * DAY_S + at;
}

/* When each commit landed, [n] newest first, never rising towards older ones. */
static int64_t *landed(const srv_nights_commit *commits, size_t n, int64_t now_s) {
    int64_t *times = g_new(int64_t, MAX(n, 1));
    int64_t later = now_s;
    for (size_t i = 0; i < n; i++) {
        times[i] = commits[i].time_s > now_s ? later : commits[i].time_s;
        later = times[i];
    }
    for (size_t i = n; i-- > 1;)
        times[i - 1] = MAX(times[i - 1], times[i]);
    return times;
}

static void append(GArray *nights, int64_t day, size_t commit) {
    srv_night night = {.commit = commit};
    srv_nights_date(day, night.date);
    g_array_append_val(nights, night);
}

/* Every completed night that has a commit, oldest first. */
static GArray *completed(const int64_t *times, size_t n, int64_t at, int64_t first, int64_t now_s) {
    GArray *nights = g_array_new(FALSE, TRUE, sizeof(srv_night));
    for (size_t i = n; i-- > 0;) {
        int64_t day = day_of(times[i] - at) + 1;
        bool last_of_night = i == 0 || day_of(times[i - 1] - at) + 1 != day;
        if (last_of_night && day >= first && day * DAY_S + at <= now_s)
            append(nights, day, i);
    }
    return nights;
}

GArray *srv_nights_pick(const srv_nights_commit *commits, size_t n, const srv_nights_rule *rule,
                        GError **error) {
    int64_t at = 0;
    int64_t first = INT64_MIN / DAY_S / 2;
    if (!parse_night_at(rule->night_at, &at)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "night_at is \"%s\"; write it as \"HH:MM\" in UTC, e.g. \"03:00\"",
                    rule->night_at != NULL ? rule->night_at : "");
        return NULL;
    }
    if (rule->since != NULL && !srv_nights_day(rule->since, &first)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "since is \"%s\"; write it as YYYY-MM-DD", rule->since);
        return NULL;
    }
    g_autofree int64_t *times = landed(commits, n, rule->now_s);
    GArray *nights = completed(times, n, at, first, rule->now_s);
    if (rule->since == NULL && nights->len > 1)
        g_array_remove_range(nights, 0, nights->len - 1);
    bool wants_newest = rule->brand_new && n > 0 && (rule->since == NULL || nights->len == 0);
    bool has_newest =
        nights->len > 0 && g_array_index(nights, srv_night, nights->len - 1).commit == 0;
    if (wants_newest && !has_newest)
        append(nights, day_of(rule->now_s - at) + 1, 0);
    return nights;
}
