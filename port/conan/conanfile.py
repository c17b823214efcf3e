# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Recipe for Conan 2: `conan create port/conan`. The package has CMake's targets (utet::tet, …) and utet.pc; everything else is from src/packages.mk."""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, cmake_layout
from conan.tools.files import copy, load


class Microtet(ConanFile):
    name = "microtet"
    license = "Apache-2.0"
    description = "Reads Tetration .tet tensor files in a fixed memory budget"
    topics = ("tensor", "zstd", "embedded")
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]
    languages = "C"
    generators = "CMakeToolchain"

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "..", "..", "include", "utet.h"))
        self.version = ".".join(re.findall(r"^#define UTET_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header, re.M))

    def export_sources(self):
        tree = os.path.normpath(os.path.join(self.recipe_folder, "..", ".."))
        for pattern in ("CMakeLists.txt", "LICENSE", "NOTICE", "include/*", "src/*.c", "src/*.h", "src/packages.mk", "port/*.c", "port/*.h", "port/cmake/*"):
            copy(self, pattern, tree, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["utet"]
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "utet")]
        self.cpp_info.set_property("cmake_find_mode", "none")  # the installed utetConfig.cmake has the targets
        self.cpp_info.set_property("pkg_config_name", "utet")
