#pragma once
/*
 * month - a month of a project's nights in a site: a file of the nights themselves, one of what the
 * API says of their experiments beside, and one of what it says of each loop beside its mean: three
 * quarters of the bytes, which a page that compares two nights need not load. Only those
 * experiments are asked for that changed.
 */
#include "ci/site/source.h"

/* What the months of a project have in common. */
typedef struct {
    const ci_source *source;
    const char *folder;   /* "api/v1/projects/NAME" */
    const json_t *latest; /* the newest measured night; NULL: none */
    json_t *newest;       /* gets its experiment when that is asked for; empty before */
} ci_site_months;

/**
 * ci_site_month_kept - are its files there as they were made of digest? Then they stay.
 * name    "2026-02"
 * digest  "…-ID": of the nights, and the last measured experiment before the month, which its first
 *         one names; 0: none. NULL: of any
 */
bool ci_site_month_kept(const ci_site_months *of, const char *name, const char *digest);

/**
 * ci_site_month - writes them.
 * nights  newest first
 */
bool ci_site_month(const ci_site_months *of, const char *name, const char *digest, json_t *nights,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
