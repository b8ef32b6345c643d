#include "server/git/nights.h"

#include "config/number.h"
#include "server/ground/error.h"

#include <gio/gio.h>
#include <string.h>

/* When each commit landed, [n] newest first, never rising towards older ones. */
static int64_t *landed(const srv_nights_commit *commits, size_t n, const srv_nights_rule *rule) {
    int64_t *times = g_new(int64_t, MAX(n, 1));
    int64_t later = rule->head_s ? rule->head_s : rule->now_s;
    for (size_t i = 0; i < n; i++) {
        times[i] = commits[i].time_s > rule->now_s ? later : commits[i].time_s;
        later = times[i];
    }
    for (size_t i = n; i-- > 1;)
        times[i - 1] = MAX(times[i - 1], times[i]);
    return times;
}

/* Unless it is before the first date wanted. */
static void append(GArray *nights, const srv_nights_rule *rule, int64_t moment_s, size_t commit) {
    srv_night night = {.commit = commit};
    cfg_schedule_date(rule->schedule, moment_s, night.date);
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
            moment_s = cfg_schedule_next(rule->schedule, times[i]);
        bool last_of_night = i == 0 || times[i - 1] >= moment_s;
        if (!last_of_night || moment_s > rule->now_s)
            continue;
        append(nights, rule, moment_s, i);
    }
    return nights;
}

static bool since_check(const char *since, GError **error) {
    GDate day;
    if (!since || cfg_date_read(since, &day))
        return true;
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                     "since is \"%s\"; it must be YYYY-MM-DD", since);
}

GArray *srv_nights_of(const srv_nights_commit *commits, size_t n, const srv_nights_rule *rule,
                      const bool *wanted, GError **error) {
    if (!since_check(rule->since, error))
        return NULL;
    g_autofree int64_t *times = landed(commits, n, rule);
    GArray *nights = g_array_new(FALSE, TRUE, sizeof(srv_night));
    for (size_t i = n; i-- > 0;)
        if (wanted[i])
            append(nights, rule, cfg_schedule_next(rule->schedule, times[i]), i);
    return nights;
}

GArray *srv_nights_pick(const srv_nights_commit *commits, size_t n, const srv_nights_rule *rule,
                        GError **error) {
    if (!since_check(rule->since, error))
        return NULL;
    g_autofree int64_t *times = landed(commits, n, rule);
    GArray *nights = completed(times, n, rule);
    if (!rule->since && nights->len > 1)
        g_array_remove_range(nights, 0, nights->len - 1);
    bool wants_newest = rule->brand_new && n > 0 && (!rule->since || nights->len == 0);
    bool has_newest =
        nights->len > 0 && g_array_index(nights, srv_night, nights->len - 1).commit == 0;
    const srv_nights_rule any = {.schedule = rule->schedule};
    if (wants_newest && !has_newest)
        append(nights, &any, cfg_schedule_next(rule->schedule, rule->now_s), 0);
    return nights;
}
