# The harnesses as programs.
find_program(MOOWATCH_PYTHON python3 REQUIRED)
add_test(NAME integration/test_harness
  COMMAND "${MOOWATCH_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/test_harness.py" -v)
set_tests_properties(integration/test_harness PROPERTIES
  LABELS integration TIMEOUT 300 ENVIRONMENT "MOOWATCH_BUILD=${CMAKE_BINARY_DIR}")
