#pragma once
/*
 * unpack - an archive that CI handed in, unpacked in a process of its own.
 *
 * Who wrote the archive is not trusted, and libarchive reads it: so it runs as the user of code
 * under test, with its limits and deadline, and is killed like a build. Nothing is written outside
 * the folder: no absolute path, no "..", nothing through a link; only files, folders and links.
 */
#include <stdbool.h>

#define RUN_UNPACK_COMMAND "unpack" /* moowatch-runner unpack ARCHIVE FOLDER BYTES */

/* run_unpack_is_archive - by its name: is it to be unpacked? */
bool run_unpack_is_archive(const char *name);

/**
 * run_unpack_main - `moowatch-runner unpack ARCHIVE FOLDER BYTES`: into an existing folder, at most
 * so many bytes. Returns an exit status; what is wrong goes to stderr.
 */
int run_unpack_main(int argc, char **argv);
