#include "web/layout/layout.h"

#include <glib.h>
#include <math.h>

/* from the lowest to the highest of n spans and zero. */
static web_range range_whole(const web_range *spans, size_t n) {
    web_range whole = {0, 0};
    for (size_t i = 0; i < n; i++) {
        whole.low_ns = fmin(whole.low_ns, spans[i].low_ns);
        whole.high_ns = fmax(whole.high_ns, spans[i].high_ns);
    }
    return whole;
}

static double end_of(const web_range *span, int sign) {
    return fmax(sign > 0 ? span->high_ns : -span->low_ns, 0);
}

/* The value that would stand at this place were they sorted (Hoare 1961, FIND); reorders them. */
static double value_at(double *values, size_t n, ptrdiff_t place) {
    ptrdiff_t low = 0, high = (ptrdiff_t)n - 1;
    while (low < high) {
        const double middle = values[place];
        ptrdiff_t up = low, down = high;
        while (up <= down) {
            while (values[up] < middle)
                up++;
            while (middle < values[down])
                down--;
            if (up > down)
                break;
            const double taken = values[up];
            values[up++] = values[down];
            values[down--] = taken;
        }
        if (down < place)
            low = up;
        if (place < up)
            high = down;
    }
    return values[place];
}

/* How far three quarters of the spans, oldest first, and the level of the newest reach away from
 * zero; sign -1: below it. */
static double reach_of(const web_range *spans, size_t n, int sign, double *ends) {
    const double newest = fmin(end_of(&spans[n - 1], sign), end_of(&spans[n - 2], sign));
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        ends[i] = end_of(&spans[i], sign);
        most = fmax(most, ends[i]);
    }
    const double reach = most > 0 ? value_at(ends, n, (ptrdiff_t)(3 * (n - 1) / 4)) : 0;
    return newest <= WEB_RANGE_NEWEST * reach ? fmax(reach, newest) : reach;
}

/* The end of a side that is cut: a margin above the highest that the fence lets in. */
static double cut_end(const web_range *spans, size_t n, int sign, double reach, double fence,
                      double margin) {
    double within = reach;
    for (size_t i = 0; i < n; i++) {
        const double end = end_of(&spans[i], sign);
        if (end <= fence)
            within = fmax(within, end);
    }
    return fmin(fence, within + margin);
}

/* The range to show of n spans, within the whole one.
 * cores   [n] what says which are typical, each within its span: the spans themselves, or the
 *         medians of columns whose spans are ranges of many nights, of which one may be absurd */
static web_range range_typical(const web_range *spans, const web_range *cores, size_t n) {
    web_range whole = range_whole(spans, n);
    if (n < WEB_RANGE_COLUMNS_MIN)
        return whole;
    g_autofree double *ends = g_new(double, n);
    double up = reach_of(cores, n, 1, ends), down = reach_of(cores, n, -1, ends);
    double typical = up + down, stretch = typical * WEB_RANGE_STRETCH;
    if (!(typical > 0) || whole.high_ns - whole.low_ns <= typical * (1 + WEB_RANGE_KEPT))
        return whole;
    double more_up = whole.high_ns - up, more_down = -whole.low_ns - down;
    double fence_up = up + fmin(more_up, stretch - fmin(more_down, stretch / 2));
    double fence_down = down + fmin(more_down, stretch - fmin(more_up, stretch / 2));
    double margin = typical * WEB_RANGE_MARGIN;
    web_range shown = whole;
    if (whole.high_ns > fence_up)
        shown.high_ns = cut_end(spans, n, 1, up, fence_up, margin);
    if (-whole.low_ns > fence_down)
        shown.low_ns = -cut_end(spans, n, -1, down, fence_down, margin);
    return shown;
}

#define TICK_DISTANCE 32.0
#define SIZE 10.0
#define ROW 13.0
/* Marks, and the values of what is cut, may take so much of the plot; the typical night keeps half:
 * of a range that is not cut it has 1 / (1 + WEB_RANGE_KEPT), else 1 / (1 + WEB_RANGE_STRETCH). */
#define ROOM_SHARE_WHOLE 0.2
#define ROOM_SHARE_CUT 0.25
#define BELOW_SHARE 0.02  /* under the lowest value, when nothing is cut there */
#define ROW_MIN 10.0      /* lower, a value would cover what is beside it */
#define TEAR_DISTANCE 5.0 /* from the edge */
#define TEAR_WIDTH 10.0   /* across a line */

