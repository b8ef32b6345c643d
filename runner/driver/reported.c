#include "runner/driver/reported.h"

#include "config/shown.h"

#include "config/moobench.h"
#include "runner/driver/bounded.h"
#include "runner/ground/log.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define YAML_BYTES_MAX ((uint64_t)1024 * 1024)
#define MEMORY_BYTES_MAX ((uint64_t)512 << 20)
#define FILE_BYTES_MAX 4096
#define ANSWER_BYTES_MAX 4096
#define TIMEOUT_S 20

static json_t *figures(const cfg_measurement *one) {
    return isfinite(one->us[0]) && isfinite(one->us[2])
               ? json_pack("{s:f, s:f}", "mean_us", one->us[0], "ci95_us", one->us[2])
               : NULL;
}

json_t *run_reported_find(const char *text, size_t size, const char *label) {
    g_autoptr(cfg_moobench) moobench = cfg_moobench_parse(text, size, "results.yaml", NULL);
    if (!moobench || moobench->experiments->len == 0)
        return NULL;
    const cfg_moobench_experiment *last =
        moobench->experiments->pdata[moobench->experiments->len - 1];
    for (guint i = last->measurements->len; i > 0; i--) {
        const cfg_measurement *one = &g_array_index(last->measurements, cfg_measurement, i - 1);
        if (g_str_equal(one->label, label))
            return figures(one);
    }
    return NULL;
}

int run_reported_main(int argc, char **argv) {
    g_autoptr(GError) problem = NULL;
    /* Whatever the file makes of this process, it can write to its pipe alone; where the kernel has
     * no Landlock its user and limits hold it from writing files, and without filters from all. */
    (void)!run_sandbox_enter(RUN_SANDBOX_SEALED);
    if (argc != 4) {
        fputs("moowatch-runner reported FILE LABEL\n", stderr);
        return 2;
    }
    g_autofree char *text =
        run_bounded_text(AT_FDCWD, argv[2], "results.yaml", YAML_BYTES_MAX, &problem);
    if (!text) {
        cfg_complain("reported", problem->message);
        return 1;
    }
    json_t *found = run_reported_find(text, strlen(text), argv[3]);
    if (found)
        json_dumpf(found, stdout, JSON_COMPACT);
    json_decref(found);
    return 0;
}

/* What came back is as little believed as the file. */
static void take(const char *answer, json_t *report) {
    json_t *found = json_loads(answer, 0, NULL);
    const json_t *mean = json_object_get(found, "mean_us"), *ci = json_object_get(found, "ci95_us");
    if (json_is_real(mean) && json_is_real(ci)) {
        json_object_set_new(report, "mean_us", json_real(json_real_value(mean)));
        json_object_set_new(report, "ci95_us", json_real(json_real_value(ci)));
    }
    json_decref(found);
}

bool run_reported_read(const run_process_spec *reader, const char *path, const char *label,
                       json_t *report, GError **error) {
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *file = g_strdup(path), *named = g_strdup(label);
    char *argv[] = {self, (char[]){RUN_REPORTED_COMMAND}, file, named, NULL};
    char *environment[] = {(char[]){"PATH=/usr/bin:/bin"}, (char[]){"LANG=C.UTF-8"}, NULL};
    run_process_spec spec = *reader;
    spec.argv = argv;
    spec.environment = environment;
    spec.directory = "/";
    spec.timeout_s = TIMEOUT_S;
    spec.file_limit_bytes = FILE_BYTES_MAX;
    spec.memory_limit_bytes = MEMORY_BYTES_MAX;
    spec.log_limit_bytes = ANSWER_BYTES_MAX;
    run_process_result result;
    if (!self || !run_process_run(&spec, &result, error))
        return false;
    g_autofree char *why = run_process_describe(&result);
    if (why)
        run_log("info", "measure", "reported_not_read", "reason=\"%s: %.200s\"", why, result.log);
    else
        take(result.log, report);
    run_process_result_clear(&result);
    return true;
}
