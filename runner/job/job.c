#include "runner/job/job.h"

#include "runner/job/job_take.h"
#include "runner/protocol.h"

#include <math.h>
#include <string.h>

#define NAME_BYTES_MAX 128

static bool is_identifier(const char *name) {
    return strlen(name) <= NAME_BYTES_MAX && g_ascii_isalnum(name[0]) &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789._-")] == '\0';
}

static bool is_commit(const char *text) {
    size_t length = strlen(text);
    return (length == 40 || length == 64) && text[strspn(text, "0123456789abcdef")] == '\0';
}

/* As git's own rule for branch names, and nothing that could be read as an option or pattern. */
static bool is_branch(const char *text) {
    size_t length = strlen(text);
    return length > 0 && length <= 255 && strpbrk(text, " ~^:?*[\\") == NULL && text[0] != '-' &&
           text[0] != '/' && text[length - 1] != '/' && text[length - 1] != '.' &&
           strstr(text, "..") == NULL && strstr(text, "//") == NULL && strstr(text, "@{") == NULL;
}

/* The transports that git is allowed to use (checkout.c), or a path on this machine. */
static bool is_url(const char *text) {
    static const char *const schemes[] = {"https://", "http://", "ssh://",
                                          "git://",   "file://", "/"};
    for (size_t i = 0; i < G_N_ELEMENTS(schemes); i++) {
        if (g_str_has_prefix(text, schemes[i])) {
            /* ssh://-oProxyCommand=… is refused by git itself; no need to hand it over. */
            return text[strlen(schemes[i])] != '-';
        }
    }
    const char *colon = strchr(text, ':'); /* user@host:path */
    return colon && colon[1] != ':' && text[0] != '-' && strchr(text, '@') &&
           strcspn(text, "/") > (size_t)(colon - text);
}

static bool take_records(json_t *source, cfg_records *out, GError **error) {
    static const char *const names[] = {"some", "all", "unchecked"};
    const char *records = json_string_value(json_object_get(source, "records"));
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_strcmp0(records, names[i]) == 0) {
            *out = (cfg_records)i;
            return true;
        }
    }
    return run__take_wrong(
        error, "receiver.records",
        "\"some\", \"all\" or \"unchecked\"; a newer server needs a newer runner");
}

static bool take_receiver(json_t *source, run_configuration *out, GError **error) {
    json_t *receiver = json_object_get(source, "receiver");
    if (!receiver)
        return true;
    run_receiver_job *own = out->receiver = g_new0(run_receiver_job, 1);
    return run__take_words(receiver, "command", &own->command, error) &&
           (own->command[0] ||
            run__take_wrong(error, "receiver.command", "a program and its arguments")) &&
           run__take_unsigned(receiver, "port", 0, 65535, &own->port, error) &&
           run__take_unsigned(receiver, "ready_timeout_seconds", 1, 600, &own->ready_timeout_s,
                              error) &&
           (!json_object_get(receiver, "ready") ||
            run__take_text(receiver, "ready", &own->ready, error)) &&
           take_records(receiver, &own->records, error);
}

static bool take_configuration(json_t *source, uint64_t *calls, run_configuration *out,
                               GError **error) {
    bool good =
        run__take_text(source, "name", &out->name, error) &&
        (is_identifier(out->name) || run__take_wrong(error, "name", "an identifier")) &&
        run__take_words(source, "command", &out->command, error) &&
        run__take_words(source, "options", &out->options, error) &&
        run__take_words(source, "verify", &out->verify, error) &&
        run__take_environment(source, &out->environment, error) &&
        run__take_number(source, "total_calls", 1, RUN_TOTAL_CALLS_MAX, &out->total_calls, error) &&
        run__take_number(source, "warmup_calls", 0, RUN_TOTAL_CALLS_MAX, &out->warmup_calls,
                         error) &&
        take_receiver(source, out, error);
    if (good && out->warmup_calls >= out->total_calls)
        good = run__take_wrong(error, "warmup_calls", "less than total_calls");
    *calls = MAX(*calls, out->total_calls);
    return good;
}

