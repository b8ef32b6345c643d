# The data side of the server.
add_library(server_fixture STATIC fixture.c)
target_link_libraries(server_fixture PUBLIC moowatch_server PkgConfig::CMOCKA
  PRIVATE moowatch_flags PkgConfig::ZSTD)
foreach(test artifact environment export ingest queue raw_store series store trial views)
  moowatch_unit(server/test_${test} LIBS server_fixture PkgConfig::ZSTD)
endforeach()
moowatch_unit(server/test_expect LIBS moowatch_server)
