#include "web/layout/values.h"

#include <math.h>

/* A column holds a dozen nights or two: insertion is quicker than qsort. */
static void sort(double *x, guint n) {
    for (guint i = 1; i < n; i++) {
        double v = x[i];
        guint k = i;
        for (; k > 0 && x[k - 1] > v; k--)
            x[k] = x[k - 1];
        x[k] = v;
    }
}

/* portion < 0 means the total. */
static web_value night_value(const web_history *h, web_chart_of of, guint night, int portion) {
    const web_night *n = &g_array_index(h->nights, web_night, night);
    if (n->state != WEB_NIGHT_MEASURED)
        return (web_value){0};
    return portion < 0 ? n->total[of] : web_night_value(n, of, (guint)portion);
}

/* One night's value; of several the median, with their range in place of the interval. */
static web_value condense(const web_history *h, web_chart_of of, const web__column *c,
                          int portion) {
    if (c->count == 1)
        return night_value(h, of, c->first, portion);
    web_value out = {0};
    double few[64];
    g_autofree double *many = c->count > G_N_ELEMENTS(few) ? g_new(double, c->count) : NULL;
    double *means = many ? many : few;
    guint n = 0;
    for (guint i = 0; i < c->count; i++) {
        web_value v = night_value(h, of, c->first + i, portion);
        if (!v.present)
            continue;
        out.low_ns = n == 0 ? v.mean_ns : fmin(out.low_ns, v.mean_ns);
        out.high_ns = n == 0 ? v.mean_ns : fmax(out.high_ns, v.mean_ns);
        means[n++] = v.mean_ns;
        if (v.verdict == WEB_VERDICT_ANOMALY) {
            out.verdict = WEB_VERDICT_ANOMALY;
            out.direction = v.direction;
        }
    }
    if (n == 0)
        return out;
    sort(means, n);
    out.mean_ns = n % 2 ? means[n / 2] : (means[n / 2 - 1] + means[n / 2]) / 2;
    out.present = true;
    return out;
}

web__values web__values_make(const web_history *h, web_chart_of of, const GArray *columns) {
    web__values m = {h, columns, NULL, h->portions->len + 1};
    m.values = g_new(web_value, (gsize)columns->len * m.width);
    for (guint i = 0; i < columns->len; i++)
        for (guint s = 0; s < m.width; s++)
            m.values[i * m.width + s] = condense(h, of, &g_array_index(columns, web__column, i),
                                                 s < h->portions->len ? (int)s : -1);
    return m;
}
