# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# PlatformIO starts SCons with this file of its package tool-scons, which cannot be fetched; SCons itself is in build/deps/embedded.
import sys

from SCons.Script.Main import main

sys.exit(main())
