# libmoowatch-detector, static and shared, to be installed.
# Sets nothing; needs DETECTOR_OBJECTS (a generator expression) and DETECTOR_HEADERS.
include(GNUInstallDirs)
foreach(kind STATIC SHARED)
  string(TOLOWER ${kind} suffix)
  add_library(detector_${suffix} ${kind} ${DETECTOR_OBJECTS})
  set_target_properties(detector_${suffix} PROPERTIES
    OUTPUT_NAME moowatch-detector LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION 0)
  target_link_libraries(detector_${suffix} PUBLIC m)
endforeach()

# The programs need only what a linked program loads; headers and the rest are for who compiles.
install(TARGETS detector_static detector_shared
  ARCHIVE COMPONENT development
  LIBRARY COMPONENT library NAMELINK_COMPONENT development)
foreach(header IN LISTS DETECTOR_HEADERS)
  get_filename_component(shelf "${header}" DIRECTORY)
  install(FILES "${header}" COMPONENT development
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/moowatch/detector/${shelf}")
endforeach()
configure_file(moowatch-detector.pc.in moowatch-detector.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/moowatch-detector.pc" COMPONENT development
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
