#include "config/json_text.h"
#include "config/sections.h"
#include "detector/statistics/stray.h"

#include <string.h>

static const char *const trial_orders[] = {"turns", "duet", NULL};

/* The first HOSTED_FROM are the server's to say where it hosts the runner. By default it neither
 * waits nor repeats: on a machine that does other work, too, it would never end. */
#define HOSTED_FROM 3
static const model_member members[] = {
    MODEL(cfg_runner, server, "server"),
    MODEL(cfg_runner, token_file, "token_file", .path = true),
    MODEL(cfg_runner, work_dir, "work_dir", .path = true),
    MODEL(cfg_runner, node, "node", MODEL_LEFT_OUT),
    MODEL(cfg_runner, harness_dir, "harness_dir", MODEL_LEFT_OUT, .path = true),
    MODEL(cfg_runner, path, "path", MODEL_LEFT_OUT),
    MODEL(cfg_runner, run_as_user, "run_as_user", MODEL_LEFT_OUT),
    MODEL(cfg_runner, git_user, "git_user", MODEL_LEFT_OUT),
    MODEL(cfg_runner, ssh_key_file, "ssh_key_file", MODEL_LEFT_OUT, .path = true),
    MODEL(cfg_runner, ssh_known_hosts_file, "ssh_known_hosts_file", MODEL_LEFT_OUT, .path = true),
    MODEL_COUNTED(cfg_runner, labels, "labels", MODEL_LEFT_OUT, .most_items = 32),
    MODEL(cfg_runner, poll_wait_s, "poll_wait_seconds", MODEL_LEFT_OUT, 30, 0, 300),
    MODEL(cfg_runner, loop_output_limit_bytes, "loop_output_limit_bytes", MODEL_LEFT_OUT,
          8192 * MIB, MIB, TIB),
    MODEL(cfg_runner, prepare_output_limit_bytes, "prepare_output_limit_bytes", MODEL_LEFT_OUT,
          16384 * MIB, MIB, TIB),
    MODEL(cfg_runner, prepared_cache_bytes, "prepared_cache_bytes", MODEL_LEFT_OUT, 10240 * MIB, 0,
          TIB),
    MODEL(cfg_runner, submodule_limit, "submodule_limit", MODEL_LEFT_OUT, 100, 0, 10000),
    MODEL(cfg_runner, submodule_depth, "submodule_depth", MODEL_LEFT_OUT, 5, 1, 50),
    MODEL(cfg_runner, log_limit_bytes, "log_limit_bytes", MODEL_LEFT_OUT, MIB, 4096, 1024 * MIB),
    MODEL(cfg_runner, memory_limit_bytes, "memory_limit_bytes", MODEL_LEFT_OUT, 0, 0, TIB),
    MODEL(cfg_runner, process_limit, "process_limit", MODEL_LEFT_OUT, 512, 1, 1000000),
    MODEL(cfg_runner, disk_reserve_bytes, "disk_reserve_bytes", MODEL_LEFT_OUT, 512 * MIB, 0, TIB),
    MODEL(cfg_runner, nights_in_turn, "nights_in_turn", MODEL_LEFT_OUT, 4, 1, 32),
    MODEL(cfg_runner, gate_wait_s, "gate_wait_seconds", MODEL_LEFT_OUT, 0, 0, 86400),
    MODEL(cfg_runner, disturbed_repeats, "disturbed_repeats", MODEL_LEFT_OUT, 0, 0, 1000),
    MODEL(cfg_runner, idle_cpu_percent, "idle_cpu_percent", MODEL_LEFT_OUT, 5, 0.1, 1e5),
    MODEL(cfg_runner, disturbed_cpu_percent, "disturbed_cpu_percent", MODEL_LEFT_OUT, 10, 0.1, 1e5),
    MODEL(cfg_runner, disturbed_steal_percent, "disturbed_steal_percent", MODEL_LEFT_OUT, 2, 0.01,
          100),
    MODEL(cfg_runner, temperature_limit_c, "temperature_limit_celsius", MODEL_LEFT_OUT, 0, 0, 150),
    MODEL(cfg_runner, stray_distance, "stray_distance", MODEL_LEFT_OUT, DET_STRAY_DISTANCE, 0,
          1000),
    MODEL(cfg_runner, duet, "trial_order", MODEL_LEFT_OUT, .words = trial_orders),
    MODEL(cfg_runner, benchmark_cpus, "benchmark_cpus", MODEL_LEFT_OUT),
    MODEL(cfg_runner, housekeeping_cpus, "housekeeping_cpus", MODEL_LEFT_OUT),
    MODEL_COUNTED(cfg_runner, tuning, "tuning", MODEL_LEFT_OUT, .most_items = 32)};

