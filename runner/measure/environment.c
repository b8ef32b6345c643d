#include "runner/measure/session.h"

#include "config/log.h"
#include "runner/driver/driver.h"
#include "runner/ground/error.h"
#include "runner/node/machine.h"
#include "runner/process/sandbox.h"
#include "runner/process/scratch.h"

#include <gnu/libc-version.h>
#include <string.h>

#define VERSION_TIMEOUT_S 60 /* a cold JVM on a slow disk takes seconds */
#define VERSION_BYTES 4096

/* Of the JVM: options from its environment, and warnings, such as one that another JVM with the
 * same process number (each has a namespace of its own) keeps its statistics in the same file of
 * /tmp. */
static bool is_remark(const char *line) {
    return g_str_has_prefix(line, "Picked up ") ||
           (line[0] == '[' && strstr(line, "][warning][") != NULL);
}

/* The version in what a program printed: lines joined by "; ", without empty ones and the JVM's
 * remarks. g_free. */
static char *environment_version(const char *printed) {
    g_auto(GStrv) lines = g_strsplit(printed, "\n", -1);
    GString *joined = g_string_new(NULL);
    for (size_t i = 0; lines[i]; i++) {
        const char *line = g_strstrip(lines[i]);
        if (*line != '\0' && !is_remark(line))
            g_string_append_printf(joined, "%s%s", joined->len > 0 ? "; " : "", line);
    }
    return g_string_free(joined, FALSE);
}

/* Where a program is found that is asked for its version: as the benchmark's is. */
typedef struct {
    run_placeholder values; /* without those of the node */
    char *path;             /* "PATH=…" of a configuration; NULL: the runner's */
} finding;

/* What a program prints about its version, lines joined, without notes about picked up options. */
static char *ask_version(const run_node *node, const finding *where, const char *const *words,
                         GError **error) {
    g_autofree char *scratch = run_node_path(node, "scratch/version");
    if (!run_scratch_make(scratch, error) || !run_node_give(node, scratch, error))
        return NULL;
    run_placeholder values = where->values;
    values.scratch = scratch;
    values.harness = node->harness_dir;
    values.path = node->config->path;
    char *own[] = {where->path, NULL};
    g_autoptr(GPtrArray) environment = run_driver_environment(&values, own);
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i == 0 || words[i - 1]; i++)
        g_ptr_array_add(argv, g_strdup(words[i]));
    run_process_spec spec = run_node_process(node);
    spec.argv = (char **)argv->pdata;
    spec.environment = (char **)environment->pdata;
    spec.directory = scratch;
    spec.timeout_s = VERSION_TIMEOUT_S;
    spec.log_limit_bytes = VERSION_BYTES;
    run_process_result result;
    if (!run_process_run(&spec, &result, error))
        return NULL;
    g_autofree char *problem = run_process_describe(&result);
    g_autofree char *text = g_steal_pointer(&result.log);
    run_process_result_clear(&result);
    if (problem) {
        run_wrong(error, "%s: cannot tell its version: %s: %s", words[0], problem,
                  g_strstrip(text));
        return NULL;
    }
    return environment_version(text);
}

/* PATH as a configuration sets it, to g_free; NULL: it does not. */
static char *own_path(const cfg_configuration *configuration) {
    for (unsigned i = 0; i < configuration->environment_count; i++)
        if (g_str_equal(configuration->environment[i].name, "PATH"))
            return g_strconcat("PATH=", configuration->environment[i].value, NULL);
    return NULL;
}

/* The version of the first configuration, and of each further one whose PATH finds another:
 * "openjdk 17…; collecting: openjdk 25…". */
static char *versions(const run_node *node, const run_job *job, finding where,
                      const char *const *words, GError **error) {
    g_autoptr(GHashTable) asked = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GString) all = g_string_new(NULL);
    g_autofree char *first = NULL;
    for (unsigned i = 0; i < job->benchmark.configurations_count; i++) {
        const cfg_configuration *one = &job->benchmark.configurations[i];
        g_autofree char *path = own_path(one);
        if (!g_hash_table_add(asked, g_strdup(path ? path : "")))
            continue;
        where.path = path;
        g_autofree char *version = ask_version(node, &where, words, error);
        if (!version)
            return NULL;
        if (!first)
            g_string_append(all, first = g_strdup(version));
        else if (!g_str_equal(version, first))
            g_string_append_printf(all, "; %s: %s", one->name, version);
    }
    return g_strdup(all->str);
}

static char *runtime_version(const run_node *node, const run_job *job, const run_trees *trees,
                             GError **error) {
    const bool java = job->benchmark.driver == CFG_DRIVER_JAVA;
    const finding where = {.values = {.checkout = trees->checkout[RUN_AFTER],
                                      .artifact = trees->artifact[RUN_AFTER],
                                      .commit = run_job_commit(job, RUN_AFTER),
                                      .jdk = java ? job->benchmark.jdk : NULL}};
    static const char *const java_words[] = {"java", "-version", NULL};
    if (java || (job->benchmark.runtime && job->benchmark.runtime[0]))
        return versions(node, job, where,
                        java ? java_words : (const char *const *)job->benchmark.runtime, error);
    return g_strconcat("glibc ", gnu_get_libc_version(), NULL);
}

/* The harness in Python is a file that an interpreter is given. */
static bool python_harness(const run_job *job, const char **interpreter) {
    for (unsigned i = 0; i < job->benchmark.configurations_count; i++) {
        char **command = job->benchmark.configurations[i].command;
        if (command[0] && g_strcmp0(command[1], "{harness}/moobench.py") == 0) {
            *interpreter = command[0];
            return true;
        }
    }
    return false;
}

