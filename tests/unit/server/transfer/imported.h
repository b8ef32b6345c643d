#pragma once
/* Lines of an export, taken in. */
#include "server/transfer/export.h"

#include <string.h>

static inline bool import_text(srv_import *import, char *text, GError **error) {
    FILE *file = fmemopen(text, strlen(text), "r");
    const bool good = file && srv_import_file(import, file, error);
    if (file)
        (void)fclose(file);
    return good;
}
