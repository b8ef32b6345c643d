/* What stands above the plot: title, what is shown, and what the colours and marks mean. */
#include "web/layout_internal.h"

#define MARGIN 16.0
#define SIZE 11.0
#define ROW 18.0
#define SWATCH 11.0
/* A low chart keeps its height for the bars. */
#define LOW 260.0
enum { ROWS_MAX = 2, ROWS_MAX_LOW = 1 };

typedef struct {
    web_layout *layout;
    double x, y;
    int row, rows_max;
    guint left_out;
} pen;

static void add_entry(pen *p, web_swatch_kind kind, guint series, const char *text) {
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
    web_swatch swatch = {kind, {p->x, p->y - SWATCH / 2, SWATCH, SWATCH}, series};
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

static void add_series(pen *p, const web_history *h) {
    for (guint s = 0; s < h->series->len; s++) {
        const web_series *series = &g_array_index(h->series, web_series, s);
        g_autofree char *text = *series->label ? g_strconcat(series->name, " ", series->label, NULL)
                                               : g_strdup(series->name);
        add_entry(p, WEB_SWATCH_SERIES, s, text);
    }
}

static void add_marks(pen *p, const web_history *h) {
    bool ring = false, boundary = false, failed = false, quarantined = false;
    for (guint i = 0; i < h->nights->len; i++) {
        const web_night *night = &g_array_index(h->nights, web_night, i);
        failed |= night->state == WEB_NIGHT_FAILED;
        quarantined |= night->state == WEB_NIGHT_QUARANTINED;
        boundary |= night->boundary && i > 0;
        for (guint s = 0; s < h->series->len; s++)
            ring |= web_night_value(night, s).verdict == WEB_VERDICT_ANOMALY;
    }
    if (ring)
        add_entry(p, WEB_SWATCH_RING, 0, "anomaly");
    if (boundary)
        add_entry(p, WEB_SWATCH_BOUNDARY, 0, "environment changed");
    if (failed)
        add_entry(p, WEB_SWATCH_FAILED, 0, "failed");
    if (quarantined)
        add_entry(p, WEB_SWATCH_QUARANTINED, 0, "quarantined");
}

static char *note_text(const web_layout *l, const web_history *h) {
    const web_night *first = &g_array_index(h->nights, web_night, 0);
    const web_night *last = &g_array_index(h->nights, web_night, h->nights->len - 1);
    g_autofree char *range = h->nights->len == 1
                                 ? g_strdup(first->date)
                                 : g_strconcat(first->date, " to ", last->date, NULL);
    if (l->width < 520)
        return g_strdup_printf("mean response time, %s", range);
    return g_strdup_printf("mean response time and its 95 %% interval, %s", range);
}

double web__legend_lay(web_layout *layout, const web_history *history, const char *title) {
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
    add_series(&p, history);
    add_marks(&p, history);
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
