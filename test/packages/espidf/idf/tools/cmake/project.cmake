# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Replaces ESP-IDF, which cannot be fetched as a package: components and main are static libraries, compiled with the options of
# ESP-IDF 5 (tools/cmake/build.cmake and CMakeLists.txt there), with every warning as an error. For RISC-V they become a program.
set(ESP_PLATFORM 1)
set(IDF_OPTIONS -std=gnu17 -ffunction-sections -fdata-sections -Wall -Wextra -Wwrite-strings -Werror -Wno-unused-parameter -Wno-sign-compare
    -Wno-enum-conversion -Wno-old-style-declaration -fstrict-volatile-bitfields -fno-jump-tables -fno-tree-switch-conversion -ggdb)

macro(project name)
    _project(${name} C)
    foreach(folder IN ITEMS ${EXTRA_COMPONENT_DIRS} components/microtet main)
        get_filename_component(folder "${folder}" ABSOLUTE)
        if(EXISTS "${folder}/CMakeLists.txt")
            get_filename_component(component "${folder}" NAME)
            add_subdirectory("${folder}" "${CMAKE_BINARY_DIR}/${component}")
        endif()
    endforeach()
    if(CMAKE_EXE_LINKER_FLAGS)
        add_executable(${name}.elf "$ENV{IDF_PATH}/start.c")
        target_link_libraries(${name}.elf PRIVATE main)
    endif()
endmacro()

function(idf_component_register)
    cmake_parse_arguments(arg "" "" "SRCS;INCLUDE_DIRS;EMBED_FILES" ${ARGN})
    get_filename_component(name "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
    foreach(path IN LISTS arg_EMBED_FILES) # ESP-IDF names the start and the end of the bytes after the file
        get_filename_component(path "${path}" ABSOLUTE)
        get_filename_component(symbol "${path}" NAME)
        string(MAKE_C_IDENTIFIER "${symbol}" symbol)
        file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/${symbol}.c" "__asm__(\".section .rodata.embedded\\n.global _binary_${symbol}_start, _binary_${symbol}_end\\n"
            "_binary_${symbol}_start: .incbin \\\"${path}\\\"\\n_binary_${symbol}_end:\\n\");\n")
        list(APPEND arg_SRCS "${CMAKE_CURRENT_BINARY_DIR}/${symbol}.c")
    endforeach()
    add_library(${name} STATIC ${arg_SRCS})
    target_include_directories(${name} PUBLIC ${arg_INCLUDE_DIRS})
    target_compile_options(${name} PRIVATE ${IDF_OPTIONS})
    if(name STREQUAL "main")
        target_link_libraries(main PRIVATE microtet)
    endif()
endfunction()
