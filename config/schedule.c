#include "config/schedule.h"

#include "config/config.h"
#include "config/number.h"

#include <glib.h>
#include <string.h>

/* Leap days and weekdays repeat after 28 years, but 2100 has no 29 February: 40 covers both. */
enum { SEARCH_DAYS = 40 * 366 };

struct cfg_schedule {
    uint64_t minutes;
    uint32_t hours, days, months, weekdays; /* bits; days and months from 1 */
    bool any_day, any_weekday;
    GTimeZone *zone;
};

typedef struct {
    const char *label;
    unsigned min, max;
    const char *names; /* three letters each, the first is min; NULL: none */
} field;

static const field fields[5] = {
    {"minute", 0, 59, NULL},
    {"hour", 0, 23, NULL},
    {"day of the month", 1, 31, NULL},
    {"month", 1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"},
    {"day of the week", 0, 7, "sunmontuewedthufrisat"},
};

static bool wrong(GError **error, const char *text) {
    g_set_error(error, CFG_ERROR, CFG_ERROR_MEANING, "%s", text);
    return false;
}

/* A number or a name at *text, which moves behind it. */
static bool take_value(const char **text, const field *f, unsigned *value) {
    if (f->names && g_ascii_isalpha(**text)) {
        for (unsigned i = 0; f->names[i * 3] != '\0'; i++) {
            if (g_ascii_strncasecmp(*text, f->names + i * 3, 3) != 0)
                continue;
            *text += 3;
            *value = f->min + i;
            return true;
        }
        return false;
    }
    unsigned digits = 0;
    *value = 0;
    for (; g_ascii_isdigit(**text) && digits < 3; (*text)++, digits++)
        *value = *value * 10 + (unsigned)(**text - '0');
    return digits > 0 && !g_ascii_isdigit(**text);
}

/* One part of a list: *, a, a-b, each with /n; bits are added. */
static bool take_part(const char *part, const field *f, uint64_t *bits) {
    unsigned from = f->min;
    unsigned to = f->max;
    unsigned step = 1;
    const char *text = part;
    bool star = *text == '*';
    if (star) {
        text++;
        if (f->max == 7)
            to = 6;
    } else {
        if (!take_value(&text, f, &from))
            return false;
        to = from;
        if (*text == '-') {
            text++;
            if (!take_value(&text, f, &to))
                return false;
        }
    }
    if (*text == '/') {
        text++;
        if (!take_value(&text, &(field){"step", 1, 999, NULL}, &step) || step == 0)
            return false;
        if (!star && !strchr(part, '-'))
            to = f->max; /* a/n runs from a to the end */
    }
    if (*text != '\0' || from < f->min || to > f->max || from > to)
        return false;
    for (unsigned i = from; i <= to; i += step)
        *bits |= UINT64_C(1) << i;
    return true;
}

static bool take_field(const char *text, const field *f, uint64_t *bits, GError **error) {
    g_auto(GStrv) parts = g_strsplit(text, ",", 64);
    *bits = 0;
    for (size_t i = 0; parts[i]; i++) {
        if (take_part(parts[i], f, bits))
            continue;
        g_set_error(
            error, CFG_ERROR, CFG_ERROR_MEANING,
            "schedule: \"%s\" is not a %s; give numbers from %u to %u, lists, ranges or steps",
            parts[i], f->label, f->min, f->max);
        return false;
    }
    return *bits != 0 || wrong(error, "schedule: a field is empty");
}

static const char *expand(const char *cron) {
    static const char *const names[][2] = {{"@hourly", "0 * * * *"},   {"@daily", "0 0 * * *"},
                                           {"@midnight", "0 0 * * *"}, {"@weekly", "0 0 * * 0"},
                                           {"@monthly", "0 0 1 * *"},  {"@yearly", "0 0 1 1 *"},
                                           {"@annually", "0 0 1 1 *"}};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(cron, names[i][0]) == 0)
            return names[i][1];
    return cron;
}

static bool parse_cron(cfg_schedule *schedule, const char *cron, GError **error) {
    g_autofree char *copy = g_strdup(expand(cron));
    g_auto(GStrv) words = g_strsplit_set(g_strstrip(copy), " \t", -1);
    uint64_t bits[5] = {0};
    size_t n = 0;
    for (size_t i = 0; words[i]; i++) {
        if (words[i][0] == '\0')
            continue;
        if (n < 5 && !take_field(words[i], &fields[n], &bits[n], error))
            return false;
        if (n == 2)
            schedule->any_day = words[i][0] == '*';
        if (n == 4)
            schedule->any_weekday = words[i][0] == '*';
        n++;
    }
    if (n != 5)
        return wrong(error, "schedule: five fields are needed: minute hour day month weekday, e.g. "
                            "\"0 3 * * mon-fri\"");
    schedule->minutes = bits[0];
    schedule->hours = (uint32_t)bits[1];
    schedule->days = (uint32_t)bits[2];
    schedule->months = (uint32_t)bits[3];
    schedule->weekdays = (uint32_t)((bits[4] | bits[4] >> 7) & 0x7f);
    return true;
}

static bool parse_daily(cfg_schedule *schedule, const char *night_at, GError **error) {
    const int minute = cfg_clock_read(night_at, '\0');
    if (minute < 0) {
        g_set_error(error, CFG_ERROR, CFG_ERROR_MEANING,
                    "night_at is \"%s\"; write it as \"HH:MM\" in UTC, e.g. \"03:00\"",
                    night_at ? night_at : "");
        return false;
    }
    g_autofree char *cron = g_strdup_printf("%d %d * * *", minute % 60, minute / 60);
    return parse_cron(schedule, cron, error);
}

