#include "web/layout/dates.h"

#include <math.h>

#include "web/layout/boundaries.h"

#define SIZE 10.0
#define ROW 14.0
#define NARROW 520           /* no room for the whole note */
#define BETWEEN (SIZE * 1.4) /* date and commit of a slanted label: two spaces */
/* A line of slanted text (45 degrees) needs its height / sin 45 between anchors. */
#define SLANT_DISTANCE (ROW * 1.2)
#define SLANT_HEIGHT_MIN 320.0
#define SLANT_SHARE 0.34 /* slanted labels may take so much of the chart's height */

static const char *const MONTHS[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

char *web__night_label(const web_night *night, bool with_year) {
    if (with_year || !g_date_valid(&night->day))
        return g_strdup(night->date);
    return g_strdup_printf("%d %s", g_date_get_day(&night->day),
                           MONTHS[g_date_get_month(&night->day) - 1]);
}

static bool spans_years(const web_history *h) {
    const web_night *first = &g_array_index(h->nights, web_night, 0);
    const web_night *last = &g_array_index(h->nights, web_night, h->nights->len - 1);
    return !g_date_valid(&first->day) || !g_date_valid(&last->day) ||
           g_date_get_year(&first->day) != g_date_get_year(&last->day);
}

/* Of several nights. */
static bool is_one_commit(const web_history *h) {
    const char *first = g_array_index(h->nights, web_night, 0).commit;
    guint same = 0;
    for (guint i = 0; i < h->nights->len; i++)
        same += g_strcmp0(g_array_index(h->nights, web_night, i).commit, first) == 0;
    return same > 1 && same == h->nights->len;
}

/* Widest date and widest commit of the nights that can be named: the first of each column. */
static void measure(const web_layout *l, const web_history *h, bool with_year, double *date,
                    double *commit) {
    const bool one = is_one_commit(h);
    *date = *commit = 0;
    for (guint i = 0; i < h->nights->len; i += l->nights_per_column) {
        const web_night *night = &g_array_index(h->nights, web_night, i);
        const char *widest = with_year || !g_date_valid(&night->day) ? night->date : "00 Mmm";
        *date = fmax(*date, web_text_width(widest, SIZE));
        if (!one)
            *commit = fmax(*commit, web_text_width(night->commit, SIZE));
    }
}

typedef enum { FLAT_BOTH, SLANTED, THINNED } style;

typedef struct {
    style style;
    bool with_year;
    double date, commit, height;
} plan;

static plan make_plan(const web_layout *l, const web_history *h) {
    plan p = {.with_year = spans_years(h)};
    measure(l, h, p.with_year, &p.date, &p.commit);
    double slot = l->column_width;
    double slanted = (p.date + p.commit + BETWEEN) * G_SQRT2 / 2 + ROW;
    if (slot >= fmax(p.date, p.commit) + 8) {
        p.style = FLAT_BOTH;
        p.height = 2 * ROW + 6;
    } else if (slot >= SLANT_DISTANCE && l->height >= SLANT_HEIGHT_MIN &&
               slanted <= SLANT_SHARE * l->height) {
        p.style = SLANTED;
        p.height = slanted;
    } else {
        p.style = THINNED;
        p.height = ROW + 6;
    }
    return p;
}

double web__dates_height(const web_layout *layout, const web_history *history) {
    return make_plan(layout, history).height;
}

static void add(web_layout *l, web_label label, const char *text) {
    label.size = SIZE;
    if (*text)
        web__label_add(l, label, text);
}

static void lay_slanted(web_layout *l, const web_night *night, double x, const plan *p,
                        const char *commit) {
    g_autofree char *date = web__night_label(night, p->with_year);
    g_autofree char *text = g_strconcat(date, *commit ? "  " : "", commit, NULL);
    add(l,
        (web_label){.role = WEB_LABEL_DATE,
                    .x = x + 4,
                    .y = l->plot.y + l->plot.height + 8,
                    .angle = -G_PI / 4,
                    .align = 1,
                    .max_width = p->date + p->commit + BETWEEN},
        text);
}

static void lay_flat(web_layout *l, const web_night *night, double x, const plan *p,
                     const char *commit) {
    double y = l->plot.y + l->plot.height + ROW;
    g_autofree char *date = web__night_label(night, p->with_year);
    add(l,
        (web_label){.role = WEB_LABEL_DATE, .x = x, .y = y, .align = 0.5, .max_width = p->date + 4},
        date);
    add(l,
        (web_label){.role = WEB_LABEL_COMMIT,
                    .x = x,
                    .y = y + ROW,
                    .align = 0.5,
                    .max_width = p->commit + 4},
        commit);
}

void web__dates_lay(web_layout *l, const web_history *h, const GArray *columns, double centre) {
    plan p = make_plan(l, h);
    double free_from = l->plot.x - p.date / 2;
    const char *named = NULL;
    const bool one = is_one_commit(h);
    for (guint i = 0; i < columns->len; i++) {
        const web__column *c = &g_array_index(columns, web__column, i);
        if (c->count == 0)
            continue;
        const web_night *night = &g_array_index(h->nights, web_night, c->first);
        double x = c->x + centre;
        /* A commit that is measured night after night is named once, the only one not at all. */
        const char *commit = one || g_strcmp0(named, night->commit) == 0 ? "" : night->commit;
        named = night->commit;
        if (p.style == SLANTED) {
            lay_slanted(l, night, x, &p, commit);
        } else if (p.style == FLAT_BOTH) {
            lay_flat(l, night, x, &p, commit);
        } else if (x - p.date / 2 >= free_from && x + p.date / 2 <= l->width) {
            g_autofree char *date = web__night_label(night, p.with_year);
            add(l,
                (web_label){.role = WEB_LABEL_DATE,
                            .x = x,
                            .y = l->plot.y + l->plot.height + ROW,
                            .align = 0.5,
                            .max_width = p.date + 4},
                date);
            free_from = x + p.date / 2 + 10;
        }
    }
    if (l->nights_per_column > 1) {
        g_autofree char *text =
            g_strdup_printf("%smedian and range of %u nights",
                            l->width < NARROW ? "" : "a column: ", l->nights_per_column);
        web__label_add(l,
                       (web_label){.role = WEB_LABEL_NOTE,
                                   .x = l->width - 16,
                                   .y = l->plot.y - 12 - web__boundaries_height(h),
                                   .align = 1,
                                   .size = 11,
                                   .max_width = l->width - 140},
                       text);
    }
}
