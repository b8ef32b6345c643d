#pragma once
/*
 * alert_parts - what the view of an alert is put together from, read for many alerts at
 * once: a page of a hundred takes some thirty statements. With PostgreSQL each is a round trip.
 */
#include "server/store/store_sql.h"

/* Rows by alert; those of the last one by experiment. */
typedef enum {
    SRV__ALERT_HEAD,  /* the alert itself, "ageing_days" of its project, its ends by their keys */
    SRV__ALERT_AUDIT, /* {"at_ms","from","to","author","reason"}, in order */
    SRV__ALERT_PORTIONS, /* the largest one, then by size */
    SRV__ALERT_BRANCHES, /* {"branch","project","state","commit","fix"} of the other branches that
                            were asked for its commit; fix: it ended another alert */
    SRV__ALERT_COUNTED,  /* what was counted on both sides: {"dimension","counter","portion",
                            "configuration",…,"before"} */
    SRV__ALERT_SEARCH,   /* for the culprit, between "low" and "high" */
    SRV__ALERT_STEPS,    /* of that search, in the order in which they were made */
    SRV__ALERT_SUSPECTS, /* {"commit","place"}: the first and last that the search leaves */
    SRV__ALERT_WHY,      /* where the change is, as far as somebody looked */
    SRV__ALERT_WHERE,    /* of each portion: what was found in time */
    SRV__ALERT_PROFILES, /* from which profiles */
    SRV__ALERT_BYTES,    /* of each portion: what was found in allocated bytes */
    SRV__ALERT_BYTES_OF, /* from which profiles */
    SRV__ALERT_NAMES,    /* {"portion","configuration"} of all portions of its first night */
    SRV__ALERT_END,      /* by experiment: {"commit","night","experiment"} */
    SRV__ALERT_PARTS
} srv__alert_part;

/* srv__alert_part_rows - one part of one alert (or experiment); owned, NULL with error. */
json_t *srv__alert_part_rows(srv_store *store, srv__alert_part part, int64_t key,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct {
    GHashTable *rows[SRV__ALERT_PARTS];
} srv__alert_parts;

/* srv__alert_parts_read - all parts of these alerts, [int64_t]; free with srv__alert_parts_free,
 * also when it is false, with error. */
bool srv__alert_parts_read(srv__alert_parts *parts, srv_store *store, const GArray *alerts,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv__alert_parts_free(srv__alert_parts *parts);

/* srv__alert_rows - a part's rows, empty where there are none; owned. Several alerts share those by
 * experiment. */
json_t *srv__alert_rows(const srv__alert_parts *parts, srv__alert_part part, int64_t key);
/* srv__alert_only - the only one of them, likewise; NULL: there is none. */
json_t *srv__alert_only(const srv__alert_parts *parts, srv__alert_part part, int64_t key);
