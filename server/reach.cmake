# Telling people: outbox, messages, feed, badge.
pkg_check_modules(CURL REQUIRED IMPORTED_TARGET GLOBAL libcurl)
set(SRV_REACH_SOURCES
  command/backup_command.c
  command/notify_command.c
  notify/feed.c
  notify/github_call.c
  notify/github_tokens.c
  notify/jwt.c
  notify/notify.c
  notify/notify_deliver.c
  notify/notify_github.c
  notify/notify_github_comment.c
  notify/notify_message.c
  notify/notify_round.c
  notify/notify_rule.c
  notify/notify_send.c
  notify/notify_words.c
  notify/notify_words_night.c
  routes/routes_embed.c
  routes/routes_reach.c
  store/store_backup.c
  store/store_outbox.c
  views/badge.c)
