#pragma once
/*
 * schedule - when nights are: daily at HH:MM UTC, or a cron expression in a time zone.
 *
 * Five fields: minute hour day-of-month month day-of-week, each "*" or a list of numbers, names
 * (jan … dec, sun … sat), ranges a-b, and steps x/n; 7 is Sunday too. When both days are
 * restricted, either one is enough, as cron has it. Also @hourly @daily @weekly @monthly @yearly. A
 * moment that a change of the clock skips comes with the first minute after it; one that comes
 * twice counts the first time. Immutable once made, so any number of threads may ask.
 */
#include <glib.h>
#include <stdint.h>

typedef struct cfg_schedule cfg_schedule;

/**
 * cfg_schedule_new
 * night_at   "HH:MM", UTC; used when cron is NULL
 * cron       expression; NULL: none
 * time_zone  name as "Europe/Berlin"; NULL: UTC
 * Returns NULL with error (CFG_ERROR_MEANING) naming the field that is wrong, also when
 * the expression never fires (30 February).
 */
cfg_schedule *cfg_schedule_new(const char *night_at, const char *cron, const char *time_zone,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
void cfg_schedule_free(cfg_schedule *schedule);

/** cfg_schedule_next - the first moment strictly after a time, both Unix seconds. */
int64_t cfg_schedule_next(const cfg_schedule *schedule, int64_t after_s);

/** cfg_schedule_date - the date that a moment has in the schedule's time zone, "YYYY-MM-DD". */
void cfg_schedule_date(const cfg_schedule *schedule, int64_t moment_s, char out[11]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(cfg_schedule, cfg_schedule_free)
