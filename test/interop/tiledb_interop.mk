# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make interop-tiledb`: arrays written by TileDB's own library now (SEED=, TILEDB_ARRAYS=) and files of old
# versions, which it reads (TILEDB_OLD=); a part of `make interop`.

TILEDB_PACKAGES := $(BUILD)/interop/tiledb
TILEDB_ARRAYS   ?= 500
TILEDB_OLD      ?= 300

$(TILEDB_PACKAGES)/done: test/interop/tiledb_packages.txt | $(BUILD)/setup/build.ok
	@rm -rf $(@D); mkdir -p $(@D)
	$(Q)python3 -m pip --quiet --disable-pip-version-check install --root-user-action=ignore --require-hashes --no-deps --only-binary :all: --target $(@D) -r $<
	@touch $@

.PHONY: interop-tiledb
interop-tiledb: $(BUILD)/utet $(TILEDB_PACKAGES)/done
	@PYTHONPATH=$(TILEDB_PACKAGES) BUILD=$(BUILD) test/tools/suite_run.sh interop-tiledb \
	    python3 test/interop/tiledb_interop.py $(or $(INTEROP_TOOL),$(BUILD)/utet) $(BUILD)/interop/tiledb-work $(TILEDB_ARRAYS)
	@PYTHONPATH=$(TILEDB_PACKAGES) BUILD=$(BUILD) test/tools/suite_run.sh interop-tiledb-old \
	    python3 test/interop/tiledb_old.py $(or $(INTEROP_TOOL),$(BUILD)/utet) $(BUILD)/interop/tiledb-work $(TILEDB_OLD)

# Files of versions that no library writes any more, for test/golden/tiledb, with what the library says of them.
.PHONY: tiledb-old-keep
tiledb-old-keep: $(TILEDB_PACKAGES)/done
	@PYTHONPATH=$(TILEDB_PACKAGES) python3 test/interop/tiledb_old.py --keep test/golden/tiledb
