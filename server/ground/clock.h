#pragma once
/* clock - for those who start things; what can be given a time takes it. */
#include <stdint.h>

/** srv_now_ms - Unix milliseconds. */
int64_t srv_now_ms(void);

/** srv_monotonic_ms - milliseconds of a clock that goes on evenly and that nobody sets: for what is
 * waited for. A wall clock that is set back would make it wait longer by as much. */
int64_t srv_monotonic_ms(void);

/**
 * srv_night_over_ms - when a night was over everywhere on Earth, at most now: what it tells is as
 * old as that.
 * night  YYYY-MM-DD; NULL or no date: now
 */
int64_t srv_night_over_ms(const char *night, int64_t now_ms);
