#include "config/config.h"
#include "config/sections.h"
#include "config/yaml.h"

#include <cyaml/cyaml.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(key, flags)                                                                           \
    CYAML_FIELD_STRING_PTR(#key, (flags) | CYAML_FLAG_POINTER, cfg__raw_runner, key, 1,            \
                           CYAML_UNLIMITED)
#define NUMBER(key) CYAML_FIELD_UINT_PTR(#key, CYAML_FLAG_OPTIONAL, cfg__raw_runner, key)

#define REAL(key) CYAML_FIELD_FLOAT_PTR(#key, CYAML_FLAG_OPTIONAL, cfg__raw_runner, key)

static const cyaml_strval_t trial_orders[] = {{"turns", CFG__TRIAL_TURNS},
                                              {"duet", CFG__TRIAL_DUET}};

/* The first CFG__HOSTED_FROM are the server's to say where it hosts the runner. */
const cyaml_schema_field_t cfg__runner_fields[] = {
    TEXT(server, CYAML_FLAG_DEFAULT),
    TEXT(token_file, CYAML_FLAG_DEFAULT),
    TEXT(work_dir, CYAML_FLAG_DEFAULT),
    TEXT(node, CYAML_FLAG_OPTIONAL),
    TEXT(harness_dir, CYAML_FLAG_OPTIONAL),
    TEXT(run_as_user, CYAML_FLAG_OPTIONAL),
    TEXT(git_user, CYAML_FLAG_OPTIONAL),
    TEXT(ssh_key_file, CYAML_FLAG_OPTIONAL),
    TEXT(ssh_known_hosts_file, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_SEQUENCE("labels", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, cfg__raw_runner,
                         labels, &cfg__string, 0, 32),
    NUMBER(poll_wait_seconds),
    NUMBER(loop_output_limit_bytes),
    NUMBER(prepare_output_limit_bytes),
    NUMBER(prepared_cache_bytes),
    NUMBER(submodule_limit),
    NUMBER(submodule_depth),
    NUMBER(log_limit_bytes),
    NUMBER(memory_limit_bytes),
    NUMBER(process_limit),
    NUMBER(disk_reserve_bytes),
    NUMBER(nights_in_turn),
    NUMBER(gate_wait_seconds),
    NUMBER(disturbed_repeats),
    REAL(idle_cpu_percent),
    REAL(disturbed_cpu_percent),
    REAL(disturbed_steal_percent),
    REAL(temperature_limit_celsius),
    REAL(stray_distance),
    CYAML_FIELD_ENUM_PTR("trial_order", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, cfg__raw_runner,
                         trial_order, trial_orders, CYAML_ARRAY_LEN(trial_orders)),
    TEXT(benchmark_cpus, CYAML_FLAG_OPTIONAL),
    TEXT(housekeeping_cpus, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_SEQUENCE("tuning", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, cfg__raw_runner,
                         tuning, &cfg__string, 0, 32),
    CYAML_FIELD_END};

static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, cfg__raw_runner, cfg__runner_fields)};

static bool fill_numbers(const cfg__yaml *yaml, const cfg__raw_runner *raw, cfg_runner *runner,
                         GError **error) {
    const uint64_t mib = 1024 * 1024, tib = mib * mib;
    return cfg__yaml_unsigned(yaml, "poll_wait_seconds", raw->poll_wait_seconds,
                              (cfg__range){30, 0, 300}, &runner->poll_wait_s, error) &&
           cfg__yaml_number(yaml, "loop_output_limit_bytes", raw->loop_output_limit_bytes,
                            (cfg__range){8192 * mib, mib, tib}, &runner->loop_output_limit_bytes,
                            error) &&
           cfg__yaml_number(yaml, "prepare_output_limit_bytes", raw->prepare_output_limit_bytes,
                            (cfg__range){16384 * mib, mib, tib},
                            &runner->prepare_output_limit_bytes, error) &&
           cfg__yaml_number(yaml, "prepared_cache_bytes", raw->prepared_cache_bytes,
                            (cfg__range){10240 * mib, 0, tib}, &runner->prepared_cache_bytes,
                            error) &&
           cfg__yaml_unsigned(yaml, "submodule_limit", raw->submodule_limit,
                              (cfg__range){100, 0, 10000}, &runner->submodule_limit, error) &&
           cfg__yaml_unsigned(yaml, "submodule_depth", raw->submodule_depth, (cfg__range){5, 1, 50},
                              &runner->submodule_depth, error) &&
           cfg__yaml_number(yaml, "log_limit_bytes", raw->log_limit_bytes,
                            (cfg__range){mib, 4096, 1024 * mib}, &runner->log_limit_bytes, error) &&
           cfg__yaml_number(yaml, "memory_limit_bytes", raw->memory_limit_bytes,
                            (cfg__range){0, 0, tib}, &runner->memory_limit_bytes, error) &&
           cfg__yaml_unsigned(yaml, "process_limit", raw->process_limit,
                              (cfg__range){512, 1, 1000000}, &runner->process_limit, error) &&
           cfg__yaml_number(yaml, "disk_reserve_bytes", raw->disk_reserve_bytes,
                            (cfg__range){512 * mib, 0, tib}, &runner->disk_reserve_bytes, error);
}

