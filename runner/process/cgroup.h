#pragma once
/*
 * cgroup - a control group (version 2) of its own for code under test, where that is allowed.
 *
 * A process cannot leave it, whatever it does: so it can be counted, confined to processors, and
 * killed as a whole, by the next start of a killed agent too. Without one the runner falls back to
 * what every process can do; nothing here is fatal.
 */
#include <glib.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct run_cgroup run_cgroup;

typedef struct {
    uint64_t process_limit;      /* 0: none */
    uint64_t memory_limit_bytes; /* 0: none */
} run_cgroup_limits;

/**
 * run_cgroup_open - finds or makes the group "moowatch-job-<name>" below the agent's own; what is
 * still in it is killed, and empty groups that no living agent holds are removed. Controllers
 * (cpuset, pids, memory) are used as far as they are delegated. root  "" for this node; a folder
 * with proc/ and the mount in tests name  of this agent alone: others may share its group Returns
 * NULL when there is no version 2 hierarchy, or it may not be written to; why: out, g_free.
 */
run_cgroup *run_cgroup_open(const char *root, const char *name, const run_cgroup_limits *limits,
                            char **why);
void run_cgroup_free(run_cgroup *group);

/* run_cgroup_offered - those of our controllers that the node's version 2 hierarchy has, "cpuset
 * pids",
 * "" for none; NULL: no such hierarchy. g_free. */
char *run_cgroup_offered(const char *root);

/* run_cgroup_cpus - where its processes may run. False when cpuset is not delegated. */
bool run_cgroup_cpus(run_cgroup *group, const cpu_set_t *cpus);

/**
 * run_cgroup_fork - as fork(2), the child in the group; best effort, as all of it. The child may
 * call what is async-signal-safe, no more.
 * group  NULL: none
 * flags  of clone(2), such as namespaces
 */
pid_t run_cgroup_fork(const run_cgroup *group, uint64_t flags);

/* run_cgroup_kill - kills all that is in it; returns how many there were. Before 5.14 it cannot. */
unsigned run_cgroup_kill(run_cgroup *group);

/* run_cgroup_memory_kills - how many of its processes the kernel has killed so far because they
 * needed more than memory_limit_bytes together; 0 where memory is not delegated. */
uint64_t run_cgroup_memory_kills(const run_cgroup *group);

/* run_cgroup_controllers - of those asked for, what is in force: "cpuset pids"; borrowed. */
const char *run_cgroup_controllers(const run_cgroup *group);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_cgroup, run_cgroup_free)
