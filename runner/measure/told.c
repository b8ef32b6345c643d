#include "runner/measure/attempt.h"

#include <glib.h>
#include <string.h>

#define FAILURE_BYTES 400

/* "\tat Main.main(Main.java:71)" of a JVM and of Node.js, and a JVM's "\t... 12 more". */
static bool is_frame(const char *line) {
    const char *text = line + strspn(line, " \t");
    return text != line && (g_str_has_prefix(text, "at ") || g_str_has_prefix(text, "... "));
}

char *run_told_failure(const char *log) {
    g_auto(GStrv) lines = g_strsplit(log ? log : "", "\n", -1);
    const char *last = "";
    for (guint i = g_strv_length(lines); i-- > 0 && last[0] == '\0';)
        if (!is_frame(lines[i]))
            last = g_strstrip(lines[i]);
    g_autofree char *cut = g_strndup(last, FAILURE_BYTES);
    return g_utf8_make_valid(cut, -1);
}

json_t *run_told_object(const char *log) {
    g_autofree char *said = g_strdup(log);
    if (!said)
        return NULL;
    g_strchomp(said);
    const char *line = strrchr(said, '\n');
    json_t *told = json_loads(line ? line + 1 : said, 0, NULL);
    if (!json_is_object(told))
        g_clear_pointer(&told, json_decref);
    return told;
}

bool run_told_records(const json_t *told, uint64_t *out) {
    const json_t *count = json_object_get(told, "records");
    const bool counted = json_is_integer(count) && json_integer_value(count) >= 0;
    if (counted)
        *out = (uint64_t)json_integer_value(count);
    return counted;
}

json_t *run_told_reading(json_t *told, uint64_t expected) {
    json_t *reading = told ? told : json_object();
    json_object_set_new(reading, "expected", json_integer((json_int_t)expected));
    return reading;
}
