#pragma once
/*
 * labels - MooBench's labels.sh: TITLE[0]="No instrumentation" and so on.
 *
 * It is a shell script upstream; it is never run here, only its assignments are read. Assignments
 * inside a condition count: the label names a configuration whether or not it was measured here.
 */
#include <glib.h>

/**
 * cfg_labels_parse - the titles of a labels.sh.
 * Returns GHashTable from configuration number (GUINT_TO_POINTER) to label, owned by the caller.
 * Lines that assign no title are passed over; numbers above 999 are, too.
 */
GHashTable *cfg_labels_parse(const char *text);
