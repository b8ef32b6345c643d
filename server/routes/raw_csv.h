#pragma once
/* raw_csv - a stored raw file, unpacked while it is sent. Memory: 1 MiB a download. */
#include "server/http/reply.h"

/** srv_raw_csv - takes fd over; a broken file ends the download with an error. */
srv_reply_source srv_raw_csv(int fd);
