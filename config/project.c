#include "config/config.h"
#include "config/limits.h"
#include "config/number.h"
#include "config/projects.h"
#include "config/schedule.h"
#include "config/sections.h"
#include "config/yaml.h"

#include <string.h>

enum { LIMITS_MAX = 50, PATHS_MAX = 100, PATH_MAX_BYTES = 200 };
enum { BRANCHES_MAX = 20, BRANCH_NAME_MAX = 100 /* of one among several: it names files */ };

typedef struct {
    double *confidence, *minimum_effect_percent, *minimum_effect_ns, *remeasure_minutes,
        *explain_minutes;
    uint64_t *baseline_nights, *minimum_loops, *remeasure_loops, *ageing_days;
    double *announced_percent;
    char **announcers, **profile_command, **limits;
    unsigned announcers_count, profile_command_count, limits_count;
    char *profile_root;
    cfg__flag *remeasure, *tell_counts, *dimensions;
    char *trim;
} raw_detection;

typedef struct {
    double *minutes, *minutes_a_day, *percent;
    char *label;
} raw_pull_requests;

typedef struct {
    char *name, *title, *repository, *branch, *night_at, *since, *commit_url, *webhook_secret_file,
        *webhook_old_secret_file, *schedule, *time_zone, *releases, *ssh_key_file;
    cfg__flag *enabled;
    cfg__raw_benchmark *benchmark;
    raw_detection *detection;
    raw_pull_requests *pull_requests;
    cfg__raw_notify *notify;
    unsigned notify_count;
    char **node_labels, **paths, **paths_ignore;
    unsigned node_labels_count, paths_count, paths_ignore_count;
    char **ssh_host_fingerprints;
    unsigned ssh_host_fingerprints_count;
    char **branches;
    unsigned branches_count;
} raw_project;

