#include "web/paint/pen.h"

#include <math.h>
#include <string.h>

#define HATCH_BAR_MIN 6.0 /* narrower bars are only muddied by a hatch */
#define MARK_WIDTH 1.6
#define BOUNDARY_WIDTH 1.2 /* as .boundary in static/style.css, which goes on below */
#define RING_WIDTH 2.0
#define TEAR_LINE 2.5
#define TEAR_STEP 4.0
#define TEAR_HEIGHT 2.0
#define SWATCH_RING 5.5
#define SWATCH_BOUNDARY 14.0

typedef struct {
    web_pen *pen;
    const web_layout *layout;
    const web_history *history;
    const web_palette *palette;
    web_theme theme;
    bool hatched;
    web_pattern patterns[WEB_HISTORY_PORTIONS_MAX];
    guint pattern_count;
} drawing;

#define RGB(hex)                                                                                   \
    { ((hex) >> 16 & 0xff) / 255.0, ((hex) >> 8 & 0xff) / 255.0, ((hex)&0xff) / 255.0 }

static const web_palette PALETTES[] = {
    [WEB_THEME_LIGHT] = {.background = RGB(0xffffff),
                         .ink = RGB(0x1b1f24),
                         .muted = RGB(0x57606a),
                         .grid = RGB(0xdfe3e8),
                         .band = RGB(0xf1f3f5),
                         .ring = RGB(0xc4002b),
                         .hatch = RGB(0xffffff)},
    [WEB_THEME_DARK] = {.background = RGB(0x15191e),
                        .ink = RGB(0xe8ecf0),
                        .muted = RGB(0xa3adb8),
                        .grid = RGB(0x2d343c),
                        .band = RGB(0x1f252c),
                        .ring = RGB(0xff6b81),
                        .hatch = RGB(0x15191e)},
};

static const char STANDARD[] = "TICW";

static const struct {
    web_colour light, dark;
    web_hatch hatch;
} PORTIONS[] = {
    {RGB(0x6e7781), RGB(0x9aa4ae), WEB_HATCH_NONE}, /* T grey */
    {RGB(0xe69f00), RGB(0xe69f00), WEB_HATCH_UP},   /* I orange */
    {RGB(0x009e73), RGB(0x10b386), WEB_HATCH_FLAT}, /* C bluish green */
    {RGB(0x0072b2), RGB(0x3a97d4), WEB_HATCH_DOWN}, /* W blue */
    {RGB(0xcc79a7), RGB(0xcc79a7), WEB_HATCH_NONE}, /* reddish purple */
    {RGB(0xd9c800), RGB(0xf0e442), WEB_HATCH_UP},   /* yellow, darker on white */
    {RGB(0x56b4e9), RGB(0x56b4e9), WEB_HATCH_FLAT}, /* sky blue */
    {RGB(0x8c564b), RGB(0xb98a80), WEB_HATCH_DOWN}, /* brown */
};

static const web_palette *palette_of(web_theme theme) {
    return &PALETTES[theme == WEB_THEME_DARK ? WEB_THEME_DARK : WEB_THEME_LIGHT];
}

static size_t slot(const char *name, guint index) {
    if (name[0] && !name[1] && strchr(STANDARD, name[0]))
        return (size_t)(strchr(STANDARD, name[0]) - STANDARD);
    return 4 + index % (G_N_ELEMENTS(PORTIONS) - 4);
}

/* Of the portion called name, or the index-th other one. */
static web_hatch portion_hatch(const char *name, guint index) {
    return PORTIONS[slot(name, index)].hatch;
}

/* On and off lengths, ending with 0; told apart without colour. */
static const double *boundary_dashes(web_boundary_kind kind) {
    static const double dashes[][5] = {
        [WEB_BOUNDARY_ENVIRONMENT] = {5, 4, 0}, [WEB_BOUNDARY_ACCEPTED] = {8, 2, 2, 2, 0},
        [WEB_BOUNDARY_RELEASE] = {1.5, 2.5, 0}, [WEB_BOUNDARY_INCIDENT] = {10, 3, 0},
        [WEB_BOUNDARY_NOTE] = {3, 3, 0},        [WEB_BOUNDARY_BASELINE] = {12, 2, 2, 2, 0},
    };
    return dashes[kind];
}