static const model_noun noun = MODEL_NOUN(cfg_runner, members, "runner");
const model_noun cfg__hosted_noun = {.size = sizeof(cfg_runner),
                                     .members = members + HOSTED_FROM,
                                     .count = G_N_ELEMENTS(members) - HOSTED_FROM,
                                     .name = "runner"};

/* ssh expands % and divides at quotes in what it is told. */
static bool ssh_path_check(const cfg__yaml *yaml, const char *key, const char *path,
                           GError **error) {
    return !path || !strpbrk(path, "%\"\\\n") ||
           cfg__yaml_wrong(yaml, error, key, "ssh takes no path with %%, \" or \\");
}

bool cfg_runner_path_check(const char *path) {
    g_auto(GStrv) folders = g_strsplit(path, ":", -1);
    bool good = folders[0] != NULL;
    for (size_t i = 0; good && folders[i]; i++)
        good = g_path_is_absolute(folders[i]) && g_utf8_validate(folders[i], -1, NULL);
    for (const char *c = path; *c != '\0'; c++)
        good = good && !g_ascii_iscntrl(*c);
    return good;
}

/* Without what only the runner's own file says. */
static bool fill(const cfg__yaml *yaml, const char *within, cfg_runner *runner, GError **error) {
    g_autofree char *key = g_strconcat(within, "ssh_key_file", NULL);
    g_autofree char *hosts = g_strconcat(within, "ssh_known_hosts_file", NULL);
    g_autofree char *programs = g_strconcat(within, "path", NULL);
    cfg__yaml_otherwise(&runner->node, g_get_host_name());
    cfg__yaml_otherwise(&runner->path, CFG_RUNNER_PATH);
    return (cfg_runner_path_check(runner->path) ||
            cfg__yaml_wrong(yaml, error, programs,
                            "must be absolute folders with colons between them, such as "
                            "/opt/go/bin:" CFG_RUNNER_PATH)) &&
           ssh_path_check(yaml, key, runner->ssh_key_file, error) &&
           ssh_path_check(yaml, hosts, runner->ssh_known_hosts_file, error);
}

cfg_runner *cfg_runner_load(const char *path, GError **error) {
    g_autoptr(cfg_runner) runner = g_new0(cfg_runner, 1);
    g_autoptr(cfg__yaml) yaml = cfg__yaml_load(path, &noun, runner, error);
    if (!yaml)
        return NULL;
    if (!g_str_has_prefix(runner->server, "http://") &&
        !g_str_has_prefix(runner->server, "https://")) {
        cfg__yaml_wrong(yaml, error, "server", "must begin with http:// or https://");
        return NULL;
    }
    return fill(yaml, "", runner, error) ? g_steal_pointer(&runner) : NULL;
}

void cfg_runner_free(cfg_runner *runner) {
    if (!runner)
        return;
    model_clear(&noun, runner);
    g_free(runner);
}

/* JSON is YAML, too. */
char *cfg__hosted_lines(const cfg__yaml *yaml, json_t *section, GError **error) {
    g_autoptr(cfg_runner) runner = g_new0(cfg_runner, 1);
    if (section && (!model_read(&cfg__hosted_noun, section, runner, error) ||
                    !fill(yaml, "runner.", runner, error)))
        return NULL;
    GString *lines = g_string_new(NULL);
    const char *key;
    json_t *value;
    json_object_foreach (section, key, value) {
        g_autofree char *text = cfg_json_text(value, 0);
        g_string_append_printf(lines, "%s: %s\n", key, text);
    }
    return g_string_free(lines, FALSE);
}
