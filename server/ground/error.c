#include "server/ground/error.h"

G_DEFINE_QUARK(srv - error - quark, srv_error)
