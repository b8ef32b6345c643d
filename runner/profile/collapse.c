#include "runner/profile/profiler.h"

#include "config/log.h"
#include "detector/profile/callgrind.h"
#include "detector/profile/sampled.h"
#include "runner/driver/bounded.h"
#include "runner/ground/error.h"
#include "runner/process/process.h"
#include "runner/protocol.h"

#include <string.h>
#include <unistd.h>

#define PROGRAM "addr2line"
#define TIMEOUT_S 120
#define ANSWER_BYTES_MAX (64u * 1024 * 1024)

/* * "outer;inner" of one answer of addr2line -f -i.
 * lines  [count] a function, a place in the source, and so on, from the innermost; the last
 *        function is the one that is linked and left out
 * Returns a string to g_free; NULL when nothing is inlined. */
static char *inlined_chain(char *const *lines, size_t count) {
    GString *chain = g_string_new(NULL);
    /* a function and its place are two lines; the last pair is the linked function */
    for (size_t i = count / 2; i >= 2; i--) {
        const char *name = lines[(i - 2) * 2];
        g_string_append_printf(chain, "%s%s", chain->len > 0 ? ";" : "",
                               *name && strcmp(name, "??") != 0 ? name : "?");
    }
    return g_string_free(chain, chain->len == 0);
}

static bool is_own(const run_inlined *how, const char *object) {
    for (size_t i = 0; i < how->own_count; i++)
        if (g_str_has_prefix(object, how->own[i]))
            return true;
    return false;
}

/* The answers, each begun by its address: "0x…", a function, a place in the source, … */
static bool take_answers(det_callgrind *profile, size_t first, size_t count, const char *text) {
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    size_t place = first; /* by address, as they were asked for */
    for (size_t i = 0; lines[i] && place < first + count;) {
        size_t end = i + 1;
        if (!g_str_has_prefix(lines[i], "0x")) {
            i++;
            continue;
        }
        while (lines[end] && !g_str_has_prefix(lines[end], "0x") && lines[end][0] != '\0')
            end++;
        const uint64_t address = g_ascii_strtoull(lines[i], NULL, 16);
        while (place < first + count && det_callgrind_place_at(profile, place).address < address)
            place++;
        if (place == first + count || det_callgrind_place_at(profile, place).address != address) {
            i = end;
            continue;
        }
        g_autofree char *chain = inlined_chain(&lines[i + 1], end - i - 1);
        if (chain && !det_callgrind_inline(profile, place, chain))
            return false;
        place++;
        i = end;
    }
    return true;
}

/* Asks for the places of one object, which stand in a row. */
static bool ask(const run_inlined *how, det_callgrind *profile, size_t first, size_t count,
                GError **error) {
    g_autofree char *questions = g_build_filename(how->folder, "addresses", NULL);
    g_autofree char *at = g_strconcat("@", questions, NULL);
    g_autoptr(GString) addresses = g_string_new(NULL);
    for (size_t i = first; i < first + count; i++)
        g_string_append_printf(addresses, "0x%" G_GINT64_MODIFIER "x\n",
                               det_callgrind_place_at(profile, i).address);
    char *object = g_strdup(det_callgrind_place_at(profile, first).object);
    char *argv[] = {g_strdup(PROGRAM),
                    g_strdup("-a"),
                    g_strdup("-f"),
                    g_strdup("-i"),
                    g_strdup("-C"),
                    g_strdup("-e"),
                    object,
                    g_steal_pointer(&at),
                    NULL};
    run_process_spec spec = how->spec;
    spec.argv = argv;
    spec.environment = how->environment;
    spec.log_path = NULL;
    spec.printed = NULL; /* its answers are not what the benchmark says */
    spec.timeout_s =
        (unsigned)CLAMP((how->until_us - g_get_monotonic_time()) / G_USEC_PER_SEC, 1, TIMEOUT_S);
    spec.log_limit_bytes = ANSWER_BYTES_MAX;
    run_process_result result = {0};
    bool good = g_file_set_contents_full(questions, addresses->str, (gssize)addresses->len,
                                         G_FILE_SET_CONTENTS_CONSISTENT, 0644, error) &&
                run_process_run(&spec, &result, error);
    g_autofree char *why = good ? run_process_describe(&result) : NULL;
    if (why)
        cfg_log("warning", "profile", "not_inlined", "object=\"%s\" reason=\"%s\"", argv[6], why);
    else if (good && !take_answers(profile, first, count, result.log))
        cfg_log("warning", "profile", "not_inlined", "object=\"%s\" reason=\"no memory\"", argv[6]);
    run_process_result_clear(&result);
    for (size_t i = 0; argv[i]; i++)
        g_free(argv[i]);
    return good;
}

/* Gives the places of a profile the names of what is inlined there (addr2line). Returns false
 * with RUN_ERROR_NODE or the tick's error. A missing addr2line, one that fails, or until_us leaves
 * the names as they were. */