#define TEXT(key, flags)                                                                           \
    CYAML_FIELD_STRING_PTR(#key, (flags) | CYAML_FLAG_POINTER, raw_project, key, 1, CYAML_UNLIMITED)

static const cyaml_schema_field_t detection_fields[] = {
    CYAML_FIELD_FLOAT_PTR("confidence", CYAML_FLAG_OPTIONAL, raw_detection, confidence),
    CYAML_FIELD_FLOAT_PTR("minimum_effect_percent", CYAML_FLAG_OPTIONAL, raw_detection,
                          minimum_effect_percent),
    CYAML_FIELD_FLOAT_PTR("minimum_effect_ns", CYAML_FLAG_OPTIONAL, raw_detection,
                          minimum_effect_ns),
    CYAML_FIELD_UINT_PTR("baseline_nights", CYAML_FLAG_OPTIONAL, raw_detection, baseline_nights),
    CYAML_FIELD_UINT_PTR("minimum_loops", CYAML_FLAG_OPTIONAL, raw_detection, minimum_loops),
    CYAML_FIELD_STRING_PTR("trim", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, raw_detection, trim, 1,
                           CYAML_UNLIMITED),
    CYAML_FIELD_ENUM_PTR("remeasure", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, raw_detection,
                         remeasure, cfg__flags, 2),
    CYAML_FIELD_ENUM_PTR("tell_counts", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, raw_detection,
                         tell_counts, cfg__flags, 2),
    CYAML_FIELD_ENUM_PTR("dimensions", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, raw_detection,
                         dimensions, cfg__flags, 2),
    CYAML_FIELD_UINT_PTR("remeasure_loops", CYAML_FLAG_OPTIONAL, raw_detection, remeasure_loops),
    CYAML_FIELD_FLOAT_PTR("remeasure_minutes", CYAML_FLAG_OPTIONAL, raw_detection,
                          remeasure_minutes),
    CYAML_FIELD_FLOAT_PTR("explain_minutes", CYAML_FLAG_OPTIONAL, raw_detection, explain_minutes),
    CYAML_FIELD_SEQUENCE("profile_command", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, raw_detection,
                         profile_command, &cfg__string, 1, 100),
    CYAML_FIELD_STRING_PTR("profile_root", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, raw_detection,
                           profile_root, 1, CYAML_UNLIMITED),
    CYAML_FIELD_UINT_PTR("ageing_days", CYAML_FLAG_OPTIONAL, raw_detection, ageing_days),
    CYAML_FIELD_FLOAT_PTR("announced_percent", CYAML_FLAG_OPTIONAL, raw_detection,
                          announced_percent),
    CYAML_FIELD_SEQUENCE("announcers", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, raw_detection,
                         announcers, &cfg__string, 0, 100),
    CYAML_FIELD_SEQUENCE("limits", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, raw_detection, limits,
                         &cfg__string, 0, LIMITS_MAX),
    CYAML_FIELD_END};

static const cyaml_schema_field_t pull_requests_fields[] = {
    CYAML_FIELD_FLOAT_PTR("minutes", CYAML_FLAG_OPTIONAL, raw_pull_requests, minutes),
    CYAML_FIELD_FLOAT_PTR("minutes_a_day", CYAML_FLAG_OPTIONAL, raw_pull_requests, minutes_a_day),
    CYAML_FIELD_FLOAT_PTR("percent", CYAML_FLAG_OPTIONAL, raw_pull_requests, percent),
    CYAML_FIELD_STRING_PTR("label", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, raw_pull_requests,
                           label, 1, 100),
    CYAML_FIELD_END};

static const cyaml_schema_field_t fields[] = {
    TEXT(name, CYAML_FLAG_DEFAULT),
    TEXT(title, CYAML_FLAG_OPTIONAL),
    TEXT(repository, CYAML_FLAG_DEFAULT),
    TEXT(branch, CYAML_FLAG_OPTIONAL),
    TEXT(night_at, CYAML_FLAG_OPTIONAL),
    TEXT(since, CYAML_FLAG_OPTIONAL),
    TEXT(releases, CYAML_FLAG_OPTIONAL),
    TEXT(commit_url, CYAML_FLAG_OPTIONAL),
    TEXT(schedule, CYAML_FLAG_OPTIONAL),
    TEXT(time_zone, CYAML_FLAG_OPTIONAL),
    TEXT(webhook_secret_file, CYAML_FLAG_OPTIONAL),
    TEXT(webhook_old_secret_file, CYAML_FLAG_OPTIONAL),
    TEXT(ssh_key_file, CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_ENUM_PTR("enabled", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, raw_project, enabled,
                         cfg__flags, 2),
    CYAML_FIELD_MAPPING_PTR("benchmark", CYAML_FLAG_DEFAULT, raw_project, benchmark,
                            cfg__benchmark_fields),
    CYAML_FIELD_MAPPING_PTR("detection", CYAML_FLAG_OPTIONAL, raw_project, detection,
                            detection_fields),
    CYAML_FIELD_MAPPING_PTR("pull_requests", CYAML_FLAG_OPTIONAL, raw_project, pull_requests,
                            pull_requests_fields),
    CYAML_FIELD_SEQUENCE("notify", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, raw_project, notify,
                         &cfg__notify_schema, 0, 50),
    CYAML_FIELD_SEQUENCE("node_labels", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, raw_project,
                         node_labels, &cfg__string, 0, 32),
    CYAML_FIELD_SEQUENCE("paths", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, raw_project, paths,
                         &cfg__string, 1, PATHS_MAX),
    CYAML_FIELD_SEQUENCE("paths_ignore", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, raw_project,
                         paths_ignore, &cfg__string, 1, PATHS_MAX),
    CYAML_FIELD_SEQUENCE("branches", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER, raw_project,
                         branches, &cfg__string, 1, BRANCHES_MAX),
    CYAML_FIELD_SEQUENCE("ssh_host_fingerprints", CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER,
                         raw_project, ssh_host_fingerprints, &cfg__string, 0, 10),
    CYAML_FIELD_END};

static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, raw_project, fields)};

json_t *cfg_project_schema(void) {
    json_t *described = cfg__yaml_schema(&schema);
    json_object_set_new(described, "$schema",
                        json_string("http://json-schema.org/draft-07/schema#"));
    json_object_set_new(described, "title", json_string("a project of moowatch"));
    return described;
}

/* The benchmark's own command follows; what is written elsewhere than to {profile} is not found. */
static bool fill_profile(const cfg__yaml *yaml, const raw_detection *raw, cfg_project *project,
                         GError **error) {
    cfg_detection *out = &project->detection;
    out->profile_command = cfg__strings_copy(raw->profile_command, raw->profile_command_count);
    out->profile_command_count = raw->profile_command_count;
    out->profile_root = g_strdup(raw->profile_root);
    bool told = out->profile_command_count == 0;
    for (unsigned i = 0; i < out->profile_command_count; i++)
        told = told || strstr(out->profile_command[i], "{profile}") != NULL;
    if (!told)
        return cfg__yaml_wrong(yaml, error, "detection.profile_command",
                               "must name {profile}, the file that it writes collapsed stacks to");
    if (out->profile_command_count > 0 && project->benchmark.whole_rounds)
        return cfg__yaml_wrong(
            yaml, error, "detection.profile_command",
            "with whole_rounds one run measures all configurations, so none can be profiled alone");
    if (out->profile_root && out->profile_command_count == 0)
        return cfg__yaml_wrong(yaml, error, "detection.profile_root",
                               "needs profile_command, which is not set");
    return true;
}

