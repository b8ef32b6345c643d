#include "web/layout/layout.h"

#include "web/layout/text.h"

#include <math.h>

#define RING_RADIUS_MIN 8.0
/* Estimated advance of one character of our sans-serif, in font sizes: DejaVu Sans' digits and
 * letters are at most 0.64 wide on average, a few are much wider; East Asian characters and emoji
 * take a full square. */
#define ADVANCE 0.64
#define ADVANCE_BROAD 1.0
#define ADVANCE_SLIM 0.44
#define ADVANCE_WIDE 1.15

static double advance_of(char c) {
    switch (c) {
    case 'm':
    case 'w':
    case 'M':
    case 'W':
    case '@':
    case '%':
        return ADVANCE_BROAD;
    case 'f':
    case 'i':
    case 'j':
    case 'l':
    case 'r':
    case 't':
    case 'I':
    case ' ':
    case '.':
    case ',':
        return ADVANCE_SLIM;
    default:
        return ADVANCE;
    }
}

double web_text_width(const char *text, double size) {
    double width = 0;
    for (const char *p = text; *p; p = g_utf8_next_char(p)) {
        if ((guchar)*p < 0x80) { /* most texts, and the tables below take time */
            width += advance_of(*p);
            continue;
        }
        gunichar c = g_utf8_get_char(p);
        width += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? ADVANCE_WIDE : ADVANCE;
    }
    return width * size;
}

void web__label_add(web_layout *layout, web_label label, const char *text) {
    label.text = g_strdup(text);
    g_array_append_val(layout->labels, label);
}

double web__y_of(const web_layout *l, double ns) {
    double share = (ns - l->axis.low) / (l->axis.high - l->axis.low);
    return l->plot.y + l->plot.height * (1 - share);
}

double web__y_shown(const web_layout *l, double ns) {
    return web__y_of(l, CLAMP(ns, l->shown.low_ns, l->shown.high_ns));
}

void web__ring_add(web_layout *l, web_box segment, const web_value *v, guint portion, guint night) {
    if (!web__is_marked(v->verdict))
        return;
    web_ring ring = {.kind =
                         v->verdict == WEB_VERDICT_ANOMALY ? WEB_RING_ANOMALY : WEB_RING_WATCHED,
                     .cx = segment.x + segment.width / 2,
                     .cy = segment.y + segment.height / 2,
                     .rx = fmax(segment.width / 2 + WEB__RING_MARGIN, RING_RADIUS_MIN),
                     .ry = fmax(segment.height / 2 + WEB__RING_MARGIN, RING_RADIUS_MIN),
                     .direction = v->direction,
                     .portion = portion,
                     .night = night};
    ring.mark_x = ring.cx;
    ring.mark_y = 0; /* above the whisker: known once the column is laid */
    g_array_append_val(l->rings, ring);
}

enum { WIDTH_DEFAULT = 900, HEIGHT_DEFAULT = 380 };
/* Pixels; the plot keeps at least PLOT_HEIGHT_MIN even when labels want more. */
#define MARGIN 16.0
#define VALUE_SIZE 10.0
#define BAR_WIDTH_MAX 64.0
#define BAR_WIDTH_LABELLED_MIN 14.0
#define CUT_ROW 13.0 /* of the value over a bar that is cut off */
/* Less of the total is no portion's but what rounding and medians leave. */
#define HOLE_MIN 0.02
#define TICK_ROOM 60.0
#define PLOT_HEIGHT_MIN 60.0

static void clear_label(gpointer data) {
    g_free(((web_label *)data)->text);
}

static web_layout *layout_alloc(const web_chart_options *o) {
    web_layout *l = g_new0(web_layout, 1);
    int width = o->width > 0 ? o->width : WIDTH_DEFAULT;
    int height = o->height > 0 ? o->height : HEIGHT_DEFAULT;
    l->width = CLAMP(width, WEB_CHART_WIDTH_MIN, WEB_CHART_WIDTH_MAX);
    l->height = CLAMP(height, WEB_CHART_HEIGHT_MIN, WEB_CHART_HEIGHT_MAX);
    l->view = o->view == WEB_VIEW_LINES ? WEB_VIEW_LINES : WEB_VIEW_BARS;
    l->of = o->of == WEB_OF_MEDIAN ? WEB_OF_MEDIAN : WEB_OF_MEAN;
    l->rects = g_array_new(FALSE, TRUE, sizeof(web_rect));
    l->points = g_array_new(FALSE, TRUE, sizeof(web_point));
    l->whiskers = g_array_new(FALSE, TRUE, sizeof(web_whisker));
    l->labels = g_array_new(FALSE, TRUE, sizeof(web_label));
    l->rings = g_array_new(FALSE, TRUE, sizeof(web_ring));
    l->ticks = g_array_new(FALSE, TRUE, sizeof(web_tick));
    l->boundaries = g_array_new(FALSE, TRUE, sizeof(web_boundary));
    l->gaps = g_array_new(FALSE, TRUE, sizeof(web_gap));
    l->cuts = g_array_new(FALSE, TRUE, sizeof(web_cut));
    l->swatches = g_array_new(FALSE, TRUE, sizeof(web_swatch));
    g_array_set_clear_func(l->labels, clear_label);
    return l;
}

