# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Parts of `make interop`: `make interop-tiledb`, arrays written by TileDB's own library now (SEED=, TILEDB_ARRAYS=), and
# `make interop-tiledb-old`, files of old versions, which it reads (SEED=, TILEDB_OLD=).

TILEDB_PACKAGES := $(BUILD)/interop/tiledb
TILEDB_ARRAYS   ?= 500
TILEDB_OLD      ?= 300

.PHONY: interop-tiledb
interop-tiledb: $(BUILD)/utet $(TILEDB_PACKAGES)/done
	@PYTHONPATH=$(TILEDB_PACKAGES) BUILD=$(BUILD) test/tools/suite_run.sh interop-tiledb \
	    python3 test/interop/tiledb_interop.py $(INTEROP_TOOL) $(BUILD)/interop/tiledb-work $(TILEDB_ARRAYS)

.PHONY: interop-tiledb-old
interop-tiledb-old: $(BUILD)/utet $(TILEDB_PACKAGES)/done
	@PYTHONPATH=$(TILEDB_PACKAGES) BUILD=$(BUILD) test/tools/suite_run.sh interop-tiledb-old \
	    python3 test/interop/tiledb_old.py $(INTEROP_TOOL) $(BUILD)/interop/tiledb-work $(TILEDB_OLD)

# Files of versions that no library writes any more, for test/golden/tiledb, with the library's answers.
.PHONY: tiledb-old-keep
tiledb-old-keep: $(TILEDB_PACKAGES)/done
	@PYTHONPATH=$(TILEDB_PACKAGES) python3 test/interop/tiledb_old.py --keep test/golden/tiledb

# Folders of arrays and groups for test/tiledb/arrays, with the library's answers at several times.
.PHONY: tiledb-folders-keep
tiledb-folders-keep: $(TILEDB_PACKAGES)/done
	@PYTHONPATH=$(TILEDB_PACKAGES) python3 test/interop/tiledb_folders.py test/tiledb/arrays
