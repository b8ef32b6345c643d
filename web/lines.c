#include "web/lines.h"

#include <math.h>

/* Below this width of a column intervals only make a haze around the lines. */
#define WHISKER_COLUMN_MIN 5.0
#define POINT_RADIUS 3.0
#define MARK_DISTANCE 9.0

static void add_whisker(web_layout *l, const web_value *v, const web_point *at) {
    web_whisker w = {.x = at->x,
                     .low_y = web__y_of(l, v->low_ns),
                     .mean_y = at->y,
                     .high_y = web__y_of(l, v->high_ns),
                     .series = at->series,
                     .night = at->night};
    g_array_append_val(l->whiskers, w);
}

static void add_ring(web_layout *l, const web_value *v, const web_point *at) {
    guint before = l->rings->len;
    web_box dot = {at->x - POINT_RADIUS, at->y - POINT_RADIUS, 2 * POINT_RADIUS, 2 * POINT_RADIUS};
    web__ring_add(l, dot, v, at->series, at->night);
    if (l->rings->len == before)
        return;
    web_ring *ring = &g_array_index(l->rings, web_ring, before);
    ring->mark_y = fmin(web__y_of(l, v->high_ns), ring->cy - ring->ry) - MARK_DISTANCE;
    if (ring->mark_y < l->plot.y + POINT_RADIUS) /* no room above: below it */
        ring->mark_y = fmax(web__y_of(l, v->low_ns), ring->cy + ring->ry) + MARK_DISTANCE;
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
            web_point point = {c->x + l->column_width / 2, web__y_of(l, v->mean_ns), s, c->first,
                               starts};
            starts = false;
            g_array_append_val(l->points, point);
            if (l->column_width >= WHISKER_COLUMN_MIN || l->nights_per_column > 1)
                add_whisker(l, v, &point);
            add_ring(l, v, &point);
        }
    }
}
