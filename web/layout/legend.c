#include "detector/words/change.h"
#include "web/layout/layout.h"
#include "web/layout/text.h"
#include "web/words/words.h"

#include <math.h>
#include <string.h>

enum { ANOMALIES_TOLD = 10 };

static void append_newest(GString *out, const web_history *h, web_chart_of of) {
    for (guint i = h->nights->len; i-- > 0;) {
        const web_night *night = &g_array_index(h->nights, web_night, i);
        if (night->state != WEB_NIGHT_MEASURED)
            continue;
        g_string_append_printf(out, " Newest measured: %s, commit %s%s:", night->date,
                               *night->commit ? night->commit : "unknown",
                               of == WEB_OF_MEDIAN ? ", medians" : "");
        for (guint s = 0; s < h->portions->len; s++) {
            web_value v = web_night_value(night, of, s);
            if (!v.present)
                continue;
            g_autofree char *value = web_format_value(v.mean_ns, web_history_unit(h));
            g_string_append_printf(out, " %s %s;", g_array_index(h->portions, web_portion, s).name,
                                   value);
        }
        out->str[out->len - 1] = '.';
        return;
    }
}

static void append_anomalies(GString *out, const web_history *h) {
    guint told = 0, more = 0;
    for (guint i = 0; i < h->nights->len; i++) {
        const web_night *night = &g_array_index(h->nights, web_night, i);
        for (guint s = 0; s < night->count; s++) {
            if (night->values[WEB_OF_MEAN][s].verdict != WEB_VERDICT_ANOMALY)
                continue;
            web_value v = night->values[WEB_OF_MEAN][s];
            if (!v.present)
                continue;
            if (told == ANOMALIES_TOLD) {
                more++;
                continue;
            }
            told++;
            g_string_append_printf(out, " Anomaly on %s, commit %s: %s %s.", night->date,
                                   night->commit, g_array_index(h->portions, web_portion, s).name,
                                   det_change_verb(v.direction));
        }
    }
    if (told == 0)
        g_string_append(out, " No anomaly.");
    if (more > 0)
        g_string_append_printf(out, " %u more anomalies.", more);
}

char *web__describe(const web_history *h, web_chart_of of) {
    if (h->nights->len == 0)
        return g_strdup("No night has been measured yet.");
    GString *out = g_string_new(NULL);
    guint nights = 0, failed = 0; /* one that was measured again counts once */
    const char *last = "";
    for (guint i = 0; i < h->nights->len; i++) {
        const web_night *night = &g_array_index(h->nights, web_night, i);
        nights += strcmp(night->date, last) != 0;
        failed += night->state != WEB_NIGHT_MEASURED;
        last = night->date;
    }
    g_string_append_printf(out, "%u nights from %s to %s", nights,
                           g_array_index(h->nights, web_night, 0).date,
                           g_array_index(h->nights, web_night, h->nights->len - 1).date);
    if (failed > 0)
        g_string_append_printf(out, ", %u without result", failed);
    g_string_append_c(out, '.');
    append_newest(out, h, of);
    append_anomalies(out, h);
    return g_string_free(out, FALSE);
}

#define MARGIN 16.0
#define SIZE 11.0
#define ROW 18.0
#define SWATCH 11.0
/* A low chart keeps its height for the bars. */
#define LOW 260.0
/* Narrower, standard portions are told by their letter alone. */
#define NARROW 520
enum { ROWS_MAX = 4, ROWS_MAX_LOW = 1 };

typedef struct {
    web_layout *layout;
    double x, y;
    int row, rows_max;
    guint left_out;
} pen;

static void add_entry(pen *p, web_swatch_kind kind, guint portion, const char *text) {
    double width = SWATCH + 6 + web_text_width(text, SIZE) + 12;
    double end = p->layout->width - MARGIN - 50; /* room for "+ 12" */
    double wanted = MIN(width, end - MARGIN);
    if (p->left_out == 0 && p->x > MARGIN && p->x + wanted > end && p->row + 1 < p->rows_max) {
        p->x = MARGIN;
        p->y += ROW;
        p->row++;
    }
    if (p->left_out > 0 || p->x + wanted > end) {
        p->left_out++;
        return;
    }
    web_swatch swatch = {kind, {p->x, p->y - SWATCH / 2, SWATCH, SWATCH}, portion};
    g_array_append_val(p->layout->swatches, swatch);
    web__label_add(p->layout,
                   (web_label){.role = WEB_LABEL_LEGEND,
                               .x = p->x + SWATCH + 6,
                               .y = p->y,
                               .size = SIZE,
                               .max_width = wanted - SWATCH - 12},
                   text);
    p->x += wanted;
}

static void add_portions(pen *p, const web_history *h) {
    for (guint s = 0; s < h->portions->len; s++) {
        const web_portion *portion = &g_array_index(h->portions, web_portion, s);
        if (!web_history_shows(h, p->layout->of, s))
            continue;
        bool brief = p->layout->width < NARROW && strlen(portion->name) == 1;
        g_autofree char *text =
            *portion->label && !brief && !g_str_equal(portion->label, portion->name)
                ? g_strconcat(portion->name, " ", portion->label, NULL)
                : g_strdup(portion->name);
        add_entry(p, WEB_SWATCH_PORTION, s, text);
    }
}

