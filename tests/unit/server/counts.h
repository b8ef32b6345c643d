#pragma once
/* Nights that count what a call does, for the tests of what becomes of it. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

/* Of each configuration, a call. */
typedef struct {
    double instructions[4], allocations[4];
} counts;

static inline json_t *counts_json(const counts *of) {
    json_t *configurations = json_object();
    for (size_t c = 0; c < 4; c++)
        json_object_set_new(configurations, fix_names[c],
                            json_pack("{s:[f,f], s:[f,f]}", "instructions", of->instructions[c],
                                      of->instructions[c], "allocations", of->allocations[c],
                                      of->allocations[c]));
    return json_pack("{s:{s:s, s:s}, s:o}", "counters", "instructions", "callgrind", "allocations",
                     "dhat", "configurations", configurations);
}

/* The experiment of a night whose detail has these counts; taken, NULL: none. */
static inline int64_t counted_night(fixture *fix, int day, const double means[4], json_t *counted) {
    g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
    fix->now_ms += 3600000;
    fix_add(fix, "kieker", day, date, SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix), *body = fix_result(fix, leased, means);
    json_t *detail = json_object_get(json_object_get(body, "environment"), "detail");
    if (counted)
        json_object_set_new(detail, "counts", counted);
    return fix_ingest(fix, leased, body);
}
