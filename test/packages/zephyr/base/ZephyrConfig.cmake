# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Stands in for Zephyr, which cannot be fetched as a package, on the host: takes each module by its module.yml, the configuration from its
# Kconfig and prj.conf, and builds what the module adds with the functions below.
project(Zephyr-Kernel C)
add_executable(app)

function(zephyr_library_named name)
    add_library(${name} STATIC)
    target_compile_options(${name} PRIVATE -std=c11 -Os -Wall -Wextra -Werror -Wno-unused-parameter -Wno-sign-compare)
    target_link_libraries(app PRIVATE ${name})
    set(ZEPHYR_CURRENT_LIBRARY ${name} PARENT_SCOPE)
endfunction()
function(zephyr_library_sources)
    target_sources(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGN})
endfunction()
function(zephyr_include_directories)
    include_directories(${ARGN})
    target_include_directories(${ZEPHYR_CURRENT_LIBRARY} PUBLIC ${ARGN})
endfunction()

foreach(module IN LISTS ZEPHYR_EXTRA_MODULES)
    foreach(key IN ITEMS name cmake kconfig)
        file(STRINGS "${module}/zephyr/module.yml" ${key} REGEX "^ *${key}: ")
        string(REGEX REPLACE "^ *${key}: *" "" ${key} "${${key}}")
    endforeach()
    execute_process(COMMAND python3 "${CMAKE_CURRENT_LIST_DIR}/configure.py" "${module}/${kconfig}" "${CMAKE_SOURCE_DIR}/prj.conf"
        OUTPUT_VARIABLE config RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "${kconfig}: ${failed}")
    endif()
    foreach(line IN LISTS config)
        string(REGEX MATCH "^(CONFIG_[A-Z0-9_]+)=(.*)$" line "${line}")
        set(${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    endforeach()
    add_subdirectory("${module}/${cmake}" "${CMAKE_BINARY_DIR}/modules/${name}")
endforeach()
