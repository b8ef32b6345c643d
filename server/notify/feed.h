#pragma once
/*
 * feed - alerts as an Atom feed (RFC 4287). An entry's id never changes; its update time moves only
 * when somebody or the detector changed the alert. Pure.
 */
#include "config/model/alert.h"

/**
 * srv_feed - the feed as XML, owned by the caller.
 * base   public_url without final '/'; path: where the feed itself lies
 * title  of the feed
 * alerts [cfg_alert], newest first
 */
char *srv_feed(const char *base, const char *path, const char *title, const model_list *alerts);
