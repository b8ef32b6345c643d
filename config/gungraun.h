#pragma once
/*
 * gungraun - what Gungraun (formerly iai-callgrind) says of one benchmark: a summary of its JSON,
 * in any of the versions 3 to 7 of that format.
 *
 * Nothing is timed there. What is read are the instructions that Callgrind counted ("Ir").
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

/** cfg_gungraun_is - whether an object is a summary: module_path beside profiles or tool_summaries.
 */
bool cfg_gungraun_is(const json_t *summary);

/**
 * cfg_gungraun_name - what tells this benchmark from others: module_path, and after a space its id,
 * where it has one.
 * Returns text to g_free.
 */
char *cfg_gungraun_name(const json_t *summary) G_GNUC_WARN_UNUSED_RESULT;

/**
 * cfg_gungraun_instructions - those of the new run, all threads and parts together.
 * NaN: Callgrind did not run, or counted none.
 */
double cfg_gungraun_instructions(const json_t *summary);

/**
 * cfg_gungraun_lines - summaries as --output-format=json prints them, an object a line.
 * Returns an array to json_decref; NULL: another text.
 */
json_t *cfg_gungraun_lines(const char *text, size_t length) G_GNUC_WARN_UNUSED_RESULT;
