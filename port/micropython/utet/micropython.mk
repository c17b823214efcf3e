# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The module utet for ports of MicroPython that are built with make: USER_C_MODULES=…/microtet/port/micropython
# The folder stays in its tree; the folder of other modules may have a link to it.

UTET_TREE := $(abspath $(realpath $(USERMOD_DIR))/../../..)
UTET_SRCS := $(foreach p,base zstd tet fold,$(wildcard $(UTET_TREE)/src/$p/*.c $(UTET_TREE)/src/$p/*/*.c))

SRC_USERMOD_C     += $(USERMOD_DIR)/modutet.c
SRC_USERMOD_LIB_C += $(filter-out %/zstd_upstream.c,$(UTET_SRCS))
CFLAGS_USERMOD    += -I$(UTET_TREE)/include -I$(UTET_TREE)/src
