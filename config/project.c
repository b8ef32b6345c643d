#include "config/config.h"
#include "config/credential.h"
#include "config/limits.h"
#include "config/model/detection.h"
#include "config/number.h"
#include "config/projects.h"
#include "config/schedule.h"
#include "config/sections.h"

#include <string.h>

enum { LIMITS_MAX = 50, PATHS_MAX = 100, PATH_MAX_BYTES = 200, RELEASES_MAX_BYTES = 200 };
enum { BRANCHES_MAX = 20, BRANCH_NAME_MAX = 100 /* of one among several: it names files */ };

static const model_member detection_members[] = {
    MODEL(cfg_detection, confidence, "confidence", MODEL_LEFT_OUT, 0.95, 0.5, 0.9999),
    MODEL(cfg_detection, minimum_effect_percent, "minimum_effect_percent", MODEL_LEFT_OUT, 1, 0,
          1000),
    MODEL(cfg_detection, minimum_effect_ns, "minimum_effect_ns", MODEL_LEFT_OUT, 1, 0, 1e12),
    MODEL(cfg_detection, baseline_nights, "baseline_nights", MODEL_LEFT_OUT, 30, 1, 1000),
    MODEL(cfg_detection, minimum_loops, "minimum_loops", MODEL_LEFT_OUT, 2, 2, 1000),
    MODEL(cfg_detection, trim, "trim", MODEL_LEFT_OUT, DET_TRIM_ENDS, .words = cfg_trim_words),
    MODEL(cfg_detection, remeasure, "remeasure", MODEL_LEFT_OUT, true),
    MODEL(cfg_detection, tell_counts, "tell_counts", MODEL_LEFT_OUT),
    MODEL(cfg_detection, dimensions, "dimensions", MODEL_LEFT_OUT, true),
    MODEL(cfg_detection, remeasure_loops, "remeasure_loops", MODEL_LEFT_OUT, 600, 5, 10000),
    MODEL(cfg_detection, remeasure_minutes, "remeasure_minutes", MODEL_LEFT_OUT, 0, 0, 1440),
    MODEL(cfg_detection, explain_minutes, "explain_minutes", MODEL_LEFT_OUT, CFG_EXPLAIN_MINUTES, 0,
          1440),
    MODEL_COUNTED(cfg_detection, profile_command, "profile_command", MODEL_LEFT_OUT, .low = 1,
                  .most_items = 100),
    MODEL(cfg_detection, profile_root, "profile_root", MODEL_LEFT_OUT),
    MODEL(cfg_detection, ageing_days, "ageing_days", MODEL_LEFT_OUT, 30, 0, 36500),
    MODEL(cfg_detection, announced_percent, "announced_percent", MODEL_LEFT_OUT,
          CFG_ANNOUNCED_PERCENT, 0, 1e6),
    MODEL_COUNTED(cfg_detection, announcers, "announcers", MODEL_LEFT_OUT, .most_items = 100),
    MODEL_COUNTED(cfg_detection, limits, "limits", MODEL_LEFT_OUT, .most_items = LIMITS_MAX)};
static const model_noun detection_noun = MODEL_NOUN(cfg_detection, detection_members, "detection");

static const model_member pull_requests_members[] = {
    MODEL(cfg_pull_requests, minutes, "minutes", MODEL_LEFT_OUT, 0, 0, 1440),
    MODEL(cfg_pull_requests, minutes_a_day, "minutes_a_day", MODEL_LEFT_OUT, CFG_PULL_MINUTES_A_DAY,
          0, 1440),
    MODEL(cfg_pull_requests, percent, "percent", MODEL_LEFT_OUT, 5, 0.01, 1000),
    MODEL(cfg_pull_requests, label, "label", MODEL_LEFT_OUT, .most = 100)};
static const model_noun pull_requests_noun =
    MODEL_NOUN(cfg_pull_requests, pull_requests_members, "pull requests");

/* Nights before 1970 do not count. */
static bool is_date(const char *text) {
    GDate date;
    return cfg_date_read(text, &date) && g_date_get_year(&date) >= 1970;
}

static bool is_repository(const char *text) {
    /* a path of the file's folder, too; never a remote helper such as ext:: */
    return cfg_url_kind_of(text) != CFG_URL_NONE ||
           (text[0] != '-' && !strstr(text, "::") && !strstr(text, "://"));
}

static bool is_commit_url(const char *text) {
    return strstr(text, "{commit}") &&
           (g_str_has_prefix(text, "https://") || g_str_has_prefix(text, "http://"));
}

static bool is_label(const char *text) {
    return *text && strlen(text) <= 100;
}

