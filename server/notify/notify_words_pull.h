#pragma once
/*
 * notify_words_pull - a pull request in words. Pure; as notify_words.h. pull: as docs/api.md has
 * it.
 */
#include <jansson.h>
#include <stddef.h>

/* What GitHub takes of a comment and of a check's text is 65,535 characters; so many bytes are
 * never more, and leave room for the link. */
#define SRV_WORDS_PULL_BYTES 65000u

/** srv_words_pull_state - of a commit status: "pending", "success", "failure" (a portion is
 * slower), "error" (not measured). */
const char *srv_words_pull_state(const json_t *pull);

/** srv_words_pull - where it stands or what came of it, in at most 140 characters. */
char *srv_words_pull(const json_t *pull);

/**
 * srv_words_pull_markdown - a line of where it stands, then a table of its portions and a sentence
 * of each. page    its page marker  hidden text at the very beginning; NULL: none bytes   at most
 * so many; what is more is cut off after a line, and the page is named instead
 */
char *srv_words_pull_markdown(const json_t *pull, const char *page, const char *marker,
                              size_t bytes);