static bool has_portion(const cfg_benchmark *benchmark, const char *portion) {
    for (unsigned i = 0; i < benchmark->configurations_count; i++)
        if (strcmp(benchmark->configurations[i].portion, portion) == 0)
            return true;
    return false;
}

static bool fill_limits(const cfg__yaml *yaml, const raw_detection *raw, cfg_project *project,
                        GError **error) {
    cfg_detection *out = &project->detection;
    out->limits = cfg__strings_copy(raw->limits, raw->limits_count);
    out->limits_count = raw->limits_count;
    for (unsigned i = 0; i < out->limits_count; i++) {
        g_auto(cfg_limit) limit = {0};
        g_autoptr(GError) problem = NULL;
        if (!cfg_limit_read(out->limits[i], &limit, &problem))
            return cfg__yaml_wrong(yaml, error, "detection.limits", "%s", problem->message);
        if (limit.portion && !has_portion(&project->benchmark, limit.portion))
            return cfg__yaml_wrong(yaml, error, "detection.limits",
                                   "\"%s\": \"%s\" is neither a portion of the benchmark nor a "
                                   "dimension (docs/dimensions.md)",
                                   out->limits[i], limit.portion);
    }
    return true;
}

static bool fill_detection(const cfg__yaml *yaml, const raw_detection *raw, cfg_project *project,
                           GError **error) {
    const raw_detection absent = {0};
    cfg_detection *out = &project->detection;
    if (!raw)
        raw = &absent;
    out->remeasure = cfg__flag_or(raw->remeasure, true);
    out->tell_counts = cfg__flag_or(raw->tell_counts, false);
    out->dimensions = cfg__flag_or(raw->dimensions, true);
    out->announcers = cfg__strings_copy(raw->announcers, raw->announcers_count);
    out->announcers_count = raw->announcers_count;
    out->trim = DET_TRIM_ENDS;
    if (raw->trim && det_trim_read(raw->trim, &out->trim) != DET_OK)
        return cfg__yaml_wrong(yaml, error, "detection.trim", "must be ends or slow");
    return fill_profile(yaml, raw, project, error) && fill_limits(yaml, raw, project, error) &&
           cfg__yaml_real(yaml, "detection.confidence", raw->confidence,
                          (cfg__real_range){0.95, 0.5, 0.9999}, &out->confidence, error) &&
           cfg__yaml_real(yaml, "detection.minimum_effect_percent", raw->minimum_effect_percent,
                          (cfg__real_range){1, 0, 1000}, &out->minimum_effect_percent, error) &&
           cfg__yaml_real(yaml, "detection.minimum_effect_ns", raw->minimum_effect_ns,
                          (cfg__real_range){1, 0, 1e12}, &out->minimum_effect_ns, error) &&
           cfg__yaml_unsigned(yaml, "detection.baseline_nights", raw->baseline_nights,
                              (cfg__range){30, 1, 1000}, &out->baseline_nights, error) &&
           cfg__yaml_unsigned(yaml, "detection.minimum_loops", raw->minimum_loops,
                              (cfg__range){2, 2, project->benchmark.loops}, &out->minimum_loops,
                              error) &&
           cfg__yaml_unsigned(yaml, "detection.remeasure_loops", raw->remeasure_loops,
                              (cfg__range){600, 5, 10000}, &out->remeasure_loops, error) &&
           cfg__yaml_real(yaml, "detection.remeasure_minutes", raw->remeasure_minutes,
                          (cfg__real_range){0, 0, 1440}, &out->remeasure_minutes, error) &&
           cfg__yaml_real(yaml, "detection.explain_minutes", raw->explain_minutes,
                          (cfg__real_range){CFG_EXPLAIN_MINUTES, 0, 1440}, &out->explain_minutes,
                          error) &&
           cfg__yaml_unsigned(yaml, "detection.ageing_days", raw->ageing_days,
                              (cfg__range){30, 0, 36500}, &out->ageing_days, error) &&
           cfg__yaml_real(yaml, "detection.announced_percent", raw->announced_percent,
                          (cfg__real_range){CFG_ANNOUNCED_PERCENT, 0, 1e6}, &out->announced_percent,
                          error);
}

