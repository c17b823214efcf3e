# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Stands in for ESP-IDF, which cannot be fetched as a package: components and main are static libraries, compiled with the options of
# ESP-IDF 5 (tools/cmake/build.cmake and CMakeLists.txt there), every warning an error.
set(ESP_PLATFORM 1)
set(IDF_OPTIONS -std=gnu17 -ffunction-sections -fdata-sections -Wall -Wextra -Wwrite-strings -Werror -Wno-unused-parameter -Wno-sign-compare
    -Wno-enum-conversion -Wno-old-style-declaration -fstrict-volatile-bitfields -fno-jump-tables -fno-tree-switch-conversion -ggdb)

macro(project name)
    _project(${name} C)
    add_subdirectory(components/microtet)
    add_subdirectory(main)
endmacro()

function(idf_component_register)
    cmake_parse_arguments(arg "" "" "SRCS;INCLUDE_DIRS" ${ARGN})
    get_filename_component(name "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
    add_library(${name} STATIC ${arg_SRCS})
    target_include_directories(${name} PUBLIC ${arg_INCLUDE_DIRS})
    target_compile_options(${name} PRIVATE ${IDF_OPTIONS})
    if(name STREQUAL "main")
        target_link_libraries(main PRIVATE microtet)
    endif()
endfunction()
