#pragma once
/*
 * alert - what an alert says, as docs/api.md has it: the struct that the store fills from its rows,
 * that JSON is written from, and that messages, feeds and pages are made from. What is not known or
 * left out is NULL, NAN, 0 or false.
 */
#include "config/model/night.h"

/* The forms of an alert's JSON. */
enum { CFG_ALERT_TOLD = 1, CFG_ALERT_ROW = 2 /* a column that no answer shows */ };

/* What changed of a portion, in time or in another dimension; what words say of it. */
typedef struct {
    char *portion, *configuration, *dimension, *direction, *reason, *counted, *headline, *sentence;
    char *unit, *better; /* as of a portion */
    char *lost;          /* more is lost now: NULL: no */
    char *thread;        /* of processor time: the name of those that most of it is; NULL: none */
    det_interval before, after, difference;
    double percent;   /* of the level before */
    int64_t fixed_by; /* the alert whose change took this one back */
    cfg_confirmation *confirmation;
} cfg_change;

/* A commit that a search tried, at its place among those searched. */
typedef struct {
    cfg_commit commit;
    int64_t place, trial, loops; /* -1: not known */
    char *state, *reason, *saw;  /* saw: of the change, in words */
    det_interval before, after, difference;
} cfg_step;

/* Less than this of a change is not all of it, whatever the machine did between two trials. */
#define CFG_WHOLE_SHARE 0.8

/* A commit of which a search says how much of the change it brought. */
typedef struct {
    char *sha;
    double percent; /* NAN: nobody knows */
} cfg_part;

typedef struct {
    char *state, *reason;
    char
        *rest; /* of the change, that its commit did not bring; NULL: it brought all that is seen */
    char *configuration, *dimension; /* that its steps were asked of; NULL: nothing was measured */
    char *of, *alone; /* its name, and that the alert tells of more than it; NULL: it does not */
    char *told;       /* rest, alone, and that its commit is named by exclusion; NULL: nothing */
    int64_t started_ms, finished_ms, commits, low, high; /* -1: not known */
    int64_t left; /* of its commits, that may have done it, or, with rest, the most of it; 0: all of
                     them, or it is found */
    double least; /* share of the change that its commit surely brought; NAN: not known */
    bool partly;  /* that is less than four fifths, so others may have brought the rest */
    cfg_step *steps, *suspects; /* suspects: of the places low, low + 1 and high */
    cfg_part *parts;            /* those that rest names; none without it */
    cfg_part *acquitted;        /* of those that nights measured */
    unsigned steps_count, suspects_count, parts_count, acquitted_count;
    cfg_commit *culprit, *first, *last; /* that may have done it; NULL: not known */
    cfg_commit *before;                 /* first; NULL: the alert's from */
} cfg_search;

/* Where profiles say that the change of a portion is, and from which profiles that is. */
typedef struct {
    char *portion, *configuration, *parent, *sentence;
    double change_ns, before_units, after_units;
    json_t *functions;
} cfg_found;

typedef struct {
    char *configuration, *end, *url;
    int64_t loops;
} cfg_profile;

/* What was found in allocated bytes. */
typedef struct {
    char *profiler, *unit, *reason;
    cfg_found *portions;
    cfg_profile *profiles;
    unsigned portions_count, profiles_count;
} cfg_allocations;

typedef struct {
    char *state, *reason, *profiler, *unit, *before, *after;
    int64_t job, finished_ms, removed_ms; /* -1: not known */
    cfg_found *portions;
    cfg_profile *profiles;
    unsigned portions_count, profiles_count;
    cfg_allocations *allocations;
} cfg_explanation;

/* How the entry of the history begins that takes back what a search found; the commit follows. */
#define CFG_ALERT_HAD_FOUND "the search had found "

/* How the entry begins of somebody who moved it to another night, or back. */
#define CFG_ALERT_MOVED "moved by hand from "
#define CFG_ALERT_MOVED_BACK "moved back to "

/* Another branch: does it have the commit? */
typedef struct {
    char *branch, *project, *state, *commit, *sentence;
    bool fix;  /* the commit ended another alert */
    bool over; /* what the commit did there was fixed */
} cfg_branch;