/* The defaults neither wait nor repeat: on a machine that does other work too they would never
 * end. */
static bool fill_idle(const cfg__yaml *yaml, const cfg__raw_runner *raw, cfg_runner *runner,
                      GError **error) {
    return cfg__yaml_unsigned(yaml, "nights_in_turn", raw->nights_in_turn, (cfg__range){4, 1, 32},
                              &runner->nights_in_turn, error) &&
           cfg__yaml_unsigned(yaml, "gate_wait_seconds", raw->gate_wait_seconds,
                              (cfg__range){0, 0, 86400}, &runner->gate_wait_s, error) &&
           cfg__yaml_unsigned(yaml, "disturbed_repeats", raw->disturbed_repeats,
                              (cfg__range){0, 0, 1000}, &runner->disturbed_repeats, error) &&
           cfg__yaml_real(yaml, "idle_cpu_percent", raw->idle_cpu_percent,
                          (cfg__real_range){5, 0.1, 1e5}, &runner->idle_cpu_percent, error) &&
           cfg__yaml_real(yaml, "disturbed_cpu_percent", raw->disturbed_cpu_percent,
                          (cfg__real_range){10, 0.1, 1e5}, &runner->disturbed_cpu_percent, error) &&
           cfg__yaml_real(yaml, "disturbed_steal_percent", raw->disturbed_steal_percent,
                          (cfg__real_range){2, 0.01, 100}, &runner->disturbed_steal_percent,
                          error) &&
           cfg__yaml_real(yaml, "temperature_limit_celsius", raw->temperature_limit_celsius,
                          (cfg__real_range){0, 0, 150}, &runner->temperature_limit_c, error) &&
           cfg__yaml_real(yaml, "stray_distance", raw->stray_distance,
                          (cfg__real_range){10, 0, 1000}, &runner->stray_distance, error);
}

/* ssh expands % and divides at quotes in what it is told. */
static bool ssh_path_check(const cfg__yaml *yaml, const char *key, const char *path,
                           GError **error) {
    return !path || !strpbrk(path, "%\"\\\n") ||
           cfg__yaml_wrong(yaml, error, key, "ssh takes no path with %%, \" or \\");
}

/* Without what only the runner's own file says. */
static bool fill(const cfg__yaml *yaml, const cfg__raw_runner *raw, cfg_runner *runner,
                 GError **error) {
    runner->node = g_strdup(raw->node ? raw->node : g_get_host_name());
    runner->harness_dir = cfg__yaml_path(yaml, raw->harness_dir);
    runner->run_as_user = g_strdup(raw->run_as_user);
    runner->git_user = g_strdup(raw->git_user);
    runner->ssh_key_file = cfg__yaml_path(yaml, raw->ssh_key_file);
    runner->ssh_known_hosts_file = cfg__yaml_path(yaml, raw->ssh_known_hosts_file);
    runner->labels = cfg__strings_copy(raw->labels, raw->labels_count);
    runner->labels_count = raw->labels_count;
    runner->duet = raw->trial_order && *raw->trial_order == CFG__TRIAL_DUET;
    runner->benchmark_cpus = g_strdup(raw->benchmark_cpus);
    runner->housekeeping_cpus = g_strdup(raw->housekeeping_cpus);
    runner->tuning = cfg__strings_copy(raw->tuning, raw->tuning_count);
    runner->tuning_count = raw->tuning_count;
    return ssh_path_check(yaml, "ssh_key_file", runner->ssh_key_file, error) &&
           ssh_path_check(yaml, "ssh_known_hosts_file", runner->ssh_known_hosts_file, error) &&
           fill_numbers(yaml, raw, runner, error) && fill_idle(yaml, raw, runner, error);
}

