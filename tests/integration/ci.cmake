# What CI systems and people see: the command line, messages.
moowatch_integration(cli COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_SOURCE_DIR}/test_cli.py")
moowatch_integration(docs COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_SOURCE_DIR}/test_docs.py")
moowatch_integration(run COST 50 COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_SOURCE_DIR}/test_run.py")
moowatch_integration(notify COMMAND "${MOOWATCH_PYTHON3}" -W ignore
  "${CMAKE_CURRENT_SOURCE_DIR}/test_notify.py" COST 50)
moowatch_integration(github COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_SOURCE_DIR}/test_github.py" COST 50)
moowatch_integration(action COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_SOURCE_DIR}/test_action.py")
moowatch_integration(jenkins COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_SOURCE_DIR}/test_jenkins.py" COST 50)
moowatch_integration(import COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_SOURCE_DIR}/test_import.py")
moowatch_integration(tools COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_SOURCE_DIR}/test_tools.py" COST 50)
moowatch_integration(upgrade COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_SOURCE_DIR}/test_upgrade.py")
moowatch_integration(backup COMMAND "${MOOWATCH_PYTHON3}" "${CMAKE_CURRENT_SOURCE_DIR}/test_backup.py")
