#pragma once
/* shell - a script run in a test's folder. */
#include <glib.h>
#include <stdbool.h>

/* False when one of its commands fails. */
static inline bool shell(const char *folder, const char *text) {
    g_autofree char *copy = g_strdup(text);
    char *argv[] = {(char[]){"sh"}, (char[]){"-ec"}, copy, NULL};
    int status = -1;
    return g_spawn_sync(folder, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status,
                        NULL) &&
           status == 0;
}
