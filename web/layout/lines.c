#include "web/layout/lines.h"

#include <math.h>

/* Below this width of a column intervals only make a haze around the lines. */
#define WHISKER_COLUMN_MIN 5.0
#define POINT_RADIUS 3.0
#define MARK_DISTANCE 9.0
#define NAME_SIZE 11.0
#define NAME_DISTANCE 12.0 /* between two letters */
#define NAME_MARGIN 4.0

static void add_whisker(web_layout *l, const web_value *v, const web_point *at) {
    web_whisker w = {.x = at->x,
                     .low_y = web__y_shown(l, v->low_ns),
                     .mean_y = at->y,
                     .high_y = web__y_shown(l, v->high_ns),
                     .portion = at->portion,
                     .night = at->night};
    if (!web__cut_whole(l, v->low_ns, v->high_ns))
        g_array_append_val(l->whiskers, w);
}

static void add_ring(web_layout *l, const web_value *v, const web_point *at) {
    guint before = l->rings->len;
    web_box dot = {at->x - POINT_RADIUS, at->y - POINT_RADIUS, 2 * POINT_RADIUS, 2 * POINT_RADIUS};
    web__ring_add(l, dot, v, at->portion, at->night);
    if (l->rings->len == before)
        return;
    web_ring *ring = &g_array_index(l->rings, web_ring, before);
    ring->mark_y = fmin(web__y_shown(l, v->high_ns), ring->cy - ring->ry) - MARK_DISTANCE;
    if (ring->mark_y < l->plot.y + MARK_DISTANCE / 2) /* no room above: below it */
        ring->mark_y = fmax(web__y_shown(l, v->low_ns), ring->cy + ring->ry) + MARK_DISTANCE;
}

/* The end of a line and the letter that stands beside it. */
typedef struct {
    double y;
    const char *name;
} line_end;

static int by_height(gconstpointer a, gconstpointer b) {
    double p = ((const line_end *)a)->y, q = ((const line_end *)b)->y;
    return (p > q) - (p < q);
}

/* Those of one letter, which fit into the margin, from above. */
static GArray *line_ends(const web_layout *l, const web__values *m) {
    GArray *ends = g_array_new(FALSE, FALSE, sizeof(line_end));
    for (guint s = 0; s + 1 < m->width; s++) {
        line_end end = {0, g_array_index(m->history->portions, web_portion, s).name};
        guint i = m->columns->len;
        while (i > 0 && !web__value_at(m, i - 1, s)->present)
            i--;
        if (i == 0 || g_utf8_strlen(end.name, -1) != 1)
            continue;
        end.y = web__y_shown(l, web__value_at(m, i - 1, s)->mean_ns);
        g_array_append_val(ends, end);
    }
    g_array_sort(ends, by_height);
    return ends;
}

/* What would overlap is moved down, then all that would leave the plot up again. */
static void spread(const web_layout *l, GArray *ends) {
    double below = l->plot.y + l->plot.height;
    for (guint i = 1; i < ends->len; i++) {
        line_end *end = &g_array_index(ends, line_end, i);
        end->y = fmax(end->y, g_array_index(ends, line_end, i - 1).y + NAME_DISTANCE);
    }
    for (guint i = ends->len; i-- > 0;) {
        line_end *end = &g_array_index(ends, line_end, i);
        end->y = fmin(end->y, below);
        below -= NAME_DISTANCE;
    }
}

/* So that no colour must be told from another. */
static void name_lines(web_layout *l, const web__values *m) {
    g_autoptr(GArray) ends = line_ends(l, m);
    if (ends->len * NAME_DISTANCE > l->plot.height)
        return;
    spread(l, ends);
    for (guint i = 0; i < ends->len; i++) {
        const line_end *end = &g_array_index(ends, line_end, i);
        web__label_add(l,
                       (web_label){.role = WEB_LABEL_LINE,
                                   .x = l->plot.x + l->plot.width + NAME_MARGIN,
                                   .y = end->y,
                                   .size = NAME_SIZE,
                                   .max_width = NAME_SIZE * 1.2},
                       end->name);
    }
}

void web__lines_lay(web_layout *l, const web__values *m) {
    for (guint s = 0; s + 1 < m->width; s++) {
        bool starts = true;
        for (guint i = 0; i < m->columns->len; i++) {
            const web__column *c = &g_array_index(m->columns, web__column, i);
            const web_value *v = web__value_at(m, i, s);
            if (c->count == 0 || !v->present) {
                starts = true;
                continue;
            }
            web_point point = {c->x + l->column_width / 2, web__y_shown(l, v->mean_ns), s, c->first,
                               starts};
            starts = false;
            g_array_append_val(l->points, point);
            if (l->column_width >= WHISKER_COLUMN_MIN || l->nights_per_column > 1)
                add_whisker(l, v, &point);
            add_ring(l, v, &point);
        }
    }
    name_lines(l, m);
}