static bool inlined_name(const run_inlined *how, det_callgrind *profile, GError **error) {
    g_autofree char *program = run_program_find(PROGRAM, "/", how->environment);
    const size_t places = MIN(det_callgrind_places(profile), RUN_INLINED_PLACES_MAX);
    if (!program)
        return true;
    unsigned asked = 0;
    for (size_t first = 0, end; first < places; first = end) {
        const char *object = det_callgrind_place_at(profile, first).object;
        for (end = first + 1; end < places; end++)
            if (strcmp(det_callgrind_place_at(profile, end).object, object) != 0)
                break;
        if (!is_own(how, object) || !g_file_test(object, G_FILE_TEST_IS_REGULAR))
            continue;
        const bool late = g_get_monotonic_time() >= how->until_us;
        if (late || asked++ == RUN_INLINED_OBJECTS_MAX) {
            cfg_log("warning", "profile", "not_inlined", "object=\"%s\" reason=\"%s\"", object,
                    late ? "no time is left" : "too many objects");
            break;
        }
        if (!ask(how, profile, first, end - first, error))
            return false;
    }
    return true;
}

#define PROFILE_BYTES_MAX (UINT64_C(256) << 20) /* of what the profiler wrote */
#define RECORDING_BYTES_MAX (64u << 20)         /* of what jfr prints */
#define RECORDING_TIMEOUT_S 120
/* Samples that a frame needs to be told by itself, where there is no room for all. */
#define MERGE_FIRST 2u
#define MERGE_LAST 1000000u

static char *fail(GError **error, const char *why) {
    run_wrong(error, "%s", why);
    return NULL;
}

/* ---- why there are no stacks ---- */

static char *fail_status(const run_collapse *how, det_status status, GError **error) {
    if (status == DET_ESHORT && how->root) {
        run_wrong(error,
                  "%s is not in the profile: is the program stripped, or is it not the "
                  "harness?",
                  how->root);
        return NULL;
    }
    return fail(error, status == DET_ESHORT   ? "it holds no samples"
                       : status == DET_ENOMEM ? "it has too many different stacks"
                                              : det_status_text(status));
}

static char *fail_size(const run_collapse *how, GError **error) {
    if (how->bytes_most == RUN_PROFILE_BYTES_MAX)
        return fail(error, "its stacks take more than 2 MiB");
    run_wrong(error,
              "its stacks take more than %" G_GSIZE_FORMAT
              " KiB, its share of the 6 MiB of all configurations and commits",
              how->bytes_most / 1024);
    return NULL;
}

static char *fail_line(const det_stacks_error *bad, GError **error) {
    run_wrong(error, "its profile, line %zu: %s", bad->line, bad->text);
    return NULL;
}

/* ---- the tree as a text ---- */

/* NULL: it is too long, or there is no memory. What is no UTF-8 becomes longer. */
static char *text_of(const run_collapse *how, const det_stacks *stacks) {
    g_autofree char *text = det_stacks_text(stacks, 0, how->bytes_most);
    g_autofree char *valid = text ? g_utf8_make_valid(text, -1) : NULL;
    return valid && strlen(valid) <= how->bytes_most ? g_steal_pointer(&valid) : NULL;
}

/* sample: what one costs; 0: nothing may be moved. */
static char *write_text(const run_collapse *how, det_stacks *stacks, double sample,
                        GError **error) {
    char *text = text_of(how, stacks);
    for (unsigned least = MERGE_FIRST; !text && sample > 0 && least <= MERGE_LAST; least *= 2) {
        det_stacks_merge_small(stacks, 0, least * sample);
        text = text_of(how, stacks);
    }
    return text ? text : fail_size(how, error);
}

/* ---- callgrind ---- */

static char *unfold(const run_collapse *how, det_callgrind *profile, GError **error) {
    const det_callgrind_wanted wanted = {how->root, how->own, how->own_count};
    const run_inlined names = {.spec = how->spec,
                               .environment = how->environment,
                               .folder = how->folder,
                               .own = how->own,
                               .own_count = how->own_count,
                               .until_us = how->until_us};
    if (!inlined_name(&names, profile, error))
        return NULL;
    det_stacks *stacks = det_stacks_new(1);
    const det_status status =
        stacks ? det_callgrind_stacks(profile, &wanted, stacks, 0) : DET_ENOMEM;
    char *text =
        status == DET_OK ? write_text(how, stacks, 0, error) : fail_status(how, status, error);
    det_stacks_free(stacks);
    return text;
}

static char *collapse_callgrind(const run_collapse *how, const char *text, GError **error) {
    det_callgrind *profile = NULL;
    det_stacks_error bad;
    if (det_callgrind_read(&profile, text, strlen(text), &bad) != DET_OK)
        return fail_line(&bad, error);
    char *stacks = unfold(how, profile, error);
    det_callgrind_free(profile);
    return stacks;
}

