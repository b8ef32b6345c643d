#include "ci/command/proposal.h"

#include "config/yaml_edit.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMMIT_SHORT 12
#define EVIDENCE_BYTES 1000 /* as config takes it */

static uint64_t whole(double value) {
    return (uint64_t)llround(value);
}

static uint64_t total_of(const ci_pilot_leg *leg) {
    return whole(leg->planned_warmup) + whole(leg->planned);
}

char *ci_proposal_evidence(const ci_pilot *pilot, const char *commit, const char *day) {
    g_autoptr(GString) to = g_string_new(NULL);
    bool looked = false;
    g_string_append_printf(to, "pilot of %s, commit %.*s", day, COMMIT_SHORT, commit);
    for (size_t i = 0; i < pilot->count; i++) {
        const ci_pilot_leg *leg = &pilot->leg[i];
        if (leg->seen > 0)
            g_string_append_printf(to, "%s %s %u of %u",
                                   looked ? "," : "; processes that settled:", leg->name,
                                   leg->settled, leg->seen);
        looked |= leg->seen > 0;
    }
    if (!looked)
        g_string_append(to, "; single calls unknown, so warm-up is unchanged");
    if (to->len > EVIDENCE_BYTES) {
        /* not inside of a letter: half of one is not text, and the file would not be read */
        const char *end = g_utf8_find_prev_char(to->str, to->str + EVIDENCE_BYTES + 1);
        g_string_truncate(to, (gsize)(end - to->str));
    }
    return g_string_free(g_steal_pointer(&to), FALSE);
}

static char *minutes_text(double minutes) {
    return g_strdup_printf("%.15g", minutes);
}

char *ci_proposal_text(const ci_pilot *pilot, double minutes, const char *evidence) {
    g_autofree char *quoted = cfg_yaml_quoted(evidence), *budget = minutes_text(minutes);
    GString *to = g_string_new("benchmark:\n");
    if (pilot->budget)
        g_string_append_printf(to, "  budget_minutes: %s\n", budget);
    g_string_append_printf(to, "  loops: %u\n  warmup_evidence: %s\n  configurations:\n",
                           pilot->planned_loops, quoted);
    for (size_t i = 0; i < pilot->count; i++) {
        const ci_pilot_leg *leg = &pilot->leg[i];
        g_string_append_printf(to,
                               "    - name: %s\n      total_calls: %" G_GUINT64_FORMAT
                               "\n      warmup_calls: %" G_GUINT64_FORMAT "\n",
                               leg->name, total_of(leg), whole(leg->planned_warmup));
    }
    return g_string_free(to, FALSE);
}

/* The text with one more value; the old one is freed. */
static bool put(char **text, const char *const *path, const char *value, GError **error) {
    char *next = cfg_yaml_set(*text, path, value, error);
    if (!next)
        return false;
    g_free(*text);
    *text = next;
    return true;
}

static bool put_top(char **text, const char *key, const char *value, GError **error) {
    return put(text, (const char *const[]){"benchmark", key, NULL}, value, error);
}

static bool put_calls(char **text, const ci_pilot_leg *leg, GError **error) {
    g_autofree char *total = g_strdup_printf("%" G_GUINT64_FORMAT, total_of(leg));
    g_autofree char *warmup = g_strdup_printf("%" G_GUINT64_FORMAT, whole(leg->planned_warmup));
    const char *path[] = {"benchmark", "configurations", leg->name, "total_calls", NULL};
    if (!put(text, path, total, error))
        return false;
    path[3] = "warmup_calls";
    return put(text, path, warmup, error);
}

/*
 * A project's file with these keys; all else byte for byte as it is. Owned.
 * project  of that text, as it was read. Error: a key has no place in the text, said by its path.
 */
static char *proposal_set(const char *text, const cfg_project *project, const ci_pilot *pilot,
                          double minutes, const char *evidence, GError **error) {
    g_autofree char *out = g_strdup(text);
    g_autofree char *loops = g_strdup_printf("%u", pilot->planned_loops);
    g_autofree char *quoted = cfg_yaml_quoted(evidence);
    g_autofree char *budget = minutes_text(pilot->budget ? minutes : 0);
    bool good = put_top(&out, "loops", loops, error);
    if (good && (pilot->budget || project->benchmark.budget_minutes > 0))
        good = put_top(&out, "budget_minutes", budget, error);
    good = good && put_top(&out, "warmup_evidence", quoted, error);
    for (size_t i = 0; good && i < pilot->count; i++)
        good = put_calls(&out, &pilot->leg[i], error);
    return good ? g_steal_pointer(&out) : NULL;
}

/* Is what was written what was meant? */
static bool check(const char *file, const ci_pilot *pilot, double minutes, const char *evidence,
                  GError **error) {
    g_autoptr(cfg_project) project = cfg_project_load(file, error);
    if (!project)
        return false;
    const cfg_benchmark *benchmark = &project->benchmark;
    bool same = benchmark->loops == pilot->planned_loops &&
                g_strcmp0(benchmark->warmup_evidence, evidence) == 0 &&
                fabs(benchmark->budget_minutes - (pilot->budget ? minutes : 0)) < 1e-6;
    for (size_t i = 0; same && i < pilot->count; i++)
        same = benchmark->configurations[i].total_calls == total_of(&pilot->leg[i]) &&
               benchmark->configurations[i].warmup_calls == whole(pilot->leg[i].planned_warmup);
    return same || ci_wrong(error, "with the keys added, the file would be read differently from "
                                   "the plan; set them by hand");
}

/* Beside the file, so that its relative paths mean the same, and under a name nobody reads. */
static char *place_of(const char *file) {
    g_autofree char *folder = g_path_get_dirname(file), *name = g_path_get_basename(file);
    g_autofree char *hidden = g_strdup_printf(".%s.plan", name);
    return g_build_filename(folder, hidden, NULL);
}

static bool replace(const char *file, const char *text, const ci_pilot *pilot, double minutes,
                    const char *evidence, GError **error) {
    g_autofree char *place = place_of(file);
    struct stat old;
    bool good =
        g_file_set_contents_full(place, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error) &&
        check(place, pilot, minutes, evidence, error);
    if (good && (stat(file, &old) != 0 || chmod(place, old.st_mode & 07777) != 0 ||
                 g_rename(place, file) != 0))
        good = ci_wrong(error, "%s: %s", file, g_strerror(errno));
    if (!good)
        (void)g_unlink(place);
    return good;
}

bool ci_proposal_write(const char *file, const ci_pilot *pilot, double minutes,
                       const char *evidence, GError **error) {
    char resolved[PATH_MAX];
    g_autofree char *text = NULL;
    if (!realpath(file, resolved))
        return ci_wrong(error, "%s: %s", file, g_strerror(errno));
    g_autoptr(cfg_project) project = cfg_project_load(resolved, error);
    if (!project || !g_file_get_contents(resolved, &text, NULL, error))
        return false;
    g_autofree char *next = proposal_set(text, project, pilot, minutes, evidence, error);
    if (!next) {
        g_prefix_error(error, "%s: ", file);
        return false;
    }
    return replace(resolved, next, pilot, minutes, evidence, error);
}