/* The kinds of marks that are in the picture, as bits. */
static guint marks_of(const web_layout *l, const web_history *h, const GArray *columns) {
    guint marks = 0;
    for (guint i = 0; i < h->nights->len; i++) {
        const web_night *night = &g_array_index(h->nights, web_night, i);
        marks |= (guint)(night->state == WEB_NIGHT_FAILED) << WEB_SWATCH_FAILED;
        marks |= (guint)(night->state == WEB_NIGHT_QUARANTINED) << WEB_SWATCH_QUARANTINED;
        marks |= (guint)(night->boundary && i > 0) << WEB_SWATCH_ENVIRONMENT;
        marks |= (guint)(night->accepted && i > 0) << WEB_SWATCH_ACCEPTED;
        marks |= (guint)(night->release != NULL) << WEB_SWATCH_RELEASE;
        marks |= (guint)(night->incident && !(night->boundary && i > 0)) << WEB_SWATCH_INCIDENT;
        marks |= (guint)(night->note != NULL) << WEB_SWATCH_NOTE;
        marks |= (guint)(night->baseline != NULL) << WEB_SWATCH_BASELINE;
        for (guint s = 0; s < night->count; s++) {
            if (night->values[l->of][s].verdict == WEB_VERDICT_OK) /* nearly all of them */
                continue;
            web_value v = night->values[l->of][s];
            bool alone = l->nights_per_column == 1 && v.present;
            marks |= (guint)(v.present && v.verdict == WEB_VERDICT_ANOMALY) << WEB_SWATCH_RING;
            marks |= (guint)(alone && v.verdict == WEB_VERDICT_SUSPECT) << WEB_SWATCH_WATCHED;
        }
    }
    if (l->nights_per_column > 1) /* a merged column has a median, not a state */
        marks &= ~(1u << WEB_SWATCH_FAILED | 1u << WEB_SWATCH_QUARANTINED);
    for (guint i = 0; i < columns->len; i++)
        marks |= (guint)(g_array_index(columns, web__column, i).missing > 0) << WEB_SWATCH_MISSING;
    marks |= (guint)(l->cut_above || l->cut_below) << WEB_SWATCH_CUT;
    return marks;
}

static void add_marks(pen *p, guint marks) {
    static const char *const words[][2] = {
        [WEB_SWATCH_RING] = {"anomaly", "anomaly"},
        [WEB_SWATCH_WATCHED] = {"to be measured again", "suspected"},
        [WEB_SWATCH_ENVIRONMENT] = {"environment changed", "environment"},
        [WEB_SWATCH_ACCEPTED] = {"change accepted", "accepted"},
        [WEB_SWATCH_RELEASE] = {"release", "release"},
        [WEB_SWATCH_INCIDENT] = {"incident of the machine", "incident"},
        [WEB_SWATCH_NOTE] = {"note", "note"},
        [WEB_SWATCH_BASELINE] = {"level set by hand", "by hand"},
        [WEB_SWATCH_FAILED] = {"failed", "failed"},
        [WEB_SWATCH_QUARANTINED] = {"quarantined", "quarantined"},
        [WEB_SWATCH_MISSING] = {"not measured", "not measured"},
        [WEB_SWATCH_CUT] = {"cut off, with its value", "cut off"},
    };
    bool narrow = p->layout->width < NARROW;
    for (guint kind = WEB_SWATCH_RING; kind < G_N_ELEMENTS(words); kind++)
        if (marks & 1u << kind)
            add_entry(p, (web_swatch_kind)kind, 0, words[kind][narrow]);
}

/* The level of the nights' intervals; NaN where they differ, or one does not say. */
static double history_level(const web_history *h) {
    const web_night *first = NULL;
    for (guint i = 0; i < h->nights->len; i++) {
        const web_night *night = &g_array_index(h->nights, web_night, i);
        if (night->state != WEB_NIGHT_MEASURED)
            continue;
        first = first ? first : night;
        if (night->level != first->level)
            return (double)NAN;
    }
    return first ? first->level : (double)NAN;
}

static char *note_text(const web_layout *l, const web_history *h) {
    const web_night *first = &g_array_index(h->nights, web_night, 0);
    const web_night *last = &g_array_index(h->nights, web_night, h->nights->len - 1);
    const char *what = l->of == WEB_OF_MEDIAN ? "median response time" : "mean response time";
    const char *how = l->view == WEB_VIEW_LINES ? ", each portion alone" : "";
    g_autofree char *range = h->nights->len == 1
                                 ? g_strdup(first->date)
                                 : g_strconcat(first->date, " to ", last->date, NULL);
    if (l->width < NARROW)
        return g_strdup_printf("%s, %s", what, range);
    g_autofree char *interval = web_level_interval(history_level(h));
    return g_strdup_printf("%s and its %s%s, %s", what, interval, how, range);
}

double web__legend_lay(web_layout *layout, const web_history *history, const GArray *columns,
                       const char *title) {
    web_label head = {.role = WEB_LABEL_TITLE,
                      .x = MARGIN,
                      .y = 20,
                      .size = 15,
                      .max_width = layout->width - 2 * MARGIN};
    pen p = {.layout = layout,
             .x = MARGIN,
             .y = *title ? 62 : 40,
             .rows_max = layout->height < LOW ? ROWS_MAX_LOW : ROWS_MAX};
    if (*title)
        web__label_add(layout, head, title);
    g_autofree char *note = note_text(layout, history);
    head.role = WEB_LABEL_NOTE;
    head.size = SIZE;
    head.y = *title ? 41 : 18;
    web__label_add(layout, head, note);
    add_portions(&p, history);
    add_marks(&p, marks_of(layout, history, columns));
    if (p.left_out > 0) {
        g_autofree char *more = g_strdup_printf("+ %u", p.left_out);
        web__label_add(layout,
                       (web_label){.role = WEB_LABEL_LEGEND,
                                   .x = layout->width - MARGIN,
                                   .y = p.y,
                                   .align = 1,
                                   .size = SIZE,
                                   .max_width = 50},
                       more);
    }
    return p.y + ROW / 2;
}
