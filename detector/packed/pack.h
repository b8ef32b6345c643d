#pragma once
/*
 * pack - a raw file made small, as docs/raw-format.md says: columns, and zstd over them.
 *
 * Takes text cut anywhere, gives bytes as they come. Any text comes back as it was; lines that are
 * calls are the ones that get small. Memory: 6 MiB, most of it zstd's. A det_pack belongs to one
 * thread.
 */
#include <stddef.h>
#include <stdint.h>

#include "detector/statistics/status.h"

/* "\x89MWCALS" and the version, at the beginning; its blocks; 0, lines and bytes at the end. */
#define DET_PACK_MAGIC "\x89MWCALS\x01"
#define DET_PACK_MAGIC_BYTES 8
#define DET_PACK_END_BYTES 20

typedef struct det_pack det_pack;

/* Where the bytes go; anything but 0 ends the packing. */
typedef int (*det_pack_sink)(void *data, const void *bytes, size_t size);

/** det_pack_new - free with det_pack_free. NULL: no memory. */
det_pack *det_pack_new(det_pack_sink sink, void *data);
void det_pack_free(det_pack *pack);

/**
 * det_pack_feed - the next bytes of the raw file.
 * Returns DET_OK | DET_ENOMEM | DET_EINVAL (the sink said no). Then only det_pack_free is left.
 */
det_status det_pack_feed(det_pack *pack, const void *text, size_t size);

/** det_pack_finish - the end of the raw file. Returns as det_pack_feed. To be called once. */
det_status det_pack_finish(det_pack *pack);
