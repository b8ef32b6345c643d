# The harnesses as programs, and the repositories they are tried on.
find_program(MOOWATCH_PYTHON python3 REQUIRED)
foreach(test test_harness test_harness_nights)
  add_test(NAME integration/${test}
    COMMAND "${MOOWATCH_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/${test}.py" -v)
  set_tests_properties(integration/${test} PROPERTIES
    LABELS integration TIMEOUT 300 ENVIRONMENT "MOOWATCH_BUILD=${CMAKE_BINARY_DIR}")
endforeach()
