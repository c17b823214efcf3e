# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The reader of TileDB array schemas. Included by test/test.mk, whose variants it uses.

.PHONY: run-tiledb-vectors run-tiledb-vectors-long
run-tiledb-vectors: $(BUILD)/utet
	@$(TEST_ENV) test/tools/suite_run.sh tiledb-vectors python3 test/tiledb/vectors_test.py $< test/golden/tiledb
run-tiledb-vectors-long: $(BUILD)/utet
	@$(TEST_ENV) test/tools/suite_run.sh tiledb-vectors-long python3 test/tiledb/vectors_test.py $< $(SHARED)/vectors/tiledb

test: run-tiledb-vectors
check-full: run-tiledb-vectors-long

.PHONY: run-tiledb-folder
run-tiledb-folder: $(BUILD)/utet
	@$(TEST_ENV) test/tools/suite_run.sh tiledb-folder python3 test/tiledb/folder_test.py $< test/golden/tiledb
.PHONY: run-tiledb-arrays
run-tiledb-arrays: $(BUILD)/utet
	@$(TEST_ENV) test/tools/suite_run.sh tiledb-arrays python3 test/tiledb/arrays_test.py $< test/tiledb/arrays
test: run-tiledb-folder run-tiledb-arrays

$(T)/fuzz/tiledb: boards/common/tiledb_walk.c
