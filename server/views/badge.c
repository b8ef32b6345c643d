#include "server/views/badge.h"

#include "config/json_text.h"
#include "config/model/night.h"
#include "web/layout/layout.h"
#include "web/layout/text.h"

#include <math.h>

#define GREEN "#2e7d32"
#define RED "#b3261e"
#define YELLOW "#8a6100"
#define GREY "#5f6368"
#define TEXT_MAX 60
#define FONT_SIZE 11.0
#define PADDING 6.0
#define CACHE_S 3600

void srv_badge_clear(srv_badge *badge) {
    g_free(badge->label);
    g_free(badge->message);
    *badge = (srv_badge){0};
}

static const cfg_portion *portion_of(const cfg_night *night, const char *name) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (cfg_is(night->portions[i].portion, name))
            return &night->portions[i];
    return NULL;
}

/* "1332 ns ±2 %" */
static char *level_text(const det_interval *level, const char *unit) {
    if (!level || isnan(level->mean))
        return g_strdup("not measured");
    const double value = level->mean, half = (level->high - level->low) / 2;
    const int digits = fabs(value) >= 1000 ? 0 : fabs(value) >= 10 ? 1 : 2;
    if (isnan(half) || !(fabs(value) > 0))
        return g_strdup_printf("%.*f %s", digits, value, unit);
    return g_strdup_printf("%.*f %s ±%.1f %%", digits, value, unit, 100 * half / fabs(value));
}

/* Can nobody tell whether something is new? As the gate and a commit's status have it, and while
 * any suspicion is open. */
static gboolean is_suspect(const json_t *project, const cfg_night *night) {
    if (!cfg_is(night->state, "measured") || cfg_night_blind(night) ||
        json_integer_value(json_object_get(project, "suspicions")) > 0)
        return TRUE;
    for (unsigned i = 0; i < night->portions_count; i++)
        if (cfg_portion_is_unclear(&night->portions[i]))
            return TRUE;
    return FALSE;
}

/* A badge is of time, as a commit's status is: other dimensions of the alert do not colour it. */
static gboolean rose(const json_t *project, const char *portion) {
    size_t i;
    const json_t *one;
    cfg_json_each (json_object_get(project, "alert"), "portions", i, one)
        if (g_str_equal(cfg_json_word(one, "dimension", "time"), "time") &&
            cfg_is_worse(cfg_json_word(one, "direction", ""), cfg_json_word(one, "better", "")) &&
            (!portion || g_str_equal(cfg_json_word(one, "portion", ""), portion)))
            return TRUE;
    return FALSE;
}

gboolean srv_badge_of(srv_badge *out, const json_t *project, const cfg_night *night,
                      const char *portion) {
    const cfg_portion *own = night && portion ? portion_of(night, portion) : NULL;
    const det_interval *value = night && !portion ? &night->total : own ? &own->now : NULL;
    if (night && portion && !own && cfg_is(night->state, "measured"))
        return FALSE;
    const char *total_of = night && !portion ? cfg_night_total_of(night) : NULL;
    g_autofree char *label = portion    ? g_strdup_printf("overhead %s", portion)
                             : total_of ? g_strdup_printf("response time, %s", total_of)
                                        : g_strdup("response time");
    out->label = web_text_clean(label, TEXT_MAX);
    const cfg_portion *unit_of = own                              ? own
                                 : night && night->portions_count ? night->portions
                                                                  : NULL;
    out->message = night ? level_text(value, unit_of ? cfg_portion_unit(unit_of) : "ns")
                         : g_strdup("no night yet");
    out->colour = !night                       ? GREY
                  : rose(project, portion)     ? RED
                  : is_suspect(project, night) ? YELLOW
                                               : GREEN;
    return TRUE;
}

char *srv_badge_svg(const srv_badge *badge) {
    const double left = web_text_width(badge->label, FONT_SIZE) + 2 * PADDING;
    const double right = web_text_width(badge->message, FONT_SIZE) + 2 * PADDING;
    g_autofree char *label = g_markup_escape_text(badge->label, -1);
    g_autofree char *message = g_markup_escape_text(badge->message, -1);
    char numbers[5][G_ASCII_DTOSTR_BUF_SIZE];
    const double values[] = {left + right, left, right, left / 2, left + right / 2};
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++)
        g_ascii_formatd(numbers[i], sizeof numbers[i], "%.1f", values[i]);
    return g_strdup_printf(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"20\" role=\"img\" "
        "aria-label=\"%s: %s\"><title>%s: %s</title>"
        "<rect width=\"%s\" height=\"20\" rx=\"3\" fill=\"#444\"/>"
        "<rect x=\"%s\" width=\"%s\" height=\"20\" rx=\"3\" fill=\"%s\"/>"
        "<g fill=\"#fff\" text-anchor=\"middle\" font-family=\"DejaVu Sans,Verdana,sans-serif\" "
        "font-size=\"11\"><text x=\"%s\" y=\"14\">%s</text><text x=\"%s\" y=\"14\">%s</text></g>"
        "</svg>\n",
        numbers[0], label, message, label, message, numbers[1], numbers[1], numbers[2],
        badge->colour, numbers[3], label, numbers[4], message);
}

json_t *srv_badge_shields(const srv_badge *badge) {
    return json_pack("{s:i,s:s,s:s,s:s,s:b,s:i}", "schemaVersion", 1, "label", badge->label,
                     "message", badge->message, "color", badge->colour, "isError",
                     g_str_equal(badge->colour, RED), "cacheSeconds", CACHE_S);
}
