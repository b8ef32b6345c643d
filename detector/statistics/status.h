#pragma once
/*
 * status - the codes that every function of the detector returns.
 */

typedef enum {
    DET_OK = 0,
    DET_EINVAL,   /* an argument is out of its range */
    DET_ESHORT,   /* fewer values than the statistic needs */
    DET_ENUMERIC, /* a value is not finite, or the result would not be */
    DET_ENOMEM,   /* no memory, or a stated bound on memory is reached */
    DET_ESYNTAX   /* bytes that are not what the format says */
} det_status;

/** det_status_text - a short sentence in English; static, never NULL. */
const char *det_status_text(det_status status);
