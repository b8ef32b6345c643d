# The harnesses as programs, and the repositories they are tried on.
foreach(name harness harness_nights)
  moowatch_integration(${name}
    COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_LIST_DIR}/test_${name}.py" -v)
endforeach()
moowatch_integration(harness_demo TIMEOUT 1200
  COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_LIST_DIR}/test_harness_demo.py" -v)
