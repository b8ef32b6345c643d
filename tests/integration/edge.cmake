# The daemon's edge, driven over HTTP and git by the programs just built.
foreach(name access answers artifact commands edge hooks http incidents octokit openapi repo ssh webhook_docs)
  add_test(NAME integration/${name}
    COMMAND ${MOOWATCH_PYTHON3} -W ignore "${CMAKE_CURRENT_SOURCE_DIR}/test_${name}.py")
  set_tests_properties(integration/${name} PROPERTIES LABELS integration TIMEOUT 600 COST 20
    ENVIRONMENT "MOOWATCH_BUILD=${PROJECT_BINARY_DIR};G_SLICE=always-malloc;TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp")
endforeach()
