/* What a program printed, by every reader of driver command: a value or a reason, never both.
 *
 * First byte: which reader; for the last ones the first line of the rest is the pattern. */

#include "runner/driver/harvest.c" /* NOLINT(bugprone-suspicious-include) */

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_values(unsigned how, const char *text, run_values *values, GError **error) {
    run_extract_rule rule = {.pattern = "^(?<name>\\w+): (?<value>\\S+) (?<unit>\\S+)$",
                             .unit = how & 8 ? "ms" : NULL,
                             .whole = how & 4,
                             .match_limit = 10000,
                             .timeout_s = 5};
    const char *newline = strchr(text, '\n');
    g_autofree char *own = newline ? g_strndup(text, (gsize)(newline - text)) : NULL;
    const cfg_read tool = {.format = how % 4 == 0 ? CFG_READ_jmh : CFG_READ_google,
                           .cpu_time = how & 4};
    char name[] = "none";
    const cfg_configuration wanted = {.result = how & 16 ? name : NULL};
    switch (how % 4) {
    case 0:
    case 1:
        return tool_read(&tool, &wanted, text, values, error);
    case 2:
        return run_extract(&rule, text, strlen(text), values, error);
    default:
        rule.pattern = own ? own : rule.pattern;
        text = newline ? newline + 1 : text;
        return run_extract(&rule, text, strlen(text), values, error);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    unsigned how = size > 0 ? data[0] : 0;
    g_autofree char *text =
        g_utf8_make_valid(size > 0 ? (const char *)data + 1 : "", size > 0 ? (gssize)size - 1 : 0);
    g_autoptr(run_values) values = run_values_new(how & 16 ? "none" : NULL, NULL, how & 32);
    g_autoptr(GError) error = NULL;
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    bool good =
        read_values(how, text, values, &error) && run_values_tell(values, "output", loop, &error);
    double mean = loop->summary.mean;
    if (good != (!error) || !isfinite(mean) || mean < 0 ||
        (error && !g_utf8_validate(error->message, -1, NULL)))
        abort();
    return 0;
}
