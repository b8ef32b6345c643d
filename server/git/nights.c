#include "server/git/nights.h"

#include <gio/gio.h>
#include <string.h>

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

bool srv_nights_day(const char *date, int64_t *day) {
    int y = 0;
    int m = 0;
    int d = 0;
    if (!date || strlen(date) != 10 || date[4] != '-' || date[7] != '-' || !digits(date, 4, &y) ||
        !digits(date + 5, 2, &m) || !digits(date + 8, 2, &d) ||
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

/* Unless it is before the first date wanted. */
static void append(GArray *nights, const srv_nights_rule *rule, int64_t moment_s, size_t commit) {
    srv_night night = {.commit = commit};
    srv_schedule_date(rule->schedule, moment_s, night.date);
    /* Dates of this form compare as text. */
    if (!rule->since || strcmp(night.date, rule->since) >= 0)
        g_array_append_val(nights, night);
}

/* Every completed night that has a commit, oldest first. */
static GArray *completed(const int64_t *times, size_t n, const srv_nights_rule *rule) {
    GArray *nights = g_array_new(FALSE, TRUE, sizeof(srv_night));
    int64_t moment_s = INT64_MIN;
    for (size_t i = n; i-- > 0;) {
        if (times[i] >= moment_s)
            moment_s = srv_schedule_next(rule->schedule, times[i]);
        bool last_of_night = i == 0 || times[i - 1] >= moment_s;
        if (!last_of_night || moment_s > rule->now_s)
            continue;
        append(nights, rule, moment_s, i);
    }
    return nights;
}

static bool since_check(const char *since, GError **error) {
    int64_t day = 0;
    if (!since || srv_nights_day(since, &day))
        return true;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                "since is \"%s\"; it must be YYYY-MM-DD", since);
    return false;
}

GArray *srv_nights_of(const srv_nights_commit *commits, size_t n, const srv_nights_rule *rule,
                      const bool *wanted, GError **error) {
    if (!since_check(rule->since, error))
        return NULL;
    g_autofree int64_t *times = landed(commits, n, rule->now_s);
    GArray *nights = g_array_new(FALSE, TRUE, sizeof(srv_night));
    for (size_t i = n; i-- > 0;)
        if (wanted[i])
            append(nights, rule, srv_schedule_next(rule->schedule, times[i]), i);
    return nights;
}

GArray *srv_nights_pick(const srv_nights_commit *commits, size_t n, const srv_nights_rule *rule,
                        GError **error) {
    if (!since_check(rule->since, error))
        return NULL;
    g_autofree int64_t *times = landed(commits, n, rule->now_s);
    GArray *nights = completed(times, n, rule);
    if (!rule->since && nights->len > 1)
        g_array_remove_range(nights, 0, nights->len - 1);
    bool wants_newest = rule->brand_new && n > 0 && (!rule->since || nights->len == 0);
    bool has_newest =
        nights->len > 0 && g_array_index(nights, srv_night, nights->len - 1).commit == 0;
    const srv_nights_rule any = {.schedule = rule->schedule};
    if (wants_newest && !has_newest)
        append(nights, &any, srv_schedule_next(rule->schedule, rule->now_s), 0);
    return nights;
}
