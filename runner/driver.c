#include "runner/driver.h"

#include <inttypes.h>
#include <string.h>

#define PATH_VALUE "PATH=/usr/local/bin:/usr/bin:/bin"

static void add_number(GPtrArray *argv, const char *option, uint64_t value) {
    g_ptr_array_add(argv, g_strdup(option));
    g_ptr_array_add(argv, g_strdup_printf("%" PRIu64, value));
}

static void add_standard(const run_job *job, unsigned configuration, const char *raw_path,
                         GPtrArray *argv) {
    add_number(argv, "--total-calls", job->configurations[configuration].total_calls);
    add_number(argv, "--method-time", job->method_time_ns);
    add_number(argv, "--total-threads", job->threads);
    add_number(argv, "--recursion-depth", job->depth);
    g_ptr_array_add(argv, g_strdup("--output-filename"));
    g_ptr_array_add(argv, g_strdup(raw_path));
}

static void add_java(const run_job *job, const run_configuration *configuration,
                     const run_placeholder *values, GPtrArray *argv) {
    g_ptr_array_add(argv, g_strdup("java"));
    run_placeholder_append(values, configuration->options, argv);
    GString *classpath = g_string_new(values->harness);
    g_string_append(classpath, "/moobench.jar");
    for (size_t i = 0; job->classpath[i] != NULL; i++) {
        g_autofree char *entry = run_placeholder_expand(values, job->classpath[i]);
        g_string_append_printf(classpath, ":%s", entry);
    }
    g_ptr_array_add(argv, g_strdup("-cp"));
    g_ptr_array_add(argv, g_string_free(classpath, FALSE));
    g_ptr_array_add(argv, g_strdup(RUN_JAVA_MAIN));
}

GPtrArray *run_driver_command(const run_job *job, unsigned configuration,
                              const run_placeholder *values, const char *raw_path) {
    const run_configuration *one = &job->configurations[configuration];
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    if (job->driver == RUN_DRIVER_JAVA) {
        add_java(job, one, values, argv);
    } else {
        if (one->command[0] == NULL) {
            g_ptr_array_add(argv, g_build_filename(values->harness, "moobench", NULL));
        }
        run_placeholder_append(values, one->command, argv);
    }
    add_standard(job, configuration, raw_path, argv);
    if (job->driver == RUN_DRIVER_NATIVE) {
        run_placeholder_append(values, one->options, argv);
    }
    g_ptr_array_add(argv, NULL);
    return argv;
}

GPtrArray *run_driver_words(const run_placeholder *values, char *const *words) {
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    run_placeholder_append(values, words, argv);
    g_ptr_array_add(argv, NULL);
    return argv;
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
    g_ptr_array_add(environment, g_strdup(PATH_VALUE));
    g_ptr_array_add(environment, g_strdup_printf("HOME=%s", values->scratch));
    g_ptr_array_add(environment, g_strdup_printf("TMPDIR=%s", values->scratch));
    g_ptr_array_add(environment, g_strdup("LANG=C.UTF-8"));
    g_ptr_array_add(environment, g_strdup("TZ=UTC"));
    for (size_t i = 0; configured != NULL && configured[i] != NULL; i++) {
        set_variable(environment, run_placeholder_expand(values, configured[i]));
    }
    g_ptr_array_add(environment, NULL);
    return environment;
}
