# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
include(FetchContent)
FetchContent_Declare(utet URL ${ARCHIVE} URL_HASH SHA256=${SHA256})
FetchContent_MakeAvailable(utet)
