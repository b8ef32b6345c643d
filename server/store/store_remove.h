#pragma once
/* store_remove - all rows of a project, in whatever table the schema has. */
#include "server/store/store.h"

/**
 * srv__project_remove - a project and its further branches, with every row that could not be
 * without them; what else names one of these has been told before. In a transaction. name: "" where
 * there is no such project is fine.
 */
bool srv__project_remove(srv_store *store, const char *name,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
