#include "web/layout/layout_parts.h"

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
