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
    CFG_NIGHT_FULL = 1,        /* an item of a list, whole */
    CFG_NIGHT_BRIEF = 2,       /* what charts and tables show */
    CFG_NIGHT_COLUMNS = 4,     /* likewise, without what stands in columns */
    CFG_NIGHT_ALONE = 8,       /* by itself, without configurations */
    CFG_NIGHT_EXPERIMENT = 16, /* an experiment: all there is */
    CFG_NIGHT_NOT = 32         /* a column that no form shows */
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
extern const model_noun cfg_confirmation_model;

typedef struct {
    char *portion, *configuration, *parent; /* parent NULL: nothing is below it */
    char *unit, *better;      /* unit NULL: a time; better NULL: less of it is, else "higher" */
    det_interval now, median; /* ns a call, or in the unit, as all */
    char *method;
    det_interval judged, reference, difference;             /* judged: what the verdict is of */
    int64_t reference_nights, reference_from, reference_to; /* -1: not known */
    char *verdict, *rule, *direction, *reason;
    cfg_confirmation *confirmation; /* NULL: it was not measured again */
    char *since; /* the date of the night that its change began with; NULL: this one */
    bool slow;   /* it came slowly: with no single night, and no commit of it is known */
    char *later; /* "up", "down": as a later night told, so it had changed by this one, which could
                    not say it; NULL: none did */
    bool accepted_in_advance;
    char *joined;  /* why a portion of several letters is one */
    char *scaling; /* with more threads: how many times as long as with the benchmark's */
    char *culprit; /* the other commit that its change is of, short, or the night that it began
                      with; NULL: none is known */
    int64_t among; /* of so many commits nobody knows which, be it that another night shows it; 0:
                      there is no such doubt */
    char *lost;    /* it fell, and this says what is lost now; NULL: no more than before */
    char *standing, *words; /* as web_night_say has them; NULL: clear, and "as before" */
    char *dimension;        /* of an alert's level before; NULL: of time, as a night's are */
} cfg_portion;
extern const model_noun cfg_portion_model;

/* A process of a configuration. JSON as it was sent. */
typedef struct {
    int64_t loop, position, started_ms, calls, warmup_calls; /* -1: not known, as below */
    double seconds;
    bool disturbed, used;
    char *failed; /* why; NULL: it did not */
    json_t *summary, *calls_per_second, *readings;
    char *raw_sha256, *raw_url, *calls_url; /* NULL: there is no raw file, or not under a name */
    int64_t raw_bytes, raw_uncompressed_bytes;
    bool raw_named; /* of several of one number it is the one that counts */
} cfg_loop;
extern const model_noun cfg_loop_model;

/* What was measured of a configuration. */
typedef struct {
    char *name, *label;
    int64_t loops;
    det_interval now, median;
    json_t *statistics, *stored; /* stored: what fills the former's members that are null */
    cfg_loop *loop_results;
    unsigned loop_results_count;
} cfg_measured;
extern const model_noun cfg_measured_model;

typedef struct {
    det_interval now;
    int64_t experiment; /* the last night at that level */
} cfg_counted_before;

/* What was counted of a portion. */
typedef struct {
    char *dimension, *counter, *portion, *configuration, *parent, *verdict, *rule, *direction,
        *reason;
    char *later; /* "up", "down": as a later night told, it had changed by this one */
    char *words; /* "may have risen", "the control moved"; NULL: it changed, or is as before */
    det_interval now;
    double total;
    json_t *loops; /* of the configuration, those that count; NULL: nobody kept them */
    bool slow;
    cfg_counted_before *before;
} cfg_counted;
extern const model_noun cfg_counted_model;

typedef struct {
    char *dimension, *label, *per, *counter;
    char *note;    /* which portions are of whole processes, and why; NULL: none for calls */
    char *threads; /* of cpu_ms: who took it, by configuration; NULL: nobody looked */
    cfg_counted *portions;
    unsigned portions_count;
} cfg_dimension;
extern const model_noun cfg_dimension_model;

