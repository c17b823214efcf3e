#!/usr/bin/env python3
# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""configure.py KCONFIG PRJ.CONF: prints the configuration as a CMake list; any warning about either file is an
error."""
import sys

import kconfiglib

kconfig = kconfiglib.Kconfig(sys.argv[1], warn_to_stderr=False)
kconfig.warn_assign_undef = True
kconfig.load_config(sys.argv[2])
if kconfig.warnings:
    sys.exit("\n".join(kconfig.warnings))
print(";".join(symbol.config_string.strip() for symbol in kconfig.unique_defined_syms if symbol.str_value != "n"), end="")
