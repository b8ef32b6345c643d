#pragma once
/*
 * fetch_helper - the other end of fetch.h: the process that talks to git.
 *
 * One JSON object a line on standard input, one answer a line on standard output, until the input
 * ends:
 *   {"op": "poll", "mirror", "url", "branch", "known": sha|null, "force": bool,
 *    "night_at", "schedule", "time_zone", "since": date|null, "brand_new": bool, "now_s",
 *    "ssh_key_file": path|null, "ssh_host_fingerprints": ["SHA256:…"]|null}
 *     → {"head", "unchanged": bool, "rewritten": bool, "nights": [{"date", "commit": C}]}
 *   {"op": "describe", "mirror", "commit"} → {"commit": C}
 *   {"op": "between", "mirror", "branch", "from", "to", "limit", "cut": bool}
 *     → {"commits": [C after from up to to, oldest first], "total", "reason": why there is none};
 *       more than the limit: none, or with cut the newest of them
 * With "tells": true a question for which a host is asked is answered twice: SRV_FETCH_CONNECTED
 * comes once, as soon as the host has answered, and nothing is transferred before an empty line has
 * come for it; a second one ends the child. C is {"sha", "author", "author_email", "time_ms",
 * "subject", "parent"}. Errors are
 * {"error": sentence}. The addresses come by standard input so that no password is ever seen in the
 * process list.
 */

#define SRV_FETCH_CONNECTED "{\"connected\":true}\n"

/** srv_fetch_helper_main - serves until the input ends; returns the exit status. */
int srv_fetch_helper_main(void);
