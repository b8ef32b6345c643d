/* An uploaded raw file, in pieces whose size the first byte says. */
#include "server/ingest/raw_check.h"

#include <stdlib.h>

#define LIMIT_BYTES 1000000u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    size_t piece = (size_t)data[0] + 1;
    srv__raw_check *check = srv__raw_check_new(LIMIT_BYTES);
    bool good = true;
    for (size_t at = 1; good && at < size; at += piece)
        good = srv__raw_check_feed(check, data + at, MIN(piece, size - at), NULL);
    good = good && srv__raw_check_end(check, NULL);
    uint64_t bytes, lines;
    srv__raw_check_totals(check, &bytes, &lines);
    if (good && (bytes == 0 || bytes > LIMIT_BYTES || lines == 0 || lines > bytes))
        abort();
    srv__raw_check_free(check);
    return 0;
}
