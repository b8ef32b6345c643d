#include "web/words/level.h"

#include <glib.h>
#include <math.h>

char *web_level_interval(double level) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    if (!(level > 0 && level < 1))
        return g_strdup("interval");
    g_ascii_formatd(number, sizeof number, "%g", round(1e6 * level) / 1e4);
    return g_strconcat(number, " % interval", NULL);
}
