#include "config/gungraun.h"

#include <math.h>
#include <string.h>

/* The first of two members that is there. */
static const json_t *either(const json_t *object, const char *newer, const char *older) {
    const json_t *found = json_object_get(object, newer);
    return found ? found : json_object_get(object, older);
}

/* Up to version 3 the tools but for Callgrind, which has a member of its own. */
static const json_t *tools_of(const json_t *summary) {
    return either(summary, "profiles", "tool_summaries");
}

bool cfg_gungraun_is(const json_t *summary) {
    return json_is_string(json_object_get(summary, "module_path")) &&
           json_is_array(tools_of(summary));
}

char *cfg_gungraun_name(const json_t *summary) {
    const char *path = json_string_value(json_object_get(summary, "module_path"));
    const char *id = json_string_value(json_object_get(summary, "id"));
    return id ? g_strdup_printf("%s %s", path ? path : "", id) : g_strdup(path ? path : "");
}

/* From version 7 on under the tool, before in an object of the tool's name. */
static const json_t *metrics_of(const json_t *tool) {
    const json_t *total = json_object_get(either(tool, "data", "summaries"), "total");
    const json_t *metrics = json_object_get(total, "metrics");
    return metrics ? metrics : json_object_get(json_object_get(total, "summary"), "Callgrind");
}

/* Version 3. */
static const json_t *metrics_of_three(const json_t *callgrind) {
    const json_t *total = json_object_get(json_object_get(callgrind, "callgrind_run"), "total");
    return json_object_get(total, "summary");
}

/* 687, {"Int": 687} or {"value": 687, …} */
static double number_of(const json_t *value) {
    static const char *const wrappers[] = {"Int", "Float", "value"};
    for (size_t i = 0; i < G_N_ELEMENTS(wrappers) && json_is_object(value); i++)
        if (json_object_get(value, wrappers[i]))
            value = json_object_get(value, wrappers[i]);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* Of the run that was just made, not of the one it was compared with. */
static double new_of(const json_t *metric) {
    const json_t *values = either(metric, "values", "metrics");
    const json_t *both = json_object_get(values, "Both");
    return number_of(both ? json_array_get(both, 0) : either(values, "new", "Left"));
}

double cfg_gungraun_instructions(const json_t *summary) {
    size_t i;
    const json_t *tool, *three = json_object_get(summary, "callgrind_summary");
    if (json_is_object(three))
        return new_of(json_object_get(metrics_of_three(three), "Ir"));
    json_array_foreach (tools_of(summary), i, tool) {
        const char *name = json_string_value(json_object_get(tool, "tool"));
        if (g_strcmp0(name, "Callgrind") == 0)
            return new_of(json_object_get(metrics_of(tool), "Ir"));
    }
    return (double)NAN;
}

json_t *cfg_gungraun_lines(const char *text, size_t length) {
    json_t *summaries = json_array();
    const char *const end = text + length;
    bool good = true;
    while (good && text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        const size_t size = (size_t)((stop ? stop : end) - text);
        if (size > 0) {
            json_t *summary = json_loadb(text, size, 0, NULL);
            good = cfg_gungraun_is(summary);
            json_array_append_new(summaries, summary);
        }
        text += size + 1;
    }
    if (good && json_array_size(summaries) > 0)
        return summaries;
    json_decref(summaries);
    return NULL;
}
