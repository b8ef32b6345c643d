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
  clock.c
  context.c
  daemon.c
  log.c
  lru.c
  memory.c
  runner_child.c
  schedule.c
  spawn.c
  thread.c
  timer.c
  work.c
  command/command.c
  command/project_command.c
  command/token_command.c
  git/fetch.c
  git/fetch_helper.c
  git/nights.c
  git/repo.c
  git/repo_name.c
  git/repo_ssh.c
  git/repo_tags.c
  git/repo_trailers.c
  git/repo_update.c
  git/ssh_key.c
  hook/delivery.c
  hook/hook.c
  hook/hook_sign.c
  http/digest.c
  http/http.c
  http/http_answer.c
  http/http_gate.c
  http/http_keep.c
  http/http_refuse.c
  http/http_reply.c
  http/http_tls.c
  http/park.c
  http/rate.c
  http/reply.c
  http/request.c
  http/route.c
  http/stream.c
  poll/culprits.c
  poll/poller.c
  routes/hook_batch.c
  routes/raw_csv.c
  routes/routes.c
  routes/routes_artifact.c
  routes/routes_hook.c
  routes/routes_commits.c
  routes/routes_import.c
  routes/routes_look.c
  routes/routes_operate.c
  routes/routes_page.c
  routes/routes_read.c
  routes/routes_runner.c
  routes/routes_write.c
  views/histories.c
  views/metrics.c)
set(SRV_EDGE_PUBLIC Threads::Threads moowatch_config moowatch_web)
set(SRV_EDGE_PRIVATE PkgConfig::MHD PkgConfig::GNUTLS PkgConfig::GIT2 PkgConfig::GIO)
