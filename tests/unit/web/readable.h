#pragma once
/* Can a person read a chart? What is written is whole, and the typical night is not flattened. */
#include <stdlib.h>

#include "drawn.h"

static inline int ascending(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* How much of the plot the median night takes, from zero. */
static inline double typical_share(const drawn *d) {
    g_autofree double *totals = g_new(double, d->history->nights->len);
    guint n = 0;
    for (guint i = 0; i < d->history->nights->len; i++) {
        const web_night *one = AT(d->history->nights, web_night, i);
        double most = 0;
        for (guint s = 0; s < one->count; s++)
            most = fmax(most, one->values[d->layout->of][s].mean_ns);
        if (one->total[d->layout->of].present)
            totals[n++] =
                d->layout->view == WEB_VIEW_LINES ? most : one->total[d->layout->of].mean_ns;
    }
    qsort(totals, n, sizeof *totals, ascending);
    return (d->layout->zero_y - web__y_shown(d->layout, totals[n / 2])) / d->layout->plot.height;
}

/* Nothing that stands above the plot ends in an ellipsis. */
static inline void check_whole(const web_layout *l) {
    for (guint i = 0; i < l->labels->len; i++) {
        const web_label *label = AT(l->labels, web_label, i);
        if (label->y < l->plot.y && web_text_width(label->text, label->size) > label->max_width)
            fail_msg("\"%s\" is cut", label->text);
    }
}

/* Written values are whole, inside the picture, inside the plot, and covered by no letter. */
static inline void check_readable(const web_layout *l) {
    for (guint i = 0; i < l->labels->len; i++) {
        const web_label *a = AT(l->labels, web_label, i);
        if (a->role != WEB_LABEL_CUT)
            continue;
        web_box at = extent(a);
        assert_true(web_text_width(a->text, a->size) <= a->max_width);
        assert_true(at.x >= 0 && at.x + at.width <= l->width);
        assert_true(at.y >= l->plot.y - EPSILON);
        assert_true(at.y + at.height <= l->plot.y + l->plot.height + EPSILON);
    }
    for (guint i = 0; i < l->cuts->len; i++) {
        const web_cut *cut = AT(l->cuts, web_cut, i);
        assert_true(cut->y > l->plot.y && cut->y < l->plot.y + l->plot.height);
        assert_true(cut->below ? cut->value_ns < l->shown.low_ns
                               : cut->value_ns > l->shown.high_ns);
    }
}

/* Ticks, dates, values and names are written out, large enough, and inside the picture. */
static inline void check_inside(const web_layout *l) {
    for (guint i = 0; i < l->labels->len; i++) {
        const web_label *label = AT(l->labels, web_label, i);
        if (label->role == WEB_LABEL_TITLE || label->role == WEB_LABEL_NOTE || label->angle != 0)
            continue;
        web_box at = extent(label);
        assert_true(label->size >= 10);
        if (at.x < -EPSILON || at.x + at.width > l->width + EPSILON || at.y < -EPSILON ||
            at.y + at.height > l->height + EPSILON)
            fail_msg("\"%s\" is outside of the picture", label->text);
        if (label->role != WEB_LABEL_RELEASE && label->role != WEB_LABEL_LEGEND &&
            web_text_width(label->text, label->size) > label->max_width + EPSILON)
            fail_msg("\"%s\" is cut", label->text);
    }
}
