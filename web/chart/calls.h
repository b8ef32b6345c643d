#pragma once
/*
 * A million calls in a few kilobytes: how their response times are spread, and how they went from
 * the first call to the last. For one loop (one process); 16 bytes a call while it is made.
 */
#include <glib.h>
#include <jansson.h>

/* A bin is 1/WEB_CALLS_BINS_PER_DECADE of a decade wide: 5.9 %. Times from 1 ns to 1e12 ns. */
#define WEB_CALLS_BINS_PER_DECADE 40
#define WEB_CALLS_DECADES 12
#define WEB_CALLS_BUCKETS 200

/**
 * web_calls_digest - the *calls* object of docs/api.md.
 * ns      [n] response times in ns in the order they were measured, warm-up included, not modified
 * warmup  how many of them are warm-up: shown in the course, left out of the spread; <= n
 * The spread's bins run from the lowest to the highest that holds a call. The course has at most
 * WEB_CALLS_BUCKETS buckets of equally many calls (the last may have fewer), each with the 10 %, 50
 * % and 90 % quantile (type 7). Values below 1 ns count as 1 ns. The caller owns the result.
 */
json_t *web_calls_digest(const double *ns, size_t n, size_t warmup) G_GNUC_WARN_UNUSED_RESULT;
