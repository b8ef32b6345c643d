# Makes the pages: one head and frame for all, each with its title and script and every module that
# script needs, so that the browser asks for all of them at once.
#   cmake -DSOURCE=web -DOUT=<folder> -P pages/pages.cmake
cmake_minimum_required(VERSION 3.25)
# file | title | script
set(PAGES
  "index.html|Overview|overview.js"
  "project.html|Project|project.js"
  "experiment.html|Night|experiment.js"
  "jobs.html|Queue and nodes|jobs.js"
  "alert.html|Alert|alert.js"
  "incident.html|Incident|incident.js"
  "sweep.html|Sweep|sweep.js"
  "pull.html|Pull request|pull.js"
  "pulls.html|Pull requests|pulls.js"
  "compare.html|Comparison|compare.js"
  "frameworks.html|Frameworks|frameworks.js"
  "access.html|Access|access.js"
  "missing.html|Not found|reading.js"
  "reading.html|How to read a chart|reading.js")

# All modules that a script imports, directly or not, into `found`, sorted.
function(find_modules script found)
  set(open "${script}")
  set(seen "")
  while(open)
    list(POP_FRONT open next)
    file(READ "${SOURCE}/static/${next}" text)
    string(REGEX MATCHALL "from \"/static/[A-Za-z0-9_.]+\"" imports "${text}")
    foreach(import IN LISTS imports)
      string(REGEX REPLACE "from \"/static/(.*)\"" "\\1" module "${import}")
      if(NOT module IN_LIST seen)
        list(APPEND seen "${module}")
        list(APPEND open "${module}")
      endif()
    endforeach()
  endwhile()
  list(SORT seen)
  set(${found} "${seen}" PARENT_SCOPE)
endfunction()

foreach(page IN LISTS PAGES)
  string(REPLACE "|" ";" page "${page}")
  list(GET page 0 file)
  list(GET page 1 TITLE)
  list(GET page 2 SCRIPT)
  find_modules("${SCRIPT}" modules)
  set(PRELOADS "")
  foreach(module IN LISTS modules)
    string(APPEND PRELOADS "<link rel=\"modulepreload\" href=\"/static/${module}\">\n")
  endforeach()
  if(EXISTS "${SOURCE}/pages/${file}") # it has its text in itself
    file(READ "${SOURCE}/pages/${file}" MAIN)
    string(PREPEND MAIN "\n")
    set(CLASS " class=\"text\"")
    set(NOSCRIPT "")
  else()
    set(MAIN "<p class=\"quiet\" role=\"status\">Loading …</p>")
    set(CLASS "")
    set(NOSCRIPT "<noscript><p class=\"notice\">This page needs JavaScript. The charts do not: <code>/charts/&lt;project&gt;.svg</code>,
a project's page without it: <code>/embed/&lt;project&gt;</code>, the data: <code>/api/v1/projects</code>.</p></noscript>\n")
  endif()
  configure_file("${SOURCE}/pages/page.html.in" "${OUT}/${file}" @ONLY)
endforeach()
