#include "server/alarm/decision.h"

#include "server/ground/error.h"

#include <string.h>

#define TEXT_LIMIT 4000u

bool srv__decision_text_check(const char *what, const char *text, GError **error) {
    if (text && *text != '\0' && strlen(text) <= TEXT_LIMIT && g_utf8_validate(text, -1, NULL))
        return true;
    g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID, "%s: must be 1 to %u bytes of UTF-8", what,
                TEXT_LIMIT);
    return false;
}
