# The data side: JSON in, JSON out; no HTTP, no git.
set(SRV_DATA_SOURCES
  error.c)
