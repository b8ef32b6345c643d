#include "runner/measure/job.h"

#include "runner/error.h"
#include "runner/protocol.h"

#include <inttypes.h>
#include <string.h>

#define NAME_BYTES_MAX 128

static bool wrong(GError **error, const char *key, const char *expected) {
    g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "job: \"%s\" must be %s", key, expected);
    return false;
}

static bool take_number(json_t *object, const char *key, uint64_t low, uint64_t high, uint64_t *out,
                        GError **error) {
    json_t *value = json_object_get(object, key);
    json_int_t number = json_integer_value(value);
    if (json_is_integer(value) && number >= 0 && (uint64_t)number >= low &&
        (uint64_t)number <= high) {
        *out = (uint64_t)number;
        return true;
    }
    g_autofree char *expected =
        g_strdup_printf("a whole number from %" PRIu64 " to %" PRIu64, low, high);
    return wrong(error, key, expected);
}

static bool take_unsigned(json_t *object, const char *key, unsigned low, unsigned high,
                          unsigned *out, GError **error) {
    uint64_t number = 0;
    bool good = take_number(object, key, low, high, &number, error);
    *out = (unsigned)number;
    return good;
}

/* No control characters and no NUL: the text may reach argv, a path or a log line. */
static bool is_plain(json_t *value) {
    const char *text = json_string_value(value);
    size_t length = json_string_length(value);
    if (text == NULL || length > RUN_WORD_BYTES_MAX || strlen(text) != length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f) {
            return false;
        }
    }
    return true;
}

static bool take_text(json_t *object, const char *key, char **out, GError **error) {
    json_t *value = json_object_get(object, key);
    if (!is_plain(value) || json_string_length(value) == 0) {
        return wrong(error, key, "a text without control characters");
    }
    *out = g_strdup(json_string_value(value));
    return true;
}

static bool take_words(json_t *object, const char *key, GStrv *out, GError **error) {
    json_t *list = json_object_get(object, key);
    size_t count = json_array_size(list);
    if ((list != NULL && !json_is_null(list) && !json_is_array(list)) || count > RUN_WORDS_MAX) {
        return wrong(error, key, "a list of texts");
    }
    GStrv words = g_new0(char *, count + 1);
    *out = words;
    for (size_t i = 0; i < count; i++) {
        json_t *word = json_array_get(list, i);
        if (json_string_value(word) == NULL || json_string_length(word) > RUN_WORD_BYTES_MAX ||
            strlen(json_string_value(word)) != json_string_length(word)) {
            return wrong(error, key, "a list of texts");
        }
        words[i] = g_strdup(json_string_value(word));
    }
    return true;
}

static bool is_variable_name(const char *name) {
    return name[0] != '\0' && !g_ascii_isdigit(name[0]) &&
           name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] ==
               '\0';
}

static bool take_environment(json_t *object, GStrv *out, GError **error) {
    json_t *map = json_object_get(object, "environment");
    if (map != NULL && !json_is_null(map) && !json_is_object(map)) {
        return wrong(error, "environment", "an object of texts");
    }
    GStrv words = g_new0(char *, json_object_size(map) + 1);
    *out = words;
    const char *name;
    json_t *value;
    json_object_foreach(map, name, value) {
        if (!is_variable_name(name) || json_string_value(value) == NULL ||
            json_string_length(value) > RUN_WORD_BYTES_MAX ||
            strlen(json_string_value(value)) != json_string_length(value)) {
            return wrong(error, "environment", "an object of texts, named [A-Za-z_][A-Za-z0-9_]*");
        }
        *words++ = g_strdup_printf("%s=%s", name, json_string_value(value));
    }
    return true;
}

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
    return colon != NULL && colon[1] != ':' && text[0] != '-' && strchr(text, '@') != NULL &&
           strcspn(text, "/") > (size_t)(colon - text);
}

static bool take_configuration(json_t *source, uint64_t *calls, run_configuration *out,
                               GError **error) {
    bool good =
        take_text(source, "name", &out->name, error) &&
        (is_identifier(out->name) || wrong(error, "name", "an identifier")) &&
        take_words(source, "command", &out->command, error) &&
        take_words(source, "options", &out->options, error) &&
        take_words(source, "verify", &out->verify, error) &&
        take_environment(source, &out->environment, error) &&
        take_number(source, "total_calls", 1, RUN_TOTAL_CALLS_MAX, &out->total_calls, error) &&
        take_number(source, "warmup_calls", 0, RUN_TOTAL_CALLS_MAX, &out->warmup_calls, error);
    if (good && out->warmup_calls >= out->total_calls) {
        good = wrong(error, "warmup_calls", "less than total_calls");
    }
    *calls = MAX(*calls, out->total_calls);
    return good;
}

