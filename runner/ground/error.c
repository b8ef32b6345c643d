#include "runner/ground/error.h"

G_DEFINE_QUARK(moowatch - run - error - quark, run_error)
