# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Toolchain file for Cortex-M: cmake -DCMAKE_TOOLCHAIN_FILE=…/port/cmake/arm-none-eabi.cmake -DUTET_CPU="-mcpu=cortex-m0plus -mthumb".
# UTET_SPECS names newlib's specs; replace nosys.specs with your start code, linker script and system calls.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(UTET_CPU "-mcpu=cortex-m0plus -mthumb" CACHE STRING "flags that choose the core")
set(UTET_SPECS "--specs=nano.specs --specs=nosys.specs" CACHE STRING "C library to link")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES UTET_CPU UTET_SPECS)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT "${UTET_CPU} -ffunction-sections -fdata-sections")
set(CMAKE_CXX_FLAGS_INIT "${UTET_CPU} -ffunction-sections -fdata-sections -fno-exceptions -fno-rtti")
set(CMAKE_EXE_LINKER_FLAGS_INIT "${UTET_SPECS} -Wl,--gc-sections")
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE MinSizeRel CACHE STRING "")
endif()