/* Likewise of what rings a night that was only suspected or cleared. */
static const double *ring_dashes(void) {
    static const double dashes[] = {3, 2, 0};
    return dashes;
}

/* How a text of this role looks. */
static web_colour label_colour(web_label_role role, const web_palette *palette) {
    switch (role) {
    case WEB_LABEL_RING:
        return palette->ring;
    case WEB_LABEL_NOTE:
    case WEB_LABEL_TICK:
    case WEB_LABEL_UNIT:
    case WEB_LABEL_COMMIT:
    case WEB_LABEL_GAP:
    case WEB_LABEL_RELEASE:
    case WEB_LABEL_EMPTY:
        return palette->muted;
    case WEB_LABEL_TITLE:
    case WEB_LABEL_CUT:
    case WEB_LABEL_INCIDENT:
    case WEB_LABEL_DATE:
    case WEB_LABEL_VALUE:
    case WEB_LABEL_LINE:
    case WEB_LABEL_LEGEND:
        break;
    }
    return palette->ink;
}

static bool label_bold(web_label_role role) {
    return role == WEB_LABEL_TITLE || role == WEB_LABEL_RING || role == WEB_LABEL_LINE ||
           role == WEB_LABEL_CUT;
}

bool web__label_halo(web_label_role role) {
    return role == WEB_LABEL_RING || role == WEB_LABEL_CUT;
}

static const char *portion_name(const drawing *d, guint s) {
    return g_array_index(d->history->portions, web_portion, s).name;
}

static web_colour portion_colour(const drawing *d, guint s) {
    const size_t i = slot(portion_name(d, s), s);
    return d->theme == WEB_THEME_DARK ? PORTIONS[i].dark : PORTIONS[i].light;
}

/* Crisp one-pixel lines lie on half pixels. */
static double crisp(double v) {
    return floor(v) + 0.5;
}

static void begin_line(const drawing *d, web_colour colour, double width, const double *dashes) {
    const web_ink ink = {.kind = WEB_INK_LINE, .colour = colour, .width = width, .dashes = dashes};
    d->pen->begin(d->pen, &ink);
}

static void begin_area(const drawing *d, guint s, bool hatched) {
    web_ink ink = {.kind = WEB_INK_AREA, .colour = portion_colour(d, s)};
    for (guint i = 0; hatched && i < d->pattern_count; i++)
        if (d->patterns[i].id == s)
            ink.pattern = &d->patterns[i];
    d->pen->begin(d->pen, &ink);
}

static void end(const drawing *d) {
    d->pen->end(d->pen);
}

static void level_line(const drawing *d, double x, double y, double length) {
    d->pen->move(d->pen, x, y);
    d->pen->across(d->pen, length);
}

static void draw_portion(const drawing *d, guint s) {
    begin_area(d, s, d->hatched);
    for (guint i = 0; i < d->layout->rects->len; i++) {
        const web_rect *r = &g_array_index(d->layout->rects, web_rect, i);
        if (r->portion == s)
            d->pen->box(d->pen, r->box);
    }
    end(d);
}

static void add_mark(web_pen *pen, web_gap_kind kind, double x, double y, double r) {
    switch (kind) {
    case WEB_GAP_FAILED:
        pen->move(pen, x - r, y - r);
        pen->line(pen, x + r, y + r);
        pen->move(pen, x - r, y + r);
        pen->line(pen, x + r, y - r);
        break;
    case WEB_GAP_QUARANTINED:
        pen->move(pen, x - r, y);
        pen->line(pen, x, y - r);
        pen->line(pen, x + r, y);
        pen->line(pen, x, y + r);
        pen->close(pen);
        break;
    case WEB_GAP_MISSING:
        pen->move(pen, x - r, y);
        pen->across(pen, 2 * r);
        break;
    }
}

static void draw_gaps(const drawing *d) {
    const GArray *gaps = d->layout->gaps;
    for (guint i = 0; i < gaps->len; i++)
        d->pen->block(d->pen, g_array_index(gaps, web_gap, i).box, d->palette->band);
    begin_line(d, d->palette->muted, MARK_WIDTH, NULL);
    for (guint i = 0; i < gaps->len; i++) {
        const web_gap *gap = &g_array_index(gaps, web_gap, i);
        double r = fmax(1.5, fmin(4.5, gap->box.width * 0.3));
        add_mark(d->pen, gap->kind, gap->box.x + gap->box.width / 2, d->layout->zero_y - r - 3, r);
    }
    end(d);
}

