# What every target of the project shares: language, warnings, hardening, and how a test is declared.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# gold, a part of binutils, links a Debug build in half of ld's time.
find_program(MOOWATCH_GOLD ld.gold)
if(MOOWATCH_GOLD AND CMAKE_BUILD_TYPE STREQUAL "Debug" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  add_link_options(-fuse-ld=gold)
endif()

add_library(moowatch_flags INTERFACE)
target_compile_options(moowatch_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
  -Wformat=2 -Wvla -Wcast-qual -Wwrite-strings -fstack-protector-strong
  "$<$<COMPILE_LANGUAGE:C>:SHELL:-include ${PROJECT_SOURCE_DIR}/ci/poison.h>")
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
  # clang takes each enumeration for unsigned, also the codes that GError keeps as int, and blames us for casts in
  # GLib's macros. What is ours of both gcc tells, which builds everything, too.
  target_compile_options(moowatch_flags INTERFACE -Wno-sign-conversion -Wno-cast-qual)
endif()
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
set(MOOWATCH_COMPUTES detector packed)
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

# Only a machine that hangs takes so long, one that another processor emulates ten times that.
set(MOOWATCH_HANGS_S 300)
if(CMAKE_CROSSCOMPILING)
  set(MOOWATCH_HANGS_S 3000)
endif()

# What a sanitizer build needs: the unit tests, or those of them that use threads.
add_custom_target(unit_tests)
add_custom_target(thread_tests)

# moowatch_units(<room> LIBS … [AGAIN path] [THREADS path…]) makes every tests/unit/<room>/**/test_*.c a test of its own, and one
# program of all of them, `unit_<room> <test> [argument…]`: each keeps its main, linking is done once.
# AGAIN: whose main is called when the program is started without the name of a test, as a helper of the product.
# THREADS: those that the thread sanitizer runs, too.
function(moowatch_units room)
  cmake_parse_arguments(U "" "AGAIN" "LIBS;THREADS" ${ARGN})
  set(base "${PROJECT_SOURCE_DIR}/tests/unit")
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS RELATIVE "${base}" "${base}/${room}/test_*.c")
  set(UNIT_MAINS "")
  set(sources "")
  foreach(test IN LISTS tests)
    list(APPEND sources "${base}/${test}")
    string(REGEX REPLACE "\\.c$" "" test "${test}")
    string(MAKE_C_IDENTIFIER "main_${test}" main)
    string(APPEND UNIT_MAINS "UNIT(${main}, \"${test}\")\n")
    set_source_files_properties("${base}/${test}.c" PROPERTIES
      COMPILE_DEFINITIONS "main=${main}" COMPILE_OPTIONS -Wno-missing-prototypes) # a main has no prototype
    add_test(NAME unit/${test} COMMAND unit_${room} ${test})
    set_tests_properties(unit/${test} PROPERTIES LABELS unit TIMEOUT ${MOOWATCH_HANGS_S})
    if(test IN_LIST U_THREADS)
      set_property(TEST unit/${test} APPEND PROPERTY LABELS threads)
      add_dependencies(thread_tests unit_${room})
    endif()
  endforeach()
  set(UNIT_AGAIN 0)
  if(U_AGAIN)
    string(MAKE_C_IDENTIFIER "main_${U_AGAIN}" UNIT_AGAIN)
  endif()
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/mains.inc" CONTENT "${UNIT_MAINS}")
  pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET GLOBAL cmocka)
  add_executable(unit_${room} ${sources} "${base}/main.c")
  target_include_directories(unit_${room} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
  target_link_libraries(unit_${room} PRIVATE moowatch_flags PkgConfig::CMOCKA ${U_LIBS})
  target_compile_definitions(unit_${room} PRIVATE TEST_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  set_source_files_properties("${base}/main.c" PROPERTIES COMPILE_DEFINITIONS "AGAIN=${UNIT_AGAIN}")
  add_dependencies(unit_tests unit_${room})
endfunction()

# moowatch_fuzz(<room> LIBS … [JSON target…]) makes every tests/fuzz/<room>/fuzz_<target>.c a fuzz target; JSON: whose
# inputs clang's fuzzer changes as JSON. In other builds one program of the room, `fuzz_<room> <target> <file>…`,
# replays each corpus as a unit test.
function(moowatch_fuzz room)
  cmake_parse_arguments(F "" "" "LIBS;JSON" ${ARGN})
  set(base "${PROJECT_SOURCE_DIR}/tests/fuzz")
  file(GLOB sources CONFIGURE_DEPENDS "${base}/${room}/fuzz_*.c")
  set(UNIT_MAINS "")
  foreach(source IN LISTS sources)
    string(REGEX REPLACE ".*/fuzz_(.*)\\.c$" "\\1" target "${source}")
    if(MOOWATCH_FUZZ)
      add_executable(fuzz_${room}_${target} "${source}")
      target_link_options(fuzz_${room}_${target} PRIVATE -fsanitize=fuzzer)
      target_link_libraries(fuzz_${room}_${target} PRIVATE moowatch_flags ${F_LIBS})
      if(target IN_LIST F_JSON)
        target_sources(fuzz_${room}_${target} PRIVATE "${base}/json_mutator.c")
      endif()
    else()
      string(APPEND UNIT_MAINS "UNIT(replay_${target}, \"${target}\")\n")
      set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "-Wno-missing-prototypes"
        COMPILE_DEFINITIONS "LLVMFuzzerTestOneInput=replay_${target}")
      file(GLOB corpus CONFIGURE_DEPENDS "${base}/${room}/corpus/${target}/*")
      add_test(NAME unit/fuzz/${room}/${target} COMMAND fuzz_${room} ${target} ${corpus})
      set_tests_properties(unit/fuzz/${room}/${target} PROPERTIES LABELS "unit;fuzz" TIMEOUT 300)
    endif()
  endforeach()
  if(NOT MOOWATCH_FUZZ)
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${room}/mains.inc" CONTENT "${UNIT_MAINS}")
    add_executable(fuzz_${room} ${sources} "${base}/replay.c")
    target_include_directories(fuzz_${room} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/${room}")
    target_link_libraries(fuzz_${room} PRIVATE moowatch_flags ${F_LIBS})
    add_dependencies(unit_tests fuzz_${room})
  endif()
endfunction()

# A confined process must still be able to write which of its lines ran (server/git/confine.c).
if(CMAKE_C_FLAGS MATCHES "--coverage")
  add_compile_definitions(MOOWATCH_COVERAGE="${CMAKE_BINARY_DIR}")
endif()
