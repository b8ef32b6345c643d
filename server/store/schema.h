#pragma once
/*
 * schema - the numbered steps of schema/schema.sql, which is compiled into the program.
 */
#include <glib.h>

/* srv__schema_steps - how many there are: the version of a database that has taken them all. */
unsigned srv__schema_steps(void);

/**
 * srv__schema_step - the SQL of one step.
 * number   from 1 to srv__schema_steps()
 * driver   what is "only" another one's is left out
 * Owned by the caller.
 */
char *srv__schema_step(unsigned number, const char *driver) G_GNUC_WARN_UNUSED_RESULT;