static void draw_grid(const drawing *d) {
    const web_box *plot = &d->layout->plot;
    begin_line(d, d->palette->grid, 1, NULL);
    for (guint i = 0; i < d->layout->ticks->len; i++)
        level_line(d, plot->x, crisp(g_array_index(d->layout->ticks, web_tick, i).y), plot->width);
    end(d);
}

static void draw_zero(const drawing *d) {
    begin_line(d, d->palette->muted, 1, NULL);
    level_line(d, d->layout->plot.x, crisp(d->layout->zero_y), d->layout->plot.width);
    end(d);
}

static void draw_boundaries(const drawing *d) {
    for (int kind = 0; kind <= WEB_BOUNDARY_BASELINE; kind++) {
        bool begun = false;
        for (guint i = 0; i < d->layout->boundaries->len; i++) {
            const web_boundary *at = &g_array_index(d->layout->boundaries, web_boundary, i);
            if ((int)at->kind != kind)
                continue;
            if (!begun)
                begin_line(d, d->palette->muted, BOUNDARY_WIDTH, boundary_dashes(at->kind));
            begun = true;
            d->pen->move(d->pen, crisp(at->x), d->layout->plot.y);
            d->pen->down(d->pen, d->layout->plot.height);
        }
        if (begun)
            end(d);
    }
}

/* portion: only its own, in a line chart; G_MAXUINT: the totals'. */
static void draw_whiskers(const drawing *d, guint portion, web_colour colour) {
    begin_line(d, colour, d->layout->column_width < 8 ? 1 : 1.4, NULL);
    for (guint i = 0; i < d->layout->whiskers->len; i++) {
        const web_whisker *w = &g_array_index(d->layout->whiskers, web_whisker, i);
        if (w->portion != portion)
            continue;
        d->pen->move(d->pen, w->x, w->low_y);
        d->pen->line(d->pen, w->x, w->high_y);
        if (w->cap < 1.5)
            continue;
        level_line(d, w->x - w->cap, w->low_y, 2 * w->cap);
        level_line(d, w->x - w->cap, w->high_y, 2 * w->cap);
    }
    end(d);
}

static void draw_dots(const drawing *d, guint s, web_colour colour) {
    const web_ink ink = {
        .kind = WEB_INK_LINE, .colour = colour, .width = web__point_size(d->layout), .round = true};
    d->pen->begin(d->pen, &ink);
    for (guint i = 0; i < d->layout->points->len; i++) {
        const web_point *at = &g_array_index(d->layout->points, web_point, i);
        if (at->portion == s)
            level_line(d, at->x, at->y, 0);
    }
    end(d);
}

static void draw_line(const drawing *d, guint s) {
    web_colour colour = portion_colour(d, s);
    draw_whiskers(d, s, colour);
    begin_line(d, colour, MARK_WIDTH, NULL);
    for (guint i = 0; i < d->layout->points->len; i++) {
        const web_point *at = &g_array_index(d->layout->points, web_point, i);
        if (at->portion == s)
            (at->starts ? d->pen->move : d->pen->line)(d->pen, at->x, at->y);
    }
    end(d);
    draw_dots(d, s, colour);
}

static void draw_ring(const drawing *d, web_ring_kind kind, double cx, double cy, double rx,
                      double ry) {
    bool loud = kind == WEB_RING_ANOMALY;
    const web_ink ink = {.kind = WEB_INK_LINE,
                         .colour = loud ? d->palette->ring : d->palette->muted,
                         .width = RING_WIDTH,
                         .dashes = loud ? NULL : ring_dashes()};
    d->pen->ellipse(d->pen, &ink, cx, cy, rx, ry);
}

/* A triangle that points up or down, a dot where it is unknown: told apart without colour, and as
 * the pages write them; a diamond would say quarantine. */
static void draw_arrow(const drawing *d, double x, double y, int direction) {
    const double r = 4.5;
    web_ink ink = {.kind = WEB_INK_SHAPE, .colour = d->palette->ring, .width = 1.5};
    if (direction == 0) {
        ink.kind = WEB_INK_LINE;
        ink.width = 6;
        ink.round = true;
    }
    d->pen->begin(d->pen, &ink);
    if (direction == 0) {
        level_line(d, x, y, 0);
    } else {
        level_line(d, x - r, y + direction * r, 2 * r);
        d->pen->line(d->pen, x, y - direction * r);
        d->pen->close(d->pen);
    }
    end(d);
}