static void lay_ticks(web_layout *l, const web_history *h) {
    long first = (long)ceil(l->axis.low / l->axis.step - 1e-9);
    long last = (long)floor(l->axis.high / l->axis.step + 1e-9);
    for (long i = first; i <= last; i++) {
        double value = (double)i * l->axis.step;
        web_tick tick = {web__y_of(l, value), value};
        g_array_append_val(l->ticks, tick);
        g_autofree char *text = web_format_tick(&l->axis, value);
        web__label_add(l,
                       (web_label){.role = WEB_LABEL_TICK,
                                   .x = l->plot.x - 6,
                                   .y = tick.y,
                                   .align = 1,
                                   .size = 11,
                                   .max_width = l->plot.x - 6},
                       text);
    }
    g_autofree char *unit = g_strconcat(l->axis.unit.name, l->unit ? "" : " per call", NULL);
    web__label_add(l,
                   (web_label){.role = WEB_LABEL_UNIT,
                               .x = 4,
                               .y = l->plot.y - 12 - web__boundaries_height(h),
                               .size = 11,
                               .max_width = l->width / 2},
                   unit);
}

/* What portions without a value leave open below the total; 0 when the others make it up. */
static double hole_of(const web__values *m, guint column) {
    const web_value *total = web__total_at(m, column);
    double sum = 0;
    bool whole = true;
    for (guint s = 0; s + 1 < m->width; s++) {
        const web_value *v = web__value_at(m, column, s);
        whole = whole && v->present;
        if (v->present && v->mean_ns < 0)
            return 0;
        sum += v->present ? v->mean_ns : 0;
    }
    double hole = whole || !total->present ? 0 : total->mean_ns - sum;
    return hole > HOLE_MIN * total->mean_ns ? hole : 0;
}

/* The stack of one column; returns the y of its highest ink. A portion without a value is a hole,
 * and what stands upon it hangs from the total: a bar must not look lower than what was measured.
 */
static double lay_stack(web_layout *l, const web__values *m, guint column, double x, double width) {
    guint night = g_array_index(m->columns, web__column, column).first;
    double above = 0, below = 0, hole = hole_of(m, column);
    for (guint s = 0; s + 1 < m->width; s++) {
        web_value v = *web__value_at(m, column, s);
        if (!v.present) {
            above += hole;
            hole = 0;
            continue;
        }
        bool negative = v.mean_ns < 0; /* hangs under the zero line */
        double from = negative ? below : above, to = from + v.mean_ns;
        double top = web__y_shown(l, fmax(from, to)), bottom = web__y_shown(l, fmin(from, to));
        web_rect rect = {{x, top, width, bottom - top}, s, night};
        *(negative ? &below : &above) = to;
        if (!web__cut_whole(l, fmin(from, to), fmax(from, to)))
            g_array_append_val(l->rects, rect);
        web__ring_add(l, rect.box, &v, s, night);
    }
    return web__y_shown(l, above);
}

static void add_whisker(web_layout *l, const web_value *total, double x, double bar, guint night) {
    web_whisker w = {.x = x,
                     .low_y = web__y_shown(l, total->low_ns),
                     .mean_y = web__y_shown(l, total->mean_ns),
                     .high_y = web__y_shown(l, total->high_ns),
                     .cap = CLAMP(bar / 4, 0, 6),
                     .portion = G_MAXUINT,
                     .night = night};
    if (!web__cut_whole(l, total->low_ns, total->high_ns))
        g_array_append_val(l->whiskers, w);
}

typedef struct {
    bool values;       /* the intervals are written beside the bars */
    double bar, label; /* widths */
} column_plan;