typedef struct {
    int64_t id, raised_ms;
    char *project, *branch, *state, *repeat, *before_doubt; /* before_doubt NULL: none */
    char *corrected;       /* which commit it was not, though a search had found it; NULL: none */
    char *moved;           /* who moved it to its night, and why; NULL: nobody */
    double level;          /* of the intervals */
    bool aged, searchable; /* searchable: nobody has searched for its commit yet, and will */
    bool slow;             /* it came slowly, and nobody measured again what came between */
    bool imported;     /* its night was: raised_ms, and when the detector decided, are its date */
    cfg_change change; /* of the largest portion; its words are of all */
    cfg_end *from;     /* NULL: of one night */
    cfg_end *until;    /* NULL: as to */
    cfg_end to;
    int64_t commits; /* between the nights; 0: not known */
    int64_t nights;  /* measured after `from`, up to `until`; 0: not known */
    cfg_search *search;
    cfg_explanation *explanation;
    cfg_decision *audit;
    cfg_change *portions;
    cfg_branch *branches;
    unsigned audit_count, portions_count, branches_count;
    /* What only the store knows: the days after which it ages, the last night that showed it, its
     * project's file, names of all portions of its first night, what was counted on both sides. */
    int64_t ageing_days;
    char *seen_night, *file;
    cfg_change *names;
    cfg_portion *levels_before; /* of its portions in the last night before, those in question */
    cfg_counted *counts;
    unsigned names_count, levels_before_count, counts_count;
} cfg_alert;

extern const model_noun cfg_alert_model;

/* cfg_alert_of - read leniently: an answer that cannot be read says nothing. For model_clear. */
cfg_alert cfg_alert_of(const json_t *json);

/* cfg_alert_json - as the API has it; owned. */
json_t *cfg_alert_json(const cfg_alert *alert) G_GNUC_WARN_UNUSED_RESULT;

/* cfg_alert_end - the last night that the change may have begun with. Borrowed. */
const cfg_end *cfg_alert_end(const cfg_alert *alert);

/* cfg_alert_latest - the commit that surely has the change: where a search ended, or of that night.
 * Borrowed. */
const cfg_commit *cfg_alert_latest(const cfg_alert *alert);

/* cfg_alert_order - as nights follow each other, also those of one date: below 0 where the night
 * comes before that end of an alert. */
int cfg_alert_order(const cfg_night *night, const cfg_end *end);

/* cfg_alert_commits - how many commits came between its two nights; 0: not known. What is counted
 * has one night. */
int64_t cfg_alert_commits(const cfg_alert *alert);

/* cfg_alert_left - how many of them may have done it, as far as a search got; 0: not known. */
int64_t cfg_alert_left(const cfg_alert *alert);

/* cfg_alert_of_one_commit - its two ends are measurements of one commit, so it was none. */
bool cfg_alert_of_one_commit(const cfg_alert *alert);

/* cfg_alert_culprit - the commit that did it, as far as is known; NULL: one of several, or somebody
 * moved the change there and nothing was measured, and nobody is accused. Borrowed. */
const cfg_commit *cfg_alert_culprit(const cfg_alert *alert);

/* cfg_commit_is - is it that one? sha may be its beginning; of: NULL: no. */
bool cfg_commit_is(const cfg_commit *of, const char *sha);

/* cfg_alert_is_named - has its search found the commit, as the one or as one that brought a part?
 * sha may be its beginning. */
bool cfg_alert_is_named(const cfg_alert *alert, const char *sha);

/* cfg_alert_was_before - is the last night that surely was as before of this commit? Whatever was
 * measured again of it later, it brought no change. */
bool cfg_alert_was_before(const cfg_alert *alert, const char *sha);

/* cfg_alert_acquits - has that, or its search, shown that the commit is none of those that may have
 * done it? */
bool cfg_alert_acquits(const cfg_alert *alert, const char *sha);

/* cfg_alert_is_searched - does what a search found hold for this part of the alert? Its steps ask
 * of one; without steps, or a search, the commits between the nights are of all. */
bool cfg_alert_is_searched(const cfg_alert *alert, const cfg_change *part);

static inline void cfg_alert_clear(cfg_alert *alert) {
    model_clear(&cfg_alert_model, alert);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(cfg_alert, cfg_alert_clear)
