# The listening side.
foreach(file auth hook metrics nights rate reply repo_name request route schedule work)
  moowatch_unit(server/test_${file} LIBS moowatch_server PkgConfig::GIO)
endforeach()
