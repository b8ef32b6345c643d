#include "runner/node/node.h"

#include "runner/ground/error.h"
#include "runner/node/tuning.h"
#include "runner/process/scratch.h"

#include <pwd.h>
#include <string.h>
#include <unistd.h>

/* Beside the program: installed (libexec), in the build tree, or in one folder with it. */
static char *find_harnesses(const char *configured) {
    if (configured)
        return g_strdup(configured);
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *folder = g_path_get_dirname(program ? program : ".");
    static const char *const places[] = {"moobench", "../libexec/moowatch", "."};
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autofree char *place = g_build_filename(folder, places[i], NULL);
        g_autofree char *native = g_build_filename(place, "moobench", NULL);
        g_autofree char *jar = g_build_filename(place, "moobench.jar", NULL);
        if (g_file_test(native, G_FILE_TEST_IS_REGULAR) || g_file_test(jar, G_FILE_TEST_IS_REGULAR))
            return g_canonicalize_filename(place, NULL);
    }
    return g_steal_pointer(&folder);
}

#define GIT_USER "moowatch-git" /* as docs/install.md makes it */

typedef struct {
    bool differs; /* from who this is */
    uid_t uid;
    gid_t gid;
} user;

/* key: the setting that names it. */
static bool find_user(const char *key, const char *name, user *out, GError **error) {
    struct passwd entry, *found = NULL;
    char buffer[4096];
    if (getpwnam_r(name, &entry, buffer, sizeof buffer, &found) != 0 || !found)
        return run_wrong(error, "%s %s: there is no such user", key, name);
    *out = (user){geteuid() != entry.pw_uid, entry.pw_uid, entry.pw_gid};
    if (!out->differs || geteuid() == 0)
        return true;
    return run_wrong(error, "%s %s: only an agent started as root can change the user", key, name);
}

static bool is_there(const char *name) {
    user found;
    return find_user("", name, &found, NULL);
}

static bool find_users(run_node *node, GError **error) {
    const cfg_runner *config = node->config;
    const char *own = geteuid() == 0 && is_there(GIT_USER) ? GIT_USER : NULL;
    const char *name = config->git_user ? config->git_user : own;
    user code = {.differs = false}, git = {.differs = false};
    if ((config->run_as_user && !find_user("run_as_user", config->run_as_user, &code, error)) ||
        (name && !find_user("git_user", name, &git, error)))
        return false;
    if (code.differs && git.differs && code.uid == git.uid)
        return run_wrong(
            error,
            "git_user %s: must be another user than run_as_user, whose code could change "
            "what git has fetched",
            name);
    node->switch_user = code.differs;
    node->uid = code.uid;
    node->gid = code.gid;
    node->switch_git = git.differs;
    node->git_uid = git.uid;
    node->git_gid = git.gid;
    return true;
}

/* The configured processors, or all that this process may use. */
static bool find_cpus(const char *configured, cpu_set_t *set, GError **error) {
    cpu_set_t allowed, both;
    run_cpus_allowed(&allowed);
    *set = allowed;
    if (!configured)
        return true;
    if (!run_cpus_parse(configured, set, error))
        return false;
    CPU_AND(&both, set, &allowed);
    if (!CPU_EQUAL(&both, set)) {
        g_autofree char *text = run_cpus_format(&allowed);
        return run_wrong(error, "processors \"%s\": only %s can be used on this node", configured,
                         text);
    }
    return true;
}

bool run_node_init(run_node *node, const cfg_runner *config, run_client *client, int stop_fd,
                   GError **error) {
    memset(node, 0, sizeof *node);
    node->config = config;
    node->client = client;
    node->stop_fd = stop_fd;
    node->harness_dir = find_harnesses(config->harness_dir);
    if (!run_tuning_check(config->tuning, config->tuning_count, error) ||
        !find_cpus(config->benchmark_cpus, &node->benchmark_cpus, error) ||
        !find_cpus(config->housekeeping_cpus, &node->housekeeping_cpus, error))
        return false;
    if (config->duet && CPU_COUNT(&node->benchmark_cpus) < 2)
        return run_wrong(error, "trial_order: duet needs two processors, one for each commit, and "
                                "benchmark_cpus has one; add another, or set trial_order: turns");
    return find_users(node, error);
}

void run_node_clear(run_node *node) {
    g_clear_pointer(&node->cgroup, run_cgroup_free);
    g_clear_pointer(&node->client, run_client_free);
    g_clear_pointer(&node->harness_dir, g_free);
    g_clear_pointer(&node->secret, g_free);
}

run_process_spec run_node_process(const run_node *node) {
    return (run_process_spec){.log_limit_bytes = node->config->log_limit_bytes,
                              .memory_limit_bytes = node->config->memory_limit_bytes,
                              .process_limit = node->config->process_limit,
                              .own_namespaces = node->namespaces,
                              .sandbox = node->sandbox,
                              .switch_user = node->switch_user,
                              .cgroup = node->cgroup,
                              .cpus = &node->housekeeping_cpus,
                              .uid = node->uid,
                              .gid = node->gid,
                              .reserve_bytes = node->config->disk_reserve_bytes,
                              .stop_fd = node->stop_fd};
}

char *run_node_path(const run_node *node, const char *below) {
    return g_build_filename(node->config->work_dir, below, NULL);
}

bool run_node_give(const run_node *node, const char *path, GError **error) {
    return !node->switch_user || run_scratch_give(path, node->uid, node->gid, error);
}

bool run_node_give_git(const run_node *node, const char *path, GError **error) {
    return !node->switch_git || run_scratch_give(path, node->git_uid, node->git_gid, error);
}

bool run_node_places(const run_node *node, const char *folder, run_sandbox_places *places,
                     GError **error) {
    const char *writable[] = {node->config->work_dir, NULL};
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL); /* unpacks, reads results */
    const char *readable[] = {node->harness_dir, self, NULL};
    const uint64_t memory = node->config->memory_limit_bytes;
    const uint64_t output = node->config->loop_output_limit_bytes;
    memset(places, 0, sizeof *places);
    return !node->private_places ||
           run_sandbox_places_prepare(places, folder, writable, readable,
                                      memory > 0 ? MIN(memory, output) : output, error);
}

void run_node_add_proxies(GPtrArray *environment) {
    static const char *const names[] = {"http_proxy", "https_proxy", "no_proxy",
                                        "all_proxy",  "HTTP_PROXY",  "HTTPS_PROXY",
                                        "NO_PROXY",   "ALL_PROXY",   "SSL_CERT_FILE"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        const char *value = g_getenv(names[i]);
        if (value)
            g_ptr_array_add(environment, g_strdup_printf("%s=%s", names[i], value));
    }
}