/* Parents come before their children. */
static bool take_parent(json_t *source, const run_job *job, run_configuration *out,
                        GError **error) {
    json_t *parent = json_object_get(source, "parent");
    bool none = !parent || json_is_null(parent);
    out->parent = none ? -1 : run_job_find(job, json_string_value(parent));
    return none || (out->parent >= 0 && &job->configurations[out->parent] != out) ||
           run__take_wrong(error, "parent", "a configuration above");
}

static bool take_configurations(json_t *benchmark, run_job *job, GError **error) {
    json_t *list = json_object_get(benchmark, "configurations");
    size_t count = json_array_size(list);
    if (count < 1 || count > RUN_CONFIGURATIONS_MAX)
        return run__take_wrong(error, "configurations", "a list of 1 to 64 objects");
    job->configurations = g_new0(run_configuration, count);
    job->configurations_count = (unsigned)count;
    uint64_t most_calls = 0;
    for (size_t i = 0; i < count; i++) {
        run_configuration *one = &job->configurations[i];
        if (!take_configuration(json_array_get(list, i), &most_calls, one, error) ||
            !take_parent(json_array_get(list, i), job, one, error)) {
            g_prefix_error(error, "configuration %zu: ", i + 1);
            return false;
        }
        if (run_job_find(job, one->name) != (int)i)
            return run__take_wrong(error, "configurations", "named differently, each one");
    }
    if (most_calls * job->threads > RUN_TOTAL_CALLS_MAX)
        return run__take_wrong(error, "total_calls", "at most 1000000000, all threads together");
    return true;
}

static bool take_count(json_t *source, cfg_count *out, GError **error) {
    static const char *const words[] = {CFG_COUNTS(CFG_WORD)};
    json_t *count = json_object_get(source, "count");
    *out = CFG_COUNT_NEVER;
    if (!count)
        return true;
    for (unsigned i = 0; i < G_N_ELEMENTS(words); i++) {
        if (g_strcmp0(json_string_value(count), words[i]) == 0) {
            *out = (cfg_count)i;
            return true;
        }
    }
    return run__take_wrong(error, "count", "\"never\", \"auto\" or \"always\"");
}

static bool take_flag(json_t *source, const char *key, bool *out, GError **error) {
    const json_t *flag = json_object_get(source, key);
    *out = json_is_true(flag);
    return !flag || json_is_boolean(flag) || run__take_wrong(error, key, "true or false");
}

/* What older servers do not say. */
static bool take_options(json_t *source, run_job *job, GError **error) {
    json_t *network = json_object_get(source, "network");
    const char *word = json_string_value(network);
    job->network_off = g_strcmp0(word, "off") == 0;
    return (!network || job->network_off || g_strcmp0(word, "on") == 0 ||
            run__take_wrong(error, "network", "\"on\" or \"off\"")) &&
           take_count(source, &job->count, error) &&
           take_flag(source, "count_both", &job->count_both, error) &&
           take_flag(source, "in_turn", &job->in_turn, error) &&
           run__take_real(source, "precision_percent", 0, 100, 0, &job->precision_percent, error) &&
           (!json_object_get(source, "warmup_evidence") ||
            run__take_text(source, "warmup_evidence", &job->warmup_evidence, error)) &&
           run__take_real(source, "budget_minutes", 0, RUN_BUDGET_MINUTES_MAX, 0,
                          &job->budget_minutes, error) &&
           run__take_real(source, "confidence", 0.5, 0.9999, 0.95, &job->confidence, error);
}

#define LISTED(name, word) ", " word

static bool take_driver(json_t *source, run_job *job, GError **error) {
    static const char *const names[] = {CFG_DRIVERS(CFG_WORD)};
    static const char listed[] = CFG_DRIVERS(LISTED);
    const char *driver = json_string_value(json_object_get(source, "driver"));
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_strcmp0(driver, names[i]) == 0) {
            job->driver = (cfg_driver)i;
            return true;
        }
    }
    g_autofree char *want =
        g_strconcat("one of ", listed + 2, "; a newer server needs a newer runner", NULL);
    return run__take_wrong(error, "driver", want);
}