static bool fill_pull_requests(const cfg__yaml *yaml, const raw_pull_requests *raw,
                               cfg_pull_requests *out, GError **error) {
    const raw_pull_requests absent = {0};
    if (!raw)
        raw = &absent;
    out->label = g_strdup(raw->label ? raw->label : CFG_PULL_LABEL);
    return cfg__yaml_real(yaml, "pull_requests.minutes", raw->minutes,
                          (cfg__real_range){0, 0, 1440}, &out->minutes, error) &&
           cfg__yaml_real(yaml, "pull_requests.minutes_a_day", raw->minutes_a_day,
                          (cfg__real_range){CFG_PULL_MINUTES_A_DAY, 0, 1440}, &out->minutes_a_day,
                          error) &&
           cfg__yaml_real(yaml, "pull_requests.percent", raw->percent,
                          (cfg__real_range){5, 0.01, 1000}, &out->percent, error);
}

/* Nights before 1970 do not count. */
static bool is_date(const char *text) {
    GDate date;
    return cfg_date_read(text, &date) && g_date_get_year(&date) >= 1970;
}

static bool is_time(const char *text) {
    return g_regex_match_simple("^([01][0-9]|2[0-3]):[0-5][0-9]$", text, G_REGEX_DOLLAR_ENDONLY, 0);
}

static bool is_repository(const char *text) {
    static const char *const schemes[] = {"https://", "http://", "ssh://", "git://", "file://"};
    for (size_t i = 0; i < G_N_ELEMENTS(schemes); i++)
        if (g_str_has_prefix(text, schemes[i]))
            return text[strlen(schemes[i])] != '-';
    /* git@host:path, or a path; never a remote helper such as ext:: */
    return text[0] != '-' && !strstr(text, "::") && !strstr(text, "://");
}

static bool is_ssh(const char *text) {
    return g_str_has_prefix(text, "ssh://") ||
           (!strstr(text, "://") && g_regex_match_simple("^[^/]+@[^/]+:", text, 0, 0));
}

static bool ssh_check(const cfg__yaml *yaml, const cfg_project *project, GError **error) {
    const char *key = project->ssh_key_file ? "ssh_key_file" : "ssh_host_fingerprints";
    if ((project->ssh_key_file || project->ssh_host_fingerprints_count > 0) &&
        !is_ssh(project->repository))
        return cfg__yaml_wrong(yaml, error, key,
                               "is only for a repository given as ssh://… or user@host:path");
    for (unsigned i = 0; i < project->ssh_host_fingerprints_count; i++)
        if (!g_regex_match_simple("^SHA256:[A-Za-z0-9+/]{43}$", project->ssh_host_fingerprints[i],
                                  G_REGEX_DOLLAR_ENDONLY, 0))
            return cfg__yaml_wrong(
                yaml, error, "ssh_host_fingerprints",
                "\"%s\" is not a fingerprint as ssh-keygen -l prints it: SHA256: and 43 characters",
                project->ssh_host_fingerprints[i]);
    return true;
}

static char *repository(const cfg__yaml *yaml, const char *text) {
    bool path = !strstr(text, "://") && !is_ssh(text);
    return path ? cfg__yaml_path(yaml, text) : g_strdup(text);
}

/* The branch before this one that would be kept under the same name; NULL: there is none. */
static const char *same_name(const raw_project *raw, unsigned which) {
    g_autofree char *own = cfg_branch_project("", raw->branches[which]);
    for (unsigned i = 0; i < which; i++) {
        g_autofree char *other = cfg_branch_project("", raw->branches[i]);
        if (strcmp(own, other) == 0)
            return raw->branches[i];
    }
    return NULL;
}

static bool branches_check(const cfg__yaml *yaml, const cfg_project *project,
                           const raw_project *raw, GError **error) {
    if (raw->branch && raw->branches)
        return cfg__yaml_wrong(yaml, error, "branches",
                               "replaces branch, its first is the main one; give only one of them");
    if (!cfg__is_branch(project->branch))
        return cfg__yaml_wrong(yaml, error, raw->branches ? "branches" : "branch",
                               "\"%s\" is not a valid branch name", project->branch);
    for (unsigned i = 1; i < raw->branches_count; i++) {
        const char *same = same_name(raw, i);
        if (!cfg__is_branch(raw->branches[i]) || strlen(raw->branches[i]) > BRANCH_NAME_MAX)
            return cfg__yaml_wrong(yaml, error, "branches",
                                   "\"%s\" is not a valid branch name of at most %d bytes",
                                   raw->branches[i], BRANCH_NAME_MAX);
        if (same)
            return cfg__yaml_wrong(yaml, error, "branches",
                                   "\"%s\" and \"%s\" would be kept under the same name; leave "
                                   "one of them out",
                                   same, raw->branches[i]);
    }
    return true;
}

