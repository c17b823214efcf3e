# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Reads the component as ESP-IDF does at first: as a script.
set(ESP_PLATFORM 1)
macro(idf_component_register)
    set(registered "${ARGV}")
endmacro()
include("${CMAKE_CURRENT_LIST_DIR}/components/microtet/CMakeLists.txt")
if(NOT registered MATCHES "^SRCS;.*/zstd_hot\\.c;.*;INCLUDE_DIRS;[^;]*/include$" OR registered MATCHES "upstream")
    message(FATAL_ERROR "registered: ${registered}")
endif()
