#include "server/views/badge.h"

#include "config/json_text.h"
#include "config/model/night.h"
#include "web/layout/layout.h"
#include "web/layout/text.h"
#include "web/words/words.h"

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

/* "1.33 µs ±2 %", and of a percentage "4.87 % ±0.08 points"; unit NULL: a time */
static char *level_text(const det_interval *level, const char *unit) {
    if (!level || isnan(level->mean))
        return g_strdup("not measured");
    const double half = (level->high - level->low) / 2;
    char *value = web_format_value(level->mean, unit);
    if (isnan(half) || !(fabs(level->mean) > 0))
        return value;
    g_autofree char *alone = value;
    if (det_gap_unit(unit) != unit)
        return g_strdup_printf("%s ±%.2g %s", value, half, det_gap_unit(unit));
    return g_strdup_printf("%s ±%.1f %%", value, 100 * half / fabs(level->mean));
}

/* The end of the chain whose time the night's total is; alone: out, there is nothing beside it
 * (several writers, unrelated benchmarks). NULL: it has no portions. Of the night. */
static const cfg_portion *leaf_of(const cfg_night *night, bool *alone) {
    const cfg_portion *leaf = night->portions_count > 0 ? night->portions : NULL;
    unsigned chain = 1;
    for (unsigned i = 1; i < night->portions_count; i++)
        if (cfg_is(night->portions[i].parent, leaf->configuration)) {
            leaf = &night->portions[i];
            chain++;
        }
    *alone = chain >= night->portions_count;
    return leaf;
}

/* Is the configuration that leaf's own, or below it? */
static bool holds(const cfg_night *night, const cfg_portion *leaf, const char *configuration) {
    for (unsigned left = night->portions_count; leaf && left > 0; left--) {
        if (cfg_is(leaf->configuration, configuration))
            return true;
        leaf = cfg_night_portion(night, leaf->parent);
    }
    return false;
}

/* What the badge's number is of. */
typedef struct {
    const cfg_night *night; /* NULL: there is none */
    const cfg_portion
        *own;            /* the portion, or the leaf of the total's chain; NULL: neither is known */
    const char *portion; /* that was asked for; NULL: the total */
    bool alone;          /* of a total: it has all portions in it */
} number;

static bool is_in(const number *of, const char *portion, const char *configuration) {
    if (of->portion)
        return cfg_is(of->portion, portion) && of->own &&
               (!*configuration || cfg_is(of->own->configuration, configuration));
    return of->alone || !of->own || holds(of->night, of->own, configuration);
}

/* A colour has its reason: in the number, or, for a whole project, in what is told beside it. */
typedef struct {
    bool is_so;
    char *beside; /* NULL: the number says it */
} finding;

static void find(finding *to, const number *of, const char *portion, const char *configuration,
                 const char *words) {
    const bool in = is_in(of, portion, configuration);
    if (!in && of->portion && !cfg_is(of->portion, portion)) /* it has a badge of its own */
        return;
    if (in)
        g_clear_pointer(&to->beside, g_free);
    else if (!to->is_so)
        to->beside = g_strdup_printf("%s (%s) %s", portion ? portion : "?", configuration, words);
    to->is_so = true;
}

/* Is something beside time in question, as the whole project's heading has it? */
static bool night_asks(const number *of) {
    return !of->portion && of->night->beside_doubtful && of->night->beside;
}

/* Can nobody tell whether something is new? As the gate and a commit's status have it, while any
 * suspicion is open, and where most loops were disturbed. */
static finding suspect(const json_t *project, const number *of) {
    const int64_t open = cfg_json_integer(project, "suspicions");
    finding found = {.is_so = !cfg_is(of->night->state, "measured")};
    for (unsigned i = 0; i < of->night->portions_count; i++) {
        const cfg_portion *p = &of->night->portions[i];
        const char *configuration = p->configuration ? p->configuration : "";
        const char *words = web_unclear_words(of->night, p);
        if (words)
            find(&found, of, p->portion, configuration, words);
    }
    g_autofree char *limits = of->portion ? NULL : web_limits_words(of->night, false);
    if (limits && !found.is_so)
        found = (finding){true, g_steal_pointer(&limits)};
    if (night_asks(of) && !found.is_so)
        found = (finding){true, g_strdup(of->night->beside)};
    if (open > 0 && !found.is_so)
        found = (finding){true, g_strdup_printf("%" G_GINT64_FORMAT " %s open", open,
                                                open == 1 ? "suspicion is" : "suspicions are")};
    if (of->night->disturbed && !found.is_so)
        found = (finding){true, g_strdup(of->night->disturbed)};
    return found;
}

/* A badge is of time, as a commit's status is, but for limits, which are the whole project's: other
 * dimensions of the alerts do not colour it. */
static finding rose(const json_t *project, const number *of) {
    finding found = {0};
    size_t i;
    const json_t *one;
    cfg_json_each (project, "told", i, one) {
        const char *direction = cfg_json_word(one, "direction", "");
        if (g_str_equal(cfg_json_word(one, "dimension", "time"), "time") &&
            cfg_is_worse(direction, cfg_json_word(one, "better", "")))
            find(&found, of, cfg_json_word(one, "portion", ""),
                 cfg_json_word(one, "configuration", ""),
                 cfg_is(direction, "up") ? "rose" : "fell");
    }
    char *limits = of->portion || found.is_so ? NULL : web_limits_words(of->night, true);
    if (limits)
        found = (finding){true, limits};
    return found;
}

/* "response time" is what a time of calls is; a value of another unit has its portion's name. */
static char *label_of(const number *of) {
    unsigned alike = 0;
    for (unsigned i = 0; of->night && i < of->night->portions_count; i++)
        alike += cfg_is(of->night->portions[i].portion, of->portion ? of->portion : "");
    if (of->portion)
        return alike > 1 && of->own
                   ? g_strdup_printf("overhead %s, %s", of->portion, of->own->configuration)
                   : g_strdup_printf("overhead %s", of->portion);
    const char *what = of->own && of->own->unit ? of->own->portion : "response time";
    return of->own && !of->alone ? g_strdup_printf("%s, %s", what, of->own->configuration)
                                 : g_strdup(what);
}

gboolean srv_badge_of(srv_badge *out, const json_t *project, const cfg_night *night,
                      const char *portion) {
    number of = {.night = night, .portion = portion};
    if (night)
        of.own = portion ? portion_of(night, portion) : leaf_of(night, &of.alone);
    if (night && portion && !of.own && cfg_is(night->state, "measured"))
        return FALSE;
    finding worse = night ? rose(project, &of) : (finding){0};
    finding doubt = night ? suspect(project, &of) : (finding){0};
    const det_interval *value = night && !portion ? &night->total : of.own ? &of.own->now : NULL;
    const char *beside = worse.is_so ? worse.beside : doubt.beside;
    g_autofree char *label = label_of(&of);
    g_autofree char *level =
        night ? level_text(value, of.own ? of.own->unit : NULL) : g_strdup("no night yet");
    g_autofree char *message = g_strconcat(level, beside ? "; " : NULL, beside, NULL);
    out->label = web_text_clean(label, TEXT_MAX);
    out->message = web_text_clean(message, TEXT_MAX);
    out->colour = !night ? GREY : worse.is_so ? RED : doubt.is_so ? YELLOW : GREEN;
    g_free(worse.beside);
    g_free(doubt.beside);
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
