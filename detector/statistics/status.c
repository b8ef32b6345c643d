#include "detector/statistics/status.h"

const char *det_status_text(det_status status) {
    switch (status) {
    case DET_OK:
        return "done";
    case DET_EINVAL:
        return "an argument is out of its range";
    case DET_ESHORT:
        return "too few values for this statistic";
    case DET_ENUMERIC:
        return "a value is not a finite number in the allowed range";
    case DET_ENOMEM:
        return "out of memory, or above the stated bound";
    case DET_ESYNTAX:
        return "the data are not in the expected format";
    }
    return "unknown status";
}
