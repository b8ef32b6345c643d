/* What a runner says of its job: progress, failure, and resuming, with the lease and without.
 * First byte: which; the rest is the body. The job is leased anew for each. */
#include "server/queue/queue.h"
#include "server/store/projects.h"

#include "tests/unit/server/fixture.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STORE_JOBS = 1000 };

static fixture *fix;

static void leave(void) {
    fix_free(fix);
}

static void begin(void) {
    static bool told;
    fix = fix_new();
    fix_sync(fix, "p", NULL);
    if (!told)
        (void)atexit(leave);
    told = true;
}

/* Each input has a job of its own, in a store that is made anew before it grows slow. */
static json_t *leased_job(void) {
    static int number;
    if (fix && number % STORE_JOBS == 0)
        g_clear_pointer(&fix, fix_free);
    if (!fix)
        begin();
    fix_add(fix, "p", ++number, "2024-01-01", SRV_KIND_MANUAL);
    return fix_lease(fix);
}

static void answered(json_t *answer, GError *error) {
    if ((!answer) != (error != NULL) || (error && error->message[0] == '\0'))
        abort();
    json_decref(answer);
    g_clear_error(&error);
}

static void say(uint8_t how, int64_t job, const char *lease, const json_t *body) {
    GError *error = NULL;
    json_t *answer = NULL;
    switch (how % 3) {
    case 0:
        answer = srv_queue_progress(fix->store, &fix_rules, job, body, fix->now_ms, &error);
        break;
    case 1:
        answer = srv_queue_failure(fix->store, &fix_rules, job, body, fix->now_ms, &error)
                     ? json_object()
                     : NULL;
        break;
    default:
        answer = srv_queue_resume(fix->store, &fix_rules, job,
                                  json_string_value(json_object_get(body, "node")), lease,
                                  fix->now_ms, &error);
    }
    answered(answer, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    json_t *body = size > 0 ? json_loadb((const char *)data + 1, size - 1, 0, NULL) : NULL;
    if (json_is_object(body)) {
        json_t *leased = leased_job();
        const char *lease = json_string_value(json_object_get(leased, "lease"));
        const int64_t job = leased ? job_id(leased) : 1;
        if ((data[0] & 4) == 0 && lease)
            json_object_set_new(body, "lease", json_string(lease));
        say(data[0], job, lease ? lease : "none", body);
        if (!srv_queue_cancel(fix->store, job, "fuzz", fix->now_ms, NULL))
            abort();
        json_decref(leased);
    }
    json_decref(body);
    return 0;
}
