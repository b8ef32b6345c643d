#pragma once
/*
 * views_columns - many nights with their portions as columns, for charts: what repeats stands
 * once, numbers alike lie together, and none has digits that its interval makes noise.
 *
 * The bytes are a third of the brief nights', packed; docs/api.md and web/static/series.js have
 * the same words. Of what comes out, means and ends of intervals are off by at most a fiftieth
 * of the interval's half width.
 */
#include <jansson.h>

/**
 * srv__columns_of - brief nights as columns.
 * page  {"items": [brief night], "next"}; taken. Its nights lose "portions" and "total"
 * Returns it with "columns" and "total" beside "items", owned by the caller; NULL as it came.
 */
json_t *srv__columns_of(json_t *page);