/* Parents come before their children. */
static bool take_parent(json_t *source, const run_job *job, run_configuration *out,
                        GError **error) {
    json_t *parent = json_object_get(source, "parent");
    bool none = parent == NULL || json_is_null(parent);
    out->parent = none ? -1 : run_job_find(job, json_string_value(parent));
    return none || (out->parent >= 0 && &job->configurations[out->parent] != out) ||
           wrong(error, "parent", "a configuration above");
}

static bool take_configurations(json_t *benchmark, run_job *job, GError **error) {
    json_t *list = json_object_get(benchmark, "configurations");
    size_t count = json_array_size(list);
    if (count < 1 || count > RUN_CONFIGURATIONS_MAX) {
        return wrong(error, "configurations", "a list of 1 to 64 objects");
    }
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
        if (run_job_find(job, one->name) != (int)i) {
            return wrong(error, "configurations", "named differently, each one");
        }
    }
    if (most_calls * job->threads > RUN_TOTAL_CALLS_MAX) {
        return wrong(error, "total_calls", "at most 1000000000, all threads together");
    }
    return true;
}

static bool take_real(json_t *object, const char *key, double low, double high, double missing,
                      double *out, GError **error) {
    json_t *value = json_object_get(object, key);
    *out = json_is_number(value) ? json_number_value(value) : missing;
    if ((value == NULL || json_is_null(value) || json_is_number(value)) && *out >= low &&
        *out <= high) {
        return true;
    }
    g_autofree char *expected = g_strdup_printf("a number from %g to %g", low, high);
    return wrong(error, key, expected);
}

/* What servers of before do not say. */
static bool take_options(json_t *source, run_job *job, GError **error) {
    json_t *network = json_object_get(source, "network");
    const char *word = json_string_value(network);
    job->network_off = g_strcmp0(word, "off") == 0;
    return (network == NULL || job->network_off || g_strcmp0(word, "on") == 0 ||
            wrong(error, "network", "\"on\" or \"off\"")) &&
           take_real(source, "precision_percent", 0, 100, 0, &job->precision_percent, error) &&
           take_real(source, "confidence", 0.5, 0.9999, 0.95, &job->confidence, error);
}

static bool take_driver(json_t *source, run_job *job, GError **error) {
    static const char *const names[] = {"native", "java", "moobench", "command"};
    const char *driver = json_string_value(json_object_get(source, "driver"));
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_strcmp0(driver, names[i]) == 0) {
            job->driver = (run_driver)i;
            return true;
        }
    }
    return wrong(error, "driver",
                 "\"native\", \"java\", \"moobench\" or \"command\"; a newer server needs a newer "
                 "runner");
}

/* Below the checkout, whatever a server sends. */
static bool is_below(const char *path) {
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);
    for (size_t i = 0; parts[i] != NULL; i++) {
        if (parts[i][0] == '\0' || strcmp(parts[i], "..") == 0) {
            return false;
        }
    }
    return path[0] != '-';
}

static bool take_path(json_t *object, const char *key, char **out, GError **error) {
    return take_text(object, key, out, error) &&
           (is_below(*out) || wrong(error, key, "a relative path without \"..\""));
}

static bool take_moobench(json_t *source, run_job *job, GError **error) {
    for (unsigned i = 0; i < job->configurations_count; i++) {
        json_t *one = json_array_get(json_object_get(source, "configurations"), i);
        if (!take_unsigned(one, "index", 0, RUN_INDEX_MAX, &job->configurations[i].index, error)) {
            return false;
        }
    }
    return take_path(source, "framework", &job->framework, error) &&
           take_path(source, "script", &job->script, error) &&
           (json_object_get(source, "results") == NULL ||
            take_path(source, "results", &job->results, error));
}

/* One of two words; the first is 0. */
static bool take_choice(json_t *object, const char *key, const char *no, const char *yes, bool *out,
                        GError **error) {
    const char *word = json_string_value(json_object_get(object, key));
    g_autofree char *expected = g_strdup_printf("\"%s\" or \"%s\"", no, yes);
    *out = g_strcmp0(word, yes) == 0;
    return *out || g_strcmp0(word, no) == 0 || wrong(error, key, expected);
}

