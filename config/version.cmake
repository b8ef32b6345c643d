# Writes version_commit.h, and only when the commit has changed: cmake -DSOURCE=… -DOUT=… -P version.cmake
cmake_minimum_required(VERSION 3.25)
# Inside another repository a release's source has a prefix, and HEAD is another project's commit.
execute_process(COMMAND git -C "${SOURCE}" rev-parse --show-prefix
  OUTPUT_VARIABLE prefix OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
if(status EQUAL 0 AND prefix STREQUAL "")
  execute_process(COMMAND git -C "${SOURCE}" rev-parse --short=12 HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND git -C "${SOURCE}" status --porcelain --untracked-files=no
    OUTPUT_VARIABLE changed ERROR_QUIET)
endif()
if(NOT commit) # the source of a release: git archive has put the commit into this file
  file(STRINGS "${SOURCE}/config/commit" archived LIMIT_COUNT 1)
  string(REGEX MATCH "^[0-9a-f]+" archived "${archived}")
  string(SUBSTRING "${archived}" 0 12 commit)
endif()
if(commit AND changed)
  string(APPEND commit "+")
endif()
file(CONFIGURE OUTPUT "${OUT}" CONTENT "#define MOOWATCH_COMMIT \"@commit@\"\n" @ONLY)
