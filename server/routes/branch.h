#pragma once
/* branch - the further branches of a project, as addresses ask for them. */
#include "server/http/route.h"

/** srv_branch_meant - of "/api/v1/projects/kieker/nights?branch=1.15.x" the first of the params
 * becomes the name that this branch is kept under; without the parameter it stays. */
void srv_branch_meant(srv_app *app, srv_request *request);
