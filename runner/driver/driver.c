#include "runner/driver/driver.h"

#include "runner/ground/error.h"

#include <inttypes.h>
#include <string.h>

#define NAMES 10

static char *placeholder_expand(const run_placeholder *values, const char *text);

void run_placeholder_append(const run_placeholder *values, char *const *words, GPtrArray *argv) {
    for (size_t i = 0; words && words[i]; i++)
        g_ptr_array_add(argv, placeholder_expand(values, words[i]));
}

/* Text with every known word replaced, once (a replacement is not searched again). Unknown words
 * in braces stay: JVM options and JSON use braces too. A NULL value stands for "not known here" and
 * its word stays. Returns a string to g_free. */
static char *placeholder_expand(const run_placeholder *values, const char *text) {
    char calls[24], depth[24];
    g_snprintf(calls, sizeof calls, "%" PRIu64, values->calls);
    g_snprintf(depth, sizeof depth, "%" PRIu64, values->depth);
    const struct {
        const char *word, *value;
    } known[NAMES] = {
        {"{checkout}", values->checkout},
        {"{scratch}", values->scratch},
        {"{harness}", values->harness},
        {"{commit}", values->commit},
        {"{artifact}", values->artifact},
        {"{calls}", calls},
        {"{depth}", depth},
        {"{result}", values->result},
        {"{port}", values->port},
        {"{profile}", values->profile},
    };
    GString *out = g_string_sized_new(strlen(text) + 32);
    while (*text != '\0') {
        size_t taken = 0;
        for (size_t i = 0; *text == '{' && i < NAMES; i++) {
            if (known[i].value && g_str_has_prefix(text, known[i].word)) {
                g_string_append(out, known[i].value);
                taken = strlen(known[i].word);
                break;
            }
        }
        if (taken == 0) {
            g_string_append_c(out, *text);
            taken = 1;
        }
        text += taken;
    }
    return g_string_free(out, FALSE);
}

static void add_number(GPtrArray *argv, const char *option, uint64_t value) {
    g_ptr_array_add(argv, g_strdup(option));
    g_ptr_array_add(argv, g_strdup_printf("%" PRIu64, value));
}

static void add_standard(const run_job *job, unsigned configuration, const char *raw_path,
                         GPtrArray *argv) {
    add_number(argv, "--total-calls", job->benchmark.configurations[configuration].total_calls);
    add_number(argv, "--method-time", job->benchmark.method_time_ns);
    add_number(argv, "--total-threads", cfg_benchmark_threads(&job->benchmark, configuration));
    add_number(argv, "--recursion-depth", job->benchmark.recursion_depth);
    g_ptr_array_add(argv, g_strdup("--output-filename"));
    g_ptr_array_add(argv, g_strdup(raw_path));
}

static void add_java(const run_job *job, const cfg_configuration *configuration,
                     const run_placeholder *values, GPtrArray *argv) {
    g_ptr_array_add(argv, g_strdup("java"));
    run_placeholder_append(values, configuration->options, argv);
    GString *classpath = g_string_new(values->harness);
    g_string_append(classpath, "/moobench.jar");
    for (size_t i = 0; job->benchmark.classpath[i]; i++) {
        g_autofree char *entry = placeholder_expand(values, job->benchmark.classpath[i]);
        g_string_append_printf(classpath, ":%s", entry);
    }
    g_ptr_array_add(argv, g_strdup("-cp"));
    g_ptr_array_add(argv, g_string_free(classpath, FALSE));
    g_ptr_array_add(argv, g_strdup(RUN_JAVA_MAIN));
}

/* The script runs in its own folder, as its user; so it is he who removes what an earlier run left:
 * the script adds to an old results.zip, and then nobody can tell the loops apart. */
static void add_moobench(const run_job *job, GPtrArray *argv) {
    static const char program[] =
        "cd -- \"$1\" && rm -rf -- \"$2\" \"$3\" && shift 3 && exec \"./$0\" \"$@\"";
    g_autofree char *base = g_path_get_basename(job->benchmark.framework);
    g_ptr_array_add(argv, g_strdup("/bin/sh"));
    g_ptr_array_add(argv, g_strdup("-c"));
    g_ptr_array_add(argv, g_strdup(program));
    g_ptr_array_add(argv, g_strdup(job->benchmark.script));
    g_ptr_array_add(argv, g_strdup(job->benchmark.framework));
    g_ptr_array_add(argv, job->benchmark.results ? g_strdup(job->benchmark.results)
                                                 : g_strconcat("results-", base, NULL));
    g_ptr_array_add(argv, g_strdup(job->benchmark.results ? job->benchmark.results : "results"));
}

GStrv run_driver_variables(const run_job *job, unsigned configuration) {
    const cfg_configuration *one = &job->benchmark.configurations[configuration];
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    if (job->benchmark.driver == CFG_DRIVER_MOOBENCH) {
        g_autoptr(GString) indices = g_string_new("MOOBENCH_CONFIGURATIONS=");
        g_string_append_printf(indices, "%u", one->index);
        for (unsigned i = 0; job->benchmark.whole_rounds && i < job->benchmark.configurations_count;
             i++)
            if (i != configuration)
                g_string_append_printf(indices, " %u", job->benchmark.configurations[i].index);
        g_autofree char *calls = g_strdup_printf("TOTAL_NUM_OF_CALLS=%" PRIu64, one->total_calls);
        g_autofree char *time =
            g_strdup_printf("METHOD_TIME=%" PRIu64, job->benchmark.method_time_ns);
        g_autofree char *depth =
            g_strdup_printf("RECURSION_DEPTH=%u", job->benchmark.recursion_depth);
        g_autofree char *threads =
            g_strdup_printf("THREADS=%u", cfg_benchmark_threads(&job->benchmark, configuration));
        g_strv_builder_add_many(builder, "NUM_OF_LOOPS=1", indices->str, calls, time, depth,
                                threads, "SLEEP_TIME=0", "BATCH_MODE=yes", NULL);
    }
    for (unsigned i = 0; i < one->environment_count; i++) {
        const cfg_variable *own = &one->environment[i];
        g_autofree char *variable = g_strconcat(own->name, "=", own->value, NULL);
        g_strv_builder_add(builder, variable);
    }
    return g_strv_builder_end(builder);
}

