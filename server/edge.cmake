# The listening side: HTTP, git, time, processes.
pkg_check_modules(MHD REQUIRED IMPORTED_TARGET GLOBAL libmicrohttpd)
pkg_check_modules(GNUTLS REQUIRED IMPORTED_TARGET GLOBAL gnutls)
pkg_check_modules(GIT2 REQUIRED IMPORTED_TARGET GLOBAL libgit2)
pkg_check_modules(GIO REQUIRED IMPORTED_TARGET GLOBAL gio-2.0)
find_package(Threads REQUIRED)
set(SRV_EDGE_SOURCES
  app.c
  auth.c
  catalog.c
  culprits.c
  digest.c
  fetch.c
  fetch_helper.c
  delivery.c
  histories.c
  hook.c
  hook_batch.c
  hook_sign.c
  http.c
  http_answer.c
  http_gate.c
  http_keep.c
  http_reply.c
  http_tls.c
  log.c
  lru.c
  memory.c
  nights.c
  park.c
  poller.c
  rate.c
  project_command.c
  raw_csv.c
  reply.c
  repo.c
  repo_name.c
  repo_tags.c
  repo_trailers.c
  request.c
  route.c
  routes.c
  metrics.c
  routes_artifact.c
  routes_hook.c
  routes_look.c
  routes_operate.c
  routes_page.c
  routes_read.c
  routes_runner.c
  routes_write.c
  runner_child.c
  schedule.c
  spawn.c
  stream.c
  timer.c
  token_command.c
  work.c)
set(SRV_EDGE_PUBLIC Threads::Threads moowatch_config moowatch_web)
set(SRV_EDGE_PRIVATE PkgConfig::MHD PkgConfig::GNUTLS PkgConfig::GIT2 PkgConfig::GIO)