/* ---- samples ---- */

static det_sampled_names names_of(run_profiler_kind kind) {
    return kind == RUN_PROFILER_ASYNC                                   ? DET_SAMPLED_JAVA
           : kind == RUN_PROFILER_ALLOCATED                             ? DET_SAMPLED_ALLOCATED
           : kind == RUN_PROFILER_JFR || kind == RUN_PROFILER_CLASSES   ? DET_SAMPLED_JFR
           : kind == RUN_PROFILER_PY_SPY || kind == RUN_PROFILER_TRACED ? DET_SAMPLED_PYTHON
                                                                        : DET_SAMPLED_PLAIN;
}

/* What one sample stands for. Of async-profiler all threads are sampled by processor time, so each
 * has its share of the process': the clock may be coarser than what was asked for. */
static double sample_of(const run_collapse *how, const char *text) {
    const double samples = det_sampled_sum(text, strlen(text));
    if (!g_str_has_prefix(how->profiler->unit, "ns"))
        return 1;
    if (how->profiler->interval_ns > 0)
        return how->profiler->interval_ns;
    return samples > 0 && how->cpu_ns > 0 ? how->cpu_ns / samples : 1;
}

static char *collapse_sampled(const run_collapse *how, const char *text, GError **error) {
    const det_sampled_wanted wanted = {.names = names_of(how->profiler->kind),
                                       .root = how->root,
                                       .scale = sample_of(how, text),
                                       .own = how->own,
                                       .own_count = how->own_count};
    det_stacks_error bad = {0};
    det_stacks *stacks = det_stacks_new(1);
    const det_status status =
        stacks ? det_sampled_read(stacks, 0, text, strlen(text), &wanted, &bad) : DET_ENOMEM;
    /* a configuration that costs next to nothing is seldom met */
    const bool seldom =
        status == DET_ESHORT && how->root && det_sampled_sum(text, strlen(text)) > 0;
    char *made = seldom             ? g_strdup("")
                 : status == DET_OK ? write_text(how, stacks, wanted.scale, error)
                 : bad.line > 0     ? fail_line(&bad, error)
                                    : fail_status(how, status, error);
    det_stacks_free(stacks);
    return made;
}

/* ---- Java's recorder ---- */

/* Runs `jfr print`; its answer, owned; NULL with error. */
static char *print_recording(const run_collapse *how, GError **error) {
    g_autofree char *file = g_build_filename(how->folder, "out", how->file, NULL);
    const char *const words[] = {how->profiler->program, "print", "--events", "jdk.ExecutionSample",
                                 "--stack-depth",        "2048",  file,       NULL};
    g_auto(GStrv) argv =
        g_strdupv((char **)(uintptr_t)words); /* NOLINT(performance-no-int-to-ptr) */
    run_process_spec spec = how->spec;
    spec.argv = argv;
    spec.environment = how->environment;
    spec.log_path = NULL;
    spec.printed = NULL;
    spec.timeout_s = (unsigned)CLAMP((how->until_us - g_get_monotonic_time()) / G_USEC_PER_SEC, 1,
                                     RECORDING_TIMEOUT_S);
    spec.log_limit_bytes = RECORDING_BYTES_MAX;
    run_process_result result = {0};
    if (!run_process_run(&spec, &result, error))
        return NULL;
    g_autofree char *why = run_process_describe(&result);
    char *text = NULL;
    if (why)
        run_wrong(error, "jfr print: %s: %.200s", why, result.log);
    else if (result.log_bytes > RECORDING_BYTES_MAX)
        fail(error, "jfr print wrote more than 64 MiB for one recording");
    else
        text = g_strdup(result.log);
    run_process_result_clear(&result);
    return text;
}

static char *collapse_recording(const run_collapse *how, GError **error) {
    g_autofree char *printed = print_recording(how, error);
    size_t samples = 0;
    if (!printed)
        return NULL;
    g_autofree char *text = det_jfr_collapse(printed, strlen(printed), &samples);
    return text ? collapse_sampled(how, text, error) : fail(error, "no memory");
}

char *run_collapse_make(const run_collapse *how, GError **error) {
    if (how->profiler->kind == RUN_PROFILER_JFR)
        return collapse_recording(how, error);
    const int folder = run_bounded_folder(how->folder, "out", error);
    if (folder < 0)
        return NULL;
    g_autofree char *text =
        run_bounded_text(folder, how->file, how->file, PROFILE_BYTES_MAX, error);
    close(folder);
    if (!text)
        return NULL;
    return how->profiler->kind == RUN_PROFILER_CALLGRIND ? collapse_callgrind(how, text, error)
                                                         : collapse_sampled(how, text, error);
}