static bool take_format(json_t *object, cfg_read_format *out, GError **error) {
    static const char *const names[] = {"pattern", "jmh-json", "google-benchmark-json"};
    const char *format = json_string_value(json_object_get(object, "format"));
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_strcmp0(format, names[i]) == 0) {
            *out = (cfg_read_format)i;
            return true;
        }
    }
    return wrong(error, "read.format",
                 "\"pattern\", \"jmh-json\" or \"google-benchmark-json\"; a newer server needs a "
                 "newer runner");
}

static bool take_read(json_t *source, cfg_read *read, GError **error) {
    return take_format(source, &read->format, error) &&
           take_choice(source, "from", "output", "result", &read->from_result, error) &&
           take_choice(source, "scope", "line", "whole", &read->whole, error) &&
           take_choice(source, "several", "refuse", "samples", &read->samples, error) &&
           take_choice(source, "time", "real", "cpu", &read->cpu_time, error) &&
           take_unsigned(source, "match_limit", 1, G_MAXINT, &read->match_limit, error) &&
           take_unsigned(source, "timeout_seconds", 1, RUN_READ_TIMEOUT_S_MAX, &read->timeout_s,
                         error) &&
           take_number(source, "size_limit_bytes", 1, RUN_READ_BYTES_MAX, &read->size_limit_bytes,
                       error) &&
           (read->format != CFG_READ_PATTERN ||
            take_text(source, "pattern", &read->pattern, error)) &&
           (json_object_get(source, "unit") == NULL ||
            take_text(source, "unit", &read->unit, error));
}

static bool take_command(json_t *source, run_job *job, GError **error) {
    for (unsigned i = 0; i < job->configurations_count; i++) {
        json_t *one = json_array_get(json_object_get(source, "configurations"), i);
        if ((i == 0 || !job->whole_rounds) && job->configurations[i].command[0] == NULL) {
            return wrong(error, "command", "a program and its arguments");
        }
        if (json_object_get(one, "result") != NULL &&
            !take_text(one, "result", &job->configurations[i].result, error)) {
            return false;
        }
    }
    return take_read(json_object_get(source, "read"), &job->read, error);
}

static bool take_driver_keys(json_t *source, run_job *job, GError **error) {
    job->whole_rounds = json_is_true(json_object_get(source, "whole_rounds"));
    return take_words(source, "runtime", &job->runtime, error) &&
           (job->driver == RUN_DRIVER_MOOBENCH  ? take_moobench(source, job, error)
            : job->driver == RUN_DRIVER_COMMAND ? take_command(source, job, error)
                                                : true);
}

static bool take_benchmark(json_t *source, run_job *job, GError **error) {
    return take_driver(source, job, error) && take_words(source, "prepare", &job->prepare, error) &&
           take_words(source, "classpath", &job->classpath, error) &&
           take_unsigned(source, "prepare_timeout_seconds", 1, RUN_TIMEOUT_S_MAX,
                         &job->prepare_timeout_s, error) &&
           take_unsigned(source, "loops", 1, RUN_LOOPS_MAX, &job->loops, error) &&
           take_number(source, "method_time_ns", 0, 3600 * UINT64_C(1000000000),
                       &job->method_time_ns, error) &&
           take_unsigned(source, "recursion_depth", 1, RUN_DEPTH_MAX, &job->depth, error) &&
           take_unsigned(source, "threads", 1, RUN_THREADS_MAX, &job->threads, error) &&
           take_unsigned(source, "loop_timeout_seconds", 1, RUN_TIMEOUT_S_MAX, &job->loop_timeout_s,
                         error) &&
           take_unsigned(source, "rest_seconds", 0, 3600, &job->rest_s, error) &&
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
    bool good = take_text(artifact, "name", &out->name, error) &&
                (is_file_name(out->name) || wrong(error, "name", "a file name")) &&
                take_text(artifact, "sha256", &out->sha256, error) &&
                (is_sha256(out->sha256) || wrong(error, "sha256", "a SHA-256 in hex")) &&
                take_text(artifact, "url", &out->url, error) &&
                /* The token goes with it: to the server it belongs to, and nowhere else. */
                ((out->url[0] == '/' && out->url[1] != '/') ||
                 wrong(error, "url", "a path on the server")) &&
                take_number(artifact, "bytes", 1, INT64_MAX, &out->bytes, error);
    if (!good) {
        g_prefix_error(error, "%s: ", key);
    }
    return good;
}