static bool day_fits(const cfg_schedule *s, const GDate *date) {
    bool day = (s->days >> g_date_get_day(date) & 1) != 0;
    /* GDate counts Monday 1 … Sunday 7. */
    bool weekday = (s->weekdays >> ((unsigned)g_date_get_weekday(date) % 7) & 1) != 0;
    if ((s->months >> (unsigned)g_date_get_month(date) & 1) == 0)
        return false;
    if (s->any_day || s->any_weekday)
        return day && weekday;
    return day || weekday;
}

/* A local time as Unix seconds, the first of two when the clock goes back; INT64_MIN: none. */
static int64_t moment_of(const cfg_schedule *s, const GDate *date, int hour, int minute) {
    g_autoptr(GDateTime) moment =
        g_date_time_new(s->zone, g_date_get_year(date), (int)g_date_get_month(date),
                        g_date_get_day(date), hour, minute, 0);
    if (!moment)
        return INT64_MIN;
    g_autoptr(GDateTime) before = g_date_time_add(moment, -G_TIME_SPAN_HOUR);
    bool twice =
        before && g_date_time_get_hour(before) == hour && g_date_time_get_minute(before) == minute;
    return g_date_time_to_unix(twice ? before : moment);
}

/* The first moment of a day after a time; INT64_MAX: none. */
static int64_t first_of_day(const cfg_schedule *s, const GDate *date, int64_t after_s) {
    for (int minute = 0; minute < 24 * 60; minute++) {
        if ((s->hours >> (minute / 60) & 1) == 0 || (s->minutes >> (minute % 60) & 1) == 0)
            continue;
        int64_t moment_s = moment_of(s, date, minute / 60, minute % 60);
        if (moment_s > after_s)
            return moment_s;
    }
    return INT64_MAX;
}

int64_t cfg_schedule_next(const cfg_schedule *schedule, int64_t after_s) {
    /* Years 1 to 9998, which is what the calendar underneath can do. */
    int64_t start_s = CLAMP(after_s, INT64_C(-62135596800), INT64_C(253370764800));
    g_autoptr(GDateTime) utc = g_date_time_new_from_unix_utc(start_s);
    g_autoptr(GDateTime) local = g_date_time_to_timezone(utc, schedule->zone);
    GDate date;
    g_date_clear(&date, 1);
    g_date_set_dmy(&date, (GDateDay)g_date_time_get_day_of_month(local),
                   (GDateMonth)g_date_time_get_month(local),
                   (GDateYear)g_date_time_get_year(local));
    for (unsigned i = 0; i < SEARCH_DAYS; i++) {
        int64_t moment =
            day_fits(schedule, &date) ? first_of_day(schedule, &date, start_s) : INT64_MAX;
        if (moment != INT64_MAX)
            return moment;
        g_date_add_days(&date, 1);
    }
    return INT64_MAX;
}

void cfg_schedule_date(const cfg_schedule *schedule, int64_t moment_s, char out[11]) {
    g_autoptr(GDateTime) utc = g_date_time_new_from_unix_utc(moment_s);
    g_autoptr(GDateTime) local = utc ? g_date_time_to_timezone(utc, schedule->zone) : NULL;
    g_snprintf(out, 11, "%04u-%02u-%02u",
               local ? (unsigned)g_date_time_get_year(local) % 10000 : 9999U,
               local ? (unsigned)g_date_time_get_month(local) % 100 : 12U,
               local ? (unsigned)g_date_time_get_day_of_month(local) % 100 : 31U);
}

/* "UTC+2", which POSIX takes for two hours west of Greenwich and everybody else for east; GMT0 is
 * both. */
static bool is_of_two_signs(const char *zone) {
    const char *at = zone + strspn(zone, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const bool named = at - zone >= 3;
    at += *at == '+' || *at == '-';
    return named && strpbrk(at, "123456789") && at[strspn(at, "0123456789:")] == '\0';
}

static GTimeZone *zone_read(const char *name, GError **error) {
    if (!name)
        return g_time_zone_new_utc();
    if (is_of_two_signs(name)) {
        g_set_error(error, CFG_ERROR, CFG_ERROR_MEANING,
                    "time_zone: \"%s\" can be read in two ways, east or west of Greenwich; give a "
                    "name such as Europe/Berlin, or an offset such as +02:00, which is east",
                    name);
        return NULL;
    }
    GTimeZone *zone = g_time_zone_new_identifier(name);
    if (!zone)
        g_set_error(error, CFG_ERROR, CFG_ERROR_MEANING,
                    "time_zone: \"%s\" is unknown on this machine; give a name such as "
                    "Europe/Berlin (package tzdata)",
                    name);
    return zone;
}

cfg_schedule *cfg_schedule_new(const char *night_at, const char *cron, const char *time_zone,
                               GError **error) {
    g_autoptr(cfg_schedule) schedule = g_new0(cfg_schedule, 1);
    schedule->zone = zone_read(time_zone, error);
    if (!schedule->zone ||
        !(cron ? parse_cron(schedule, cron, error) : parse_daily(schedule, night_at, error)))
        return NULL;
    if (cfg_schedule_next(schedule, 0) == INT64_MAX) {
        wrong(error, "schedule: it never fires; does that day exist?");
        return NULL;
    }
    return g_steal_pointer(&schedule);
}

void cfg_schedule_free(cfg_schedule *schedule) {
    if (!schedule)
        return;
    if (schedule->zone)
        g_time_zone_unref(schedule->zone);
    g_free(schedule);
}