static bool take_moobench(json_t *source, run_job *job, GError **error) {
    for (unsigned i = 0; i < job->configurations_count; i++) {
        json_t *one = json_array_get(json_object_get(source, "configurations"), i);
        if (!run__take_unsigned(one, "index", 0, RUN_INDEX_MAX, &job->configurations[i].index,
                                error))
            return false;
    }
    return run__take_path(source, "framework", &job->framework, error) &&
           run__take_path(source, "script", &job->script, error) &&
           (json_object_get(source, "results") == NULL ||
            run__take_path(source, "results", &job->results, error));
}

static bool take_format(json_t *object, cfg_read_format *out, GError **error) {
    static const char *const names[] = {CFG_READ_FORMATS(CFG_WORD)};
    const char *format = json_string_value(json_object_get(object, "format"));
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_strcmp0(format, names[i]) == 0) {
            *out = (cfg_read_format)i;
            return true;
        }
    }
    return run__take_wrong(
        error, "read.format",
        "\"pattern\", \"jmh-json\", \"google-benchmark-json\", \"hyperfine-json\" or "
        "\"gungraun-json\"; a newer server needs a newer runner");
}

static bool take_read(json_t *source, cfg_read *read, GError **error) {
    return take_format(source, &read->format, error) &&
           run__take_choice(source, "from", "output", "result", &read->from_result, error) &&
           run__take_choice(source, "scope", "line", "whole", &read->whole, error) &&
           run__take_choice(source, "several", "refuse", "samples", &read->samples, error) &&
           run__take_choice(source, "time", "real", "cpu", &read->cpu_time, error) &&
           run__take_unsigned(source, "match_limit", 1, G_MAXINT, &read->match_limit, error) &&
           run__take_unsigned(source, "timeout_seconds", 1, RUN_READ_TIMEOUT_S_MAX,
                              &read->timeout_s, error) &&
           run__take_number(source, "size_limit_bytes", 1, RUN_READ_BYTES_MAX,
                            &read->size_limit_bytes, error) &&
           (read->format != CFG_READ_PATTERN ||
            run__take_text(source, "pattern", &read->pattern, error)) &&
           (json_object_get(source, "unit") == NULL ||
            run__take_text(source, "unit", &read->unit, error));
}

static bool take_command(json_t *source, run_job *job, GError **error) {
    for (unsigned i = 0; i < job->configurations_count; i++) {
        json_t *one = json_array_get(json_object_get(source, "configurations"), i);
        if ((i == 0 || !job->whole_rounds) && !job->configurations[i].command[0])
            return run__take_wrong(error, "command", "a program and its arguments");
        if (json_object_get(one, "result") != NULL &&
            !run__take_text(one, "result", &job->configurations[i].result, error))
            return false;
    }
    return take_read(json_object_get(source, "read"), &job->read, error);
}

static bool take_driver_keys(json_t *source, run_job *job, GError **error) {
    job->whole_rounds = json_is_true(json_object_get(source, "whole_rounds"));
    if (job->whole_rounds && job->budget_minutes > 0)
        return run__take_wrong(error, "budget_minutes", "left out with whole_rounds");
    return run__take_words(source, "runtime", &job->runtime, error) &&
           (job->driver == CFG_DRIVER_MOOBENCH  ? take_moobench(source, job, error)
            : job->driver == CFG_DRIVER_COMMAND ? take_command(source, job, error)
                                                : true);
}

static bool take_benchmark(json_t *source, run_job *job, GError **error) {
    return take_driver(source, job, error) &&
           run__take_words(source, "prepare", &job->prepare, error) &&
           run__take_words(source, "classpath", &job->classpath, error) &&
           run__take_unsigned(source, "prepare_timeout_seconds", 1, RUN_TIMEOUT_S_MAX,
                              &job->prepare_timeout_s, error) &&
           run__take_unsigned(source, "loops", 1, RUN_LOOPS_MAX, &job->loops, error) &&
           run__take_number(source, "method_time_ns", 0, 3600 * UINT64_C(1000000000),
                            &job->method_time_ns, error) &&
           run__take_unsigned(source, "recursion_depth", 1, RUN_DEPTH_MAX, &job->depth, error) &&
           run__take_unsigned(source, "threads", 1, RUN_THREADS_MAX, &job->threads, error) &&
           run__take_unsigned(source, "loop_timeout_seconds", 1, RUN_TIMEOUT_S_MAX,
                              &job->loop_timeout_s, error) &&
           run__take_unsigned(source, "rest_seconds", 0, 3600, &job->rest_s, error) &&
           take_options(source, job, error) && take_configurations(source, job, error) &&
           take_driver_keys(source, job, error);
}

