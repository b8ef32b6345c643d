#pragma once
/* check_doubts - what moowatchd --check tells though it is no error: messages that would not
 * arrive. */
#include "config/config.h"

/**
 * srv_check_doubts - lines for people, each owned: secret files that this user cannot read, mail
 * without a server for it, links that lead readers to their own machine.
 * projects  [cfg_project *]
 */
GPtrArray *srv_check_doubts(const cfg_server *server, const GPtrArray *projects);
