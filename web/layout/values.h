#pragma once
/* What each column of the chart holds. */
#include "web/layout/columns.h"

/* Every column's values, made once: [column][portion], the total last; free values with g_free. */
typedef struct {
    const web_history *history;
    const GArray *columns;
    web_value *values;
    guint width;
} web__values;

web__values web__values_make(const web_history *history, web_chart_of of, const GArray *columns);

static inline const web_value *web__value_at(const web__values *m, guint column, guint portion) {
    return &m->values[column * m->width + portion];
}

static inline const web_value *web__total_at(const web__values *m, guint column) {
    return web__value_at(m, column, m->width - 1);
}
