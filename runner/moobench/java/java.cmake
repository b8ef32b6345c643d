# moobench.jar: plain javac, no framework inside; class files that JVMs from 8 on can load.
find_program(MOOWATCH_JAVAC javac)
find_program(MOOWATCH_JAR jar)
if(NOT MOOWATCH_JAVAC OR NOT MOOWATCH_JAR)
  message(STATUS "moobench.jar: no javac or jar found, so the Java harness is not built "
                 "(Debian: apt-get install default-jdk-headless)")
  return()
endif()

set(java_dir "${CMAKE_CURRENT_SOURCE_DIR}/java")
set(java_classes "${CMAKE_CURRENT_BINARY_DIR}/classes")
set(java_jar "${CMAKE_CURRENT_BINARY_DIR}/moobench.jar")
file(GLOB_RECURSE java_sources CONFIGURE_DEPENDS "${java_dir}/*.java")
add_custom_command(OUTPUT "${java_jar}"
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${java_classes}"
  COMMAND "${MOOWATCH_JAVAC}" --release 8 -g -Xlint:all -Xlint:-options -Werror
          -encoding UTF-8 -d "${java_classes}" ${java_sources}
  COMMAND "${MOOWATCH_JAR}" --create --file "${java_jar}.new"
          --manifest "${java_dir}/manifest.txt" -C "${java_classes}" .
  COMMAND "${CMAKE_COMMAND}" -E rename "${java_jar}.new" "${java_jar}"
  DEPENDS ${java_sources} "${java_dir}/manifest.txt"
  COMMENT "Packing moobench.jar" VERBATIM)
add_custom_target(moobench_jar ALL DEPENDS "${java_jar}")
install(FILES "${java_jar}" DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/moowatch COMPONENT runner)
