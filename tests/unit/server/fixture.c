#include "tests/unit/test.h"

#include "fixture.h"

#include "config/projects.h"
#include "server/views/views.h"
#include "tests/unit/server/database.h"
#include "tests/unit/server/folder.h"

#include <math.h>
#include <zstd.h>

const srv_queue_rules fix_rules = {.lease_s = 60, .attempts = 3};
const char *const fix_names[4] = {"none", "deactivated", "collecting", "writing"};

static void listen(srv_store *store, srv_event what, int64_t id, void *user) {
    json_t *data = srv_event_view(store, what, id, NULL);
    assert_non_null(data);
    char *text = json_dumps(data, JSON_COMPACT);
    g_ptr_array_add(user, g_strdup_printf("%s %s", srv_event_name(what), text));
    free(text);
    json_decref(data);
}

static void open_store(fixture *fix) {
    GError *error = NULL;
    fix->store = srv_store_open(fix->path, &error);
    if (!fix->store)
        fail_msg("%s", error->message);
    srv_store_on_event(fix->store, listen, fix->events);
}

fixture *fix_new(void) {
    g_autofree char *dir = folder_new();
    return fix_at(dir);
}

fixture *fix_at(const char *dir) {
    GError *error = NULL;
    fixture *fix = g_new0(fixture, 1);
    fix->dir = g_strdup(dir);
    fix->path = database_url(fix->dir);
    database_fill(fix->path);
    fix->events = g_ptr_array_new_with_free_func(g_free);
    fix->now_ms = 1366164000000;
    g_autofree char *raw = g_build_filename(fix->dir, "raw", NULL);
    fix->raw = srv_raw_open(raw, 1 << 20, 0, &error);
    assert_non_null(fix->raw);
    open_store(fix);
    return fix;
}

void fix_free(fixture *fix) {
    char *dir = g_strdup(fix->dir);
    fix_leave(fix);
    database_drop(dir);
    folder_free(dir);
}

void fix_leave(fixture *fix) {
    srv_store_close(fix->store);
    srv__place_free(fix->raw);
    g_ptr_array_free(fix->events, TRUE);
    json_decref(fix->can);
    g_free(fix->dir);
    g_free(fix->path);
    g_free(fix);
}

void fix_reopen(fixture *fix) {
    srv_store_close(fix->store);
    open_store(fix);
}

static const char *const labels[4] = {"No instrumentation", "Deactivated", "Collecting", "Writing"};
static const char *const portions[4] = {"T", "I", "C", "W"};

void fix_project_free(cfg_project *project) {
    for (unsigned i = 0; i < project->benchmark.configurations_count; i++) {
        cfg_configuration *c = &project->benchmark.configurations[i];
        g_free(c->name);
        g_free(c->label);
        g_free(c->portion);
        g_free(c->parent);
    }
    g_free(project->benchmark.configurations);
    g_strfreev(project->node_labels);
    g_free(project->pull_requests.label);
    g_free(project->name);
    g_free(project->title);
    g_free(project->repository);
    g_free(project->branch);
    g_free(project->main);
    g_strfreev(project->branches);
    g_free(project);
}

cfg_project *fix_branch(const char *project, const char *branch) {
    g_autofree char *name = cfg_branch_project(project, branch);
    cfg_project *made = fix_project(name);
    g_free(made->branch);
    made->branch = g_strdup(branch);
    made->main = g_strdup(project);
    made->branches = g_new0(char *, 3);
    made->branches[0] = g_strdup("main");
    made->branches[1] = g_strdup(branch);
    made->branches_count = 2;
    return made;
}

cfg_project *fix_project(const char *name) {
    cfg_project *project = g_new0(cfg_project, 1);
    project->name = g_strdup(name);
    project->title = g_strdup_printf("Project %s", name);
    project->repository = g_strdup("file:///nowhere.git");
    project->branch = g_strdup("main");
    project->enabled = true;
    project->benchmark = (cfg_benchmark){.driver = CFG_DRIVER_NATIVE,
                                         .loops = FIX_LOOPS,
                                         .total_calls = FIX_CALLS,
                                         .warmup_calls = FIX_CALLS / 2,
                                         .recursion_depth = 10,
                                         .threads = 1,
                                         .configurations_count = 4};
    project->benchmark.configurations = g_new0(cfg_configuration, 4);
    for (unsigned i = 0; i < 4; i++) {
        cfg_configuration *c = &project->benchmark.configurations[i];
        c->index = CFG_NO_INDEX;
        c->name = g_strdup(fix_names[i]);
        c->label = g_strdup(labels[i]);
        c->portion = g_strdup(portions[i]);
        c->parent = i > 0 ? g_strdup(fix_names[i - 1]) : NULL;
        c->total_calls = FIX_CALLS;
        c->warmup_calls = FIX_CALLS / 2;
    }
    project->detection = (cfg_detection){.confidence = 0.95,
                                         .minimum_effect_percent = 5,
                                         .baseline_nights = 30,
                                         .minimum_loops = 3,
                                         .remeasure = true,
                                         .dimensions = true,
                                         .remeasure_loops = 300,
                                         .announced_percent = CFG_ANNOUNCED_PERCENT};
    return project;
}

