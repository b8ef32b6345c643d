/*
 * Gungraun (formerly iai-callgrind), --output-format=json and pretty-json: a summary a benchmark,
 * in the versions 3 to 7 of that format. Nothing is timed there: what is read are the instructions
 * that Callgrind counted ("Ir").
 */
#include "config/formats/formats.h"

#include <math.h>

/* The first of two members that is there. */
static fmt_at either(const fmt_at *object, const char *newer, const char *older) {
    const fmt_at found = fmt_get(object, newer);
    return found.json ? found : fmt_get(object, older);
}

/* Up to version 3 the tools but for Callgrind, which has a member of its own. */
static fmt_at tools_of(const fmt_at *summary) {
    return either(summary, "profiles", "tool_summaries");
}

static bool is_summary(const fmt_at *at) {
    return fmt_text_of(at, "module_path") && json_is_array(tools_of(at).json);
}

static bool is(const fmt_input *in) {
    const fmt_at root = fmt_root(in->root), first = fmt_item(&root, 0);
    return is_summary(json_is_object(in->root) ? &root : &first);
}

/* 687, {"Int": 687} or {"value": 687, …} */
static double number_of(const fmt_at *at) {
    static const char *const wrappers[] = {"Int", "Float", "value"};
    for (size_t i = 0; i < G_N_ELEMENTS(wrappers) && json_is_object(at->json); i++) {
        const fmt_at inner = fmt_get(at, wrappers[i]);
        if (inner.json)
            return number_of(&inner);
    }
    return fmt_real(at);
}

/* Of the run that was just made, not of the one it was compared with. */
static double new_of(const fmt_at *metric) {
    const fmt_at values = either(metric, "values", "metrics"), both = fmt_get(&values, "Both");
    const fmt_at first = fmt_item(&both, 0), alone = either(&values, "new", "Left");
    return number_of(both.json ? &first : &alone);
}

static double ir_of(const fmt_at *events, fmt_night *night) {
    const fmt_at ir = fmt_get(events, "Ir");
    fmt_night_unread_members(night, events, (const char *const[]){"Ir", NULL});
    return new_of(&ir);
}

/* From version 7 on under the tool, before in an object of the tool's name. */
static double instructions_of_tool(const fmt_at *tool, fmt_night *night) {
    const fmt_at data = either(tool, "data", "summaries"), total = fmt_get(&data, "total");
    const fmt_at summary = fmt_get(&total, "summary"), own = fmt_get(&summary, "Callgrind");
    const fmt_at metrics = fmt_get(&total, "metrics");
    return ir_of(metrics.json ? &metrics : &own, night);
}

/* Of all threads and parts together; NaN: Callgrind did not run. */
static double instructions_of(const fmt_at *summary, fmt_night *night) {
    const fmt_at three = fmt_get(summary, "callgrind_summary"), tools = tools_of(summary);
    const fmt_at run = fmt_get(&three, "callgrind_run"), total = fmt_get(&run, "total");
    const fmt_at inner = fmt_get(&total, "summary");
    double instructions = inner.json ? ir_of(&inner, night) : (double)NAN;
    for (size_t i = 0; i < fmt_size(&tools); i++) {
        const fmt_at tool = fmt_item(&tools, i);
        const char *name = fmt_text_of(&tool, "tool");
        if (g_strcmp0(name, "Callgrind") == 0 && !inner.json)
            instructions = instructions_of_tool(&tool, night);
        else if (name)
            fmt_night_unread(night, name);
    }
    return instructions;
}

static bool summary_read(const fmt_at *summary, fmt_night *night, GError **error) {
    if (!is_summary(summary)) {
        fmt_night_leave(night, NULL, NULL, "a benchmark without module_path or profiles");
        return true;
    }
    const char *path = fmt_text_of(summary, "module_path"), *id = fmt_text_of(summary, "id");
    g_autofree char *name = id ? g_strdup_printf("%s %s", path, id) : g_strdup(path);
    const double instructions = instructions_of(summary, night);
    if (!isfinite(instructions)) {
        fmt_night_leave(night, name, NULL, "Callgrind counted no instructions");
        return true;
    }
    fmt_value *value = fmt_night_once(night, summary, name, NULL, error);
    if (!value)
        return false;
    value->unit = g_strdup(FMT_INSTRUCTIONS);
    fmt_value_add(value, instructions);
    return true;
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    const fmt_at root = fmt_root(in->root);
    fmt_night *night = fmt_night_new(nights, "gungraun");
    return json_is_object(in->root) ? summary_read(&root, night, error)
                                    : fmt_each(&root, night, summary_read, error);
}

const fmt_format fmt_gungraun = {"gungraun", "Gungraun",
                                 "is it written by --output-format=json, and does the filter match "
                                 "any?",
                                 is, take};
