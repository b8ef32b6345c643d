#pragma once
/*
 * views_columns - many nights with their portions as columns, for charts: what repeats stands
 * once, numbers alike lie together, and none has digits that its interval makes noise.
 *
 * The bytes are a third of the brief nights', packed; docs/api.md and web/static/series.js have
 * the same words. Of what comes out, means and ends of intervals are off by at most a fiftieth
 * of the interval's half width.
 */
#include "config/model/night.h"

typedef struct srv__columns srv__columns;

/* srv__columns_new - of no night yet. */
srv__columns *srv__columns_new(void);

/* srv__columns_add - the next brief nights. */
void srv__columns_add(srv__columns *columns, const cfg_night *nights, unsigned count);

/* srv__columns_end - {"items", "next", "columns", "total"}, owned by the caller; columns is freed.
 * next: cursor of the next page or NULL. */
json_t *srv__columns_end(srv__columns *columns, const char *next);
