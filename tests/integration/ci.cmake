# What CI systems and people see: the command line, messages.
moowatch_integration(cli COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_SOURCE_DIR}/test_cli.py")
