#pragma once
/*
 * metrics - OpenMetrics 1.0 text, which is also Prometheus' 0.0.4; base units, labels escaped.
 */
#include <glib.h>

typedef struct srv_metrics srv_metrics;

srv_metrics *srv_metrics_new(void);
void srv_metrics_free(srv_metrics *metrics);

/**
 * srv_metrics_family - begins a family; all its samples follow before the next one begins.
 * name  with its unit as suffix; unit: "seconds", "bytes" or NULL
 * type  "gauge" (a counter's name would have to end in _total)
 */
void srv_metrics_family(srv_metrics *metrics, const char *name, const char *type, const char *unit,
                        const char *help);

/** srv_metrics_sample - pairs of label name and value, ended by NULL. A value that is not a number
 * is left out. */
void srv_metrics_sample(srv_metrics *metrics, double value, ...) G_GNUC_NULL_TERMINATED;

/** srv_metrics_text - the whole with "# EOF"; caller frees. */
char *srv_metrics_text(srv_metrics *metrics) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_metrics, srv_metrics_free)
