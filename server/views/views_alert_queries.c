#include "server/views/views_alert_queries.h"

#include "server/views/views_queries.h"

#define FOR(key) " WHERE " key " IN " SRV__KEYS

#define HEAD                                                                                       \
    "SELECT a.id, a.id, p.name AS project, p.branch, a.portion, a.configuration, a.direction,"     \
    " a.state, a.raised_ms, p.ageing_days, (SELECT max(e.night) FROM alert_portion m"              \
    "  JOIN experiment e ON e.id=m.seen_experiment WHERE m.alert_id=a.id) AS seen_night,"          \
    " (SELECT e.level FROM experiment e WHERE e.id=a.seen_experiment) AS level,"                   \
    " " SRV__ALERT_AGED " AS \"aged?\", a.before_mean_ns AS \"before.mean_ns\","                   \
    " a.before_low_ns AS \"before.low_ns\", a.before_high_ns AS \"before.high_ns\","               \
    " a.after_mean_ns AS \"after.mean_ns\", a.after_low_ns AS \"after.low_ns\","                   \
    " a.after_high_ns AS \"after.high_ns\", a.difference_mean_ns AS \"difference.mean_ns\","       \
    " a.difference_low_ns AS \"difference.low_ns\","                                               \
    " a.difference_high_ns AS \"difference.high_ns\","                                             \
    " a.difference_percent AS \"difference.percent\", a.reason, a.fixed_by, a.from_experiment,"    \
    " a.to_experiment, CASE WHEN s.state='confirmed' THEN a.seen_experiment"                       \
    " ELSE a.to_experiment END AS until_experiment, " SRV__CONFIRMATION_FIELDS                     \
    " FROM alert a JOIN project p ON p.id=a.project_id"                                            \
    " LEFT JOIN suspicion s ON s.series_id=a.series_id AND s.configuration=a.configuration"        \
    " AND s.seen_experiment=a.seen_experiment AND s.to_experiment=a.to_experiment"                 \
    " LEFT JOIN question q ON q.id=s.question_id" FOR("a.id")

#define AUDIT                                                                                      \
    "SELECT alert_id, at_ms, old_state AS \"from\", new_state AS \"to\", author, reason"           \
    " FROM alert_audit" FOR("alert_id") " ORDER BY id"

#define PORTIONS                                                                                   \
    "SELECT m.alert_id, m.portion, m.configuration, m.direction,"                                  \
    " m.before_mean_ns AS \"before.mean_ns\", m.before_low_ns AS \"before.low_ns\","               \
    " m.before_high_ns AS \"before.high_ns\", m.after_mean_ns AS \"after.mean_ns\","               \
    " m.after_low_ns AS \"after.low_ns\", m.after_high_ns AS \"after.high_ns\","                   \
    " m.difference_mean_ns AS \"difference.mean_ns\","                                             \
    " m.difference_low_ns AS \"difference.low_ns\","                                               \
    " m.difference_high_ns AS \"difference.high_ns\","                                             \
    " m.difference_percent AS \"difference.percent\", m.reason, m.fixed_by,"                       \
    " " SRV__CONFIRMATION_FIELDS " FROM alert_portion m JOIN alert a ON a.id=m.alert_id"           \
    " LEFT JOIN suspicion s ON s.series_id=a.series_id AND s.configuration=m.configuration"        \
    " AND s.seen_experiment=m.seen_experiment AND s.to_experiment=a.to_experiment"                 \
    " LEFT JOIN question q ON q.id=s.question_id" FOR(                                             \
        "m.alert_id") " ORDER BY m.configuration<>a.configuration, abs(m.difference_mean_ns) "     \
                      "DESC NULLS LAST,"                                                           \
                      " m.configuration"

#define BRANCHES                                                                                   \
    "SELECT k.alert_id, p.branch, p.name AS project, k.state, k.sha AS \"commit\","                \
    " CASE WHEN EXISTS(SELECT 1 FROM alert f WHERE f.fixed_by=k.alert_id) THEN 1 ELSE 0 END"       \
    " AS \"fix?\" FROM backport k JOIN project p ON p.id=k.project_id" FOR(                        \
        "k.alert_id") " AND p.enabled=1 ORDER BY CASE WHEN p.main IS NULL THEN 0 ELSE 1 END, p.id"

#define COUNTED                                                                                    \
    "SELECT a.id, " SRV__DIMENSION_FIELDS ", b.mean AS \"before.mean\", b.low AS \"before.low\","  \
    " b.high AS \"before.high\", b.experiment_id AS \"before.experiment\" FROM alert a"            \
    " JOIN dimension d ON d.experiment_id=a.to_experiment"                                         \
    " JOIN dimension b ON b.experiment_id=a.from_experiment" SRV__DIMENSIONS_ALIKE FOR("a.id")

