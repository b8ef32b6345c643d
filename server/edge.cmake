# The listening side: HTTP, git, time, processes.
pkg_check_modules(MHD REQUIRED IMPORTED_TARGET GLOBAL libmicrohttpd)
pkg_check_modules(GIT2 REQUIRED IMPORTED_TARGET GLOBAL libgit2)
pkg_check_modules(GIO REQUIRED IMPORTED_TARGET GLOBAL gio-2.0)
find_package(Threads REQUIRED)
set(SRV_EDGE_SOURCES
  fetch.c
  fetch_helper.c
  auth.c
  http.c
  http_gate.c
  http_reply.c
  log.c
  nights.c
  repo.c
  repo_name.c
  reply.c
  request.c
  route.c
  spawn.c
  stream.c
  work.c)
set(SRV_EDGE_PUBLIC Threads::Threads)
set(SRV_EDGE_PRIVATE PkgConfig::MHD PkgConfig::GIT2 PkgConfig::GIO)
