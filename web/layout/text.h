#pragma once
/* Texts that strangers wrote. */
#include <stddef.h>

/**
 * web_text_clean - a copy that is valid UTF-8, on one line, without control or bidi override
 * characters, cut to max_chars with an ellipsis. NULL gives "". Free with g_free.
 */
char *web_text_clean(const char *text, size_t max_chars);
