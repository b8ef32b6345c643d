#pragma once
/*
 * bytes - one block of bytes packed by itself, such as a column of a database.
 */
#include <stdbool.h>
#include <stddef.h>

/* det_bytes_room - how many bytes packing so many can take. */
size_t det_bytes_room(size_t size);

/* det_bytes_pack - into packed, of det_bytes_room(size); returns how many it took, 0: no memory. */
size_t det_bytes_pack(void *packed, const void *bytes, size_t size);

/* det_bytes_whole - how many bytes unpacking gives; 0: these are not packed. The packed bytes claim
 * it, so the caller sets a limit before it allocates. */
size_t det_bytes_whole(const void *packed, size_t size);

/* det_bytes_unpack - exactly whole bytes; false: they are damaged, or no memory. */
bool det_bytes_unpack(void *bytes, size_t whole, const void *packed, size_t size);
