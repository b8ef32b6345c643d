#include "runner/process/placeholder.h"

#include <inttypes.h>
#include <string.h>

#define NAMES 10

void run_placeholder_append(const run_placeholder *values, char *const *words, GPtrArray *argv) {
    for (size_t i = 0; words && words[i]; i++)
        g_ptr_array_add(argv, run_placeholder_expand(values, words[i]));
}

char *run_placeholder_expand(const run_placeholder *values, const char *text) {
    char calls[24], depth[24];
    g_snprintf(calls, sizeof calls, "%" PRIu64, values->calls);
    g_snprintf(depth, sizeof depth, "%" PRIu64, values->depth);
    const struct {
        const char *word, *value;
    } known[NAMES] = {
        {"{checkout}", values->checkout},
        {"{scratch}", values->scratch},
        {"{harness}", values->harness},
        {"{commit}", values->commit},
        {"{artifact}", values->artifact},
        {"{calls}", calls},
        {"{depth}", depth},
        {"{result}", values->result},
        {"{port}", values->port},
        {"{profile}", values->profile},
    };
    GString *out = g_string_sized_new(strlen(text) + 32);
    while (*text != '\0') {
        size_t taken = 0;
        for (size_t i = 0; *text == '{' && i < NAMES; i++) {
            if (known[i].value && g_str_has_prefix(text, known[i].word)) {
                g_string_append(out, known[i].value);
                taken = strlen(known[i].word);
                break;
            }
        }
        if (taken == 0) {
            g_string_append_c(out, *text);
            taken = 1;
        }
        text += taken;
    }
    return g_string_free(out, FALSE);
}
