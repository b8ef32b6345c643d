#include "web/layout/marks.h"

#include <math.h>

#define ARROW 11.0 /* with a pixel around it */
#define NAME_SIZE 11.0
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
    double width = web_text_width(name, NAME_SIZE);
    if (width > NAME_WIDTH_MAX)
        return;
    double right = ring->mark_x + BESIDE, left = ring->mark_x - BESIDE - width;
    for (int attempt = 0; attempt < 4; attempt++) { /* first where no ring is crossed */
        web_box box = {attempt % 2 ? left : right, ring->mark_y - NAME_SIZE / 2, width, NAME_SIZE};
        if (!is_free(l, box, ring) || (attempt < 2 && crosses_ring(l, box, ring)))
            continue;
        web__label_add(l,
                       (web_label){.role = WEB_LABEL_RING,
                                   .x = box.x,
                                   .y = ring->mark_y,
                                   .size = NAME_SIZE,
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
