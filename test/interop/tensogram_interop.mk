# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make interop-tensogram`: messages that the Tensogram library writes now (SEED=, TENSOGRAM_MESSAGES=), a part of `make interop`; then -w and
# -p against the reference's command line, which is built from its crate (15 minutes, once; CMake 3.26 comes from PyPI). `make
# interop-tensogram-mutants`: results for damaged messages (SEED=, MUTANTS=).

TENSOGRAM_PACKAGES := $(BUILD)/interop/tensogram
TENSOGRAM_MESSAGES ?= 1000
TENSOGRAM_CLI      := $(BUILD)/interop/tensogram-cli

TENSOGRAM_CLI_SHA256 := 21bfe00722f8975a94caf29ec543abef0768882e419c68c4e1bea6169397d92f

# --locked: as in interop.mk.
$(TENSOGRAM_CLI)/bin/tensogram: test/interop/tensogram_interop.mk | $(BUILD)/setup/interop.ok
	@mkdir -p $(TENSOGRAM_CLI) && python3 -m venv $(TENSOGRAM_CLI)/cmake && $(TENSOGRAM_CLI)/cmake/bin/pip --quiet install 'cmake>=3.26,<4'
	PATH="$(abspath $(TENSOGRAM_CLI)/cmake/bin):$$PATH" cargo install tensogram-cli --version =0.24.0 --locked \
	    --root $(TENSOGRAM_CLI)/fresh --target-dir $(TENSOGRAM_CLI)/target
	@cat "$${CARGO_HOME:-$$HOME/.cargo}"/registry/cache/*/tensogram-cli-0.24.0.crate | sha256sum | \
	    grep -q '^$(TENSOGRAM_CLI_SHA256) ' || { echo 'interop: this is not the crate that was pinned' >&2; exit 1; }
	@rm -rf $(TENSOGRAM_CLI)/bin $(TENSOGRAM_CLI)/target && mv $(TENSOGRAM_CLI)/fresh/bin $(TENSOGRAM_CLI)/bin

.PHONY: interop-tensogram interop-tensogram-mutants
interop-tensogram: $(BUILD)/utet $(TENSOGRAM_PACKAGES)/done $(TENSOGRAM_CLI)/bin/tensogram
	@PYTHONPATH=$(TENSOGRAM_PACKAGES) RUST_BACKTRACE=0 BUILD=$(BUILD) test/tools/suite_run.sh interop-tensogram \
	    python3 test/interop/tensogram_interop.py $(INTEROP_TOOL) $(BUILD)/interop/tensogram-work $(TENSOGRAM_MESSAGES)
	@BUILD=$(BUILD) test/tools/suite_run.sh interop-tensogram-where \
	    python3 test/interop/tensogram_where.py $(INTEROP_TOOL) $(TENSOGRAM_CLI)/bin/tensogram $(BUILD)/interop/tensogram-where

interop-tensogram-mutants: $(BUILD)/utet $(TENSOGRAM_PACKAGES)/done
	@PYTHONPATH=$(TENSOGRAM_PACKAGES) RUST_BACKTRACE=0 BUILD=$(BUILD) test/tools/suite_run.sh interop-tensogram-mutants \
	    python3 test/interop/tensogram_mutants.py $(INTEROP_TOOL) $(BUILD)/interop/tensogram-mutants $(wildcard test/golden/tensogram/good/*.tgm)

# How fast tensors are decoded, compared with the library. By hand, on an idle machine.
.PHONY: bench-tensogram
bench-tensogram: $(BUILD)/utet $(TENSOGRAM_PACKAGES)/done
	@PYTHONPATH=$(TENSOGRAM_PACKAGES) python3 test/interop/tensogram_speed.py $(BUILD)/utet