/* A pattern that git would take for something else than a path from the top folder. */
static bool paths_check(const cfg__yaml *yaml, const char *key, char *const *patterns,
                        unsigned count, GError **error) {
    for (unsigned i = 0; i < count; i++)
        if (!*patterns[i] || strchr("!#/:\\", *patterns[i]) || strlen(patterns[i]) > PATH_MAX_BYTES)
            return cfg__yaml_wrong(
                yaml, error, key,
                "\"%s\" must be a pattern of paths from the top folder, such as "
                "src/ or *.md: 1 to %d bytes, without !, #, :, / or \\ at its head",
                patterns[i], PATH_MAX_BYTES);
    return true;
}

/* As the server will read it, in the file that says it. */
static bool schedule_check(const cfg__yaml *yaml, const cfg_project *project, GError **error) {
    g_autoptr(GError) wrong = NULL;
    g_autoptr(cfg_schedule) schedule =
        cfg_schedule_new(project->night_at, project->schedule, project->time_zone, &wrong);
    if (schedule)
        return true;
    const char *key = g_str_has_prefix(wrong->message, "time_zone") ? "time_zone" : "schedule";
    const char *what = strstr(wrong->message, ": ");
    return cfg__yaml_wrong(yaml, error, key, "%s", what ? what + 2 : wrong->message);
}

static bool check(const cfg__yaml *yaml, const cfg_project *project, const raw_project *raw,
                  GError **error) {
    if (!cfg_is_name(raw->name))
        return cfg__yaml_wrong(yaml, error, "name",
                               "\"%s\" must be a-z, 0-9, '.', '_', '-', at most 100 long",
                               raw->name);
    if (!is_repository(raw->repository))
        return cfg__yaml_wrong(yaml, error, "repository",
                               "\"%s\" is neither an https, http, ssh, git or file URL nor a path",
                               raw->repository);
    if (!branches_check(yaml, project, raw, error))
        return false;
    if (!is_time(project->night_at))
        return cfg__yaml_wrong(yaml, error, "night_at", "\"%s\" must read HH:MM, in UTC",
                               project->night_at);
    if (project->schedule && raw->night_at)
        return cfg__yaml_wrong(yaml, error, "schedule", "replaces night_at; give only one of them");
    if (project->time_zone && !project->schedule)
        return cfg__yaml_wrong(yaml, error, "time_zone",
                               "is only for schedule; night_at is in UTC");
    if (!schedule_check(yaml, project, error))
        return false;
    if (project->since && !is_date(project->since))
        return cfg__yaml_wrong(yaml, error, "since", "\"%s\" must be a date such as 2013-04-17",
                               project->since);
    if (project->releases && strlen(project->releases) > 200)
        return cfg__yaml_wrong(yaml, error, "releases",
                               "must be a pattern of tags such as v*, at most 200 bytes long");
    for (unsigned i = 0; i < project->node_labels_count; i++)
        if (!*project->node_labels[i] || strlen(project->node_labels[i]) > 100)
            return cfg__yaml_wrong(yaml, error, "node_labels",
                                   "each must be a runner's label of 1 to 100 bytes");
    if (project->commit_url && (!strstr(project->commit_url, "{commit}") ||
                                !(g_str_has_prefix(project->commit_url, "https://") ||
                                  g_str_has_prefix(project->commit_url, "http://"))))
        return cfg__yaml_wrong(yaml, error, "commit_url",
                               "must be an http or https URL that holds {commit}");
    return paths_check(yaml, "paths", project->paths, project->paths_count, error) &&
           paths_check(yaml, "paths_ignore", project->paths_ignore, project->paths_ignore_count,
                       error) &&
           ssh_check(yaml, project, error);
}

