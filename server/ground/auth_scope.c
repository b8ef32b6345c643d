#include "server/ground/auth_scope.h"

#include <gio/gio.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned own;
    unsigned with; /* what it includes */
} scope_names[] = {
    {"read", SRV_SCOPE_READ, SRV_SCOPE_READ},
    {"submit", SRV_SCOPE_SUBMIT, SRV_SCOPE_SUBMIT | SRV_SCOPE_READ},
    {"run", SRV_SCOPE_RUN, SRV_SCOPE_RUN | SRV_SCOPE_SUBMIT | SRV_SCOPE_READ},
    {"admin", SRV_SCOPE_ADMIN, SRV_SCOPE_ADMIN | SRV_SCOPE_RUN | SRV_SCOPE_SUBMIT | SRV_SCOPE_READ},
    {"runner", SRV_SCOPE_RUNNER, SRV_SCOPE_RUNNER},
};

bool srv__auth_scopes_read(const char *text, unsigned *scopes, GError **error) {
    g_auto(GStrv) parts = g_strsplit_set(text, ", ", -1);
    *scopes = 0;
    for (size_t i = 0; parts[i]; i++) {
        size_t k = 0;
        while (k < G_N_ELEMENTS(scope_names) && strcmp(scope_names[k].name, parts[i]) != 0)
            k++;
        if (k == G_N_ELEMENTS(scope_names) && parts[i][0] != '\0') {
            g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                        "unknown scope \"%s\"; scopes are read, submit, run, admin and runner",
                        parts[i]);
            return false;
        }
        if (k < G_N_ELEMENTS(scope_names))
            *scopes |= scope_names[k].own;
    }
    if (*scopes == 0)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "a token needs a scope: read, submit, run, admin or runner");
    return *scopes != 0;
}

char *srv__auth_scopes_text(unsigned scopes) {
    GString *text = g_string_new("");
    for (size_t i = 0; i < G_N_ELEMENTS(scope_names); i++)
        if ((scopes & scope_names[i].own) != 0)
            g_string_append_printf(text, "%s%s", text->len > 0 ? "," : "", scope_names[i].name);
    return g_string_free(text, FALSE);
}

unsigned srv__auth_scopes_widen(unsigned scopes) {
    unsigned all = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(scope_names); i++)
        if ((scopes & scope_names[i].own) != 0)
            all |= scope_names[i].with;
    return all;
}
