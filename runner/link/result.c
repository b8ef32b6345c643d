#include "runner/link/result.h"

#include "runner/ground/error.h"
#include "runner/loop/loop_json.h"
#include "runner/protocol.h"

#include <string.h>

json_t *run_result_build(const char *node, const char *lease, const run_head *head,
                         const GPtrArray *loops) {
    json_t *body =
        json_pack("{s:s, s:s, s:I, s:I}", "lease", lease, "node", node, "started_ms",
                  (json_int_t)head->started_ms, "finished_ms", (json_int_t)head->finished_ms);
    if (head->explanation) { /* profiles, and nothing that was measured */
        json_object_update(body, head->explanation);
        return body;
    }
    json_object_set(body, "environment", head->environment);
    json_object_set_new(body, "loops", run_loops_json(loops));
    return body;
}

json_t *run_result_failure(const char *phase, const GError *problem, const char *log) {
    g_autofree char *cut = g_strndup(problem->message, RUN_REASON_BYTES);
    g_autofree char *reason = g_utf8_make_valid(cut, -1);
    size_t length = log ? strlen(log) : 0;
    const char *tail = length > RUN_FAILURE_LOG_BYTES ? log + (length - RUN_FAILURE_LOG_BYTES)
                       : log                          ? log
                                                      : "";
    /* A letter cut in two at either end must not make the text invalid. */
    g_autofree char *valid = g_utf8_make_valid(tail, -1);
    return json_pack("{s:s, s:s, s:s, s:b}", "phase", phase, "reason", reason, "log", valid,
                     "retry",
                     g_error_matches(problem, RUN_ERROR, RUN_ERROR_NODE) ||
                         g_error_matches(problem, RUN_ERROR, RUN_ERROR_BUSY));
}
