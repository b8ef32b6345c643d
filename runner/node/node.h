#pragma once
/*
 * node - what the agent is and has: its configuration, its server, its user for code under test.
 */
#include "config/config.h"
#include "runner/ground/procfs.h"
#include "runner/link/client.h"
#include "runner/process/process.h"

typedef struct {
    const cfg_runner *config;
    char *harness_dir;       /* where moobench and moobench.jar are */
    run_client *client;      /* NULL: no server, as in tests of parts that do not talk */
    const char *results_dir; /* where results go instead of to a server; NULL: to the server */
    run_cgroup *cgroup;      /* of code under test; NULL: none */
    run_printed *printed;    /* what builds and benchmarks print; NULL: nobody wants to know */
    int stop_fd;
    cpu_set_t benchmark_cpus;    /* where the benchmark runs */
    cpu_set_t housekeeping_cpus; /* where everything else of ours runs */
    bool fixed_addresses;        /* the benchmark runs without address randomisation */
    bool private_places;         /* code under test gets its own /tmp, /var/tmp, /dev/shm */
    char *secret;                /* of names that code under test shall not guess; NULL: none */
    bool namespaces;             /* code under test gets its own processes and IPC */
    run_sandbox sandbox;         /* of code under test and git */
    bool volumes;                /* builds write into file systems of their own */
    bool switch_user;            /* code under test runs as uid and gid */
    uid_t uid;
    gid_t gid;
    bool switch_git; /* git runs as git_uid and git_gid */
    uid_t git_uid;
    gid_t git_gid;
} run_node;

/**
 * run_node_init - finds the harnesses and the user.
 * client  taken over
 * Returns false with RUN_ERROR_JOB when the configured user does not exist or cannot be taken, or
 * processors are configured that this process may not use.
 */
bool run_node_init(run_node *node, const cfg_runner *config, run_client *client, int stop_fd,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
void run_node_clear(run_node *node);

/**
 * run_node_process - a process of code under test with this node's limits and user filled in;
 * argv, environment, directory, timeout_s and the like are the caller's to set.
 */
run_process_spec run_node_process(const run_node *node);

/* run_node_path - work_dir and a path below it. Returns a string to g_free. */
char *run_node_path(const run_node *node, const char *below);

/* run_node_give - hand a directory to the user of code under test; nothing to do without one. */
bool run_node_give(const run_node *node, const char *path,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** run_node_give_git - likewise, to the user that git runs as. */
bool run_node_give_git(const run_node *node, const char *path,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_node_places - /tmp and the like for a process of code under test, below a new `folder`.
 * places  filled; empty when this node cannot have private ones
 */
bool run_node_places(const run_node *node, const char *folder, run_sandbox_places *places,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_node_add_proxies - an open GPtrArray of "NAME=value" gets the proxy settings of the agent. */
void run_node_add_proxies(GPtrArray *environment);