static bool is_sha256(const char *text) {
    return strlen(text) == 64 && text[strspn(text, "0123456789abcdef")] == '\0';
}

/* It becomes the name of a file. */
static bool is_file_name(const char *name) {
    return strlen(name) <= NAME_BYTES_MAX && g_ascii_isalnum(name[0]) &&
           name[strspn(
               name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-")] == '\0';
}

static bool take_artifact(json_t *source, const char *key, run_job_artifact *out, GError **error) {
    json_t *artifact = json_object_get(source, key);
    bool good = run__take_text(artifact, "name", &out->name, error) &&
                (is_file_name(out->name) || run__take_wrong(error, "name", "a file name")) &&
                run__take_text(artifact, "sha256", &out->sha256, error) &&
                (is_sha256(out->sha256) || run__take_wrong(error, "sha256", "a SHA-256 in hex")) &&
                run__take_text(artifact, "url", &out->url, error) &&
                /* The token goes with it: to the server it belongs to, and nowhere else. */
                ((out->url[0] == '/' && out->url[1] != '/') ||
                 run__take_wrong(error, "url", "a path on the server")) &&
                run__take_number(artifact, "bytes", 1, INT64_MAX, &out->bytes, error);
    if (!good)
        g_prefix_error(error, "%s: ", key);
    return good;
}

static bool take_artifacts(json_t *source, run_job *job, GError **error) {
    json_t *name = json_object_get(json_object_get(source, "benchmark"), "artifact");
    if (!name || json_is_null(name))
        return true;
    return take_artifact(source, "artifact", &job->artifact, error) &&
           (!job->before || take_artifact(source, "before_artifact", &job->before_artifact, error));
}

/* A trial has two commits, everything else one. */
static bool take_before(json_t *source, run_job *job, GError **error) {
    const char *kind = json_string_value(json_object_get(source, "kind"));
    json_t *before = json_object_get(source, "before");
    if (g_strcmp0(kind, "confirmation") != 0 && g_strcmp0(kind, "bisection") != 0 &&
        g_strcmp0(kind, "explain") != 0) {
        return !before || json_is_null(before) ||
               run__take_wrong(error, "before",
                               "left out unless \"kind\" is confirmation, bisection or explain; "
                               "a newer server needs a newer runner");
    }
    return run__take_text(source, "before", &job->before, error) &&
           ((is_commit(job->before) && strcmp(job->before, job->commit) != 0) ||
            run__take_wrong(error, "before",
                            "a full commit id in hex, another one than \"commit\""));
}

/* What a job that explains may take. */
static bool take_explain(json_t *source, run_job *job, GError **error) {
    double minutes = 0;
    if (g_strcmp0(json_string_value(json_object_get(source, "kind")), "explain") != 0)
        return true;
    if (!run__take_real(source, "explain_minutes", RUN_EXPLAIN_MINUTES_LEAST,
                        RUN_EXPLAIN_MINUTES_MAX, 0, &minutes, error))
        return false;
    job->explain_s = (unsigned)ceil(minutes * 60);
    return run__take_words(source, "profile_command", &job->profile_command, error) &&
           (!json_object_get(source, "profile_root") ||
            run__take_text(source, "profile_root", &job->profile_root, error));
}

/* Older servers do not say. */
static bool take_minimum(json_t *source, run_job *job, GError **error) {
    json_t *value = json_object_get(source, "minimum_loops");
    job->minimum_loops = RUN_MINIMUM_LOOPS;
    return !value || json_is_null(value) ||
           run__take_unsigned(source, "minimum_loops", 1, RUN_LOOPS_MAX, &job->minimum_loops,
                              error);
}

static bool take_job(json_t *source, run_job *job, GError **error) {
    json_t *repository = json_object_get(source, "repository");
    uint64_t id = 0;
    if (!run__take_number(source, "id", 1, INT64_MAX, &id, error))
        return false;
    job->id = (int64_t)id;
    return run__take_text(source, "project", &job->project, error) &&
           run__take_number(source, "seed", 0, INT64_MAX, &job->seed, error) &&
           run__take_text(source, "commit", &job->commit, error) &&
           (is_commit(job->commit) ||
            run__take_wrong(error, "commit", "a full commit id in hex")) &&
           take_before(source, job, error) && take_explain(source, job, error) &&
           take_minimum(source, job, error) &&
           run__take_text(repository, "url", &job->url, error) &&
           (is_url(job->url) || run__take_wrong(error, "url",
                                                "an https, http, ssh, git or file URL, "
                                                "user@host:path or an absolute path")) &&
           run__take_text(repository, "branch", &job->branch, error) &&
           (is_branch(job->branch) || run__take_wrong(error, "branch", "a branch name")) &&
           take_benchmark(json_object_get(source, "benchmark"), job, error) &&
           take_artifacts(source, job, error);
}

run_job *run_job_parse(json_t *source, GError **error) {
    g_autoptr(run_job) job = g_new0(run_job, 1);
    job->source = json_incref(source);
    return take_job(source, job, error) ? g_steal_pointer(&job) : NULL;
}

static void clear_artifact(run_job_artifact *artifact) {
    g_free(artifact->name);
    g_free(artifact->sha256);
    g_free(artifact->url);
}

void run_job_free(run_job *job) {
    if (!job)
        return;
    for (unsigned i = 0; i < job->configurations_count; i++) {
        run_configuration *one = &job->configurations[i];
        g_free(one->name);
        g_strfreev(one->command);
        g_strfreev(one->options);
        g_strfreev(one->environment);
        g_strfreev(one->verify);
        g_free(one->result);
        if (one->receiver) {
            g_strfreev(one->receiver->command);
            g_free(one->receiver->ready);
            g_free(one->receiver);
        }
    }
    g_free(job->configurations);
    clear_artifact(&job->artifact);
    clear_artifact(&job->before_artifact);
    g_free(job->project);
    g_free(job->commit);
    g_free(job->before);
    g_free(job->url);
    g_free(job->branch);
    g_strfreev(job->prepare);
    g_strfreev(job->classpath);
    g_strfreev(job->runtime);
    g_strfreev(job->profile_command);
    g_free(job->profile_root);
    g_free(job->framework);
    g_free(job->warmup_evidence);
    g_free(job->script);
    g_free(job->results);
    g_free(job->read.pattern);
    g_free(job->read.unit);
    json_decref(job->source);
    g_free(job);
}

int run_job_find(const run_job *job, const char *configuration) {
    for (unsigned i = 0; configuration && i < job->configurations_count; i++)
        if (g_strcmp0(job->configurations[i].name, configuration) == 0)
            return (int)i;
    return -1;
}

unsigned run_job_commits(const run_job *job) {
    return job->before ? 2 : 1;
}

const char *run_job_commit(const run_job *job, unsigned which) {
    return which == RUN_BEFORE ? job->before : job->commit;
}

const run_job_artifact *run_job_artifact_of(const run_job *job, unsigned which) {
    const run_job_artifact *one = which == RUN_BEFORE ? &job->before_artifact : &job->artifact;
    return one->name ? one : NULL;
}

uint64_t run_job_calls(const run_job *job, unsigned configuration) {
    return job->configurations[configuration].total_calls * job->threads;
}

static bool is_python(const char *program) {
    g_autofree char *name = g_path_get_basename(program);
    return g_str_has_prefix(name, "python") && strspn(name + 6, "0123456789.") == strlen(name + 6);
}

bool run_job_runs_python(const run_job *job) {
    const GStrv command = job->configurations_count > 0 ? job->configurations[0].command : NULL;
    return job->driver == CFG_DRIVER_NATIVE && command && command[0] && is_python(command[0]);
}
