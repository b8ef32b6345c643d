# The data side: JSON in, JSON out; no HTTP, no git.
set(SRV_DATA_SOURCES
  benchmark.c
  error.c
  projects.c
  store.c
  store_schema.c
  store_sql.c)