/* Else git would take it for something else than a path from the top folder. */
static bool is_path(const char *text) {
    return *text && !strchr("!#/:\\", *text) && strlen(text) <= PATH_MAX_BYTES;
}
#define PATHS(field)                                                                               \
    MODEL_COUNTED(cfg_project, field, #field, MODEL_LEFT_OUT, .low = 1, .most_items = PATHS_MAX,   \
                  .good = is_path,                                                                 \
                  .expected = "a pattern of paths from the top folder, such as src/ or *.md: 1 "   \
                              "to 200 bytes, without !, #, :, / or \\ at its head")

static bool is_fingerprint(const char *text) {
    return g_regex_match_simple("^SHA256:[A-Za-z0-9+/]{43}$", text, G_REGEX_DOLLAR_ENDONLY, 0);
}

static const model_member members[] = {
    MODEL(cfg_project, name, "name", .good = cfg_is_name,
          .expected = "a-z, 0-9, '.', '_', '-', at most 100 long"),
    MODEL(cfg_project, title, "title", MODEL_LEFT_OUT),
    MODEL(cfg_project, repository, "repository", .good = is_repository,
          .expected = "an https, http, ssh, git or file:/// URL, or a path"),
    MODEL(cfg_project, branch, "branch", MODEL_LEFT_OUT),
    MODEL(cfg_project, night_at, "night_at", MODEL_LEFT_OUT, .otherwise = "03:00",
          .good = cfg_is_clock, .expected = "HH:MM, in UTC"),
    MODEL(cfg_project, since, "since", MODEL_LEFT_OUT, .good = is_date,
          .expected = "a date such as 2013-04-17"),
    MODEL(cfg_project, releases, "releases", MODEL_LEFT_OUT, .most = RELEASES_MAX_BYTES,
          .expected = "a pattern of tags such as v*, at most 200 bytes long"),
    MODEL(cfg_project, commit_url, "commit_url", MODEL_LEFT_OUT, .good = is_commit_url,
          .expected = "an http or https URL that holds {commit}"),
    MODEL(cfg_project, schedule, "schedule", MODEL_LEFT_OUT),
    MODEL(cfg_project, time_zone, "time_zone", MODEL_LEFT_OUT),
    MODEL(cfg_project, webhook_secret_file, "webhook_secret_file", MODEL_LEFT_OUT, .path = true),
    MODEL(cfg_project, webhook_old_secret_file, "webhook_old_secret_file", MODEL_LEFT_OUT,
          .path = true),
    MODEL(cfg_project, ssh_key_file, "ssh_key_file", MODEL_LEFT_OUT, .path = true),
    MODEL(cfg_project, enabled, "enabled", MODEL_LEFT_OUT, true),
    MODEL_A(cfg_project, benchmark, cfg__benchmark_noun, MODEL_PART, "benchmark"),
    MODEL_A(cfg_project, detection, detection_noun, MODEL_PART, "detection", MODEL_LEFT_OUT),
    MODEL_A(cfg_project, pull_requests, pull_requests_noun, MODEL_PART, "pull_requests",
            MODEL_LEFT_OUT),
    MODEL_SEVERAL(cfg_project, notify, cfg__notify_noun, MODEL_LIST, "notify", MODEL_LEFT_OUT,
                  .most_items = 50),
    MODEL_COUNTED(cfg_project, node_labels, "node_labels", MODEL_LEFT_OUT, .most_items = 32,
                  .good = is_label, .expected = "a runner's label of 1 to 100 bytes"),
    PATHS(paths),
    PATHS(paths_ignore),
    MODEL_COUNTED(cfg_project, branches, "branches", MODEL_LEFT_OUT, .low = 1,
                  .most_items = BRANCHES_MAX),
    MODEL_COUNTED(cfg_project, ssh_host_fingerprints, "ssh_host_fingerprints", MODEL_LEFT_OUT,
                  .most_items = 10, .good = is_fingerprint,
                  .expected = "a fingerprint as ssh-keygen -l prints it: SHA256: and 43 "
                              "characters")};
static const model_noun noun = MODEL_NOUN(cfg_project, members, "project");

json_t *cfg_project_schema(void) {
    json_t *described = cfg__yaml_schema(&noun);
    json_object_set_new(described, "$schema",
                        json_string("http://json-schema.org/draft-07/schema#"));
    json_object_set_new(described, "title", json_string("a project of moowatch"));
    return described;
}

