# The listening side.
foreach(file auth hook metrics nights reply repo_name request route work)
  moowatch_unit(server/test_${file} LIBS moowatch_server PkgConfig::GIO)
endforeach()