static char *python_version(const run_node *node, const char *interpreter, GError **error) {
    g_autofree char *program = g_build_filename(node->harness_dir, "moobench.py", NULL);
    return ask_version(node, &(finding){0},
                       (const char *const[]){interpreter, program, "--version", NULL}, error);
}

static char *java_version(const run_node *node, const run_job *job, GError **error) {
    g_autofree char *jar = g_build_filename(node->harness_dir, "moobench.jar", NULL);
    if (g_file_test(jar, G_FILE_TEST_IS_REGULAR))
        return ask_version(
            node, &(finding){.values.jdk = job->benchmark.jdk},
            (const char *const[]){"java", "-cp", jar, RUN_JAVA_MAIN, "--version", NULL}, error);
    run_wrong(error,
              "driver java: there is no %s; it is left out where moowatch-runner is built without "
              "a JDK: build it with one, or name another harness_dir",
              jar);
    return NULL;
}

static char *harness_version(const run_node *node, const run_job *job, GError **error) {
    if (job->benchmark.driver == CFG_DRIVER_JAVA)
        return java_version(node, job, error);
    if (job->benchmark.driver == CFG_DRIVER_MOOBENCH)
        return g_strdup_printf("MooBench's %s", job->benchmark.script);
    const char *interpreter;
    if (job->benchmark.driver == CFG_DRIVER_NATIVE && python_harness(job, &interpreter))
        return python_version(node, interpreter, error);
    if (job->benchmark.driver == CFG_DRIVER_COMMAND || !run_job_uses_harness(job))
        return g_strdup("the project's own");
    g_autofree char *program = g_build_filename(node->harness_dir, "moobench", NULL);
    return ask_version(node, &(finding){0}, (const char *const[]){program, "--version", NULL},
                       error);
}

static json_t *record_parameters(const run_job *job) {
    json_t *calls = json_object();
    for (unsigned i = 0; i < job->benchmark.configurations_count; i++) {
        json_object_set_new(calls, job->benchmark.configurations[i].name,
                            json_integer((json_int_t)job->benchmark.configurations[i].total_calls));
    }
    return json_pack("{s:I, s:i, s:i, s:o}", "method_time_ns",
                     (json_int_t)job->benchmark.method_time_ns, "recursion_depth",
                     (int)job->benchmark.recursion_depth, "threads", (int)job->benchmark.threads,
                     "total_calls", calls);
}

static void add_hash(json_t *out, const char *folder, const char *name) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *bytes = NULL;
    gsize length = 0;
    if (g_file_get_contents(path, &bytes, &length, NULL)) {
        g_autofree char *hash =
            g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)bytes, length);
        json_object_set_new(out, name, json_string(hash));
    }
}

/* What helps to explain a result without making it another series. */
static json_t *record_detail(const run_node *node, const run_job *job, const run_tuning *tuning) {
    json_t *files = json_object();
    add_hash(files, node->harness_dir, "moobench");
    add_hash(files, node->harness_dir, "moobench-instrumented");
    add_hash(files, node->harness_dir, "moobench.jar");
    add_hash(files, node->harness_dir, "moobench.py");
    g_autofree char *housekeeping = run_cpus_format(&node->housekeeping_cpus);
    json_t *detail = json_pack("{s:s, s:o, s:s, s:O*}", "runner", MOOWATCH_VERSION,
                               "harness_sha256", files, "housekeeping_cpus", housekeeping, "tuning",
                               tuning ? run_tuning_outcome(tuning) : NULL);
    json_object_set_new(
        detail, "disk_limit",
        json_string(node->volumes
                        ? "builds: enforced by the kernel; benchmarks: measured, file size limited"
                        : "measured, file size limited"));
    json_object_set_new(detail, "tmp", json_string(node->private_places ? "private" : "shared"));
    json_object_set_new(detail, "processes",
                        json_string(node->namespaces ? "own namespaces" : "shared"));
    if (job->benchmark.network == CFG_NETWORK_OFF) {
        int refused = run_network_refused();
        g_autofree char *network =
            refused == 0 ? g_strdup("off") : g_strdup_printf("refused: %s", g_strerror(refused));
        cfg_log(refused == 0 ? "info" : "warning", "measure", "network", "outcome=\"%s\"", network);
        json_object_set_new(detail, "network", json_string(network));
    }
    return detail;
}

json_t *run_environment_record(const run_node *node, const run_job *job, const run_trees *trees,
                               const run_tuning *tuning, GError **error) {
    g_autofree char *runtime = runtime_version(node, job, trees, error);
    g_autofree char *harness = runtime ? harness_version(node, job, error) : NULL;
    if (!harness)
        return NULL;
    g_autofree char *benchmark_cpus = run_cpus_format(&node->benchmark_cpus);
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:o, s:s, s:o}", "node", node->config->node, "runtime", runtime,
                  "harness", harness, "parameters", record_parameters(job), "benchmark_cpus",
                  benchmark_cpus, "detail", record_detail(node, job, tuning));
    run_machine_add(record, "");
    g_autofree char *tuned = tuning ? run_tuning_effective(tuning) : g_strdup("");
    json_object_set_new(record, "tuning", json_string(tuned));
    return record;
}

char *run_environment_hash(json_t *record) {
    json_auto_t *copy = json_copy(record);
    json_object_del(copy, "detail");
    g_autofree char *text = json_dumps(copy, JSON_COMPACT | JSON_SORT_KEYS);
    return g_compute_checksum_for_string(G_CHECKSUM_SHA256, text ? text : "", -1);
}
