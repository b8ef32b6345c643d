#include "web/layout/layout.h"

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

#define ARROW 11.0 /* with a pixel around it */
#define LETTER_SIZE 11.0
#define NAME_WIDTH_MAX 90.0
#define BESIDE 7.0 /* from the arrow's middle to the name */

static bool overlap(web_box p, web_box q) {
    return p.x < q.x + q.width && q.x < p.x + p.width && p.y < q.y + q.height &&
           q.y < p.y + p.height;
}

/* What a label covers; a slanted or upright one lies outside the plot or in a gap's own column. */
static web_box box_of(const web_label *label) {
    double width = fmin(web_text_width(label->text, label->size), label->max_width);
    return label->angle != 0 ? (web_box){0, 0, 0, 0}
                             : (web_box){label->x - width * label->align,
                                         label->y - label->size / 2, width, label->size};
}

static web_box arrow_of(const web_ring *ring) {
    return (web_box){ring->mark_x - ARROW / 2, ring->mark_y - ARROW / 2, ARROW, ARROW};
}

/* Is the box inside the picture and free of labels and of the other rings' arrows? */
static bool is_free(const web_layout *l, web_box box, const web_ring *own) {
    if (box.x < 0 || box.x + box.width > l->width)
        return false;
    for (guint i = 0; i < l->labels->len; i++)
        if (overlap(box, box_of(&g_array_index(l->labels, web_label, i))))
            return false;
    for (guint i = 0; i < l->rings->len; i++) {
        const web_ring *ring = &g_array_index(l->rings, web_ring, i);
        if (ring != own && ring->marked && overlap(box, arrow_of(ring)))
            return false;
    }
    return true;
}

/* Would the box lie across another change's ring? It can be read there, but not as easily. */
static bool crosses_ring(const web_layout *l, web_box box, const web_ring *own) {
    for (guint i = 0; i < l->rings->len; i++) {
        const web_ring *ring = &g_array_index(l->rings, web_ring, i);
        const web_box around = {ring->cx - ring->rx, ring->cy - ring->ry, 2 * ring->rx,
                                2 * ring->ry};
        if (ring != own && overlap(box, around))
            return true;
    }
    return false;
}

/* From where it was wanted upwards to the plot's edge. */
static void lay_arrow(const web_layout *l, web_ring *ring) {
    double top = l->plot.y + ARROW / 2 - 1;
    ring->mark_y = fmax(ring->mark_y, top);
    while (ring->mark_y >= top && !ring->marked) {
        ring->marked = is_free(l, arrow_of(ring), ring);
        if (!ring->marked)
            ring->mark_y -= WEB__MARK_ROW;
    }
}

/* "▲ I": which portion, so that the ring need not be traced to the legend. */
static void lay_name(web_layout *l, const web_ring *ring, const char *name) {
    double width = web_text_width(name, LETTER_SIZE);
    if (width > NAME_WIDTH_MAX)
        return;
    double right = ring->mark_x + BESIDE, left = ring->mark_x - BESIDE - width;
    for (int attempt = 0; attempt < 4; attempt++) { /* first where no ring is crossed */
        web_box box = {attempt % 2 ? left : right, ring->mark_y - LETTER_SIZE / 2, width,
                       LETTER_SIZE};
        if (!is_free(l, box, ring) || (attempt < 2 && crosses_ring(l, box, ring)))
            continue;
        web__label_add(l,
                       (web_label){.role = WEB_LABEL_RING,
                                   .x = box.x,
                                   .y = ring->mark_y,
                                   .size = LETTER_SIZE,
                                   .max_width = width + 1},
                       name);
        return;
    }
}

void web__marks_lay(web_layout *l, const web_history *h) {
    for (guint i = 0; i < l->rings->len; i++) {
        web_ring *ring = &g_array_index(l->rings, web_ring, i);
        if (ring->kind == WEB_RING_ANOMALY)
            lay_arrow(l, ring);
    }
    for (guint i = 0; i < l->rings->len; i++) {
        const web_ring *ring = &g_array_index(l->rings, web_ring, i);
        if (ring->marked)
            lay_name(l, ring, g_array_index(h->portions, web_portion, ring->portion).name);
    }
}
