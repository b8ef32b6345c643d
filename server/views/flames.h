#pragma once
/*
 * flames - the profiles of one portion of an alert, as a flame graph takes them.
 */
#include "detector/profile/contrast.h"
#include "server/store/store.h"
#include "server/views/views.h"

typedef struct {
    det_stacks *stacks;
    double *calls;
    det_contrast_plan plan; /* calls are borrowed from above */
    double scale_ns;        /* NaN: the profiles do not show the change */
    char *title, *unit;
} srv_flame;

/**
 * srv_flame_load - of the portion that a configuration of the alert adds; before is not looked at.
 * Clear with srv_flame_clear, whatever was returned.
 * False with error: NOT_FOUND.
 */
bool srv_flame_load(srv_flame *flame, srv_store *store, const srv_profile_name *name,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_flame_clear(srv_flame *flame);