GPtrArray *run_driver_command(const run_job *job, unsigned configuration,
                              const run_placeholder *values, const char *raw_path) {
    const cfg_configuration *one = &job->benchmark.configurations[configuration];
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    bool own =
        job->benchmark.driver == CFG_DRIVER_MOOBENCH || job->benchmark.driver == CFG_DRIVER_COMMAND;
    if (job->benchmark.driver == CFG_DRIVER_JAVA) {
        add_java(job, one, values, argv);
    } else if (job->benchmark.driver == CFG_DRIVER_MOOBENCH) {
        add_moobench(job, argv);
    } else {
        if (!one->command[0] && !own)
            g_ptr_array_add(argv, g_build_filename(values->harness, "moobench", NULL));
        run_placeholder_append(values, one->command, argv);
    }
    if (!own)
        add_standard(job, configuration, raw_path, argv);
    if (job->benchmark.driver != CFG_DRIVER_JAVA)
        run_placeholder_append(values, one->options, argv);
    g_ptr_array_add(argv, NULL);
    return argv;
}

GPtrArray *run_driver_words(const run_placeholder *values, char *const *words) {
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    run_placeholder_append(values, words, argv);
    g_ptr_array_add(argv, NULL);
    return argv;
}

/* JAVA_VERSION="25.0.3" of a JDK's file `release`; NULL: it has none. */
static char *jdk_version(const char *folder) {
    g_autofree char *path = g_build_filename(folder, "release", NULL);
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return NULL;
    const char *found = g_strrstr(text, "JAVA_VERSION=\"");
    found = found ? strchr(found, '"') + 1 : NULL;
    return found ? g_strndup(found, strcspn(found, "\"\n")) : NULL;
}

/* 25 is 25.0.3, and is not 250. */
static bool is_version(const char *wanted, const char *version) {
    return g_str_has_prefix(version, wanted) && !g_ascii_isdigit(version[strlen(wanted)]);
}

char *run_driver_jdk(const char *wanted, const char *below, GError **error) {
    g_autofree char *java = g_build_filename(wanted, "bin", "java", NULL);
    if (wanted[0] == '/') {
        if (g_file_test(java, G_FILE_TEST_IS_EXECUTABLE))
            return g_strdup(wanted);
        run_wrong(error, "jdk: there is no %s on this node; install it, or correct benchmark.jdk",
                  java);
        return NULL;
    }
    g_autoptr(GDir) folders = g_dir_open(below, 0, NULL);
    g_autoptr(GString) there = g_string_new(NULL);
    g_autofree char *best = NULL;
    for (const char *name; folders && (name = g_dir_read_name(folders));) {
        g_autofree char *folder = g_build_filename(below, name, NULL);
        g_autofree char *version = jdk_version(folder);
        if (!version)
            continue;
        g_string_append_printf(there, "%s%s", there->len > 0 ? ", " : "", version);
        if (is_version(wanted, version) && (!best || strcmp(folder, best) < 0)) {
            g_free(best);
            best = g_steal_pointer(&folder);
        }
    }
    if (!best)
        run_wrong(error,
                  "jdk: no JDK %s in %s on this node; there: %s. Install it, or give its folder "
                  "as benchmark.jdk",
                  wanted, below, there->len > 0 ? there->str : "none");
    return g_steal_pointer(&best);
}

/* A configured variable takes the place of the standard one of the same name. */
static void set_variable(GPtrArray *environment, char *variable) {
    size_t name = strcspn(variable, "=") + 1;
    for (guint i = 0; i < environment->len; i++) {
        if (strncmp(environment->pdata[i], variable, name) == 0) {
            g_free(environment->pdata[i]);
            environment->pdata[i] = variable;
            return;
        }
    }
    g_ptr_array_add(environment, variable);
}

GPtrArray *run_driver_environment(const run_placeholder *values, char *const *configured) {
    GPtrArray *environment = g_ptr_array_new_with_free_func(g_free);
    const char *jdk = values->jdk, *path = values->path ? values->path : CFG_RUNNER_PATH;
    g_ptr_array_add(environment, jdk ? g_strdup_printf("PATH=%s/bin:%s", jdk, path)
                                     : g_strconcat("PATH=", path, NULL));
    if (jdk)
        g_ptr_array_add(environment, g_strconcat("JAVA_HOME=", jdk, NULL));
    g_ptr_array_add(environment, g_strdup_printf("HOME=%s", values->scratch));
    g_ptr_array_add(environment, g_strdup_printf("TMPDIR=%s", values->scratch));
    g_ptr_array_add(environment, g_strdup("LANG=C.UTF-8"));
    g_ptr_array_add(environment, g_strdup("TZ=UTC"));
    for (size_t i = 0; configured && configured[i]; i++)
        set_variable(environment, placeholder_expand(values, configured[i]));
    g_ptr_array_add(environment, NULL);
    return environment;
}
