#pragma once
/*
 * schema - schema/schema.sql, which is compiled into the program.
 */
#include <glib.h>

/* srv__schema_version - of a database that it makes. */
unsigned srv__schema_version(void);

/* srv__schema - its SQL; what is "only" another driver's is left out. Owned by the caller. */
char *srv__schema(const char *driver) G_GNUC_WARN_UNUSED_RESULT;