static void draw_mark(const drawing *d, web_gap_kind kind, double x, double y, double r) {
    begin_line(d, d->palette->muted, MARK_WIDTH, NULL);
    add_mark(d->pen, kind, x, y, r);
    end(d);
}

static void draw_rings(const drawing *d) {
    for (guint i = 0; i < d->layout->rings->len; i++) {
        const web_ring *ring = &g_array_index(d->layout->rings, web_ring, i);
        draw_ring(d, ring->kind, ring->cx, ring->cy, ring->rx, ring->ry);
        if (ring->marked)
            draw_arrow(d, ring->mark_x, ring->mark_y, ring->direction);
    }
}

/* A zigzag in the background's colour: what goes on behind it is torn off. */
static void draw_tear(const drawing *d, double x, double y, double width) {
    double height = width < 8 ? 1 : TEAR_HEIGHT;
    int steps = MAX(2, (int)lround(width / (width < 8 ? 2 : TEAR_STEP)));
    double from = x - width / 2 - 1, step = (width + 2) / steps;
    begin_line(d, d->palette->background, TEAR_LINE, NULL);
    d->pen->move(d->pen, from, y + height);
    for (int i = 1; i <= steps; i++)
        d->pen->line(d->pen, from + i * step, y + (i % 2 ? -height : height));
    end(d);
}

static void draw_cuts(const drawing *d) {
    for (guint i = 0; i < d->layout->cuts->len; i++) {
        const web_cut *cut = &g_array_index(d->layout->cuts, web_cut, i);
        draw_tear(d, cut->x, cut->y, cut->width);
    }
}

static void draw_plot(const drawing *d) {
    bool lines = d->layout->view == WEB_VIEW_LINES;
    draw_gaps(d);
    draw_grid(d);
    for (guint s = 0; s < d->history->portions->len && !lines; s++)
        draw_portion(d, s);
    draw_zero(d);
    draw_boundaries(d);
    for (guint s = 0; s < d->history->portions->len && lines; s++)
        draw_line(d, s);
    if (!lines)
        draw_whiskers(d, G_MAXUINT, d->palette->ink);
    draw_cuts(d);
    draw_rings(d);
}

static void draw_boundary_swatch(const drawing *d, web_boundary_kind kind, double x, double y) {
    begin_line(d, d->palette->muted, BOUNDARY_WIDTH, boundary_dashes(kind));
    d->pen->move(d->pen, x, y - SWATCH_BOUNDARY / 2);
    d->pen->down(d->pen, SWATCH_BOUNDARY);
    end(d);
}

static void draw_swatch(const drawing *d, const web_swatch *swatch) {
    double x = swatch->box.x + swatch->box.width / 2, y = swatch->box.y + swatch->box.height / 2;
    switch (swatch->kind) {
    case WEB_SWATCH_PORTION:
        begin_area(d, swatch->portion, d->layout->view == WEB_VIEW_BARS);
        d->pen->box(d->pen, swatch->box);
        end(d);
        break;
    case WEB_SWATCH_RING:
        draw_ring(d, WEB_RING_ANOMALY, x, y, SWATCH_RING, SWATCH_RING);
        break;
    case WEB_SWATCH_WATCHED:
        draw_ring(d, WEB_RING_WATCHED, x, y, SWATCH_RING, SWATCH_RING);
        break;
    case WEB_SWATCH_ENVIRONMENT:
        draw_boundary_swatch(d, WEB_BOUNDARY_ENVIRONMENT, x, y);
        break;
    case WEB_SWATCH_ACCEPTED:
        draw_boundary_swatch(d, WEB_BOUNDARY_ACCEPTED, x, y);
        break;
    case WEB_SWATCH_RELEASE:
        draw_boundary_swatch(d, WEB_BOUNDARY_RELEASE, x, y);
        break;
    case WEB_SWATCH_INCIDENT:
        draw_boundary_swatch(d, WEB_BOUNDARY_INCIDENT, x, y);
        break;
    case WEB_SWATCH_NOTE:
        draw_boundary_swatch(d, WEB_BOUNDARY_NOTE, x, y);
        break;
    case WEB_SWATCH_BASELINE:
        draw_boundary_swatch(d, WEB_BOUNDARY_BASELINE, x, y);
        break;
    case WEB_SWATCH_FAILED:
        draw_mark(d, WEB_GAP_FAILED, x, y, 4);
        break;
    case WEB_SWATCH_QUARANTINED:
        draw_mark(d, WEB_GAP_QUARANTINED, x, y, 4);
        break;
    case WEB_SWATCH_MISSING:
        d->pen->block(d->pen, swatch->box, d->palette->band);
        draw_mark(d, WEB_GAP_MISSING, x, y, 4);
        break;
    case WEB_SWATCH_CUT:
        d->pen->block(d->pen, swatch->box, d->palette->muted);
        draw_tear(d, x, y, swatch->box.width);
        break;
    }
}