/* What the ink of a column spans: the stack and its interval, or all lines. core: without them. */
static web_range span_of(const web_layout *l, const web__values *m, guint column, bool core) {
    web_range span = {0, 0};
    double above = 0, below = 0;
    for (guint s = 0; s + 1 < m->width; s++) {
        const web_value *v = web__value_at(m, column, s);
        above += fmax(v->mean_ns, 0);
        below += fmin(v->mean_ns, 0);
        if (l->view == WEB_VIEW_LINES) {
            span.low_ns = fmin(span.low_ns, core ? v->mean_ns : v->low_ns);
            span.high_ns = fmax(span.high_ns, core ? v->mean_ns : v->high_ns);
        }
    }
    if (l->view == WEB_VIEW_LINES)
        return span;
    const web_value *total = web__total_at(m, column);
    return core ? (web_range){below, above}
                : (web_range){fmin(below, total->low_ns), fmax(above, total->high_ns)};
}

static bool has_ink(web_range span) {
    return span.low_ns < 0 || span.high_ns > 0;
}

void web__cuts_range(web_layout *l, const web__values *m, web_chart_range wanted) {
    g_autofree web_range *spans = g_new(web_range, m->columns->len + 1);
    g_autofree web_range *cores = g_new(web_range, m->columns->len + 1);
    bool merged = l->nights_per_column > 1;
    size_t n = 0;
    for (guint i = 0; i < m->columns->len; i++) {
        spans[n] = span_of(l, m, i, false);
        cores[n] = span_of(l, m, i, merged);
        n += has_ink(spans[n]);
    }
    web_range whole = range_whole(spans, n);
    l->shown = wanted == WEB_RANGE_FULL ? whole : range_typical(spans, cores, n);
    l->cut_above = l->shown.high_ns < whole.high_ns;
    l->cut_below = l->shown.low_ns > whole.low_ns;
}

/* The row of a value over what is cut; in a low plot the typical night comes first. */
static double row_of(const web_layout *l) {
    return fmin(ROW, l->plot.height * ROOM_SHARE_CUT / 2);
}

void web__cuts_scale(web_layout *l, double room) {
    double low = l->shown.low_ns, high = l->shown.high_ns, row = row_of(l);
    bool cut = l->cut_above || l->cut_below;
    double most = l->plot.height * (cut ? ROOM_SHARE_CUT : ROOM_SHARE_WHOLE);
    double below = l->cut_below ? row : low < 0 ? BELOW_SHARE * l->plot.height : 0;
    double value = l->cut_above ? row : 0;
    double above = fmax(fmin(room, most - below - value), 0) + value;
    double ns_a_pixel = (high - low) / (l->plot.height - above - below);
    high += above * ns_a_pixel;
    low -= below * ns_a_pixel;
    l->axis = web_axis_make(low, high, (int)(l->plot.height / TICK_DISTANCE), l->unit);
    l->zero_y = web__y_of(l, 0);
}

/* The value that is written: of a bar itself, or the end of its interval when only that is cut. */
static double value_of(const web_layout *l, const web__values *m, guint column, web_range span,
                       bool below) {
    const web_value *total = web__total_at(m, column);
    double end = below ? span.low_ns : span.high_ns;
    bool alone = l->view == WEB_VIEW_BARS && total->present &&
                 g_array_index(m->columns, web__column, column).count == 1;
    return alone && (below ? total->mean_ns < l->shown.low_ns : total->mean_ns > l->shown.high_ns)
               ? total->mean_ns
               : end;
}

static void add_cut(web_layout *l, double x, double width, bool below, double value, guint night) {
    double edge = web__y_of(l, below ? l->shown.low_ns : l->shown.high_ns);
    web_cut cut = {.x = x,
                   .y = edge + (below ? -TEAR_DISTANCE : TEAR_DISTANCE),
                   .width = width,
                   .edge_y = edge,
                   .value_ns = value,
                   .below = below,
                   .night = night};
    g_array_append_val(l->cuts, cut);
}

/* Writes the values of one side from left to right; of those that would cover each other the one
 * that lies farthest out. */
