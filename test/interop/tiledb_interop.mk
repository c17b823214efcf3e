# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make interop-tiledb`: arrays written by TileDB's own library now (SEED=, TILEDB_ARRAYS=), a part of `make interop`.

TILEDB_PACKAGES := $(BUILD)/interop/tiledb
TILEDB_ARRAYS   ?= 500

$(TILEDB_PACKAGES)/done: test/interop/tiledb_packages.txt | $(BUILD)/setup/build.ok
	@rm -rf $(@D); mkdir -p $(@D)
	$(Q)python3 -m pip --quiet --disable-pip-version-check install --root-user-action=ignore --require-hashes --no-deps --only-binary :all: --target $(@D) -r $<
	@touch $@

.PHONY: interop-tiledb
interop-tiledb: $(BUILD)/utet $(TILEDB_PACKAGES)/done
	@PYTHONPATH=$(TILEDB_PACKAGES) BUILD=$(BUILD) test/tools/suite_run.sh interop-tiledb \
	    python3 test/interop/tiledb_interop.py $(or $(INTEROP_TOOL),$(BUILD)/utet) $(BUILD)/interop/tiledb-work $(TILEDB_ARRAYS)