static void find_patterns(drawing *d) {
    for (guint s = 0; s < d->history->portions->len; s++) {
        web_hatch hatch = portion_hatch(portion_name(d, s), s);
        if (hatch != WEB_HATCH_NONE)
            d->patterns[d->pattern_count++] =
                (web_pattern){s, hatch, portion_colour(d, s), d->palette->hatch};
    }
}

static void draw_page(const drawing *d) {
    const web_layout *l = d->layout;
    const web_page page = {.width = l->width,
                           .height = l->height,
                           .title = l->title,
                           .description = l->description,
                           .background = d->palette->background,
                           .patterns = d->patterns,
                           .pattern_count = d->pattern_count};
    d->pen->page(d->pen, &page);
}

void web__draw(web_pen *pen, const web_layout *l, const web_history *history, web_theme theme) {
    drawing d = {.pen = pen,
                 .layout = l,
                 .history = history,
                 .palette = palette_of(theme),
                 .theme = theme,
                 .hatched = l->nights_per_column == 1 && l->column_width * 0.7 >= HATCH_BAR_MIN};
    find_patterns(&d);
    draw_page(&d);
    if (l->ticks->len > 0)
        draw_plot(&d);
    for (guint i = 0; i < l->swatches->len; i++)
        draw_swatch(&d, &g_array_index(l->swatches, web_swatch, i));
    for (guint i = 0; i < l->labels->len; i++) {
        const web_label *label = &g_array_index(l->labels, web_label, i);
        pen->text(pen, label, label_colour(label->role, d.palette), label_bold(label->role));
    }
}

/* Orange against blue: told apart by everybody, and by lightness. Names stand in black on all. */
static const web_colour rose = RGB(0xf0a020), fell = RGB(0x7db8e8);
static const web_colour still[] = {
    [WEB_THEME_LIGHT] = RGB(0xdfe3e8), [WEB_THEME_DARK] = RGB(0xb4bcc6)};
static const web_colour name_ink = RGB(0x1b1f24);

web_colour web__flame_colour(double share, web_theme theme) {
    const web_colour none = still[theme == WEB_THEME_DARK ? WEB_THEME_DARK : WEB_THEME_LIGHT];
    const web_colour full = share > 0 ? rose : fell;
    const double part = fmin(fabs(share), 1);
    return (web_colour){none.red + part * (full.red - none.red),
                        none.green + part * (full.green - none.green),
                        none.blue + part * (full.blue - none.blue)};
}

void web__flame_draw(web_pen *pen, const web_flame_layout *layout, web_theme theme) {
    const web_palette *palette = palette_of(theme);
    const web_page page = {.width = layout->width,
                           .height = layout->height,
                           .title = layout->title,
                           .description = layout->description,
                           .background = palette->background};
    pen->page(pen, &page);
    for (guint i = 0; i < layout->rects->len; i++) {
        const web_flame_rect *rect = &g_array_index(layout->rects, web_flame_rect, i);
        pen->block(pen, rect->box, web__flame_colour(rect->share, theme));
    }
    for (guint i = 0; i < layout->labels->len; i++) {
        const web_label *label = &g_array_index(layout->labels, web_label, i);
        const bool of_frame = label->role == WEB_LABEL_VALUE;
        pen->text(pen, label, of_frame ? name_ink : label_colour(label->role, palette),
                  !of_frame && label_bold(label->role));
    }
}
