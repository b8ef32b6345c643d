#pragma once
/* A history laid out, for the tests of what the layout's files do. */
#include <math.h>
#include <string.h>

#include "nights.h"

#include "web/layout/layout.h"

#define EPSILON 1e-6
#define AT(array, type, i) (&g_array_index((array), type, (i)))

typedef struct {
    web_history *history;
    web_layout *layout;
} drawn;

/* Takes json over. */
static inline drawn lay(json_t *json, web_chart_options options) {
    drawn d = {web_history_new(json, NULL, NULL, 0, NULL), NULL};
    json_decref(json);
    assert_non_null(d.history);
    d.layout = web_layout_new(d.history, &options);
    return d;
}

static inline void release(drawn *d) {
    web_layout_free(d->layout);
    web_history_free(d->history);
}

static inline const web_label *find_label(const web_layout *l, web_label_role role,
                                          const char *text) {
    for (guint i = 0; i < l->labels->len; i++) {
        const web_label *label = AT(l->labels, web_label, i);
        if (label->role == role && (!text || strcmp(label->text, text) == 0))
            return label;
    }
    return NULL;
}

/* Every number finite, everything inside the picture (rings and slanted labels may bleed a
 * little). */
static inline void check_sane(const web_layout *l) {
    for (guint i = 0; i < l->rects->len; i++) {
        const web_box *b = &AT(l->rects, web_rect, i)->box;
        assert_true(isfinite(b->x) && isfinite(b->y) && b->width > 0 && b->height >= 0);
        assert_true(b->x >= l->plot.x - EPSILON);
        assert_true(b->x + b->width <= l->plot.x + l->plot.width + EPSILON);
        assert_true(b->y >= l->plot.y - EPSILON);
        assert_true(b->y + b->height <= l->plot.y + l->plot.height + EPSILON);
    }
    for (guint i = 0; i < l->points->len; i++) {
        const web_point *p = AT(l->points, web_point, i);
        assert_true(p->x >= l->plot.x && p->x <= l->plot.x + l->plot.width);
        assert_true(p->y >= l->plot.y - EPSILON);
        assert_true(p->y <= l->plot.y + l->plot.height + EPSILON);
    }
    for (guint i = 0; i < l->whiskers->len; i++) {
        const web_whisker *w = AT(l->whiskers, web_whisker, i);
        assert_true(w->high_y <= w->mean_y + EPSILON && w->mean_y <= w->low_y + EPSILON);
        assert_true(w->high_y >= l->plot.y - EPSILON);
    }
    for (guint i = 0; i < l->labels->len; i++) {
        const web_label *label = AT(l->labels, web_label, i);
        assert_true(isfinite(label->x) && isfinite(label->y) && label->max_width > 0);
        assert_true(label->y >= -EPSILON && label->y <= l->height);
        assert_true(g_utf8_validate(label->text, -1, NULL));
    }
    assert_true(g_utf8_validate(l->title, -1, NULL));
    assert_true(g_utf8_validate(l->description, -1, NULL));
}

static inline web_box extent(const web_label *label) {
    double width = fmin(web_text_width(label->text, label->size), label->max_width);
    return (web_box){label->x - width * label->align, label->y - label->size / 2, width,
                     label->size};
}

static inline bool overlap(web_box p, web_box q) {
    return p.x + p.width > q.x + EPSILON && q.x + q.width > p.x + EPSILON &&
           p.y + p.height > q.y + EPSILON && q.y + q.height > p.y + EPSILON;
}

static inline web_box arrow(const web_ring *ring) {
    return (web_box){ring->mark_x - 4.5, ring->mark_y - 4.5, 9, 9};
}

/* An arrow lies inside the plot and covers no text and no other arrow. */
static inline void check_arrow(const web_layout *l, guint index) {
    const web_ring *ring = AT(l->rings, web_ring, index);
    assert_true(ring->mark_y >= l->plot.y && ring->mark_y <= l->plot.y + l->plot.height);
    for (guint i = 0; i < index; i++)
        if (AT(l->rings, web_ring, i)->marked)
            assert_false(overlap(arrow(ring), arrow(AT(l->rings, web_ring, i))));
    for (guint i = 0; i < l->labels->len; i++) {
        const web_label *label = AT(l->labels, web_label, i);
        if (label->angle == 0 && overlap(arrow(ring), extent(label)))
            fail_msg("an arrow covers \"%s\"", label->text);
    }
}

/* Flat labels must not overlap each other; slanted ones must keep a line's distance. */
static inline void check_no_collision(const web_layout *l) {
    const web_label *slanted = NULL;
    for (guint i = 0; i < l->labels->len; i++) {
        const web_label *a = AT(l->labels, web_label, i);
        if (a->angle != 0) {
            if (a->role == WEB_LABEL_DATE && slanted)
                assert_true((a->x - slanted->x) * sin(G_PI / 4) >= a->size);
            slanted = a->role == WEB_LABEL_DATE ? a : slanted;
            continue;
        }
        for (guint k = i + 1; k < l->labels->len; k++) {
            const web_label *b = AT(l->labels, web_label, k);
            if (b->angle == 0 && overlap(extent(a), extent(b)))
                fail_msg("\"%s\" and \"%s\" collide", a->text, b->text);
        }
    }
    for (guint i = 0; i < l->rings->len; i++)
        if (AT(l->rings, web_ring, i)->marked)
            check_arrow(l, i);
}