/* The benchmark's own command follows; what is written elsewhere than to {profile} is not found. */
static bool profile_check(const cfg__yaml *yaml, const cfg_project *project, GError **error) {
    const cfg_detection *own = &project->detection;
    bool told = own->profile_command_count == 0;
    for (unsigned i = 0; i < own->profile_command_count; i++)
        told = told || strstr(own->profile_command[i], "{profile}") != NULL;
    if (!told)
        return cfg__yaml_wrong(yaml, error, "detection.profile_command",
                               "must name {profile}, the file that it writes collapsed stacks to");
    if (own->profile_command_count > 0 && project->benchmark.whole_rounds)
        return cfg__yaml_wrong(
            yaml, error, "detection.profile_command",
            "with whole_rounds one run measures all configurations, so none can be profiled alone");
    if (own->profile_root && own->profile_command_count == 0)
        return cfg__yaml_wrong(yaml, error, "detection.profile_root",
                               "needs profile_command, which is not set");
    return true;
}

static const cfg_configuration *portion_of(const cfg_benchmark *benchmark, const char *portion) {
    for (unsigned i = 0; portion && i < benchmark->configurations_count; i++)
        if (strcmp(benchmark->configurations[i].portion, portion) == 0)
            return &benchmark->configurations[i];
    return NULL;
}

static bool limits_check(const cfg__yaml *yaml, const cfg_project *project, GError **error) {
    for (unsigned i = 0; i < project->detection.limits_count; i++) {
        const char *text = project->detection.limits[i];
        g_auto(cfg_limit) limit = {0};
        g_autoptr(GError) problem = NULL;
        if (!cfg_limit_read(text, &limit, &problem))
            return cfg__yaml_wrong(yaml, error, "detection.limits", "%s", problem->message);
        const cfg_configuration *own = portion_of(&project->benchmark, limit.portion);
        if (own && !limit.dimension && g_strcmp0(own->unit, limit.unit) != 0)
            return cfg__yaml_wrong(yaml, error, "detection.limits", "\"%s\": its unit must be %s",
                                   text, own->unit ? own->unit : "ns, us, ms or s");
        if (limit.portion && !own)
            return cfg__yaml_wrong(yaml, error, "detection.limits",
                                   "\"%s\": \"%s\" is neither a portion of the benchmark nor a "
                                   "dimension with such a unit (docs/dimensions.md)",
                                   text, limit.portion);
    }
    return true;
}

static bool loops_check(const cfg__yaml *yaml, const cfg_project *project, GError **error) {
    uint64_t least = project->detection.minimum_loops;
    return cfg__yaml_range(yaml, "detection.minimum_loops",
                           (cfg__range){2, 2, project->benchmark.loops}, &least, error);
}

/* "Slower" is no word for a rate. */
static bool pulls_check(const cfg__yaml *yaml, const cfg_project *project, GError **error) {
    for (unsigned i = 0; i < project->benchmark.configurations_count; i++)
        if (project->pull_requests.minutes > 0 && project->benchmark.configurations[i].unit)
            return cfg__yaml_wrong(yaml, error, "pull_requests.minutes",
                                   "pull requests are judged by times alone, and \"%s\" has a "
                                   "unit: leave minutes out, or give the times a project of "
                                   "their own",
                                   project->benchmark.configurations[i].name);
    return true;
}

static bool ssh_check(const cfg__yaml *yaml, const cfg_project *project, GError **error) {
    const char *key = project->ssh_key_file ? "ssh_key_file" : "ssh_host_fingerprints";
    return (!project->ssh_key_file && project->ssh_host_fingerprints_count == 0) ||
           cfg_url_kind_of(project->repository) == CFG_URL_SSH ||
           cfg__yaml_wrong(yaml, error, key,
                           "is only for a repository given as ssh://… or user@host:path");
}

/* The branch before this one that would be kept under the same name; NULL: there is none. */
static const char *same_name(const cfg_project *project, unsigned which) {
    g_autofree char *own = cfg_branch_project("", project->branches[which]);
    for (unsigned i = 0; i < which; i++) {
        g_autofree char *other = cfg_branch_project("", project->branches[i]);
        if (strcmp(own, other) == 0)
            return project->branches[i];
    }
    return NULL;
}

