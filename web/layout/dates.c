#include "web/layout/layout.h"

#include <math.h>
#include <string.h>

/* Below this a bar cannot be told from its neighbour. */
#define COLUMN_WIDTH_MIN 3.0
/* So many missing days in a row are shown one by one; a longer gap is one slot that says its
 * length. */
enum { MISSING_SHOWN = 3 };

static int days_between(const web_night *a, const web_night *b) {
    if (!g_date_valid(&a->day) || !g_date_valid(&b->day))
        return 1;
    return g_date_days_between(&a->day, &b->day);
}

/* Nightly histories have holes; a history of releases just has irregular dates. Several nights of
 * one date are nightly, too. */
static bool is_nightly(const GArray *nights) {
    if (nights->len < 3)
        return false;
    /* The median of the distances is at most a day. */
    guint until = 0;
    for (guint i = 1; i < nights->len; i++)
        until += days_between(&g_array_index(nights, web_night, i - 1),
                              &g_array_index(nights, web_night, i)) <= 1;
    return (nights->len - 1) / 2 < until;
}

static void append_missing(GArray *columns, int missing) {
    if (missing <= 0)
        return;
    bool one_by_one = missing <= MISSING_SHOWN;
    for (int i = 0; i < (one_by_one ? missing : 1); i++) {
        web__column gap = {.missing = one_by_one ? 1u : (guint)missing};
        g_array_append_val(columns, gap);
    }
}

static void append_nights(GArray *columns, const GArray *nights, guint first, guint count) {
    const web_night *night = &g_array_index(nights, web_night, first);
    web__column column = {
        .first = first,
        .count = count,
        .failed = count == 1 && night->state == WEB_NIGHT_FAILED,
        .quarantined = count == 1 && night->state == WEB_NIGHT_QUARANTINED,
    };
    g_array_append_val(columns, column);
}

/* Days without a night before the one at i that have columns of their own. Where nights share
 * columns, only a gap that is as long as some columns has one. */
static int gap_before(const GArray *nights, guint i, guint per_column) {
    const int missing = days_between(&g_array_index(nights, web_night, i - 1),
                                     &g_array_index(nights, web_night, i)) -
                        1;
    return per_column == 1 || missing > MISSING_SHOWN * (int)per_column ? missing : 0;
}

GArray *web__columns_new(const web_history *history, web_layout *layout) {
    const GArray *nights = history->nights;
    GArray *columns = g_array_new(FALSE, TRUE, sizeof(web__column));
    double room = fmax(layout->plot.width, 1);
    const guint per_column = MAX((guint)ceil(nights->len * COLUMN_WIDTH_MIN / room), 1);
    layout->nights_per_column = per_column;
    const bool nightly = is_nightly(nights);
    for (guint i = 0, count; i < nights->len; i += count) {
        if (nightly && i > 0)
            append_missing(columns, gap_before(nights, i, per_column));
        for (count = 1; count < per_column && i + count < nights->len; count++)
            if (nightly && gap_before(nights, i + count, per_column) > 0)
                break;
        append_nights(columns, nights, i, count);
    }
    layout->column_width = columns->len > 0 ? room / columns->len : room;
    for (guint i = 0; i < columns->len; i++)
        g_array_index(columns, web__column, i).x = layout->plot.x + i * layout->column_width;
    return columns;
}

#define NAME_SIZE 10.0
#define NAME_ROW 14.0
/* Two of different kinds at one place stand beside each other. */
#define BESIDE 3.0
#define NAMES_BETWEEN 6.0
/* A name may always be so wide, whatever stands beside it. */
#define NAME_WIDTH 180.0
enum { KINDS = WEB_BOUNDARY_BASELINE + 1 };

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

/* What has a name over the plot, and in which role it is told: a release last. */
static const struct {
    size_t member; /* of web_night: a text, or NULL */
    web_label_role role;
} names[] = {{offsetof(web_night, incident), WEB_LABEL_INCIDENT},
             {offsetof(web_night, note), WEB_LABEL_INCIDENT},
             {offsetof(web_night, baseline), WEB_LABEL_INCIDENT},
             {offsetof(web_night, release), WEB_LABEL_RELEASE}};

/* The newest of a column's nights, or NULL. */
static const char *name_of(const web_history *h, const web__column *c, size_t member) {
    for (guint i = c->count; i-- > 0;) {
        const web_night *night = &g_array_index(h->nights, web_night, c->first + i);
        const char *name;
        memcpy(&name, (const char *)night + member, sizeof name);
        if (name)
            return name;
    }
    return NULL;
}

static bool has_name(const web_history *h, const web__column *c) {
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (name_of(h, c, names[i].member))
            return true;
    return false;
}

double web__boundaries_height(const web_history *history) {
    const web__column all = {.count = history->nights->len};
    return has_name(history, &all) ? NAME_ROW : 0;
}

/* Names stand over the plot, from left to right; one that would cover another is left out. most:
 * how wide it may be. */
static void lay_name(web_layout *l, web_label_role role, const char *name, double x, double most,
                     double *free_from) {
    double width = web_text_width(name, NAME_SIZE);
    width = MIN(width, most);
    double left = MIN(x, l->width - 4 - width);
    if (left < *free_from)
        return;
    web__label_add(l,
                   (web_label){.role = role,
                               .x = left,
                               .y = l->plot.y - NAME_ROW / 2,
                               .size = NAME_SIZE,
                               .max_width = width + 1},
                   name);
    *free_from = left + width + NAMES_BETWEEN;
}

/* A long name has the room up to the next one's column, or to the edge. */
static double room_of(const web_layout *l, const web_history *h, const GArray *columns, guint at) {
    const double x = g_array_index(columns, web__column, at).x;
    for (guint i = at + 1; i < columns->len; i++) {
        const web__column *c = &g_array_index(columns, web__column, i);
        if (has_name(h, c))
            return MAX(c->x - x - NAMES_BETWEEN, NAME_WIDTH);
    }
    return MAX(l->width - 4 - x, NAME_WIDTH);
}

static void lay_names(web_layout *l, const web_history *h, const GArray *columns, guint at,
                      double *free_from) {
    const web__column *c = &g_array_index(columns, web__column, at);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        const char *name = name_of(h, c, names[i].member);
        if (name)
            lay_name(l, names[i].role, name, c->x, room_of(l, h, columns, at), free_from);
    }
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

#define SIZE 10.0
#define ROW 14.0
#define NARROW 520           /* no room for the whole note */
#define BETWEEN (SIZE * 1.4) /* date and commit of a slanted label: two spaces */
/* A line of slanted text (45 degrees) needs its height / sin 45 between anchors. */
#define SLANT_DISTANCE (ROW * 1.2)
#define SLANT_HEIGHT_MIN 320.0
#define SLANT_SHARE 0.34 /* slanted labels may take so much of the chart's height */

/* "7 Mar" or "7 Mar 2013" for a night; free with g_free. */
static char *night_label(const web_night *night, bool with_year) {
    if (with_year || !g_date_valid(&night->day))
        return g_strdup(night->date);
    char day[32]; /* LC_TIME stays C */
    g_date_strftime(day, sizeof day, "%e %b", &night->day);
    return g_strdup(g_strchug(day));
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
    g_autofree char *date = night_label(night, p->with_year);
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
    g_autofree char *date = night_label(night, p->with_year);
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
            g_autofree char *date = night_label(night, p.with_year);
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
            g_strdup_printf("%smedian and range of %u results",
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
