#include "web/layout/columns.h"

#include <math.h>

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

/* Nightly histories have holes; a history of releases or commits just has irregular dates. */
static bool is_nightly(const GArray *nights) {
    if (nights->len < 3)
        return false;
    /* The median of the distances is a day. */
    const guint middle = (nights->len - 1) / 2;
    guint below = 0, until = 0;
    for (guint i = 1; i < nights->len; i++) {
        const int days = days_between(&g_array_index(nights, web_night, i - 1),
                                      &g_array_index(nights, web_night, i));
        below += days < 1;
        until += days <= 1;
    }
    return below <= middle && middle < until;
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

static void append_night(GArray *columns, const web_night *night, guint at) {
    web__column column = {
        .first = at,
        .count = 1,
        .failed = night->state == WEB_NIGHT_FAILED,
        .quarantined = night->state == WEB_NIGHT_QUARANTINED,
    };
    g_array_append_val(columns, column);
}

GArray *web__columns_new(const web_history *history, web_layout *layout) {
    const GArray *nights = history->nights;
    GArray *columns = g_array_new(FALSE, TRUE, sizeof(web__column));
    double room = fmax(layout->plot.width, 1);
    guint per_column = (guint)ceil(nights->len * COLUMN_WIDTH_MIN / room);
    layout->nights_per_column = MAX(per_column, 1);
    bool nightly = layout->nights_per_column == 1 && is_nightly(nights);
    for (guint i = 0; i < nights->len; i += layout->nights_per_column) {
        const web_night *night = &g_array_index(nights, web_night, i);
        if (nightly && i > 0)
            append_missing(columns,
                           days_between(&g_array_index(nights, web_night, i - 1), night) - 1);
        if (layout->nights_per_column == 1) {
            append_night(columns, night, i);
            continue;
        }
        web__column column = {.first = i, .count = MIN(layout->nights_per_column, nights->len - i)};
        g_array_append_val(columns, column);
    }
    layout->column_width = columns->len > 0 ? room / columns->len : room;
    for (guint i = 0; i < columns->len; i++)
        g_array_index(columns, web__column, i).x = layout->plot.x + i * layout->column_width;
    return columns;
}
