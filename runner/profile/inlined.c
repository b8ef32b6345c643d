#include "runner/profile/inlined.h"

#include "runner/ground/error.h"
#include "runner/ground/log.h"
#include "runner/process/process.h"

#include <string.h>

#define PROGRAM "addr2line"
#define TIMEOUT_S 120
#define ANSWER_BYTES_MAX (64u * 1024 * 1024)

char *run_inlined_chain(char *const *lines, size_t count) {
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
        g_autofree char *chain = run_inlined_chain(&lines[i + 1], end - i - 1);
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
        run_log("warning", "profile", "not_inlined", "object=\"%s\" reason=\"%s\"", argv[6], why);
    else if (good && !take_answers(profile, first, count, result.log))
        run_log("warning", "profile", "not_inlined", "object=\"%s\" reason=\"no memory\"", argv[6]);
    run_process_result_clear(&result);
    for (size_t i = 0; argv[i]; i++)
        g_free(argv[i]);
    return good;
}

bool run_inlined_name(const run_inlined *how, det_callgrind *profile, GError **error) {
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
            run_log("warning", "profile", "not_inlined", "object=\"%s\" reason=\"%s\"", object,
                    late ? "no time is left" : "too many objects");
            break;
        }
        if (!ask(how, profile, first, end - first, error))
            return false;
    }
    return true;
}