/* Taken over. */
static void sync_all(fixture *fix, GPtrArray *projects) {
    GError *error = NULL;
    g_ptr_array_set_free_func(projects, (GDestroyNotify)fix_project_free);
    if (!srv_projects_sync(fix->store, projects, &error))
        fail_msg("%s", error->message);
    g_ptr_array_unref(projects);
}

void fix_sync(fixture *fix, const char *name, ...) {
    GPtrArray *projects = g_ptr_array_new();
    va_list names;
    va_start(names, name);
    for (; name; name = va_arg(names, const char *))
        g_ptr_array_add(projects, fix_project(name));
    va_end(names);
    sync_all(fix, projects);
}

void fix_sync_only(fixture *fix, cfg_project *project) {
    GPtrArray *projects = g_ptr_array_new();
    g_ptr_array_add(projects, project);
    sync_all(fix, projects);
}

const char *fix_sha(int number) {
    static char sha[41];
    g_snprintf(sha, sizeof sha, "%040x", (unsigned)number * 2654435761u);
    return sha;
}

int64_t fix_add(fixture *fix, const char *project, int number, const char *night, srv_kind kind) {
    GError *error = NULL;
    int64_t job = 0;
    const srv_commit commit = {.sha = fix_sha(number),
                               .author = "Ada",
                               .author_email = "ada@example.org",
                               .time_ms = 1000 * (int64_t)number,
                               .subject = "Change something"};
    if (!srv_night_add(fix->store, project, &(srv_measurement){&commit, night, kind}, fix->now_ms,
                       NULL, &job, &error))
        fail_msg("%s", error->message);
    return job;
}

json_t *fix_lease(fixture *fix) {
    GError *error = NULL;
    json_t *answer = NULL;
    if (!srv_queue_lease(fix->store, &fix_rules,
                         &(srv_node){.name = "blade1", .version = "0.1", .can = fix->can},
                         fix->now_ms, &answer, &error))
        fail_msg("%s", error->message);
    return answer;
}

json_t *fix_upload(fixture *fix, int64_t job, const char *lease, double mean_ns) {
    GError *error = NULL;
    g_autoptr(GString) text = g_string_new(NULL);
    for (int i = 0; i < FIX_CALLS; i++)
        g_string_append_printf(text, "0;%d;%u;0\n", (int)mean_ns + i, (unsigned)job);
    char packed[4096];
    size_t size = ZSTD_compress(packed, sizeof packed, text->str, text->len, 1);
    g_autofree char *sha =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)packed, size);
    srv__incoming *upload = srv_raw_begin(fix->raw, sha, (int64_t)size, &error);
    const srv__raw_sent sent = {job, lease};
    bool created;
    if (!upload || !srv__incoming_write(upload, packed, size, &error) ||
        !srv_raw_finish(fix->raw, upload, fix->store, &sent, fix->now_ms, &created, &error))
        fail_msg("%s", error->message);
    return json_pack("{s:s,s:I,s:I}", "sha256", sha, "bytes", (json_int_t)size,
                     "uncompressed_bytes", (json_int_t)text->len);
}

static json_t *loop_json(fixture *fix, int64_t job, const char *lease, size_t c, int loop,
                         double mean) {
    return json_pack(
        "{s:s,s:i,s:i,s:i,s:f,s:n,s:b,s:i,s:i,s:{s:i,s:f,s:f,s:f,s:f,s:f,s:f,s:f},s:[i,i],"
        "s:{s:f},s:o}",
        "configuration", fix_names[c], "loop", loop, "position", (loop - 1) * 4 + (int)c,
        "started_ms", 1000, "seconds", 1.5, "failed", "disturbed", 0, "calls", FIX_CALLS,
        "warmup_calls", FIX_CALLS / 2, "summary", "n", FIX_CALLS / 2, "mean_ns", mean, "sd_ns",
        mean * 0.1, "min_ns", mean * 0.8, "q1_ns", mean * 0.9, "median_ns", mean * 0.99, "q3_ns",
        mean * 1.1, "max_ns", mean * 2, "calls_per_second", 10, 10, "readings", "load1", 0.1, "raw",
        fix_upload(fix, job, lease, mean));
}

