# Telling people.
add_library(server_receiver STATIC receiver.c)
pkg_check_modules(MHD REQUIRED IMPORTED_TARGET GLOBAL libmicrohttpd)
target_link_libraries(server_receiver PUBLIC PkgConfig::GLIB PkgConfig::MHD
  PRIVATE moowatch_flags)
moowatch_unit(server/test_notify_round LIBS server_fixture server_receiver)
foreach(test notify_rule notify_words)
  moowatch_unit(server/test_${test} LIBS moowatch_server)
endforeach()
pkg_check_modules(GNUTLS REQUIRED IMPORTED_TARGET GLOBAL gnutls)
moowatch_unit(server/test_jwt LIBS moowatch_server PkgConfig::GNUTLS)
