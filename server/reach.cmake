# Telling people: outbox, messages, feed, badge.
pkg_check_modules(CURL REQUIRED IMPORTED_TARGET GLOBAL libcurl)
set(SRV_REACH_SOURCES
  backup_command.c
  badge.c
  feed.c
  github_call.c
  jwt.c
  notify.c
  notify_command.c
  notify_deliver.c
  notify_github.c
  notify_github_comment.c
  notify_round.c
  notify_rule.c
  notify_send.c
  notify_words.c
  notify_words_night.c
  routes_embed.c
  routes_reach.c
  store_backup.c
  store_outbox.c)
