# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The module utet for ports of MicroPython that are built with CMake (rp2, esp32): USER_C_MODULES=…/microtet/port/micropython

get_filename_component(UTET_TREE ${CMAKE_CURRENT_LIST_DIR}/../.. REALPATH)
foreach(package base zstd tet fold)
    file(GLOB found ${UTET_TREE}/src/${package}/*.c ${UTET_TREE}/src/${package}/*/*.c)
    list(APPEND UTET_SRCS ${found})
endforeach()
list(FILTER UTET_SRCS EXCLUDE REGEX "/zstd_upstream\\.c$")

add_library(usermod_utet INTERFACE)
target_sources(usermod_utet INTERFACE ${CMAKE_CURRENT_LIST_DIR}/utet/modutet.c ${UTET_SRCS})
target_include_directories(usermod_utet INTERFACE ${UTET_TREE}/include ${UTET_TREE}/src)
target_link_libraries(usermod INTERFACE usermod_utet)