/* In the axis' unit, or in its own (and saying so) where that would be all zeros. */
static void value_texts(const web_layout *l, const web_value *t, char **mean, char **half) {
    double size = fabs(t->mean_ns);
    bool own = size > 0 && size < 0.01 * l->axis.unit.ns && !l->unit;
    web_unit unit = own ? web_unit_for(size, NULL) : l->axis.unit;
    g_autofree char *number = NULL, *width = NULL;
    web_format_interval(t->mean_ns, (t->high_ns - t->low_ns) / 2, unit, &number, &width);
    *mean = own ? g_strconcat(number, " ", unit.name, NULL) : g_steal_pointer(&number);
    *half = g_strconcat("±", width, NULL);
}

/* Writes the intervals only if every one of them fits beside its bar. */
static column_plan plan_columns(const web_layout *l, const web_history *h) {
    /* Room for an interval's text; a column too narrow for any is not measured at all. */
    double widest = 0;
    double room = l->nights_per_column > 1
                      ? 0
                      : l->column_width - BAR_WIDTH_LABELLED_MIN - WEB__RING_MARGIN - 2 - 6;
    if (l->view == WEB_VIEW_LINES) /* a point stands in the middle of its column */
        return (column_plan){0};
    for (guint i = 0; i < h->nights->len && widest <= room && room > VALUE_SIZE; i++) {
        const web_value *t = &g_array_index(h->nights, web_night, i).total[l->of];
        g_autofree char *mean = NULL, *half = NULL;
        value_texts(l, t, &mean, &half);
        widest = fmax(widest, web_text_width(mean, VALUE_SIZE));
        widest = fmax(widest, web_text_width(half, VALUE_SIZE));
    }
    column_plan plan = {.label = widest + 6};
    double bar = fmin(fmin(l->column_width * 0.45, BAR_WIDTH_MAX),
                      l->column_width - plan.label - WEB__RING_MARGIN - 2);
    plan.values = room > VALUE_SIZE && bar >= BAR_WIDTH_LABELLED_MIN;
    if (!plan.values) {
        plan.label = 0;
        bar = l->nights_per_column > 1 ? l->column_width
                                       : fmin(l->column_width * 0.72, BAR_WIDTH_MAX);
    }
    plan.bar = bar;
    return plan;
}

static void add_value_label(web_layout *l, const web_value *t, double x, double width) {
    g_autofree char *mean = NULL, *half = NULL;
    value_texts(l, t, &mean, &half);
    double y = CLAMP(web__y_shown(l, t->mean_ns), l->plot.y + 6, l->plot.y + l->plot.height - 18);
    web_label label = {
        .role = WEB_LABEL_VALUE, .x = x, .y = y, .size = VALUE_SIZE, .max_width = width};
    web__label_add(l, label, mean);
    if (t->high_ns > t->low_ns) {
        label.y += VALUE_SIZE + 2;
        web__label_add(l, label, half);
    }
}

static void add_gap(web_layout *l, const web__column *c) {
    web_gap gap = {.kind = c->failed        ? WEB_GAP_FAILED
                           : c->quarantined ? WEB_GAP_QUARANTINED
                                            : WEB_GAP_MISSING,
                   .box = {c->x, l->plot.y, l->column_width, l->plot.height},
                   .nights = c->missing};
    g_array_append_val(l->gaps, gap);
    if (c->missing < 2 || l->column_width < 12)
        return;
    g_autofree char *text = g_strdup_printf("%u days without a night", c->missing);
    web__label_add(l,
                   (web_label){.role = WEB_LABEL_GAP,
                               .x = c->x + l->column_width / 2,
                               .y = l->plot.y + l->plot.height / 2,
                               .align = 0.5,
                               .size = 10,
                               .angle = -G_PI / 2,
                               .max_width = l->plot.height},
                   text);
}

