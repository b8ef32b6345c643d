#pragma once
/*
 * night - what a night says, as docs/api.md has it: the struct that the store fills from its rows,
 * that JSON is written from, and that words, charts, badges and messages are made from. What is not
 * known is NULL, NAN, 0 or false.
 */
#include "config/model/model.h"
#include "detector/statistics/interval.h"

/* The forms of a night's JSON. */
enum {
    CFG_NIGHT_FULL = 1,       /* an item of a list, whole */
    CFG_NIGHT_BRIEF = 2,      /* what charts and tables show */
    CFG_NIGHT_COLUMNS = 4,    /* likewise, without what stands in columns */
    CFG_NIGHT_ALONE = 8,      /* by itself, without configurations */
    CFG_NIGHT_EXPERIMENT = 16 /* likewise, as an experiment begins */
};

typedef struct {
    char *sha, *shortened, *author, *subject;
    int64_t time_ms;
} cfg_commit;
extern const model_noun cfg_commit_model;

/* What measuring again has shown. */
typedef struct {
    char *state, *reason;
    int64_t trial, loops; /* -1: not known */
    double before_ns, after_ns;
    det_interval difference;
} cfg_confirmation;

typedef struct {
    char *portion, *configuration, *parent; /* parent NULL: nothing is below it */
    det_interval now, median;               /* ns a call, as all */
    char *method;
    det_interval judged, reference, difference;             /* judged: what the verdict is of */
    int64_t reference_nights, reference_from, reference_to; /* -1: not known */
    char *verdict, *rule, *direction, *reason;
    cfg_confirmation *confirmation; /* NULL: it was not measured again */
    char *since; /* the date of the night that its change began with; NULL: this one */
    bool accepted_in_advance;
    char *joined;  /* why a portion of several letters is one */
    char *culprit; /* the other commit that its change is of, short; NULL: none is known */
    int64_t among; /* of so many commits nobody knows yet which; 0: there is no such doubt */
} cfg_portion;
extern const model_noun cfg_portion_model;

typedef struct {
    char *name, *label;
    int64_t loops;
    det_interval now, median;
} cfg_measured;
extern const model_noun cfg_measured_model;

/* A change that a later night told of. */
typedef struct {
    char *configuration, *direction;
} cfg_began;

/* What a chart and a table say of an incident. */
typedef struct {
    int64_t id;
    char *kind, *state, *headline, *sentence;
} cfg_incident;
extern const model_noun cfg_incident_model;

typedef struct {
    int64_t experiment, job;
    char *project, *night, *state, *reason, *environment, *release, *note, *baseline;
    cfg_commit commit;
    bool environment_changed, accepted;
    int64_t finished_ms; /* -1: not known */
    int64_t loops;
    det_interval total, total_median;
    double level;             /* of the intervals */
    double minimum_effect_ns; /* of its project: what is smaller is not told */
    cfg_incident *incident;   /* that begins with it */
    char *counted, *headline;
    cfg_portion *portions;
    cfg_began *began;
    cfg_measured *configurations;
    unsigned portions_count, began_count, configurations_count;
} cfg_night;

extern const model_noun cfg_night_model;

/* cfg_night_of - read leniently. For model_clear. */
cfg_night cfg_night_of(const json_t *json);

/* cfg_portion_is_missing - its configuration was not measured: failed or taken away, that makes
 * none of the others suspect. */
bool cfg_portion_is_missing(const cfg_portion *portion);

/* cfg_portion_is_doubtful - nobody can say whether it changed: it is in question, or its
 * measurement is suspect. One that is missing is neither. */
bool cfg_portion_is_doubtful(const cfg_portion *portion);

/* cfg_is - are both the same word? NULL is "". */
bool cfg_is(const char *text, const char *word);

static inline void cfg_night_clear(cfg_night *night) {
    model_clear(&cfg_night_model, night);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(cfg_night, cfg_night_clear)
