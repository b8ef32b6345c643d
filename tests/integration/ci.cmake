# What CI systems and people's shells see of the programs.
foreach(name test_cli)
  add_test(NAME integration/${name}
    COMMAND python3 "${CMAKE_CURRENT_SOURCE_DIR}/${name}.py")
  set_tests_properties(integration/${name} PROPERTIES LABELS integration TIMEOUT 300
    ENVIRONMENT "MOOWATCH_BUILD=${CMAKE_BINARY_DIR}")
endforeach()
