#include "server/retention/plan.h"
#include "sql/retention.h"

#define DAY_MS INT64_C(86400000)

const char *const srv_fate_words[SRV_FATE_COUNT] = {
    "young", "in_use", "alerts", "releases", "first_of_month", "age", "budget"};

bool srv_fate_goes(srv_fate fate) {
    return fate >= SRV_FATE_AGE;
}

bool srv__plan_begin(srv__plan *plan, srv_store *store, GError **error) {
    plan->place = (srv__retention_place){INT64_MIN, 0};
    return srv__number(store, SQL(retention_bytes), SRV__ARGS(SRV__I(plan->project)), 0,
                       &plan->bytes, error);
}

static bool is_old(const srv__plan *plan, int64_t stored_ms) {
    return plan->policy->keep_raw_days > 0 &&
           stored_ms < plan->now_ms - (int64_t)plan->policy->keep_raw_days * DAY_MS;
}

static bool is_over_budget(const srv__plan *plan) {
    return plan->policy->raw_budget_bytes > 0 &&
           (uint64_t)MAX(0, plan->bytes) > plan->policy->raw_budget_bytes;
}

/* What speaks for them; YOUNG: nothing does. */
static srv_fate kept(const cfg_storage *policy, const srv__raw_job *job) {
    static const srv_fate fates[CFG_KEEP_COUNT] = {SRV_FATE_ALERTS, SRV_FATE_RELEASES,
                                                   SRV_FATE_FIRST_OF_MONTH};
    if (job->in_use)
        return SRV_FATE_IN_USE;
    for (unsigned keep = 0; keep < CFG_KEEP_COUNT; keep++)
        if (policy->keeps[keep] && job->kept[keep])
            return fates[keep];
    return SRV_FATE_YOUNG;
}

srv_fate srv__plan_judge(srv__plan *plan, const srv__raw_job *job) {
    plan->place = (srv__retention_place){job->stored_ms, job->job};
    srv_fate fate = kept(plan->policy, job);
    if (fate == SRV_FATE_YOUNG && is_old(plan, job->stored_ms))
        fate = SRV_FATE_AGE;
    else if (fate == SRV_FATE_YOUNG && is_over_budget(plan))
        fate = SRV_FATE_BUDGET;
    if (srv_fate_goes(fate))
        plan->bytes -= job->bytes;
    return fate;
}

bool srv__plan_ended(const srv__plan *plan) {
    return !is_old(plan, plan->place.stored_ms) && !is_over_budget(plan);
}
