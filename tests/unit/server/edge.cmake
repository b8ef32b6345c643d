# The listening side.
foreach(file auth digest hook lru metrics nights rate reply repo_name request route schedule ssh_key)
  moowatch_unit(server/test_${file} LIBS moowatch_server PkgConfig::GIO)
endforeach()
moowatch_unit(server/test_work LIBS moowatch_server PkgConfig::GIO LABELS threads)
