#pragma once
/* voice - what the properties of one voice share: how many cases, and a claim that shows its night.
 */
#include "tests/unit/ci/expect.h"
#include "tests/unit/detector/luck.h"

static inline unsigned cases(void) {
    const char *wish = g_getenv("MOOWATCH_CASES");
    return wish ? (unsigned)g_ascii_strtoull(wish, NULL, 10) : 400;
}

#define AGREE(claim, night)                                                                        \
    do {                                                                                           \
        if (!(claim)) {                                                                            \
            g_autofree char *shown = json_dumps(night, JSON_INDENT(1));                            \
            fail_msg("%s does not hold of %s", #claim, shown);                                     \
        }                                                                                          \
    } while (0)

static inline json_t *interval(double mean, double half) {
    return json_pack("{s:f,s:f,s:f}", "mean_ns", mean, "low_ns", mean - half, "high_ns",
                     mean + half);
}
