#include "web/chart/flame.h"

#include "web/layout/text.h"
#include "web/paint/paint.h"
#include "web/paint/pen.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 8.0
#define HEAD 44.0 /* title and note above the frames */
#define LINE 17.0 /* of a title that takes a second one */
#define TEXT_SIZE 11.0
#define TITLE_SIZE 14.0
#define TEXT_LEAST 24.0 /* a narrower frame has no name */
#define NAME_MAX_CHARS 200
#define WIDTH_DEFAULT 900

/* What is known of each frame while it is laid out. */
typedef struct {
    const det_stacks *stacks;
    const web_flame_options *options;
    double *weight, *net; /* [frames] of it and all below: its width, its change or cost */
    double *x;            /* [frames] where it begins; then where its next child does */
    int *row;             /* [frames] -1: not shown */
    double whole;         /* weight of all that is shown */
    double head;          /* what stands above the frames */
    guint rows, left_out;
} work;

static double weight_of(web_flame_view view, double before, double after) {
    const double cost = view == WEB_FLAME_BEFORE ? before : after;
    return view == WEB_FLAME_DIFFERENCE ? fabs(after - before) : fmax(cost, 0);
}

/* Children come after their parents, so the way back adds all of them up. */
static void weigh(const work *w, const det_contrast_plan *plan) {
    const web_flame_view view = w->options->view;
    for (uint32_t f = det_stacks_count(w->stacks); f-- > 1;) {
        const double before = det_contrast_self(w->stacks, plan, f, 0);
        const double after = det_contrast_self(w->stacks, plan, f, 1);
        const uint32_t parent = det_stacks_frame(w->stacks, f).parent;
        w->weight[f] += weight_of(view, before, after);
        w->net[f] += view == WEB_FLAME_DIFFERENCE ? after - before : weight_of(view, before, after);
        w->weight[parent] += w->weight[f];
        w->net[parent] += w->net[f];
    }
}

/* Rows from the top; with a name wanted its outermost frames are the first row. */
static void place_rows(work *w) {
    const char *wanted = w->options->frame;
    w->row[DET_STACKS_ROOT] = -1;
    for (uint32_t f = 1; f < det_stacks_count(w->stacks); f++) {
        const det_frame frame = det_stacks_frame(w->stacks, f);
        const bool begins =
            wanted ? strcmp(frame.name, wanted) == 0 : frame.parent == DET_STACKS_ROOT;
        const int above = w->row[frame.parent];
        w->row[f] = above >= 0 ? above + 1 : begins ? 0 : -1;
        w->whole += w->row[f] == 0 ? w->weight[f] : 0;
    }
}

/* Of a whole process the profiles' units are small: it is told in larger ones. */
typedef struct {
    const char *unit, *told;
    double factor;
} told_unit;

static told_unit unit_told(const char *unit) {
    static const told_unit units[] = {{"ns a process", "ms", 1e-6},
                                      {"ns a start", "ms", 1e-6},
                                      {"bytes a process", "MB", 1.0 / (1 << 20)}};
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
        if (g_strcmp0(units[i].unit, unit) == 0)
            return units[i];
    return (told_unit){unit, unit ? unit : "", 1};
}

/* "▲ history_add +484 ns": what a frame says; owned by the caller. */
static char *flame_words(const det_stacks *stacks, const web_flame_options *options,
                         const web_flame_rect *rect) {
    static const char *const marks[] = {"▼ ", "", "▲ "};
    /* what was measured is the change alone: nothing says what a unit took of the rest */
    const bool difference = options->view == WEB_FLAME_DIFFERENCE;
    const double scale = difference ? options->scale_ns : (double)NAN;
    const told_unit of = unit_told(options->unit);
    const double value = rect->net * (isfinite(scale) ? scale : of.factor);
    g_autofree char *name =
        web_text_clean(det_stacks_frame(stacks, rect->frame).name, NAME_MAX_CHARS);
    const int direction = difference ? (value > 0) - (value < 0) : 0;
    g_autofree char *size = isfinite(scale) ? web_format_value(fabs(value), NULL)
                                            : g_strdup_printf("%.*f %s", fabs(value) < 100 ? 1 : 0,
                                                              fabs(value), of.told);
    const char *sign = direction > 0 ? "+" : direction < 0 ? "-" : "";
    return g_strdup_printf("%s%s %s%s", marks[direction + 1], name, sign, size);
}

