#include "server/store/job_kind.h"

#include <string.h>

static const struct {
    const char *name;
    int priority;
} kinds[] = {
    [SRV_KIND_NIGHTLY] = {"nightly", 20},
    [SRV_KIND_BACKFILL] = {"backfill", 10},
    [SRV_KIND_MANUAL] = {"manual", 30},
    [SRV_KIND_WEBHOOK] = {"webhook", 40},
    [SRV_KIND_CONFIRMATION] = {"confirmation", 18},
    [SRV_KIND_BISECTION] = {"bisection", 15},
    [SRV_KIND_SWEEP] = {"sweep", 12},
    [SRV_KIND_EXPLAIN] = {"explain", 5},
    [SRV_KIND_PULL] = {"pull", 25},
};

const char *srv__kind_name(srv_kind kind) {
    return kinds[kind].name;
}

int srv__priority(srv_kind kind) {
    return kinds[kind].priority;
}

bool srv__is_kind(const char *name, srv_kind kind) {
    return strcmp(name, srv__kind_name(kind)) == 0;
}

bool srv__is_trial(const char *name) {
    return srv__is_kind(name, SRV_KIND_CONFIRMATION) || srv__is_kind(name, SRV_KIND_BISECTION);
}
