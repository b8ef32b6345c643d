#include "ci/formats/told.h"

#include "ci/formats/night.h"

#define LINES_MAX 25

/* Counts lines that are there several times, in the order in which they came first. */
static void count(json_t *counts, const char *line) {
    const json_int_t before = json_integer_value(json_object_get(counts, line));
    json_object_set_new(counts, line, json_integer(before + 1));
}

void ci_told_nights(GPtrArray *told, const json_t *nights) {
    json_auto_t *counts = json_object();
    size_t i, k;
    json_t *night, *item;
    json_array_foreach (nights, i, night) {
        json_array_foreach (json_object_get(night, "left"), k, item) {
            g_autofree char *line = g_strdup_printf(
                "left out: %s: %s", ci_json_text(item, "name", ""), ci_json_text(item, "why", ""));
            count(counts, line);
        }
        json_array_foreach (json_object_get(night, "notes"), k, item)
            count(counts, json_string_value(item));
    }
    const char *line;
    json_object_foreach (counts, line, item) {
        const json_int_t runs = json_integer_value(item);
        g_ptr_array_add(told, runs > 1 ? g_strdup_printf("%s (in %d of %zu runs)", line, (int)runs,
                                                         json_array_size(nights))
                                       : g_strdup(line));
    }
}

void ci_told_print(const GPtrArray *told, FILE *to) {
    for (guint i = 0; i < told->len && i < LINES_MAX; i++)
        (void)fprintf(to, "%s\n", (const char *)told->pdata[i]);
    if (told->len > LINES_MAX)
        (void)fprintf(to, "and %u more such lines\n", told->len - LINES_MAX);
}