static void label_add(web_flame_layout *layout, web_label label, char *text) {
    label.text = text;
    g_array_append_val(layout->labels, label);
}

static void frame_add(const work *w, web_flame_layout *layout, uint32_t frame, web_box box) {
    const double weight = w->weight[frame], sign = w->options->scale_ns < 0 ? -1 : 1;
    const bool difference = w->options->view == WEB_FLAME_DIFFERENCE;
    const web_flame_rect rect = {.box = box,
                                 .frame = frame,
                                 .share =
                                     difference && weight > 0 ? sign * w->net[frame] / weight : 0,
                                 .net = w->net[frame],
                                 .row = w->row[frame]};
    g_array_append_val(layout->rects, rect);
    if (box.width < TEXT_LEAST)
        return;
    label_add(layout,
              (web_label){.role = WEB_LABEL_VALUE,
                          .x = box.x + 3,
                          .y = box.y + box.height / 2,
                          .max_width = box.width - 6,
                          .size = TEXT_SIZE},
              flame_words(w->stacks, w->options, &rect));
}

static void place_frames(work *w, web_flame_layout *layout) {
    const double room = layout->width - 2 * MARGIN;
    double next = MARGIN;
    for (uint32_t f = 1; f < det_stacks_count(w->stacks) && w->whole > 0; f++) {
        const uint32_t parent = det_stacks_frame(w->stacks, f).parent;
        if (w->row[f] < 0 || w->weight[f] <= 0)
            continue;
        double *at = w->row[f] == 0 ? &next : &w->x[parent];
        const double width = room * w->weight[f] / w->whole;
        w->x[f] = *at;
        *at += width;
        if (w->row[f] >= WEB_FLAME_ROWS_MAX)
            w->left_out++;
        else if (width >= WEB__FLAME_LEAST) {
            w->rows = MAX(w->rows, (guint)w->row[f] + 1);
            frame_add(w, layout, f,
                      (web_box){w->x[f], w->head + w->row[f] * WEB__FLAME_ROW, width - 0.5,
                                WEB__FLAME_ROW - 1});
        }
    }
}

static char *note_of(const work *w) {
    static const char *const what[] = {[WEB_FLAME_DIFFERENCE] =
                                           "Width: what changed. Orange, ▲: rose; blue, ▼: fell",
                                       [WEB_FLAME_BEFORE] = "Width: what it cost before",
                                       [WEB_FLAME_AFTER] = "Width: what it costs after"};
    if (w->whole <= 0)
        return g_strdup("There is nothing to show here");
    return w->left_out == 0
               ? g_strdup(what[w->options->view])
               : g_strdup_printf("%s; %u frames deeper than %d rows are left out",
                                 what[w->options->view], w->left_out, WEB_FLAME_ROWS_MAX);
}

/* What stands in backticks is a name: in a picture there is no other font for it. */
static char *plain_title(const char *title) {
    char *text = web_text_clean(title, NAME_MAX_CHARS), *to = text;
    for (const char *c = text; *c != '\0'; c++)
        if (*c != '`')
            *to++ = *c;
    *to = '\0';
    return text;
}

static void head_label_add(web_flame_layout *layout, web_label_role role, double y, double size,
                           char *text) {
    label_add(layout,
              (web_label){.role = role,
                          .x = MARGIN,
                          .y = y,
                          .max_width = layout->width - 2 * MARGIN,
                          .size = size},
              text);
}

/* A sentence without room on one line goes on after its colon. */
static void head_add(work *w, web_flame_layout *layout) {
    layout->title = plain_title(w->options->title);
    const char *colon = strstr(layout->title, ": ");
    const bool fits =
        web_text_width(layout->title, TITLE_SIZE) <= layout->width - 2 * MARGIN || !colon;
    head_label_add(layout, WEB_LABEL_TITLE, 14, TITLE_SIZE,
                   fits ? g_strdup(layout->title)
                        : g_strndup(layout->title, (gsize)(colon - layout->title)));
    if (!fits)
        head_label_add(layout, WEB_LABEL_TITLE, 14 + LINE, TEXT_SIZE, g_strdup(colon + 2));
    w->head = fits ? HEAD : HEAD + LINE;
}

