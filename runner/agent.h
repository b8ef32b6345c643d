#pragma once
/*
 * agent - the runner's life: finish what the spool holds, then lease one job after the other.
 */
#include "runner/measure/session.h"
#include "runner/node/node.h"

/**
 * run_agent - runs until told to stop, or until one job is over (once).
 * node    gets its control group
 * wait_s  with once: ends when no job came for so long; 0: waits
 * Returns the program's exit status: 0 ended as asked, the one job was measured or none came, 1 it
 * failed, nobody could be asked for one, or the agent cannot work at all (said in the log).
 */
int run_agent(run_node *node, bool once, unsigned wait_s);

/*
 * turns - several back-filled nights of a project, in turn: a round of each, in another order each
 * time, until all are measured.
 *
 * What the node does for minutes then meets all of them alike, and not one night alone: interleaved
 * trials in random order (RMIT, Abedi and Brecht 2017). What goes before a back-filled night is
 * measured between two rounds. All are handed over at the end, the oldest first, so that none is
 * judged without its neighbours.
 */

/**
 * run_turns_lease - asks for what may be done beside a job that this node has.
 * room       another night of the same project may be begun
 * expires_s  out
 * Returns the spool of a job, or NULL: nothing now.
 */
typedef run_spool *run_turns_lease(void *data, int64_t beside, bool room, unsigned *expires_s);

typedef struct {
    const run_node *node;
    run_cache *cache;
    run_turns_lease *lease;
    void *data;
} run_turns;
