#pragma once
/*
 * zip - a zip file that somebody else made, read entry by entry; nothing is unpacked to disk.
 *
 * The only place that knows the zip library. Not libarchive, though the runner unpacks with it:
 * libzip compares the directory at the end of the file with each entry's own header and refuses a
 * file in which they differ, it knows an entry's compressed size before unpacking (a bomb is
 * refused by it), and it goes to one entry. libarchive 3.6.2 has neither, and reads on without an
 * error when the directory is cut off.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define CFG_ZIP_ENTRIES_MAX 100000u

/* How errors are told. Borrowed. */
typedef struct {
    const char *place; /* how people find the file */
    const char *hint;  /* what to do about a file that is no whole zip */
    GQuark domain;
    int code;
} cfg_zip_errors;

typedef struct {
    const char *name; /* as the archive has it, valid UTF-8; borrowed from the zip */
    uint64_t index, bytes, packed_bytes;
} cfg_zip_entry;

/* Of one thread. */
typedef struct {
    void *archive;
    cfg_zip_errors errors;
    uint64_t count;
    cfg_zip_entry *entries; /* [count], folders among them */
} cfg_zip;

/* Takes the next bytes; false, with error set, ends the reading. */
typedef bool (*cfg_zip_take)(const void *bytes, size_t size, void *user, GError **error);

/**
 * cfg_zip_open - fd stays open and the caller's. The strings of errors must outlive it.
 * NULL with error: no zip, damaged, too many entries, one without name or size.
 */
cfg_zip *cfg_zip_open(int fd, const cfg_zip_errors *errors,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
void cfg_zip_free(cfg_zip *zip);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(cfg_zip, cfg_zip_free)

/**
 * cfg_zip_read - one entry from its first to its last byte, in pieces of at most 1 MiB.
 * entry  its index, its name for errors, and the bytes that must come, neither more nor less
 */
bool cfg_zip_read(const cfg_zip *zip, const cfg_zip_entry *entry, cfg_zip_take take, void *user,
                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
