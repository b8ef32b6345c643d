#pragma once
/*
 * volume - a folder that holds so many bytes and no more, however fast somebody writes.
 *
 * An ext4 file system in a sparse file, mounted on the folder in the agent's own view of the
 * mounts: the kernel refuses what is beyond (ENOSPC), and nothing of it outlives the agent, however
 * that ends. Needs root with the right to mount, loop devices and mkfs.ext4. For builds only:
 * writing through a loop device costs others' processor time, which would be measured.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * run_volume_enter - once, before any thread: mounts made later are the agent's and its children's
 * own. What the node mounts later is seen all the same. False with errno.
 */
bool run_volume_enter(void);

/* run_volume_refused - why no volume can be made below `folder`, tried in a process of its own;
 * NULL: one can. g_free. */
char *run_volume_refused(const char *folder);

/**
 * run_volume_open - mounts one on an existing empty folder.
 * image  file that keeps what is in it for the next time, made when it is missing, damaged, too
 * large by now or much too small; NULL: beside the folder and without a name from the start bytes
 * that fit, without what the file system needs itself; at most what `reserve_bytes` leaves Returns
 * false with RUN_ERROR_NODE. The mode of the folder is that of the volume: 0711, ours.
 */
bool run_volume_open(const char *folder, const char *image, uint64_t bytes, uint64_t reserve_bytes,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_volume_is_open - whether something is mounted on the folder. */
bool run_volume_is_open(const char *folder);

/* run_volume_close - what is in it is gone, or in its image. A folder without one is fine. */
bool run_volume_close(const char *folder, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_volume_drop - the same after something else went wrong: its own trouble is only logged. */
void run_volume_drop(const char *folder);
