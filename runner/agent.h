#pragma once
/*
 * agent - the runner's life: finish what the spool holds, then lease one job after the other.
 */
#include "runner/node/node.h"

/**
 * run_agent - runs until told to stop, or until one job is over (once).
 * node  gets its control group
 * Returns the program's exit status: 0 ended as asked or the one job was measured, 1 it failed or
 * the agent cannot work at all (said in the log).
 */
int run_agent(run_node *node, bool once);