static void lay_column(web_layout *l, const web__values *m, guint column, const column_plan *plan) {
    const web__column *c = &g_array_index(m->columns, web__column, column);
    if (c->count == 0 || c->failed || c->quarantined) {
        add_gap(l, c);
        return;
    }
    if (l->view == WEB_VIEW_LINES)
        return;
    guint rings = l->rings->len;
    double x = c->x + (l->column_width - plan->bar - plan->label) / 2;
    double top = lay_stack(l, m, column, x, plan->bar);
    web_value total = *web__total_at(m, column);
    if (total.present) {
        add_whisker(l, &total, x + plan->bar / 2, plan->bar, c->first);
        top = fmin(top, web__y_shown(l, total.high_ns));
    }
    if (total.present && plan->values)
        add_value_label(l, &total, x + plan->bar + WEB__RING_MARGIN + 1, plan->label);
    if (total.high_ns > l->shown.high_ns)
        top -= CUT_ROW;
    for (guint i = rings; i < l->rings->len; i++) {
        web_ring *ring = &g_array_index(l->rings, web_ring, i);
        ring->mark_y = fmin(top, ring->cy - ring->ry) - 9;
    }
}

/* Pixels that the arrows over the column with the most anomalies want. */
static double ring_room(const web__values *m) {
    guint most = 0;
    for (guint i = 0; i < m->columns->len; i++) {
        guint n = 0;
        for (guint s = 0; s + 1 < m->width; s++)
            n += web__value_at(m, i, s)->verdict == WEB_VERDICT_ANOMALY;
        most = MAX(most, n);
    }
    return 4 + WEB__MARK_ROW * most;
}

static void lay_plot(web_layout *l, const web_history *h, const char *title,
                     web_chart_range range) {
    l->plot.x = TICK_ROOM;
    l->plot.width = l->width - l->plot.x - MARGIN;
    g_autoptr(GArray) columns = web__columns_new(h, l);
    web__values m = web__values_make(h, l->of, columns);
    web__cuts_range(l, &m, range);
    l->plot.y = web__legend_lay(l, h, columns, title) + 24 + web__boundaries_height(h);
    l->plot.height = fmax(l->height - l->plot.y - web__dates_height(l, h) - 6, PLOT_HEIGHT_MIN);
    web__cuts_scale(l, ring_room(&m));
    lay_ticks(l, h);
    column_plan plan = plan_columns(l, h);
    web__boundaries_lay(l, h, columns);
    for (guint i = 0; i < columns->len; i++)
        lay_column(l, &m, i, &plan);
    if (l->view == WEB_VIEW_LINES)
        web__lines_lay(l, &m);
    double centre = (l->column_width - plan.label) / 2;
    web__cuts_lay(l, &m, centre, plan.bar, plan.values);
    g_free(m.values);
    web__dates_lay(l, h, columns, centre);
    web__marks_lay(l, h);
}

static void lay_words(web_layout *l, const char *title, const char *words) {
    web_label label = {.role = WEB_LABEL_TITLE,
                       .x = MARGIN,
                       .y = 20,
                       .size = 15,
                       .max_width = l->width - 2 * MARGIN};
    web__label_add(l, label, title);
    label.role = WEB_LABEL_EMPTY;
    label.x = l->width / 2;
    label.y = l->height / 2;
    label.align = 0.5;
    label.size = l->width < 400 ? 11 : 14;
    web__label_add(l, label, words);
}

/* Why there is nothing to draw, or NULL. */
static const char *nothing_to_draw(const web_layout *l, const web_history *h) {
    if (h->nights->len == 0)
        return "No night has been measured yet";
    for (guint s = 0; s < h->portions->len; s++)
        if (web_history_shows(h, l->of, s))
            return NULL;
    for (guint s = 0; s < h->portions->len; s++)
        if (web_history_shows(h, WEB_OF_MEAN, s))
            return "No medians are known for these nights";
    return "No night could be measured";
}

web_layout *web_layout_new(const web_history *history, const web_chart_options *options) {
    static const web_chart_options defaults = {0};
    if (!options)
        options = &defaults;
    web_layout *l = layout_alloc(options);
    g_autofree char *title = web_text_clean(options->title, 200);
    l->title = g_strconcat(*title ? title : "moowatch", ": monitoring overhead per night", NULL);
    l->unit = g_strdup(web_history_unit(history));
    l->description = web__describe(history, l->of);
    const char *words = nothing_to_draw(l, history);
    if (words)
        lay_words(l, title, words);
    else
        lay_plot(l, history, title, options->range);
    return l;
}

void web_layout_free(web_layout *l) {
    if (!l)
        return;
    GArray *const arrays[] = {l->rects, l->points,     l->whiskers, l->labels, l->rings,
                              l->ticks, l->boundaries, l->gaps,     l->cuts,   l->swatches};
    for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++)
        g_array_unref(arrays[i]);
    g_free(l->unit);
    g_free(l->title);
    g_free(l->description);
    g_free(l);
}
