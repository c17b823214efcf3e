# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make interop-writers`: files written by the reference's Rust writer now, through its Python package (SEED=, WRITER_FILES=).

WRITER_PACKAGES := $(BUILD)/interop/writers
WRITER_FILES    ?= 1000

.PHONY: interop-writers
interop-writers: $(BUILD)/utet $(WRITER_PACKAGES)/done
	@PYTHONPATH=$(WRITER_PACKAGES) BUILD=$(BUILD) test/tools/suite_run.sh interop-writers \
	    python3 test/interop/writers_interop.py $(INTEROP_TOOL) $(BUILD)/interop/writers-work $(WRITER_FILES)