static void note_add(const work *w, web_flame_layout *layout) {
    layout->description = note_of(w);
    head_label_add(layout, WEB_LABEL_NOTE, w->head - 11, TEXT_SIZE, g_strdup(layout->description));
}

static void label_clear(void *label) {
    g_free(((web_label *)label)->text);
}

static web_flame_layout *flame_layout_new(const det_stacks *stacks, const det_contrast_plan *plan,
                                          const web_flame_options *options) {
    const uint32_t count = det_stacks_count(stacks);
    web_flame_layout *layout = g_new0(web_flame_layout, 1);
    const int width = options->width > 0 ? options->width : WIDTH_DEFAULT;
    layout->width = CLAMP(width, WEB_CHART_WIDTH_MIN, WEB_CHART_WIDTH_MAX);
    layout->rects = g_array_new(FALSE, FALSE, sizeof(web_flame_rect));
    layout->labels = g_array_new(FALSE, FALSE, sizeof(web_label));
    g_array_set_clear_func(layout->labels, label_clear);
    work w = {.stacks = stacks,
              .options = options,
              .weight = g_new0(double, count),
              .net = g_new0(double, count),
              .x = g_new0(double, count),
              .row = g_new0(int, count)};
    weigh(&w, plan);
    place_rows(&w);
    head_add(&w, layout);
    place_frames(&w, layout);
    note_add(&w, layout);
    layout->height = w.head + MAX(w.rows, 1) * WEB__FLAME_ROW + MARGIN;
    g_free(w.weight);
    g_free(w.net);
    g_free(w.x);
    g_free(w.row);
    return layout;
}

static void flame_layout_free(web_flame_layout *layout) {
    if (!layout)
        return;
    g_array_free(layout->rects, TRUE);
    g_array_free(layout->labels, TRUE);
    g_free(layout->title);
    g_free(layout->description);
    g_free(layout);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(web_flame_layout, flame_layout_free)

GBytes *web_flame_render(const det_stacks *stacks, const det_contrast_plan *plan,
                         const web_flame_options *options, web_chart_format format,
                         GError **error) {
    g_autoptr(web_flame_layout) layout = flame_layout_new(stacks, plan, options);
    if (format == WEB_CHART_SVG)
        return web__svg_write_flame(layout, options->theme);
    return web__paint_flame(layout, options->theme, options->scale, error);
}

enum { NAME_CHARS = 200, DIGITS = 6 };

static json_t *frame_json(const det_stacks *stacks, const web_flame_options *options,
                          const web_flame_rect *rect) {
    const web_colour c = web__flame_colour(rect->share, options->theme);
    g_autofree char *fill = g_strdup_printf("#%02lx%02lx%02lx", lround(255 * c.red),
                                            lround(255 * c.green), lround(255 * c.blue));
    g_autofree char *name = web_text_clean(det_stacks_frame(stacks, rect->frame).name, NAME_CHARS);
    g_autofree char *words = flame_words(stacks, options, rect);
    return json_pack("{s:s, s:s, s:i, s:f, s:f, s:s}", "name", name, "words", words, "row",
                     rect->row, "x", rect->box.x, "width", rect->box.width, "fill", fill);
}

GBytes *web_flame_json(const det_stacks *stacks, const det_contrast_plan *plan,
                       const web_flame_options *options) {
    g_autoptr(web_flame_layout) layout = flame_layout_new(stacks, plan, options);
    json_t *frames = json_array();
    int rows = 0;
    for (guint i = 0; i < layout->rects->len; i++) {
        const web_flame_rect *rect = &g_array_index(layout->rects, web_flame_rect, i);
        rows = MAX(rows, rect->row + 1);
        json_array_append_new(frames, frame_json(stacks, options, rect));
    }
    json_auto_t *all =
        json_pack("{s:s, s:s, s:f, s:i, s:o}", "title", layout->title, "note", layout->description,
                  "width", layout->width, "rows", rows, "frames", frames);
    char *text = json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
    return g_bytes_new_with_free_func(text, strlen(text), free, text);
}
