/* Any text as an announcement: understood or told why not; what is understood can be asked. */
#include "server/alarm/expectations.c" /* NOLINT(bugprone-suspicious-include) */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"T", "I", "C", "W", "C+W"};
    g_autofree char *text = g_strndup((const char *)data, size);
    g_autofree char *problem = NULL;
    g_auto(expectation) expect = {0};
    const bool good = expectation_parse(text, names, G_N_ELEMENTS(names), &expect, &problem);
    if (good == (problem != NULL) || good != (expect.portions != NULL))
        abort();
    if (!good)
        return 0;
    if (!expect.portions[0] || !(isnan(expect.percent) || expect.percent > 0) ||
        !(isnan(expect.ns) || expect.ns > 0))
        abort();
    /* Nobody is called for a change of nothing that was announced either way. */
    if (expect.direction == 0 && g_str_equal(expect.portions[0], "I") &&
        !expectation_covers(&expect, "I", 100, 0, 0))
        abort();
    (void)expectation_covers(&expect, "C", -1e300, -1e308, 1e308);
    return 0;
}
