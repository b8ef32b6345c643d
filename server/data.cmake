# The data side: JSON in, JSON out; no HTTP, no git.
set(SRV_DATA_SOURCES
  benchmark.c
  error.c
  fields.c
  projects.c
  queue.c
  queue_lease.c
  queue_report.c
  raw_check.c
  raw_store.c
  store.c
  store_schema.c
  store_sql.c
  views_parts.c)
