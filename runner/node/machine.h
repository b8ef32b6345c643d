#pragma once
/*
 * machine - the node as it is: processors, memory, kernel and the settings that move a benchmark.
 *
 * Every value is one text or number, the same at every look until somebody changes the node: all
 * of them are part of the environment's identity.
 */
#include <jansson.h>

/**
 * run_machine_add - "cpu", "microcode", "cores", "sockets", "cpu0_siblings", "memory_gb",
 * "kernel", "kernel_options", "mitigations", "governor", "turbo", "smt", "aslr", "thp", "libc".
 * root  "" for this node; a folder that holds proc/ and sys/ in tests
 * What the node does not tell is "unknown".
 */
void run_machine_add(json_t *record, const char *root);

/* run_machine_line - first line of a file below root, stripped, valid UTF-8; NULL if none;
 * g_free. */
char *run_machine_line(const char *root, const char *path);

/* run_machine_choice - the word in brackets of a kernel choice, "always [madvise] never";
 * g_free. */
char *run_machine_choice(const char *text);
