#pragma once
/*
 * pull - a commit asked about before it is merged: measured in turn (A B B A) with its merge base.
 *
 * held       a fork's: its code runs on the node only after a maintainer's label or comment
 * waiting    its commits are not known yet: the poller looks for them
 * measuring  one job after the other on one node, until every portion has its answer or the
 *            project's minutes (pull_requests.minutes) are spent
 * done       each portion is slower, faster, as before ("same") or unsure (detector/watch/merge.h)
 * failed     there is no merge base, a commit does not build, ...: the reason says it
 * dropped    another commit replaced it, or it was closed
 */
#include "config/config.h"
#include "server/store/commits.h"

#define SRV_PULL_SUBMITTED "submit" /* the provider of what came by the API */
#define SRV_PULL_COMMAND "/moowatch measure"

/* What is asked; borrowed. */
typedef struct {
    const char *provider;
    int64_t number;                   /* 0: none, by the API */
    const char *head;                 /* full commit id */
    const char *ref;                  /* where it is fetched from; NULL: a branch's tip has it */
    const char *title, *author, *url; /* url: NULL: none */
    bool fork, labelled;
} srv_pull_facts;

/**
 * srv_pull_ask - measure this; what was asked for the same number before and is of another commit
 * is dropped. The same commit again gives the same answer, unless that failed or was dropped.
 * Error: INVALID (the project measures none).
 */
bool srv_pull_ask(srv_store *store, const cfg_project *project, const srv_pull_facts *facts,
                  int64_t now_ms, int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_pull_hear - what a webhook says of one (hook/hook.h): opened, pushed to, labelled, commented
 * on, closed.
 * note  out, static: why nothing follows; NULL: something does
 */
bool srv_pull_hear(srv_store *store, const cfg_project *project, const char *provider,
                   const json_t *said, int64_t now_ms, const char **note,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_pull_begin - its commits are known: the first job is queued. */
bool srv_pull_begin(srv_store *store, int64_t id, const srv_commit *after, const srv_commit *before,
                    int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_pull_refuse - it cannot be measured; the reason is told. */
bool srv_pull_refuse(srv_store *store, int64_t id, const char *reason, int64_t now_ms,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
