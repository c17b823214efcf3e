# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
conan create microtet/port/conan
conan install --requires="microtet/[>=0.9]" -g CMakeToolchain --output-folder=out
cmake -B out -DCMAKE_TOOLCHAIN_FILE=out/conan_toolchain.cmake -DCMAKE_BUILD_TYPE=Release
cmake --build out
