#pragma once
/* import_line - a night, or what people answered, from one line of an export. */
#include "server/store/store_sql.h"
#include "server/transfer/export.h"

typedef struct {
    srv_store *store;
    int64_t project, now_ms;
    char *branch;
    GHashTable *benchmarks; /* hash in the export → int64_t, key here */
    srv_import_counts counts;
    json_t *gaps;                          /* configuration → nights that lack it */
    int64_t alert_before, incident_before; /* the newest before the first line */
} srv__importing;

/* In a transaction; counts are kept in into. A night that is here already changes nothing, nor does
 * an answer whose alert does not follow here. Error: INVALID, naming the member. */
bool srv__import_night(srv__importing *into, const json_t *object,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__import_alert(srv__importing *into, const json_t *object,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__import_incident(srv__importing *into, const json_t *object,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
