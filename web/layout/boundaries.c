#include "web/layout/boundaries.h"

#include <string.h>

#define SIZE 10.0
#define ROW 14.0
/* Two of different kinds at one place stand beside each other. */
#define BESIDE 3.0
#define BETWEEN 6.0
/* A name may always be so wide, whatever stands beside it. */
#define NAME_WIDTH 180.0
enum { KINDS = WEB_BOUNDARY_BASELINE + 1 };

double web__boundaries_height(const web_history *history) {
    for (guint i = 0; i < history->nights->len; i++)
        if (g_array_index(history->nights, web_night, i).release ||
            g_array_index(history->nights, web_night, i).incident ||
            g_array_index(history->nights, web_night, i).note ||
            g_array_index(history->nights, web_night, i).baseline)
            return ROW;
    return 0;
}

static bool divides(const web_night *night, guint index, web_boundary_kind kind) {
    switch (kind) {
    case WEB_BOUNDARY_ENVIRONMENT:
        return night->boundary && index > 0;
    case WEB_BOUNDARY_ACCEPTED:
        return night->accepted && index > 0;
    case WEB_BOUNDARY_RELEASE:
        return night->release != NULL;
    case WEB_BOUNDARY_INCIDENT:
        /* Another environment has its line; a bridge gives it a name. */
        return night->incident && !(night->boundary && index > 0);
    case WEB_BOUNDARY_NOTE:
        return night->note != NULL;
    case WEB_BOUNDARY_BASELINE:
        return night->baseline != NULL;
    }
    return false;
}

/* The newest release of a column's nights, or NULL. */
static const char *release_of(const web_history *h, const web__column *c) {
    for (guint i = c->count; i-- > 0;) {
        const web_night *night = &g_array_index(h->nights, web_night, c->first + i);
        if (night->release)
            return night->release;
    }
    return NULL;
}

/* The newest incident of a column's nights, or NULL. */
static const char *incident_of(const web_history *h, const web__column *c) {
    for (guint i = c->count; i-- > 0;) {
        const web_night *night = &g_array_index(h->nights, web_night, c->first + i);
        if (night->incident)
            return night->incident;
    }
    return NULL;
}

/* The newest note of a column's nights, or NULL. */
static const char *note_of(const web_history *h, const web__column *c) {
    for (guint i = c->count; i-- > 0;) {
        const web_night *night = &g_array_index(h->nights, web_night, c->first + i);
        if (night->note)
            return night->note;
    }
    return NULL;
}

/* The newest level that people set in a column's nights: why, or NULL. */
static const char *baseline_of(const web_history *h, const web__column *c) {
    for (guint i = c->count; i-- > 0;) {
        const web_night *night = &g_array_index(h->nights, web_night, c->first + i);
        if (night->baseline)
            return night->baseline;
    }
    return NULL;
}

/* Names stand over the plot, from left to right; one that would cover another is left out. most:
 * how wide it may be. */
static void lay_name(web_layout *l, web_label_role role, const char *name, double x, double most,
                     double *free_from) {
    double width = web_text_width(name, SIZE);
    width = MIN(width, most);
    double left = MIN(x, l->width - 4 - width);
    if (left < *free_from)
        return;
    web__label_add(l,
                   (web_label){.role = role,
                               .x = left,
                               .y = l->plot.y - ROW / 2,
                               .size = SIZE,
                               .max_width = width + 1},
                   name);
    *free_from = left + width + BETWEEN;
}

/* A long name has the room up to the next one's column, or to the edge. */
static double room_of(const web_layout *l, const web_history *h, const GArray *columns, guint at) {
    const double x = g_array_index(columns, web__column, at).x;
    for (guint i = at + 1; i < columns->len; i++) {
        const web__column *c = &g_array_index(columns, web__column, i);
        if (c->count > 0 &&
            (incident_of(h, c) || note_of(h, c) || baseline_of(h, c) || release_of(h, c)))
            return MAX(c->x - x - BETWEEN, NAME_WIDTH);
    }
    return MAX(l->width - 4 - x, NAME_WIDTH);
}

static void lay_names(web_layout *l, const web_history *h, const GArray *columns, guint at,
                      double *free_from) {
    const web__column *c = &g_array_index(columns, web__column, at);
    if (c->count == 0)
        return;
    const char *const names[] = {incident_of(h, c), note_of(h, c), baseline_of(h, c),
                                 release_of(h, c)};
    static const web_label_role roles[] = {WEB_LABEL_INCIDENT, WEB_LABEL_INCIDENT,
                                           WEB_LABEL_INCIDENT, WEB_LABEL_RELEASE};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (names[i])
            lay_name(l, roles[i], names[i], c->x, room_of(l, h, columns, at), free_from);
}

void web__boundaries_lay(web_layout *l, const web_history *h, const GArray *columns) {
    double free_from = 0;
    for (guint i = 0; i < columns->len; i++) {
        const web__column *c = &g_array_index(columns, web__column, i);
        double x = c->x;
        for (int kind = 0; kind < KINDS; kind++) {
            bool found = false;
            for (guint k = 0; k < c->count && !found; k++)
                found = divides(&g_array_index(h->nights, web_night, c->first + k), c->first + k,
                                (web_boundary_kind)kind);
            if (!found)
                continue;
            web_boundary boundary = {(web_boundary_kind)kind, x};
            g_array_append_val(l->boundaries, boundary);
            x += BESIDE;
        }
        lay_names(l, h, columns, i, &free_from);
    }
}
