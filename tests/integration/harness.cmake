# The harnesses as programs, and the repositories they are tried on.
foreach(name harness harness_nights)
  moowatch_integration(${name}
    COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_LIST_DIR}/test_${name}.py" -v)
endforeach()
# The drivers that start somebody else's benchmark: JMH, Google Benchmark, MooBench's scripts, any program.
moowatch_integration(drivers TIMEOUT 900 COST 100
  COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_LIST_DIR}/test_drivers.py" -v)
# The project files of config/projects, with few calls.
foreach(name frameworks kieker_java agents)
  moowatch_integration(${name} TIMEOUT 900 COST 150
    COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_LIST_DIR}/test_${name}.py" -v)
endforeach()
moowatch_integration(projects
  COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_LIST_DIR}/test_projects.py" -v)
moowatch_integration(compare COST 30
  COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_LIST_DIR}/test_compare.py" -v)
