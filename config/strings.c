#include "config/strings.h"

#include <glib.h>

char **cfg__strings_copy(char *const *strings, unsigned count) {
    char **copy = g_new0(char *, count + 1);
    for (unsigned i = 0; i < count; i++)
        copy[i] = g_strdup(strings[i]);
    return copy;
}

void cfg__strings_free(char **strings, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        g_free(strings[i]);
    g_free(strings);
}
