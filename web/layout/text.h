#pragma once
/* Texts that strangers wrote. */
#include <glib.h>
#include <stddef.h>

/**
 * web_text_clean - a copy that is valid UTF-8, on one line, without control or bidi override
 * characters, cut to max_chars with an ellipsis. NULL gives "". Free with g_free.
 */
char *web_text_clean(const char *text, size_t max_chars);

/* A name after @ is told so on GitHub, GitLab, Gitea, Slack and Mattermost, and #1, !1 and their
 * like leave a note at what they name. &#64; does not keep a forge from it, which looks at what has
 * been rendered; a space of no width behind the sign does. */

/** web_text_unpinged - a copy that names nobody and nothing so. NULL gives "". Free with g_free. */
char *web_text_unpinged(const char *text);

/** web_text_markdown - appended so that it is shown as it is: it starts no Markdown or HTML, no
 * command of GitLab (/close), and names nobody and nothing as above. A name of code in backticks
 * stays code. */
void web_text_markdown(GString *to, const char *text);