#define SEARCH                                                                                     \
    "SELECT b.alert_id, b.id, b.state, b.reason, b.started_ms, b.finished_ms, b.low, b.high,"      \
    " (SELECT count(*) FROM bisection_commit c WHERE c.bisection_id=b.id) AS commits"              \
    " FROM bisection b" FOR("b.alert_id")

#define STEPS                                                                                      \
    "SELECT b.alert_id, " SRV__COMMIT_FIELDS(                                                      \
        "r") ", c.place, c.state, q.trial_id AS trial,"                                            \
             " q.loops, q.before_mean_ns AS \"before.mean_ns\", q.before_low_ns AS "               \
             "\"before.low_ns\","                                                                  \
             " q.before_high_ns AS \"before.high_ns\", q.after_mean_ns AS \"after.mean_ns\","      \
             " q.after_low_ns AS \"after.low_ns\", q.after_high_ns AS \"after.high_ns\", q.reason" \
             " FROM bisection b JOIN bisection_commit c ON c.bisection_id=b.id"                    \
             " JOIN revision r ON r.id=c.revision_id JOIN question q ON q.id=c.question_id" FOR(   \
                 "b.alert_id") " ORDER BY q.id"

#define SUSPECTS                                                                                   \
    "SELECT b.alert_id, " SRV__COMMIT_FIELDS(                                                      \
        "r") ", c.place FROM bisection b"                                                          \
             " JOIN bisection_commit c ON c.bisection_id=b.id AND c.place IN (b.low+1, b.high)"    \
             " JOIN revision r ON r.id=c.revision_id" FOR("b.alert_id") " ORDER BY c.place"

#define WHY                                                                                        \
    "SELECT x.alert_id, x.state, x.reason, x.profiler, x.unit, x.job_id AS job,"                   \
    " x.allocated_profiler, x.allocated_reason, x.finished_ms, x.pruned_ms, o.sha AS \"before\","  \
    " n.sha AS \"after\" FROM explanation x JOIN revision o ON o.id=x.before_id"                   \
    " JOIN revision n ON n.id=x.after_id" FOR("x.alert_id")

/* The alert's own portion first, then what changed most. */
#define FOUND(table, change)                                                                       \
    "SELECT x.alert_id, x.portion, x.configuration, x.parent, x.sentence, x.change_ns,"            \
    " x.before_units, x.after_units, x.functions AS \"functions{\" FROM " table                    \
    " x JOIN alert a ON a.id=x.alert_id" FOR(                                                      \
        "x.alert_id") " ORDER BY x.configuration<>a.configuration, abs(" change                    \
                      ") DESC NULLS LAST, x.configuration"

#define PROFILES(table, query)                                                                     \
    "SELECT alert_id, configuration, CASE WHEN before=1 THEN 'before' ELSE 'after' END"            \
    " AS \"end\", count(*) AS loops, '/api/v1/alerts/' || alert_id || '/profiles/' ||"             \
    " configuration || '/' || CASE WHEN before=1 THEN 'before' ELSE 'after' END || '" query "'"    \
    " AS url FROM " table FOR("alert_id") " GROUP BY alert_id, configuration, before"              \
                                          " ORDER BY configuration, before DESC"

#define END                                                                                        \
    "SELECT e.id, " SRV__COMMIT_FIELDS("r") ", e.night, e.id AS experiment FROM experiment e"      \
                                            " JOIN revision r ON r.id=e.revision_id" FOR("e.id")

#define NAMES                                                                                      \
    "SELECT a.id, o.portion, o.configuration FROM alert a"                                         \
    " JOIN portion o ON o.experiment_id=a.to_experiment" FOR("a.id") " ORDER BY o.ordinal"

/* within: a part is asked for only of the alerts that have rows of this one, which comes before it.
 */
