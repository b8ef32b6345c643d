#pragma once
/* import_line - a night, or what people answered, from one line of an export. */
#include "server/store/store_sql.h"
#include "server/transfer/export.h"

#define SRV__IMPORT_LATEST_MS INT64_C(32503680000000) /* the year 3000 */

typedef struct {
    srv_store *store;
    int64_t project, now_ms;
    const char *name; /* of the project, here */
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

/* import_said - what people said of nights and levels, from one line of an export. */

/* In a transaction. What is here already changes nothing; what does not fit here (the night was not
 * measured, no such alert follows) is counted and left. Error: INVALID, naming the member. */
bool srv__import_note(srv__importing *into, const json_t *object,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__import_baseline(srv__importing *into, const json_t *object,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
