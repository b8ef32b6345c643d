#include "runner/count/valgrind.h"

#include "runner/ground/error.h"

#include <jansson.h>
#include <string.h>

static bool wrong(GError **error, const char *why) {
    g_set_error_literal(error, RUN_ERROR, RUN_ERROR_JOB, why);
    return false;
}

bool run_valgrind_instructions(const char *text, size_t size, double calls, double *values,
                               GError **error) {
    static const char key[] = "\ntotals:";
    const char *at = g_strrstr_len(text, (gssize)size, key);
    char *end = NULL;
    const double total = at ? g_ascii_strtod(at + strlen(key), &end) : 0;
    if (!at || end == at + strlen(key))
        return wrong(error, "there are no totals in its file");
    if (!(total > 0))
        return wrong(error, RUN_VALGRIND_ROOT " was not called: is the program stripped, or is it "
                                              "another one than the harness?");
    values[0] = total / calls;
    return true;
}

/* Which of the frames are the method: "0x10A4C3: moobench_monitored_method (in /usr/…)". */
static bool *roots_of(const json_t *frames) {
    static const char method[] = ": " RUN_VALGRIND_ROOT " (";
    bool *roots = g_new0(bool, json_array_size(frames) + 1);
    size_t i;
    const json_t *frame;
    json_array_foreach (frames, i, frame)
        roots[i] = json_is_string(frame) && strstr(json_string_value(frame), method) != NULL;
    return roots;
}

static bool is_below(const json_t *stack, const bool *roots, size_t count) {
    size_t i;
    const json_t *frame;
    json_array_foreach (stack, i, frame) {
        const json_int_t at = json_integer_value(frame);
        if (at >= 0 && (size_t)at < count && roots[at])
            return true;
    }
    return false;
}

static bool add_points(const json_t *root, double *values, GError **error) {
    const json_t *frames = json_object_get(root, "ftbl");
    const json_t *points = json_object_get(root, "pps");
    values[0] = values[1] = 0;
    if (!json_is_array(frames) || !json_is_array(points))
        return wrong(error, "its file has no places of allocations");
    g_autofree bool *roots = roots_of(frames);
    size_t i;
    const json_t *point;
    json_array_foreach (points, i, point) {
        const json_t *blocks = json_object_get(point, "tbk"), *bytes = json_object_get(point, "tb");
        if (!is_below(json_object_get(point, "fs"), roots, json_array_size(frames)))
            continue;
        if (!json_is_integer(blocks) || !json_is_integer(bytes) || json_integer_value(blocks) < 0 ||
            json_integer_value(bytes) < 0)
            return wrong(error, "a count of allocations in its file is not a whole number");
        values[0] += (double)json_integer_value(blocks);
        values[1] += (double)json_integer_value(bytes);
    }
    return true;
}

bool run_valgrind_allocations(const char *text, size_t size, double calls, double *values,
                              GError **error) {
    json_error_t bad;
    json_t *root = json_loadb(text, size, 0, &bad);
    if (!root) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "its file, line %d: %s", bad.line, bad.text);
        return false;
    }
    const bool good = add_points(root, values, error);
    json_decref(root);
    values[0] /= calls;
    values[1] /= calls;
    return good;
}
