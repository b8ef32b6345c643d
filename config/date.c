#include "config/date.h"

static guint number_at(const char *text, int at, int digits) {
    guint value = 0;
    for (int i = at; i < at + digits; i++)
        value = 10 * value + (guint)(text[i] - '0');
    return value;
}

bool cfg_date_read(const char *text, GDate *out) {
    static const char shape[] = "dddd-dd-dd";
    for (size_t i = 0; i < sizeof shape; i++) /* its end too */
        if (!text || (shape[i] == 'd' ? !g_ascii_isdigit(text[i]) : text[i] != shape[i]))
            return false;
    const GDateYear year = (GDateYear)number_at(text, 0, 4);
    const GDateMonth month = (GDateMonth)number_at(text, 5, 2);
    const GDateDay day = (GDateDay)number_at(text, 8, 2);
    if (!g_date_valid_dmy(day, month, year))
        return false;
    g_date_clear(out, 1);
    g_date_set_dmy(out, day, month, year);
    return true;
}
