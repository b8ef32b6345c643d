# Writes version_commit.h, and only when the commit has changed: cmake -DSOURCE=… -DOUT=… -P version.cmake
execute_process(COMMAND git -C "${SOURCE}" rev-parse --short=12 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git -C "${SOURCE}" status --porcelain --untracked-files=no
  OUTPUT_VARIABLE changed ERROR_QUIET)
if(commit AND changed)
  string(APPEND commit "+")
endif()
file(CONFIGURE OUTPUT "${OUT}" CONTENT "#define MOOWATCH_COMMIT \"@commit@\"\n" @ONLY)