static bool branches_check(const cfg__yaml *yaml, const cfg_project *project, GError **error) {
    const char *key = cfg__yaml_has(yaml, "branches") ? "branches" : "branch";
    if (cfg__yaml_has(yaml, "branch") && cfg__yaml_has(yaml, "branches"))
        return cfg__yaml_wrong(yaml, error, "branches",
                               "replaces branch, its first is the main one; give only one of them");
    if (!cfg_is_branch(project->branches[0]))
        return cfg__yaml_wrong(yaml, error, key, "\"%s\" is not a valid branch name",
                               project->branches[0]);
    for (unsigned i = 1; i < project->branches_count; i++) {
        const char *own = project->branches[i], *same = same_name(project, i);
        if (!cfg_is_branch(own) || strlen(own) > BRANCH_NAME_MAX)
            return cfg__yaml_wrong(yaml, error, "branches",
                                   "\"%s\" is not a valid branch name of at most %d bytes", own,
                                   BRANCH_NAME_MAX);
        if (same)
            return cfg__yaml_wrong(yaml, error, "branches",
                                   "\"%s\" and \"%s\" would be kept under the same name; leave "
                                   "one of them out",
                                   same, own);
    }
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

static bool check(const cfg__yaml *yaml, const cfg_project *project, GError **error) {
    if (project->schedule && cfg__yaml_has(yaml, "night_at"))
        return cfg__yaml_wrong(yaml, error, "schedule", "replaces night_at; give only one of them");
    if (project->time_zone && !project->schedule)
        return cfg__yaml_wrong(yaml, error, "time_zone",
                               "is only for schedule; night_at is in UTC");
    return branches_check(yaml, project, error) && schedule_check(yaml, project, error) &&
           ssh_check(yaml, project, error);
}

/* All else of a project is the same on each of its branches. */
static void branch_fill(unsigned which, cfg_project *project) {
    g_autofree char *name = project->name, *title = project->title;
    g_free(project->branch);
    project->branch = g_strdup(project->branches[which]);
    project->main = which > 0 ? g_strdup(name) : NULL;
    project->name = which > 0 ? cfg_branch_project(name, project->branch) : g_strdup(name);
    project->title =
        which > 0 ? g_strdup_printf("%s (%s)", title, project->branch) : g_strdup(title);
}

/* What other keys tell of those that are left out. */
static void texts_fill(const cfg__yaml *yaml, cfg_project *project) {
    const bool path =
        !strstr(project->repository, "://") && cfg_url_kind_of(project->repository) != CFG_URL_SSH;
    if (project->branches_count == 0) {
        g_free(project->branches);
        project->branches = g_new0(char *, 2);
        project->branches[project->branches_count++] =
            g_strdup(project->branch ? project->branch : "main");
    }
    cfg__yaml_otherwise(&project->title, project->name);
    cfg__yaml_otherwise(&project->pull_requests.label, CFG_PULL_LABEL);
    if (path) {
        g_autofree char *given = project->repository;
        project->repository = cfg__yaml_path(yaml, given);
    }
}

/* Mostly in comments, which the reader of YAML passes over. */
static GStrv unfinished_of(const char *path) {
    g_autoptr(GStrvBuilder) found = g_strv_builder_new();
    g_autofree char *text = NULL;
    (void)g_file_get_contents(path, &text, NULL, NULL);
    g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);
    for (unsigned i = 0; lines[i]; i++) {
        const char *mark = strstr(lines[i], CFG_UNFINISHED);
        g_autofree char *told =
            mark ? g_strdup_printf("%s:%u: do this, then remove the comment: %s", path, i + 1, mark)
                 : NULL;
        if (mark)
            g_strv_builder_add(found, told);
    }
    return g_strv_builder_end(found);
}

cfg_project *cfg_project_load(const char *path, GError **error) {
    return cfg_project_load_branch(path, 0, error);
}

cfg_project *cfg_project_load_branch(const char *path, unsigned which, GError **error) {
    g_autoptr(cfg_project) project = g_new0(cfg_project, 1);
    g_autoptr(cfg__yaml) yaml = cfg__yaml_load(path, &noun, project, error);
    if (!yaml)
        return NULL;
    texts_fill(yaml, project);
    if (which >= project->branches_count) {
        cfg__yaml_wrong(yaml, error, "branches",
                        "has only %u entries now; have moowatchd reload its configuration",
                        project->branches_count);
        return NULL;
    }
    if (!check(yaml, project, error) || !cfg__benchmark_fill(yaml, &project->benchmark, error) ||
        !profile_check(yaml, project, error) || !limits_check(yaml, project, error) ||
        !loops_check(yaml, project, error) || !pulls_check(yaml, project, error) ||
        !cfg__notify_fill(yaml, project, error))
        return NULL;
    branch_fill(which, project);
    project->unfinished = which == 0 ? unfinished_of(path) : NULL;
    project->benchmark.confidence = project->detection.confidence;
    return g_steal_pointer(&project);
}

void cfg_project_free(cfg_project *project) {
    if (!project)
        return;
    g_free(project->main);
    g_strfreev(project->unfinished);
    model_clear(&noun, project);
    g_free(project);
}
