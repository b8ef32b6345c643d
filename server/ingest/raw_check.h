#pragma once
/*
 * raw_check - is a stream of bytes one whole raw file, packed (docs/raw-format.md) or, as runners
 * sent it before, one zstd frame of lines?
 *
 * It is unpacked block by block and thrown away: nothing but digits, ';', '.', '-' and line ends
 * may be in it. Memory: that of detector/packed/unpack.h.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct srv__raw_check srv__raw_check;

/* limit_bytes   greatest unpacked size */
srv__raw_check *srv__raw_check_new(uint64_t limit_bytes);
void srv__raw_check_free(srv__raw_check *check);
/* Error: INVALID (damaged, something after its end, text inside), TOO_LARGE. */
bool srv__raw_check_feed(srv__raw_check *check, const void *data, size_t size,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Error: INVALID (cut off, empty). */
bool srv__raw_check_end(srv__raw_check *check, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv__raw_check_totals(const srv__raw_check *check, uint64_t *bytes, uint64_t *lines);
/* srv__raw_check_suffix - what a file of its kind is called (server/store/raw_path.h). */
const char *srv__raw_check_suffix(const srv__raw_check *check);
