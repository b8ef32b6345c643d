#include "server/ground/error.h"

G_DEFINE_QUARK(srv_error, srv_error)