/* What makes figures doubtful: config/doubts.h. */
typedef struct {
    char *kind, *configuration, *portion, *sentence;
} cfg_doubt;
extern const model_noun cfg_doubt_model;

/* A limit of the project (config/limits.h). state: met, unsure, above, unknown. */
typedef struct {
    char *limit, *state, *sentence;
    char *dimension;               /* "time" */
    char *portion, *configuration; /* whose value it is, the dearest of several; NULL: nobody's */
    det_interval now;              /* in the unit of its dimension */
} cfg_limited;

typedef struct {
    int64_t at_ms;
    char *rule, *sentence;
} cfg_removed;

/* A change that a later night told of. */
typedef struct {
    char *configuration, *direction;
} cfg_began;

/* A night that a change or an incident begins after, or with. */
typedef struct {
    cfg_commit commit;
    char *night;
    int64_t experiment;
    bool undated; /* no file says when the commit was made: its time stands for that of the night */
} cfg_end;
extern const model_noun cfg_end_model;

/* Who decided what, of an alert or an incident. */
typedef struct {
    int64_t at_ms;
    char *from, *to, *author, *reason;
} cfg_decision;
extern const model_noun cfg_decision_model;

/* Of a portion: what another environment does to its level, and what the code changed. */
typedef struct {
    char *portion, *unit, *changed; /* unit NULL: ns */
    det_interval factor, change;
} cfg_bridged;

/* What joins an incident to the environment before. */
typedef struct {
    char *state, *sentence;
    det_interval factor; /* of the portions' sum */
    cfg_bridged *portions;
    unsigned portions_count;
} cfg_bridge;
extern const model_noun cfg_bridge_model;

/* The form of an incident by itself; a night has what a chart and a table say of it. */
enum { CFG_INCIDENT_ALONE = 64 };

typedef struct {
    int64_t id, opened_ms;
    char *project, *kind, *state, *headline, *sentence;
    char *who;            /* portions that are missing, or the control that moved; "": of others */
    bool lasts, imported; /* imported: as of an alert */
    det_interval factor;
    int64_t moved, seen_of; /* configurations; -1: not known */
    cfg_bridge *bridge;
    cfg_end *from, *to, *seen, *over; /* the nights before, at its begin, that showed it, after */
    cfg_decision *audit;
    unsigned audit_count;
    int64_t experiment; /* that it begins with, and the others by their keys */
    int64_t before, shown, after;
} cfg_incident;
extern const model_noun cfg_incident_model;

typedef struct {
    int64_t experiment, job;
    char *project, *night, *state, *reason, *environment, *release, *note, *baseline;
    cfg_commit commit;
    bool environment_changed, environment_unknown, accepted; /* unknown: measured who knows where */
    int64_t finished_ms;                                     /* -1: not known */
    int64_t loops;
    det_interval total, total_median;
    double level; /* of the intervals */
    /* Of its project: what is smaller is not told. */
    double minimum_effect_ns, minimum_effect_percent;
    cfg_incident *incident; /* that begins with it */
    char *counted, *headline;
    char *beside;         /* what it told of beside time: "start rose"; NULL: nothing */
    bool beside_doubtful; /* some of that is in question: "peak memory may have risen" */
    char *beside_asked;   /* that alone; NULL: nothing */
    char *counts_moved; /* what is counted and reported alone: "W +0.65 % of records lost"; NULL */
    char *lost;         /* of that, what is lost now and no portion's own says; NULL: nothing */
    char *disturbed; /* where most loops were: "7 of 10 loops of write were …"; NULL: nowhere */
    cfg_portion *portions;
    cfg_began *began;
    cfg_measured *configurations;
    cfg_dimension *dimensions;
    cfg_doubt *doubts;
    cfg_limited *limits;
    unsigned portions_count, began_count, configurations_count, dimensions_count, doubts_count,
        limits_count;
    /* Of an experiment alone. JSON as it was sent; detail: of the environment, that night. */
    char *node, *log, *environment_change;
    int64_t started_ms, previous, next; /* the measured nights beside it; -1: not known */
    json_t *expectations, *benchmark, *environment_detail, *detail, *ended_early, *preparation,
        *counts;
    cfg_removed *raw_removed; /* NULL: the raw data are there */
} cfg_night;

