#pragma once
/*
 * night - what a night says, as docs/api.md has it: the struct that words, badges and messages are
 * made from. What an answer leaves out is NULL, NAN or false.
 */
#include "config/model/model.h"
#include "detector/statistics/interval.h"

typedef struct {
    char *sha, *shortened, *author, *subject;
    int64_t time_ms;
} cfg_commit;
extern const model_noun cfg_commit_model;

typedef struct {
    char *portion, *configuration, *parent;          /* parent NULL: nothing is below it */
    det_interval now, judged, reference, difference; /* ns a call; judged: what the verdict is of */
    char *verdict, *rule, *direction, *reason;
    bool accepted_in_advance;
    char *culprit; /* the other commit that its change is of, short; NULL: none is known */
    int64_t among; /* of so many commits nobody knows yet which; 0: there is no such doubt */
} cfg_portion;

typedef struct {
    int64_t experiment;
    char *project, *night, *state, *reason, *counted, *headline;
    cfg_commit commit;
    double level; /* of the intervals */
    det_interval total;
    cfg_portion *portions;
    unsigned portions_count;
} cfg_night;

extern const model_noun cfg_night_model;

/* cfg_night_of - read leniently: an answer that cannot be read says nothing. For model_clear. */
cfg_night cfg_night_of(const json_t *json);

/* cfg_portion_is_doubtful - nobody can say whether it changed: it is in question, or its
 * measurement is suspect. */
bool cfg_portion_is_doubtful(const cfg_portion *portion);

/* cfg_is - are both the same word? NULL is "". */
bool cfg_is(const char *text, const char *word);

static inline void cfg_night_clear(cfg_night *night) {
    model_clear(&cfg_night_model, night);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(cfg_night, cfg_night_clear)
