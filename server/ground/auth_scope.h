#pragma once
/* auth_scope - what a token may do: the words, and what each includes. */
#include <glib.h>
#include <stdbool.h>

/* What a token may do; also what a route wants. */
typedef enum {
    SRV_SCOPE_NONE = 0, /* anybody */
    SRV_SCOPE_READ = 1 << 0,
    SRV_SCOPE_SUBMIT = 1 << 1,
    SRV_SCOPE_RUN = 1 << 2,
    SRV_SCOPE_ADMIN = 1 << 3,
    SRV_SCOPE_RUNNER = 1 << 4
} srv_scope;

/** srv__auth_scopes_read - "read,run" as bits; false with error that names the words there are. */
bool srv__auth_scopes_read(const char *text, unsigned *scopes,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv__auth_scopes_text - the other way; caller frees. */
char *srv__auth_scopes_text(unsigned scopes);

/** srv__auth_scopes_widen - with all that they include. */
unsigned srv__auth_scopes_widen(unsigned scopes);
