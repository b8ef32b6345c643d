#include "server/views/views.h"
#include "server/views/views_parts.h"

#define SPARK_NIGHTS 30

#define PROJECT                                                                                    \
    "SELECT p.id, p.name, p.title, p.repository, p.branch, p.enabled AS \"enabled?\","             \
    " p.commit_url, coalesce(p.fetch_problem, p.job_problem) AS problem, p.polled_ms,"             \
    " p.next_night_ms,"                                                                            \
    " (SELECT count(*) FROM experiment e WHERE e.project_id=p.id AND e.hidden=0) AS nights,"       \
    " (SELECT count(*) FROM job j WHERE j.state='queued' AND j.project_id=p.id) AS queued,"        \
    " (SELECT count(*) FROM alert a WHERE a.state='open' AND a.project_id=p.id AND "               \
    "NOT " SRV__ALERT_AGED ") AS open_alerts,"                                                     \
    " (SELECT count(*) FROM alert a WHERE a.project_id=p.id AND " SRV__ALERT_AGED                  \
    ") AS aged_alerts,"                                                                            \
    " (SELECT count(*) FROM suspicion s JOIN series e ON e.id=s.series_id"                         \
    " WHERE s.state='waiting' AND e.project_id=p.id) AS suspicions,"                               \
    " (SELECT count(*) FROM suspicion s JOIN series e ON e.id=s.series_id"                         \
    " WHERE s.state='cleared' AND e.project_id=p.id) AS cleared,"                                  \
    " (SELECT e.id FROM experiment e WHERE e.project_id=p.id AND e.hidden=0"                       \
    " ORDER BY e.night DESC, e.time_ms DESC, e.id DESC LIMIT 1) AS latest,"                        \
    " (SELECT max(a.id) FROM alert a WHERE a.state='open' AND a.project_id=p.id AND "              \
    "NOT " SRV__ALERT_AGED ") AS alert,"                                                           \
    " (SELECT min(j.id) FROM job j WHERE j.state='leased' AND j.project_id=p.id) AS running,"      \
    " b.body AS \"benchmark{\" FROM project p JOIN benchmark b ON b.id=p.benchmark_id"

/* Measured nights after the newest change that people were told of. */
static bool quiet_nights(srv_store *store, int64_t project, int64_t *count, GError **error) {
    return srv__number(
        store,
        "SELECT count(*) FROM experiment e LEFT JOIN (SELECT o.night, o.time_ms, o.id FROM alert a"
        " JOIN experiment o ON o.id=a.to_experiment WHERE a.project_id=$1"
        " AND a.state NOT IN ('withdrawn','false')"
        " ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1) AS c ON 1=1"
        " WHERE e.project_id=$1 AND e.hidden=0 AND e.state='measured'"
        " AND (c.id IS NULL OR (e.night, e.time_ms, e.id)>(c.night, c.time_ms, c.id))",
        SRV__ARGS(SRV__I(project)), 0, count, error);
}

/* {configuration name: [value of each of the last nights, oldest first]}; NULL with error. */
static json_t *sparks(srv_store *store, int64_t project, GError **error) {
    g_autoptr(srv__query) query = srv__query_new(
        store,
        "SELECT e.place, o.configuration, o.mean_ns, e.places FROM (SELECT id, night, time_ms,"
        " row_number() OVER (ORDER BY night, time_ms, id)-1 AS place, count(*) OVER () AS places"
        " FROM (SELECT id, night, time_ms FROM experiment WHERE project_id=$1 AND hidden=0"
        " AND state='measured' ORDER BY night DESC, time_ms DESC, id DESC LIMIT $2) AS newest) e"
        " JOIN portion o ON o.experiment_id=e.id ORDER BY e.place",
        SRV__ARGS(SRV__I(project), SRV__I(SPARK_NIGHTS)), error);
    if (!query)
        return NULL;
    json_t *all = json_object();
    GError *failure = NULL;
    while (srv__query_next(query, &failure)) {
        const char *name = srv__query_text(query, 1);
        json_t *values = json_object_get(all, name);
        if (!values) {
            values = json_array();
            for (int64_t i = 0; i < srv__query_int(query, 3); i++)
                json_array_append_new(values, json_null());
            json_object_set_new(all, name, values);
        }
        if (!srv__query_null(query, 2))
            json_array_set_new(values, (size_t)srv__query_int(query, 0),
                               json_real(srv__query_real(query, 2)));
    }
    if (!failure)
        return all;
    g_propagate_error(error, failure);
    json_decref(all);
    return NULL;
}

static json_t *portions_of(const json_t *benchmark, const json_t *values) {
    json_t *portions = json_array();
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(benchmark, "configurations"), i, item) {
        const char *name = json_string_value(json_object_get(item, "name"));
        json_t *spark = json_object_get(values, name);
        json_array_append_new(
            portions, json_pack("{s:O,s:O,s:s,s:o}", "portion", json_object_get(item, "portion"),
                                "label", json_object_get(item, "label"), "configuration", name,
                                "spark_ns", spark ? json_incref(spark) : json_array()));
    }
    return portions;
}

/* Replace a member holding a number by the view of that thing; null stays. */
static bool expand(json_t *project, const char *key, json_t *view) {
    if (json_is_null(json_object_get(project, key)))
        return true;
    if (view)
        json_object_set_new(project, key, view);
    return view != NULL;
}

static json_t *expansion(srv_store *store, const json_t *project, const char *key, GError **error) {
    int64_t id = json_integer_value(json_object_get(project, key));
    if (id == 0)
        return NULL;
    if (g_str_equal(key, "latest"))
        return srv__night_view(store, id, false, error);
    return g_str_equal(key, "alert") ? srv__alert_view(store, id, error)
                                     : srv__job_view(store, id, false, error);
}

static bool project_complete(srv_store *store, json_t *project, GError **error) {
    static const char *const parts[] = {"latest", "alert", "running"};
    int64_t id = json_integer_value(json_object_get(project, "id")), quiet;
    json_t *values = sparks(store, id, error);
    if (!values)
        return false;
    json_object_set_new(project, "portions",
                        portions_of(json_object_get(project, "benchmark"), values));
    json_decref(values);
    if (!quiet_nights(store, id, &quiet, error))
        return false;
    json_object_set_new(project, "quiet_nights", json_integer(quiet));
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
        if (!expand(project, parts[i], expansion(store, project, parts[i], error)))
            return false;
    json_object_del(project, "id");
    json_object_del(project, "benchmark");
    return true;
}

json_t *srv_view_projects(srv_store *store, GError **error) {
    json_t *items = srv__array(store, PROJECT " ORDER BY p.name", SRV__NO_ARGS, error);
    size_t i;
    json_t *project;
    json_array_foreach (items, i, project) {
        if (!project_complete(store, project, error)) {
            json_decref(items);
            return NULL;
        }
    }
    return items ? json_pack("{s:o,s:n}", "items", items, "next") : NULL;
}

json_t *srv_view_project(srv_store *store, const char *project, GError **error) {
    json_t *view;
    if (!srv__object(store, PROJECT " WHERE p.name=$1", SRV__ARGS(SRV__T(project)), &view, error))
        return NULL;
    if (!view)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no project %s", project);
    else if (project_complete(store, view, error))
        return view;
    json_decref(view);
    return NULL;
}
