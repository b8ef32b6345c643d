# What every target of the project shares: language, warnings, hardening, and how a test is declared.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# A Debug build links hundreds of test programs; gold, a part of binutils, takes half of ld's time for each.
find_program(MOOWATCH_GOLD ld.gold)
if(MOOWATCH_GOLD AND CMAKE_BUILD_TYPE STREQUAL "Debug" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  add_link_options(-fuse-ld=gold)
endif()

add_library(moowatch_flags INTERFACE)
target_compile_options(moowatch_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
  -Wformat=2 -Wvla -Wcast-qual -Wwrite-strings -fstack-protector-strong
  "$<$<COMPILE_LANGUAGE:C>:SHELL:-include ${PROJECT_SOURCE_DIR}/ci/poison.h>")
target_compile_definitions(moowatch_flags INTERFACE _GNU_SOURCE MOOWATCH_VERSION="${PROJECT_VERSION}")
target_include_directories(moowatch_flags INTERFACE "${PROJECT_SOURCE_DIR}")
if(MOOWATCH_WERROR)
  target_compile_options(moowatch_flags INTERFACE -Werror)
endif()
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(moowatch_flags INTERFACE _FORTIFY_SOURCE=2)
endif()

# What computes for seconds with sanitizers takes half of that when it is optimised a little; gcc then guesses at
# lengths of numbers, beside what the sanitizers add.
set(MOOWATCH_COMPUTES detector reader packed)
if(CMAKE_C_FLAGS MATCHES "-fsanitize=(address|thread)" AND NOT MOOWATCH_FUZZ)
  set(MOOWATCH_SANITIZED -O1 -Wno-format-truncation)
endif()

# moowatch_library(<folder> SOURCES … [PUBLIC lib…] [PRIVATE lib…])
# One static target a folder; what it does not hand on stays private to it.
function(moowatch_library name)
  cmake_parse_arguments(L "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(moowatch_${name} STATIC ${L_SOURCES})
  target_link_libraries(moowatch_${name} PUBLIC ${L_PUBLIC} PRIVATE moowatch_flags ${L_PRIVATE})
  if(name IN_LIST MOOWATCH_COMPUTES)
    target_compile_options(moowatch_${name} PRIVATE ${MOOWATCH_SANITIZED})
  endif()
endfunction()

# What a sanitizer build needs: the unit tests, or those of them that use threads.
add_custom_target(unit_tests)
add_custom_target(thread_tests)

# moowatch_unit(<folder>/<test file without .c> LIBS …) declares tests/unit/<folder>/<file>.c.
function(moowatch_unit path)
  cmake_parse_arguments(T "" "TIMEOUT" "LIBS;LABELS" ${ARGN})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 300) # of a machine that hangs
  endif()
  string(REPLACE "/" "_" target "${path}")
  add_executable(${target} "${PROJECT_SOURCE_DIR}/tests/unit/${path}.c")
  pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET GLOBAL cmocka)
  target_link_libraries(${target} PRIVATE moowatch_flags PkgConfig::CMOCKA ${T_LIBS})
  target_compile_definitions(${target} PRIVATE TEST_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_dependencies(unit_tests ${target})
  if("threads" IN_LIST T_LABELS)
    add_dependencies(thread_tests ${target})
  endif()
  add_test(NAME unit/${path} COMMAND ${target})
  set_tests_properties(unit/${path} PROPERTIES LABELS "unit;${T_LABELS}" TIMEOUT ${T_TIMEOUT})
endfunction()

# moowatch_units(<room> LIBS … [THREADS path…]) declares every tests/unit/<room>/**/test_*.c.
# THREADS: those that the thread sanitizer runs, too.
function(moowatch_units room)
  cmake_parse_arguments(U "" "" "LIBS;THREADS" ${ARGN})
  set(base "${PROJECT_SOURCE_DIR}/tests/unit")
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS RELATIVE "${base}" "${base}/${room}/test_*.c")
  foreach(test IN LISTS tests)
    string(REGEX REPLACE "\\.c$" "" test "${test}")
    set(labels "")
    if(test IN_LIST U_THREADS)
      set(labels LABELS threads)
    endif()
    moowatch_unit(${test} LIBS ${U_LIBS} ${labels})
  endforeach()
endfunction()

# A confined process must still be able to write which of its lines ran (server/git/confine.c).
if(CMAKE_C_FLAGS MATCHES "--coverage")
  add_compile_definitions(MOOWATCH_COVERAGE="${CMAKE_BINARY_DIR}")
endif()
