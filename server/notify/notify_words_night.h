#pragma once
/*
 * notify_words_night - a night in words. Pure; as notify_words.h.
 */
#include "config/model/night.h"

/** srv_words_night - a night in at most 140 characters, for a commit status. */
char *srv_words_night(const cfg_night *night);

/**
 * srv_words_night_markdown - a night as a table of its portions, for GitHub.
 * page    the night's; chart: address of a picture of the last nights, NULL: none
 * marker  hidden text at the very beginning; NULL: none
 */
char *srv_words_night_markdown(const cfg_night *night, const char *page, const char *chart,
                               const char *marker);

/**
 * srv_words_night_state - "success", "failure" (a portion rose, and no commit had said so),
 * "error" (not measured, or nobody can tell whether it changed).
 */
const char *srv_words_night_state(const cfg_night *night);

/** srv_words_night_title - the same in some words, for a check's head line. */
const char *srv_words_night_title(const cfg_night *night);