static const struct {
    const char *sql;
    srv__alert_part within;
} parts_of[SRV__ALERT_PARTS] = {
    [SRV__ALERT_HEAD] = {HEAD, SRV__ALERT_HEAD},
    [SRV__ALERT_AUDIT] = {AUDIT, SRV__ALERT_HEAD},
    [SRV__ALERT_PORTIONS] = {PORTIONS, SRV__ALERT_HEAD},
    [SRV__ALERT_BRANCHES] = {BRANCHES, SRV__ALERT_HEAD},
    [SRV__ALERT_COUNTED] = {COUNTED, SRV__ALERT_HEAD},
    [SRV__ALERT_SEARCH] = {SEARCH, SRV__ALERT_HEAD},
    [SRV__ALERT_STEPS] = {STEPS, SRV__ALERT_SEARCH},
    [SRV__ALERT_SUSPECTS] = {SUSPECTS, SRV__ALERT_SEARCH},
    [SRV__ALERT_WHY] = {WHY, SRV__ALERT_HEAD},
    [SRV__ALERT_WHERE] = {FOUND("explanation_portion", "x.change_ns"), SRV__ALERT_WHY},
    [SRV__ALERT_PROFILES] = {PROFILES("profile", ""), SRV__ALERT_WHY},
    [SRV__ALERT_BYTES] = {FOUND("allocated_portion", "x.after_units-x.before_units"),
                          SRV__ALERT_WHY},
    [SRV__ALERT_BYTES_OF] = {PROFILES("allocated_profile", "?dimension=" SRV_PROFILE_BYTES),
                             SRV__ALERT_WHY},
    [SRV__ALERT_NAMES] = {NAMES, SRV__ALERT_HEAD},
    [SRV__ALERT_END] = {END, SRV__ALERT_END},
};

json_t *srv__alert_part_rows(srv_store *store, srv__alert_part part, int64_t key, GError **error) {
    g_autoptr(GArray) keys = g_array_new(FALSE, FALSE, sizeof key);
    g_array_append_val(keys, key);
    g_autoptr(GHashTable) rows = srv__rows_of(store, parts_of[part].sql, keys, error);
    return rows ? json_incref(srv__rows_at(rows, key)) : NULL;
}

static void key_add(GArray *keys, int64_t key) {
    g_array_append_val(keys, key);
}

/* The keys that have rows. */
static GArray *keys_with_rows(GHashTable *rows) {
    GArray *keys = g_array_new(FALSE, FALSE, sizeof(int64_t));
    GHashTableIter each;
    gpointer key, list;
    g_hash_table_iter_init(&each, rows);
    while (g_hash_table_iter_next(&each, &key, &list))
        if (json_array_size(list) > 0)
            key_add(keys, *(const int64_t *)key);
    return keys;
}

/* The experiments that the alerts begin and end with. */
static GArray *ends_of(GHashTable *heads) {
    static const char *const ends[] = {"from_experiment", "to_experiment", "until_experiment"};
    GArray *keys = g_array_new(FALSE, FALSE, sizeof(int64_t));
    GHashTableIter each;
    gpointer list;
    g_hash_table_iter_init(&each, heads);
    while (g_hash_table_iter_next(&each, NULL, &list))
        for (size_t i = 0; json_array_size(list) > 0 && i < G_N_ELEMENTS(ends); i++)
            key_add(keys, json_integer_value(json_object_get(json_array_get(list, 0), ends[i])));
    return keys;
}

/* So many other parts have to be there before. */
static unsigned depth_of(srv__alert_part part) {
    const srv__alert_part within = parts_of[part].within;
    return part == SRV__ALERT_HEAD ? 0 : within == SRV__ALERT_HEAD || within == part ? 1 : 2;
}

static bool depth_read(srv__alert_parts *parts, srv_store *store, const GArray *alerts,
                       unsigned depth, GError **error) {
    for (srv__alert_part part = 0; part < SRV__ALERT_PARTS; part++) {
        const srv__alert_part within = parts_of[part].within;
        if (depth_of(part) != depth)
            continue;
        g_autoptr(GArray) some = part == SRV__ALERT_HEAD    ? NULL
                                 : within == SRV__ALERT_END ? ends_of(parts->rows[SRV__ALERT_HEAD])
                                                            : keys_with_rows(parts->rows[within]);
        parts->rows[part] = srv__rows_of(store, parts_of[part].sql, some ? some : alerts, error);
        if (!parts->rows[part])
            return false;
    }
    return true;
}

bool srv__alert_parts_read(srv__alert_parts *parts, srv_store *store, const GArray *alerts,
                           GError **error) {
    *parts = (srv__alert_parts){{NULL}};
    for (unsigned depth = 0; depth <= 2; depth++)
        if (!depth_read(parts, store, alerts, depth, error))
            return false;
    return true;
}

void srv__alert_parts_free(srv__alert_parts *parts) {
    for (size_t i = 0; i < SRV__ALERT_PARTS; i++)
        g_clear_pointer(&parts->rows[i], g_hash_table_unref);
}

json_t *srv__alert_rows(const srv__alert_parts *parts, srv__alert_part part, int64_t key) {
    json_t *rows = srv__rows_at(parts->rows[part], key);
    return rows ? json_incref(rows) : json_array();
}

json_t *srv__alert_only(const srv__alert_parts *parts, srv__alert_part part, int64_t key) {
    return json_incref(json_array_get(srv__rows_at(parts->rows[part], key), 0));
}
