#pragma once
/*
 * db_gate - who may write to a file next, among the connections of this process. SQLite by itself
 * has them ask again after ever longer pauses.
 */
#include <stdbool.h>

typedef struct srv__gate srv__gate;

/* srv__gate_open - that of a path; all who open the same one share it. Thread-safe. */
srv__gate *srv__gate_open(const char *path);
void srv__gate_close(srv__gate *gate);

/* srv__gate_enter - false: nobody came out for so many milliseconds. */
bool srv__gate_enter(srv__gate *gate, int patience_ms);
void srv__gate_leave(srv__gate *gate);
