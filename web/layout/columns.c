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