extern const model_noun cfg_night_model;

/* cfg_night_of - read leniently. For model_clear. */
cfg_night cfg_night_of(const json_t *json);

/**
 * cfg_portion_standing - what is known of a portion that is not clear; NULL: it is. Whoever shows
 * a night, or decides by it, asks here. Static.
 * "changed"; "doubtful": it is in question, or its measurement is suspect; "missing": its
 * configuration was not measured (failed or taken away, that makes none of the others suspect);
 * "incomparable": the machine was another one
 */
const char *cfg_portion_standing(const cfg_portion *portion);

/* cfg_portion_known - the same by what is known now: NULL where a later night told of the change.
 * Static. */
const char *cfg_portion_known(const cfg_portion *portion);

/* cfg_portion_is_unclear - nobody can say whether it changed: not clear, nor changed; or nothing is
 * there to compare it with. */
bool cfg_portion_is_unclear(const cfg_portion *portion);

/* cfg_portion_is_begun - did somebody say that a level begins with it? It is the first of that. */
bool cfg_portion_is_begun(const cfg_portion *portion);

/* cfg_portion_is_denied - does it stand on another level, of which somebody said that it is none?
 * Its verdict says nothing of the difference then. */
bool cfg_portion_is_denied(const cfg_portion *portion);

/* cfg_portion_is_small - did it change, by less than its project wants to be told? */
bool cfg_portion_is_small(const cfg_portion *portion);

/* cfg_portion_visible - the smallest change of a portion that its night would have shown, in its
 * unit: where the judged interval and the reference's part; of what was measured again and cleared
 * the largest that the trial's interval holds. NaN: not known, as where all nights were equal. */
double cfg_portion_visible(const cfg_portion *portion);

/**
 * cfg_portion_is_blind - could it have more than doubled, and nobody would have seen it? What has
 * next to no size of its own may grow by less than the method, and than the largest portion; of 0
 * there is no doubling.
 * night  that it is of, whole (CFG_NIGHT_ALONE)
 */
bool cfg_portion_is_blind(const cfg_night *night, const cfg_portion *portion);

/* cfg_is_worse - is a change in that direction for the worse? It is upwards, where more is not
 * better. */
bool cfg_is_worse(const char *direction, const char *better);

/* cfg_portion_which - its configuration, where another portion of its night has the same letter;
 * NULL. Borrowed. cfg_portion_name - "W", or "W, file" then; owned. */
const char *cfg_portion_which(const cfg_night *night, const cfg_portion *portion);
char *cfg_portion_name(const cfg_night *night, const cfg_portion *portion);

/* cfg_portion_title - that, with the unit of its numbers where they are no times, or the night has
 * portions of other units: "ram (MiB)", "put (ns)"; owned. cfg_portion_unit -
 * "ns", or that unit. cfg_night_unit - "ns a call", the unit of all its portions, or "each in its
 * unit". Static, or of the night. */
char *cfg_portion_title(const cfg_night *night, const cfg_portion *portion);
const char *cfg_portion_unit(const cfg_portion *portion);
const char *cfg_night_unit(const cfg_night *night);

/* cfg_night_portion, cfg_night_configuration - the one of this configuration's name; NULL: there is
 * none, or name is NULL. Of the night. */
cfg_portion *cfg_night_portion(const cfg_night *night, const char *configuration);
cfg_measured *cfg_night_configuration(const cfg_night *night, const char *name);

/* cfg_is - are both the same word? NULL is "". */
bool cfg_is(const char *text, const char *word);

static inline void cfg_portion_clear(cfg_portion *portion) {
    model_clear(&cfg_portion_model, portion);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(cfg_portion, cfg_portion_clear)

static inline void cfg_incident_clear(cfg_incident *incident) {
    model_clear(&cfg_incident_model, incident);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(cfg_incident, cfg_incident_clear)

static inline void cfg_night_clear(cfg_night *night) {
    model_clear(&cfg_night_model, night);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(cfg_night, cfg_night_clear)