static void write_values(web_layout *l, bool below) {
    double free_from = l->plot.x, before = free_from;
    double end = l->plot.x + l->plot.width, row = row_of(l);
    const web_cut *last = NULL;
    for (guint i = 0; i < l->cuts->len; i++) {
        const web_cut *cut = &g_array_index(l->cuts, web_cut, i);
        if (cut->below != below)
            continue;
        g_autofree char *text = web_format_value(cut->value_ns, l->unit);
        double width = web_text_width(text, SIZE);
        double left = CLAMP(cut->x - width / 2, l->plot.x, end - width);
        if (left < free_from) {
            if (!last || fabs(cut->value_ns) <= fabs(last->value_ns) || left < before)
                continue;
            g_array_set_size(l->labels, l->labels->len - 1);
        } else {
            before = free_from;
        }
        web__label_add(l,
                       (web_label){.role = WEB_LABEL_CUT,
                                   .x = left,
                                   .y = cut->edge_y + (below ? row / 2 : -row / 2),
                                   .size = SIZE,
                                   .max_width = width + 1},
                       text);
        free_from = left + width + 4;
        last = cut;
    }
}

static void describe(web_layout *l) {
    g_autofree char *low = web_format_value(l->shown.low_ns, l->unit);
    g_autofree char *high = web_format_value(l->shown.high_ns, l->unit);
    char *whole =
        g_strdup_printf("%s %u %s cut off: the scale shows %s to %s.", l->description, l->cuts->len,
                        l->cuts->len == 1 ? "column is" : "columns are", low, high);
    g_free(l->description);
    l->description = whole;
}

void web__cuts_lay(web_layout *l, const web__values *m, double centre, double bar, bool written) {
    if (!l->cut_above && !l->cut_below)
        return;
    double width = l->view == WEB_VIEW_LINES ? TEAR_WIDTH : bar;
    for (guint i = 0; i < m->columns->len; i++) {
        const web__column *c = &g_array_index(m->columns, web__column, i);
        web_range span = span_of(l, m, i, false);
        if (span.high_ns > l->shown.high_ns)
            add_cut(l, c->x + centre, width, false, value_of(l, m, i, span, false), c->first);
        if (span.low_ns < l->shown.low_ns)
            add_cut(l, c->x + centre, width, true, value_of(l, m, i, span, true), c->first);
    }
    describe(l);
    if (written || row_of(l) < ROW_MIN)
        return;
    write_values(l, false);
    write_values(l, true);
}

/* A column holds a dozen nights or two: insertion is quicker than qsort. */
static void sort(double *x, guint n) {
    for (guint i = 1; i < n; i++) {
        double v = x[i];
        guint k = i;
        for (; k > 0 && x[k - 1] > v; k--)
            x[k] = x[k - 1];
        x[k] = v;
    }
}

/* portion < 0 means the total. */
static web_value night_value(const web_history *h, web_chart_of of, guint night, int portion) {
    const web_night *n = &g_array_index(h->nights, web_night, night);
    if (n->state != WEB_NIGHT_MEASURED)
        return (web_value){0};
    return portion < 0 ? n->total[of] : web_night_value(n, of, (guint)portion);
}

/* One night's value; of several the median, with their range in place of the interval. */
static web_value condense(const web_history *h, web_chart_of of, const web__column *c,
                          int portion) {
    if (c->count == 1)
        return night_value(h, of, c->first, portion);
    web_value out = {0};
    double few[64];
    g_autofree double *many = c->count > G_N_ELEMENTS(few) ? g_new(double, c->count) : NULL;
    double *means = many ? many : few;
    guint n = 0;
    for (guint i = 0; i < c->count; i++) {
        web_value v = night_value(h, of, c->first + i, portion);
        if (!v.present)
            continue;
        out.low_ns = n == 0 ? v.mean_ns : fmin(out.low_ns, v.mean_ns);
        out.high_ns = n == 0 ? v.mean_ns : fmax(out.high_ns, v.mean_ns);
        means[n++] = v.mean_ns;
        if (v.verdict == WEB_VERDICT_ANOMALY) {
            out.verdict = WEB_VERDICT_ANOMALY;
            out.direction = v.direction;
        }
    }
    if (n == 0)
        return out;
    sort(means, n);
    out.mean_ns = n % 2 ? means[n / 2] : (means[n / 2 - 1] + means[n / 2]) / 2;
    out.present = true;
    return out;
}

web__values web__values_make(const web_history *h, web_chart_of of, const GArray *columns) {
    web__values m = {h, columns, NULL, h->portions->len + 1};
    m.values = g_new(web_value, (gsize)columns->len * m.width);
    for (guint i = 0; i < columns->len; i++)
        for (guint s = 0; s < m.width; s++)
            m.values[i * m.width + s] = condense(h, of, &g_array_index(columns, web__column, i),
                                                 s < h->portions->len ? (int)s : -1);
    return m;
}
