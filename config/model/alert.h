#pragma once
/*
 * alert - what an alert or an incident says, as docs/api.md has it: the struct that messages, feeds
 * and pages are made from. What an answer leaves out is NULL, NAN, 0 or false.
 */
#include "config/model/night.h"

/* A night that a change begins after, or with. */
typedef struct {
    char *night;
    cfg_commit commit;
} cfg_end;

/* A change of one portion, and where profiles say that it is. */
typedef struct {
    char *portion, *configuration, *direction, *sentence;
    double percent; /* of the level before */
} cfg_change;

typedef struct {
    int64_t at_ms;
    char *author, *reason;
} cfg_decision;

typedef struct {
    int64_t id, raised_ms;
    char *project, *state, *headline, *sentence, *reason, *counted, *repeat;
    cfg_change change; /* of the largest portion */
    cfg_end *from;     /* NULL: of one night */
    cfg_end *until;    /* NULL: as to */
    cfg_end to;
    cfg_commit *culprit; /* that a search has found; NULL: none */
    char *search_state;  /* NULL: there is no search */
    int64_t searched;    /* commits that it is among; -1: there is no search */
    int64_t commits;     /* between the nights; 0: not known */
    cfg_change *portions;
    unsigned portions_count;
    cfg_decision *audit;
    unsigned audit_count;
    char *explained;   /* the state of its explanation */
    cfg_change *where; /* what that says of each portion */
    unsigned where_count;
} cfg_alert;

extern const model_noun cfg_alert_model;

/* cfg_alert_of - read leniently: an answer that cannot be read says nothing. For model_clear. */
cfg_alert cfg_alert_of(const json_t *json);

/* cfg_alert_end - the last night that the change may have begun with. Borrowed. */
const cfg_end *cfg_alert_end(const cfg_alert *alert);

/* cfg_alert_commits - how many commits came between its two nights; 0: not known. What is counted
 * has one night. */
int64_t cfg_alert_commits(const cfg_alert *alert);

/* cfg_alert_culprit - the commit that did it, as far as is known; NULL: one of several, and nobody
 * is accused. Borrowed. */
const cfg_commit *cfg_alert_culprit(const cfg_alert *alert);

static inline void cfg_alert_clear(cfg_alert *alert) {
    model_clear(&cfg_alert_model, alert);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(cfg_alert, cfg_alert_clear)