/* All else of a project is the same on each of its branches. */
static void branch_fill(const raw_project *raw, unsigned which, cfg_project *project) {
    g_autofree char *only = g_strdup(raw->branch ? raw->branch : "main");
    char *const alone[] = {only};
    const char *title = raw->title ? raw->title : raw->name;
    project->branches =
        cfg__strings_copy(raw->branches ? raw->branches : alone, MAX(raw->branches_count, 1));
    project->branches_count = MAX(raw->branches_count, 1);
    project->branch = g_strdup(project->branches[which]);
    project->main = which > 0 ? g_strdup(raw->name) : NULL;
    project->name =
        which > 0 ? cfg_branch_project(raw->name, project->branch) : g_strdup(raw->name);
    project->title =
        which > 0 ? g_strdup_printf("%s (%s)", title, project->branch) : g_strdup(title);
}

cfg_project *cfg_project_load(const char *path, GError **error) {
    return cfg_project_load_branch(path, 0, error);
}

cfg_project *cfg_project_load_branch(const char *path, unsigned which, GError **error) {
    g_autoptr(cfg__yaml) yaml = cfg__yaml_load(path, &schema, error);
    if (!yaml)
        return NULL;
    const raw_project *raw = cfg__yaml_data(yaml);
    g_autoptr(cfg_project) project = g_new0(cfg_project, 1);
    if (which >= MAX(raw->branches_count, 1)) {
        cfg__yaml_wrong(yaml, error, "branches",
                        "has only %u entries now; have moowatchd reload its configuration",
                        (unsigned)raw->branches_count);
        return NULL;
    }
    branch_fill(raw, which, project);
    project->repository = repository(yaml, raw->repository);
    project->night_at = g_strdup(raw->night_at ? raw->night_at : "03:00");
    project->schedule = g_strdup(raw->schedule);
    project->time_zone = g_strdup(raw->time_zone);
    project->since = g_strdup(raw->since);
    project->releases = g_strdup(raw->releases);
    project->commit_url = g_strdup(raw->commit_url);
    project->webhook_secret_file = cfg__yaml_path(yaml, raw->webhook_secret_file);
    project->webhook_old_secret_file = cfg__yaml_path(yaml, raw->webhook_old_secret_file);
    project->enabled = cfg__flag_or(raw->enabled, true);
    project->ssh_key_file = cfg__yaml_path(yaml, raw->ssh_key_file);
    project->ssh_host_fingerprints =
        cfg__strings_copy(raw->ssh_host_fingerprints, raw->ssh_host_fingerprints_count);
    project->ssh_host_fingerprints_count = raw->ssh_host_fingerprints_count;
    project->node_labels = cfg__strings_copy(raw->node_labels, raw->node_labels_count);
    project->node_labels_count = raw->node_labels_count;
    project->paths = cfg__strings_copy(raw->paths, raw->paths_count);
    project->paths_count = raw->paths_count;
    project->paths_ignore = cfg__strings_copy(raw->paths_ignore, raw->paths_ignore_count);
    project->paths_ignore_count = raw->paths_ignore_count;
    if (!check(yaml, project, raw, error) ||
        !cfg__benchmark_fill(yaml, raw->benchmark, &project->benchmark, error) ||
        !fill_detection(yaml, raw->detection, project, error) ||
        !fill_pull_requests(yaml, raw->pull_requests, &project->pull_requests, error) ||
        !cfg__notify_fill(yaml, raw->notify, raw->notify_count, project, error))
        return NULL;
    project->benchmark.confidence = project->detection.confidence;
    return g_steal_pointer(&project);
}

void cfg_project_free(cfg_project *project) {
    if (!project)
        return;
    cfg__benchmark_clear(&project->benchmark);
    cfg__notify_clear(project);
    g_free(project->name);
    g_free(project->title);
    g_free(project->repository);
    g_free(project->branch);
    g_free(project->main);
    cfg__strings_free(project->branches, project->branches_count);
    g_free(project->night_at);
    g_free(project->since);
    g_free(project->schedule);
    g_free(project->time_zone);
    g_free(project->releases);
    g_free(project->commit_url);
    g_free(project->webhook_secret_file);
    g_free(project->webhook_old_secret_file);
    g_free(project->ssh_key_file);
    cfg__strings_free(project->ssh_host_fingerprints, project->ssh_host_fingerprints_count);
    g_free(project->pull_requests.label);
    cfg__strings_free(project->detection.announcers, project->detection.announcers_count);
    cfg__strings_free(project->detection.profile_command, project->detection.profile_command_count);
    cfg__strings_free(project->detection.limits, project->detection.limits_count);
    g_free(project->detection.profile_root);
    cfg__strings_free(project->node_labels, project->node_labels_count);
    cfg__strings_free(project->paths, project->paths_count);
    cfg__strings_free(project->paths_ignore, project->paths_ignore_count);
    g_free(project);
}
