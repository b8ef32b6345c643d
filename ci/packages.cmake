# Debian packages: cpack --config build/release/CPackConfig.cmake (ci/package builds first).
# A component is a package; what only a package has is EXCLUDE_FROM_ALL, so that `cmake --install` leaves it out.
if(NOT MOOWATCH_LIBRARY)
  return()
endif()
set(MOOWATCH_MAINTAINER "moowatch developers <moowatch@users.noreply.github.com>" CACHE STRING
  "who answers for the packages, as Debian writes it: Name <mail>")
set(debian "${PROJECT_SOURCE_DIR}/ci/debian")
set(made "${PROJECT_BINARY_DIR}/packages")
# component | package; dpkg-shlibdeps finds the libraries of each
set(MOOWATCH_PACKAGES "server|moowatch-server" "runner|moowatch-runner" "command|moowatch"
  "library|libmoowatch-detector0" "development|libmoowatch-detector-dev")

foreach(row IN LISTS MOOWATCH_PACKAGES)
  string(REPLACE "|" ";" row "${row}")
  list(GET row 0 component)
  list(GET row 1 package)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} C)
  set(CPACK_DEBIAN_${C}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${C}_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_${C}_PACKAGE_SHLIBDEPS ON)
  file(MAKE_DIRECTORY "${made}/${package}")
  execute_process(COMMAND "${debian}/changelog" ${package} "${MOOWATCH_MAINTAINER}"
    INPUT_FILE "${PROJECT_SOURCE_DIR}/CHANGELOG.md" OUTPUT_FILE "${made}/${package}/changelog"
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND gzip -9nf "${made}/${package}/changelog" COMMAND_ERROR_IS_FATAL ANY)
  install(FILES "${debian}/copyright" "${made}/${package}/changelog.gz"
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
  file(GLOB control CONFIGURE_DEPENDS "${debian}/${component}/*")
  set(CPACK_DEBIAN_${C}_PACKAGE_CONTROL_EXTRA "${control}")
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS CHANGELOG.md ci/debian/changelog)

# What works without a change: the configurations of the examples, and for a node its users.
install(FILES config/examples/moowatchd.yaml DESTINATION /etc/moowatch COMPONENT server EXCLUDE_FROM_ALL)
install(DIRECTORY DESTINATION /etc/moowatch/projects.d COMPONENT server EXCLUDE_FROM_ALL)
file(READ config/examples/moowatch-runner.yaml text)
string(REGEX REPLACE "# (run_as_user|git_user):" "\\1:" text "${text}")
file(WRITE "${made}/moowatch-runner.yaml" "${text}")
install(FILES "${made}/moowatch-runner.yaml" DESTINATION /etc/moowatch COMPONENT runner EXCLUDE_FROM_ALL)
install(FILES ci/debian/token.conf DESTINATION lib/systemd/system/moowatch-runner.service.d
  COMPONENT runner EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME moowatch)
set(CPACK_PACKAGE_CONTACT "${MOOWATCH_MAINTAINER}")
set(CPACK_PACKAGE_DIRECTORY "${made}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)

set(CPACK_DEBIAN_SERVER_DESCRIPTION "watches the overhead of monitoring frameworks, night after night
The server moowatchd polls repositories, has each night's commit measured by a
node, takes the overhead apart into method time, instrumentation, collection
and writing, tells of confirmed changes and serves the pages.")
set(CPACK_DEBIAN_RUNNER_DESCRIPTION "measures the overhead of monitoring frameworks on an idle node
The agent moowatch-runner takes jobs from a moowatch server, prepares a commit
and runs its benchmark, one fresh process at a time, confined and tuned.
With it come the MooBench harnesses in C, Java and Python.")
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "measures, compares and judges the overhead of monitoring frameworks
The command moowatch compares two commits on this machine, reads results of
MooBench and other tools, judges series, gates pipelines, and asks a server.
With it come the documents and examples of all moowatch packages.")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "statistics and change detection for benchmarks
Intervals of fresh-process means, portions of an overhead, and a detector of
changes in a series of nights. Pure C, without dependencies.

These are the shared libraries.")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "statistics and change detection for benchmarks - development files
Intervals of fresh-process means, portions of an overhead, and a detector of
changes in a series of nights. Pure C, without dependencies.

These are the headers, the static libraries and the files of pkg-config.")

set(CPACK_DEBIAN_SERVER_PACKAGE_DEPENDS "adduser, ca-certificates, fonts-dejavu-core")
set(CPACK_DEBIAN_SERVER_PACKAGE_RECOMMENDS "moowatch")
set(CPACK_DEBIAN_SERVER_PACKAGE_SUGGESTS "moowatch-runner, postgresql")
set(CPACK_DEBIAN_RUNNER_PACKAGE_DEPENDS
  "adduser, ca-certificates, e2fsprogs, git, python3:any")
set(CPACK_DEBIAN_RUNNER_PACKAGE_RECOMMENDS "moowatch")
set(CPACK_DEBIAN_RUNNER_PACKAGE_SUGGESTS "default-jre-headless, valgrind, openssh-client, curl")
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "moowatch-runner, fonts-dejavu-core")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libmoowatch-detector0 (= ${PROJECT_VERSION})")
include(CPack)
