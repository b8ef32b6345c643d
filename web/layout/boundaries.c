#include "web/layout/boundaries.h"

#include <string.h>

#define SIZE 10.0
#define ROW 14.0
/* Two of different kinds at one place stand beside each other. */
#define BESIDE 3.0
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

/* Names stand over the plot, from left to right; one that would cover another is left out. */
static void lay_name(web_layout *l, web_label_role role, const char *name, double x,
                     double *free_from) {
    const double most = 180;
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
    *free_from = left + width + 6;
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
        const char *release = c->count > 0 ? release_of(h, c) : NULL;
        const char *incident = c->count > 0 ? incident_of(h, c) : NULL;
        const char *note = c->count > 0 ? note_of(h, c) : NULL;
        const char *baseline = c->count > 0 ? baseline_of(h, c) : NULL;
        if (incident)
            lay_name(l, WEB_LABEL_INCIDENT, incident, c->x, &free_from);
        if (note)
            lay_name(l, WEB_LABEL_INCIDENT, note, c->x, &free_from);
        if (baseline)
            lay_name(l, WEB_LABEL_INCIDENT, baseline, c->x, &free_from);
        if (release)
            lay_name(l, WEB_LABEL_RELEASE, release, c->x, &free_from);
    }
}
