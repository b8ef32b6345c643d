#pragma once
/*
 * branch - the branches of a project. The first is the project's own; each further one has nights,
 * series, alerts and searches of its own, kept under a name made of both: "kieker~1.15.x".
 */
#include <stdbool.h>

/* No project's name and no branch's name can have it. */
#define CFG_BRANCH_SIGN "~"

/** cfg_branch_project - under which name a further branch is kept, in addresses and files, too:
 * what is not a letter, digit, '.', '_' or '-' becomes '-'. Caller frees. */
char *cfg_branch_project(const char *project, const char *branch);

/** cfg_branch_main - the project's name without its branch's; caller frees. */
char *cfg_branch_main(const char *project);

/** cfg_is_name - may a project be called so? Its name stands in addresses and names of files:
 * [a-z0-9][a-z0-9._-]*, at most 100 bytes. */
bool cfg_is_name(const char *text);

/** cfg_is_branch - what git-check-ref-format accepts as refs/heads/NAME, and nothing a shell, a
 * page or a log could trip over (control characters). At most 255 bytes, valid UTF-8. */
bool cfg_is_branch(const char *text);
