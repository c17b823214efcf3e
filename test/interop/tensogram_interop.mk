# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make interop-tensogram`: messages written by the Tensogram library now (SEED=, TENSOGRAM_MESSAGES=), a part of `make interop`.

TENSOGRAM_PACKAGES := $(BUILD)/interop/tensogram
TENSOGRAM_MESSAGES ?= 1000

.PHONY: interop-tensogram
interop-tensogram: $(BUILD)/utet $(TENSOGRAM_PACKAGES)/done
	@PYTHONPATH=$(TENSOGRAM_PACKAGES) RUST_BACKTRACE=0 BUILD=$(BUILD) test/tools/suite_run.sh interop-tensogram \
	    python3 test/interop/tensogram_interop.py $(INTEROP_TOOL) $(BUILD)/interop/tensogram-work $(TENSOGRAM_MESSAGES)
