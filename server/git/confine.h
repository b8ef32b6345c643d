#pragma once
/*
 * confine - what a process that reads a stranger's repository may touch.
 *
 * Landlock (Linux 5.13) holds whoever has taken over the process to one folder: it runs no program,
 * writes nothing beside that folder, and reads only what is named and what TLS, names of hosts and
 * their clocks need of the system. From version 4 it listens to no TCP port, and connects to none
 * where it need not; from version 6 no signal and no abstract socket reaches another process. A
 * kernel without Landlock confines nothing.
 */
#include <glib.h>
#include <stdbool.h>

typedef struct {
    const char *folder;       /* read and written; it is there */
    const char *const *reads; /* NULL-ended; files and folders, those not there are passed over */
    bool reads_all, connects;
} srv_confinement;

/** srv_confine - for the rest of this process and what it starts. False with error in G_IO_ERROR:
 * the kernel has Landlock and refused. */
bool srv_confine(const srv_confinement *to, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_confine_version - of the kernel's Landlock; 0: none. */
int srv_confine_version(void);
