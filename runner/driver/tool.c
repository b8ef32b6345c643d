#include "runner/driver/tool.h"

#include "config/formats/formats.h"
#include "runner/driver/wrong.h"

#include <string.h>

#define TOLD_BYTES 300 /* of a tool's own message */

static bool left_refuse(const fmt_night *night, const char *tool, const char *wanted,
                        GError **error) {
    for (guint i = 0; i < night->left->len; i++) {
        const fmt_left *left = night->left->pdata[i];
        if (!wanted || g_str_equal(left->name, wanted))
            return run__wrong(error, "%s: %.*s: %.*s", tool, TOLD_BYTES, left->name, TOLD_BYTES,
                              left->why);
    }
    return true;
}

static bool value_take(const fmt_value *value, const char *tool, run_values *values,
                       GError **error) {
    const char *name = *value->name != '\0' ? value->name : NULL;
    const guint count = value->values_ns->len;
    run_values_allocated(values, name, value->allocated_bytes);
    run_values_mean(values, name, value->mean_ns); /* as an import takes it */
    if (count == 0) {
        g_autofree char *place = g_strdup_printf("%s: %.*s", tool, TOLD_BYTES, value->name);
        return run_values_add(values, name, value->mean_ns, "ns", place, error);
    }
    for (guint i = 0; i < count; i++) {
        g_autofree char *place =
            g_strdup_printf("%s: %.*s, value %u", tool, TOLD_BYTES, value->name, i + 1);
        if (!run_values_add(values, name, g_array_index(value->values_ns, double, i), "ns", place,
                            error))
            return false;
    }
    return true;
}

static bool night_take(const fmt_night *night, const char *tool, const char *wanted,
                       run_values *values, GError **error) {
    if (!left_refuse(night, tool, wanted, error))
        return false;
    for (guint i = 0; i < night->values->len; i++) {
        const fmt_value *value = night->values->pdata[i];
        if (value->no_values && (!wanted || g_str_equal(value->name, wanted)))
            return run__wrong(error, "%s: %s", tool, value->no_values);
        if (!value_take(value, tool, values, error))
            return false;
    }
    return true;
}

bool run_tool_read(const cfg_read *read, const char *wanted, const char *text, run_values *values,
                   GError **error) {
    const fmt_format *format = fmt_of(read->format - CFG_READ_PATTERN - 1);
    g_autoptr(GError) wrong = NULL;
    g_autoptr(GPtrArray) nights =
        fmt_read(format, format->tool, NULL, text, strlen(text), read->cpu_time, &wrong);
    if (!nights)
        return run__wrong(error, "%s%s", wrong->message,
                          read->from_result ? ""
                                            : "; let the tool write to {result}, where nothing "
                                              "else is printed");
    if (nights->len != 1)
        return run__wrong(error, "%s: %u runs in it; one is wanted", format->tool, nights->len);
    return night_take(nights->pdata[0], format->tool, wanted, values, error);
}