void fix_calls(json_t *loop, int calls) {
    json_object_set_new(loop, "calls", json_integer(FIX_CALLS / 2 + calls));
    json_object_set_new(json_object_get(loop, "summary"), "n", json_integer(calls));
    json_object_del(loop, "raw");
}

static size_t configuration_index(const char *name) {
    for (size_t c = 0; c < 4; c++)
        if (g_str_equal(fix_names[c], name))
            return c;
    fail_msg("no configuration %s", name);
    return 0;
}

json_t *fix_trial(fixture *fix, const json_t *leased, const double before[4],
                  const double after[4]) {
    static const double off[] = {-0.012, 0.006, 0.0, 0.011, -0.005};
    const json_t *job = json_object_get(leased, "job");
    const char *lease = json_string_value(json_object_get(leased, "lease"));
    int64_t id = json_integer_value(json_object_get(job, "id"));
    const json_t *benchmark = json_object_get(job, "benchmark");
    int loops = (int)json_integer_value(json_object_get(benchmark, "loops")), order = 0;
    json_t *list = json_array();
    for (int l = 1; l <= loops; l++) {
        size_t i;
        json_t *item;
        json_array_foreach (json_object_get(benchmark, "configurations"), i, item) {
            size_t c = configuration_index(json_string_value(json_object_get(item, "name")));
            for (int side = 0; side < 2; side++) {
                double mean = (side ? before[c] : after[c]) *
                              (1 + off[(size_t)(2 * l + order) % G_N_ELEMENTS(off)]);
                json_t *loop = loop_json(fix, id, lease, c, l, mean);
                json_object_set_new(loop, "position", json_integer(order++));
                json_object_set(loop, "commit", json_object_get(job, side ? "before" : "commit"));
                json_array_append_new(list, loop);
            }
        }
    }
    return json_pack("{s:s,s:s,s:i,s:i,s:{s:s},s:o}", "lease", lease, "node", "blade1",
                     "started_ms", 1000, "finished_ms", 2000, "environment", "node", "blade1",
                     "loops", list);
}

json_t *fix_result(fixture *fix, const json_t *leased, const double means[4]) {
    /* Deviations of the loops' means: sum 0, sd about 1 %. */
    static const double off[FIX_LOOPS] = {-0.012, 0.006, 0.0, 0.011, -0.005};
    int64_t job = job_id(leased);
    const char *lease = json_string_value(json_object_get(leased, "lease"));
    json_t *loops = json_array();
    for (int loop = 1; loop <= FIX_LOOPS; loop++)
        for (size_t c = 0; c < 4; c++)
            json_array_append_new(
                loops, loop_json(fix, job, lease, c, loop,
                                 means[c] * (1 + off[(loop + (int)c + (int)job) % FIX_LOOPS])));
    return json_pack("{s:s,s:s,s:i,s:i,s:{s:s,s:s,s:{s:i}},s:o}", "lease", lease, "node", "blade1",
                     "started_ms", 1000, "finished_ms", 2000, "environment", "node", "blade1",
                     "cpu", "test", "detail", "uptime", (int)job, "loops", loops);
}

int64_t fix_ingest(fixture *fix, json_t *leased, json_t *body) {
    GError *error = NULL;
    bool created;
    json_t *answer =
        srv_ingest_result(fix->store, job_id(leased), body, fix->now_ms, &created, &error);
    if (!answer)
        fail_msg("%s", error->message);
    const int64_t experiment = number_of(answer, "experiment");
    json_decref(answer);
    json_decref(body);
    json_decref(leased);
    return experiment;
}

static int64_t measure(fixture *fix, const char *project, int number, const char *night,
                       srv_kind kind, const double means[4]) {
    fix_add(fix, project, number, night, kind);
    json_t *leased = fix_lease(fix);
    assert_non_null(leased);
    return fix_ingest(fix, leased, fix_result(fix, leased, means));
}

int64_t fix_measure(fixture *fix, const char *project, int number, const char *night,
                    const double means[4]) {
    return measure(fix, project, number, night, SRV_KIND_NIGHTLY, means);
}

int64_t fix_measure_again(fixture *fix, const char *project, int number, const char *night,
                          const double means[4]) {
    return measure(fix, project, number, night, SRV_KIND_MANUAL, means);
}

void fix_nights(fixture *fix, const char *project, int first, int last, const double means[4]) {
    for (int day = first; day <= last; day++) {
        g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
        fix->now_ms += 1000;
        fix_measure(fix, project, day, date, means);
    }
}

int fix_setup(void **state) {
    fixture *fix = fix_new();
    fix_sync(fix, "kieker", NULL);
    *state = fix;
    return 0;
}

int fix_teardown(void **state) {
    fix_free(*state);
    return 0;
}

const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

int64_t number_of(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

int64_t job_id(const json_t *leased) {
    return number_of(json_object_get(leased, "job"), "id");
}