/* what is said is within its bounds: the runner as it would be, without
 * server, token_file and work_dir; NULL with error that names the line. Free with
 * cfg_runner_free. */
static cfg_runner *hosted_check(const cfg__yaml *yaml, const cfg__raw_runner *raw, GError **error) {
    g_autoptr(cfg_runner) runner = g_new0(cfg_runner, 1);
    return fill(yaml, raw, runner, error) ? g_steal_pointer(&runner) : NULL;
}

cfg_runner *cfg_runner_load(const char *path, GError **error) {
    g_autoptr(cfg__yaml) yaml = cfg__yaml_load(path, &schema, error);
    if (!yaml)
        return NULL;
    const cfg__raw_runner *raw = cfg__yaml_data(yaml);
    g_autoptr(cfg_runner) runner = g_new0(cfg_runner, 1);
    runner->server = g_strdup(raw->server);
    runner->token_file = cfg__yaml_path(yaml, raw->token_file);
    runner->work_dir = cfg__yaml_path(yaml, raw->work_dir);
    if (!g_str_has_prefix(raw->server, "http://") && !g_str_has_prefix(raw->server, "https://")) {
        cfg__yaml_wrong(yaml, error, "server", "must begin with http:// or https://");
        return NULL;
    }
    return fill(yaml, raw, runner, error) ? g_steal_pointer(&runner) : NULL;
}

void cfg_runner_free(cfg_runner *runner) {
    if (!runner)
        return;
    g_free(runner->server);
    g_free(runner->node);
    g_free(runner->token_file);
    g_free(runner->work_dir);
    g_free(runner->harness_dir);
    g_free(runner->run_as_user);
    g_free(runner->git_user);
    g_free(runner->ssh_key_file);
    g_free(runner->ssh_known_hosts_file);
    g_free(runner->benchmark_cpus);
    g_free(runner->housekeeping_cpus);
    cfg__strings_free(runner->tuning, runner->tuning_count);
    cfg__strings_free(runner->labels, runner->labels_count);
    g_free(runner);
}

#define SECTION "runner"

static const cyaml_schema_value_t hosted_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, cfg__raw_runner, CFG__HOSTED_FIELDS)};

/* Between "---" and "...". */
static char *without_marks(const char *text, size_t size) {
    g_autofree char *copy = g_strndup(text, size);
    g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);
    GString *kept = g_string_new(NULL);
    for (size_t i = 0; lines[i]; i++)
        if (*lines[i] != '\0' && strcmp(lines[i], "---") != 0 && strcmp(lines[i], "...") != 0)
            g_string_append_printf(kept, "%s\n", lines[i]);
    return g_string_free(kept, FALSE);
}

char *cfg__hosted_lines(cfg__yaml *yaml, const cfg__raw_runner *raw, GError **error) {
    const cyaml_config_t config = {.mem_fn = cyaml_mem, .flags = CYAML_CFG_STYLE_BLOCK};
    char *text = NULL;
    size_t size = 0;
    if (!raw)
        return g_strdup("");
    cfg__yaml_within(yaml, SECTION);
    g_autoptr(cfg_runner) runner = hosted_check(yaml, raw, error);
    cfg__yaml_within(yaml, NULL);
    if (!runner)
        return NULL;
    /* Its own file lies in another folder. */
    cfg__raw_runner whole = *raw;
    whole.harness_dir = runner->harness_dir;
    whole.ssh_key_file = runner->ssh_key_file;
    whole.ssh_known_hosts_file = runner->ssh_known_hosts_file;
    const cyaml_err_t code = cyaml_save_data(&text, &size, &config, &hosted_schema, &whole, 0);
    if (code != CYAML_OK) {
        cfg__yaml_wrong(yaml, error, SECTION, "cannot be passed to the runner: %s",
                        cyaml_strerror(code));
        return NULL;
    }
    char *lines = without_marks(text, size);
    free(text);
    return lines;
}
