# The harnesses as programs, and the repositories they are tried on.
foreach(name harness harness_nights)
  moowatch_integration(${name}
    COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_LIST_DIR}/test_${name}.py" -v)
endforeach()
