#pragma once
/*
 * explanation_rows - what is asked of explanations and the profiles they come from.
 */
#include "server/alarm/profile_name.h"
#include "server/store/store_sql.h"

/* A job that explains; borrowed. */
typedef struct {
    int64_t alert, before, after, benchmark;
    const char *node;  /* NULL: any */
    const char *extra; /* JSON of what the runner is told beside */
} srv__explanation_job;

/* A portion of an alert that is explained. */
typedef struct {
    char *configuration, *portion;
    double change_ns;
} srv__explained;
extern const model_noun srv__explained_model;

/* What a job explains, and where it is measured. */
typedef struct {
    int64_t alert, experiment;
    char *hash; /* of its result; NULL: there is none yet */
    char *before, *after;
    double level; /* of its intervals; 0: not known */
    json_t *body;
} srv__explaining;
extern const model_noun srv__explaining_model;

bool srv__explaining_get(srv_store *store, int64_t job, srv__explaining *row, bool *there,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* One profile; borrowed. */
typedef struct {
    int64_t alert;
    const char *dimension; /* SRV_PROFILE_TIME, SRV_PROFILE_BYTES */
    const char *configuration;
    bool before;
    int64_t loop, calls;
    const char *stacks;
} srv__profile_row;

bool srv__profile_insert(srv_store *store, const srv__profile_row *row,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What profiles say of one portion; borrowed. */
typedef struct {
    int64_t alert;
    const char *dimension; /* SRV_PROFILE_TIME, SRV_PROFILE_BYTES */
    const char *configuration, *parent, *portion, *sentence, *functions;
    double change_ns; /* NaN: of bytes */
    double before_units, after_units;
} srv__explanation_portion_row;

bool srv__explanation_portion_insert(srv_store *store, const srv__explanation_portion_row *row,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__explanation_done - its profiles are there, as the runner's body says. */
bool srv__explanation_done(srv_store *store, int64_t alert, const json_t *body, const char *hash,
                           int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;