static bool take_artifacts(json_t *source, run_job *job, GError **error) {
    json_t *name = json_object_get(json_object_get(source, "benchmark"), "artifact");
    if (name == NULL || json_is_null(name)) {
        return true;
    }
    return take_artifact(source, "artifact", &job->artifact, error) &&
           (job->against == NULL ||
            take_artifact(source, "against_artifact", &job->against_artifact, error));
}

/* A trial has two commits, everything else one. */
static bool take_against(json_t *source, run_job *job, GError **error) {
    const char *kind = json_string_value(json_object_get(source, "kind"));
    json_t *against = json_object_get(source, "against");
    if (g_strcmp0(kind, "confirmation") != 0 && g_strcmp0(kind, "bisection") != 0) {
        return against == NULL || json_is_null(against) ||
               wrong(error, "against",
                     "left out where \"kind\" is no confirmation or bisection; "
                     "a newer server needs a newer runner");
    }
    return take_text(source, "against", &job->against, error) &&
           ((is_commit(job->against) && strcmp(job->against, job->commit) != 0) ||
            wrong(error, "against", "a full commit id in hex, another one than \"commit\""));
}

/* Servers of before do not say. */
static bool take_minimum(json_t *source, run_job *job, GError **error) {
    json_t *value = json_object_get(source, "minimum_loops");
    job->minimum_loops = RUN_MINIMUM_LOOPS;
    return value == NULL || json_is_null(value) ||
           take_unsigned(source, "minimum_loops", 1, RUN_LOOPS_MAX, &job->minimum_loops, error);
}

static bool take_job(json_t *source, run_job *job, GError **error) {
    json_t *repository = json_object_get(source, "repository");
    uint64_t id = 0;
    if (!take_number(source, "id", 1, INT64_MAX, &id, error)) {
        return false;
    }
    job->id = (int64_t)id;
    return take_text(source, "project", &job->project, error) &&
           take_number(source, "seed", 0, INT64_MAX, &job->seed, error) &&
           take_text(source, "commit", &job->commit, error) &&
           (is_commit(job->commit) || wrong(error, "commit", "a full commit id in hex")) &&
           take_against(source, job, error) && take_minimum(source, job, error) &&
           take_text(repository, "url", &job->url, error) &&
           (is_url(job->url) || wrong(error, "url",
                                      "an https, http, ssh, git or file URL, "
                                      "user@host:path or an absolute path")) &&
           take_text(repository, "branch", &job->branch, error) &&
           (is_branch(job->branch) || wrong(error, "branch", "a branch name")) &&
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
    if (job == NULL) {
        return;
    }
    for (unsigned i = 0; i < job->configurations_count; i++) {
        run_configuration *one = &job->configurations[i];
        g_free(one->name);
        g_strfreev(one->command);
        g_strfreev(one->options);
        g_strfreev(one->environment);
        g_strfreev(one->verify);
        g_free(one->result);
    }
    g_free(job->configurations);
    clear_artifact(&job->artifact);
    clear_artifact(&job->against_artifact);
    g_free(job->project);
    g_free(job->commit);
    g_free(job->against);
    g_free(job->url);
    g_free(job->branch);
    g_strfreev(job->prepare);
    g_strfreev(job->classpath);
    g_strfreev(job->runtime);
    g_free(job->framework);
    g_free(job->script);
    g_free(job->results);
    g_free(job->read.pattern);
    g_free(job->read.unit);
    json_decref(job->source);
    g_free(job);
}

int run_job_find(const run_job *job, const char *configuration) {
    for (unsigned i = 0; i < job->configurations_count; i++) {
        if (g_strcmp0(job->configurations[i].name, configuration) == 0) {
            return (int)i;
        }
    }
    return -1;
}

unsigned run_job_sides(const run_job *job) {
    return job->against != NULL ? 2 : 1;
}

const char *run_job_commit(const run_job *job, unsigned side) {
    return side == 1 ? job->against : job->commit;
}

const run_job_artifact *run_job_artifact_of(const run_job *job, unsigned side) {
    const run_job_artifact *one = side == 1 ? &job->against_artifact : &job->artifact;
    return one->name != NULL ? one : NULL;
}

uint64_t run_job_calls(const run_job *job, unsigned configuration) {
    return job->configurations[configuration].total_calls * job->threads;
}
