# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The library as a component of ESP-IDF. ESP-IDF reads this file twice, the first time as a script that only asks what the component
# requires, so it only contains commands that a script may have. Components are static libraries: a program gets what it calls.
get_filename_component(utet_root "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
file(GLOB utet_files "${utet_root}/src/*/*.c" "${utet_root}/src/*/*/*.c")
list(FILTER utet_files EXCLUDE REGEX "/zstd_upstream\\.c$") # needs the zstd package
idf_component_register(SRCS ${utet_files} INCLUDE_DIRS "${utet_root}/include")
