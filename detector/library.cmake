# libmoowatch-detector and its reader, static and shared, to be installed.
# Sets nothing; needs DETECTOR_OBJECTS and READER_OBJECTS (generator expressions) and DETECTOR_HEADERS.
include(GNUInstallDirs)
find_package(Threads REQUIRED)
foreach(kind STATIC SHARED)
  string(TOLOWER ${kind} suffix)
  add_library(detector_${suffix} ${kind} ${DETECTOR_OBJECTS})
  add_library(reader_${suffix} ${kind} ${READER_OBJECTS})
  set_target_properties(detector_${suffix} PROPERTIES OUTPUT_NAME moowatch-detector)
  set_target_properties(reader_${suffix} PROPERTIES OUTPUT_NAME moowatch-detector-reader)
  set_target_properties(detector_${suffix} reader_${suffix} PROPERTIES
    LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION 0)
  target_link_libraries(detector_${suffix} PUBLIC m)
  target_link_libraries(reader_${suffix} PUBLIC detector_${suffix} Threads::Threads)
endforeach()

# The programs need only what a linked program loads; headers and the rest are for who compiles.
install(TARGETS detector_static detector_shared reader_static reader_shared
  ARCHIVE COMPONENT development
  LIBRARY COMPONENT library NAMELINK_COMPONENT development)
foreach(header IN LISTS DETECTOR_HEADERS ITEMS reader/reader.h)
  get_filename_component(shelf "${header}" DIRECTORY)
  install(FILES "${header}" COMPONENT development
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/moowatch/detector/${shelf}")
endforeach()
foreach(name moowatch-detector moowatch-detector-reader)
  configure_file(${name}.pc.in ${name}.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc" COMPONENT development
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
