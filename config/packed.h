#pragma once
/*
 * packed - bytes under zstd: a raw file as a stream (docs/raw-format.md), and a block in memory;
 * and what a file is known by.
 *
 * The only place that knows zstd. A stream is one frame that says how long its text is; whoever
 * reads it gets no byte more than that.
 */
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* cfg_packed_room - how many bytes packing so many can take. */
size_t cfg_packed_room(size_t size);

/* cfg_packed_block - into packed, of cfg_packed_room(size); returns how many it took, 0: no
 * memory. */
size_t cfg_packed_block(void *packed, const void *bytes, size_t size);

#define CFG_PACKED_HEAD                                                                            \
    18 /* so many bytes of a frame, or all of a shorter one, tell its length                       \
        */

/* cfg_packed_whole - whether they are one frame and nothing else; unpacks nothing, O(blocks). */
bool cfg_packed_whole(const void *packed, size_t size);

/* cfg_packed_length - what the frame that begins so says it unpacks to. False: it is no frame (0),
 * or does not say (UINT64_MAX). The bytes claim it, so the caller sets a limit before it allocates.
 */
bool cfg_packed_length(const void *packed, size_t size, uint64_t *length);

/* cfg_packed_unblock - exactly so many bytes; false: they are damaged, or no memory. */
bool cfg_packed_unblock(void *bytes, size_t size, const void *packed, size_t packed_size);

/* Where packed bytes go; false ends the packing. */
typedef bool (*cfg_pack_sink)(void *data, const void *bytes, size_t size);

/* Memory: about 1 MiB. Belongs to one thread. */
typedef struct cfg_pack cfg_pack;

/* cfg_pack_new - of a text of exactly `size` bytes; free with cfg_pack_free. */
cfg_pack *cfg_pack_new(uint64_t size, cfg_pack_sink sink, void *data);
void cfg_pack_free(cfg_pack *pack);

/* cfg_pack_feed - the next bytes of the text. False: the sink said no (errno is its), or there are
 * more than `size` (EMSGSIZE). Then only cfg_pack_free is left, as after cfg_pack_end. */
bool cfg_pack_feed(cfg_pack *pack, const void *text, size_t size);

/* cfg_pack_end - the text's end. False: as above, or there were fewer. */
bool cfg_pack_end(cfg_pack *pack);

/* Memory: the frame's window, at most 8 MiB. Belongs to one thread. */
typedef struct cfg_unpack cfg_unpack;

/* cfg_unpack_new - reads a packed file from its beginning; fd is borrowed. Free with
 * cfg_unpack_free. */
cfg_unpack *cfg_unpack_new(int fd);
void cfg_unpack_free(cfg_unpack *unpack);

/* cfg_unpack_read - the next bytes of its text, at most max > 0. Returns how many; 0: the file is
 * whole; -1: it is not, cfg_unpack_problem says why in a clause ("it is cut off"), static. */
ssize_t cfg_unpack_read(cfg_unpack *unpack, char *out, size_t max);
const char *cfg_unpack_problem(const cfg_unpack *unpack);

/* cfg_file_sum - SHA-256 of a file from where it stands to its end. NULL: it cannot be read. */
GChecksum *cfg_file_sum(FILE *file);
