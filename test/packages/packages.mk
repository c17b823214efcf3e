# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Each package compiles and runs with only the folders and headers that its README names (packages_test.py).

.PHONY: run-packages $(PACKAGES:%=run-package-%)
run-packages: | $(BUILD)/setup/test.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh packages test/packages/packages_test.py $(BUILD)/test/packages
test: run-packages

# One package, and those below it.
$(PACKAGES:%=run-package-%): run-package-%: | $(BUILD)/setup/test.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh package-$* test/packages/packages_test.py $(BUILD)/test/package-$* $*

# Tests of one package; zstd, inflate, szip, fold and query have theirs in their own folders.
test_suites = $(patsubst %,run-host-suite_%,$1)
.PHONY: test-base test-tet test-lz4 test-cbor test-tiledb test-tensogram
test-base: run-package-base $(call test_suites,objects conditions fickle)
test-tet: run-package-tet $(call test_suites,calls check codec show golden) run-meta-vectors run-json
test-lz4: run-package-lz4 $(call test_suites,anywhere)
test-cbor: run-package-cbor $(call test_suites,messages common)
test-tiledb: run-package-tiledb $(call test_suites,arrays arraycalls groups oldarrays tiles tilefaults) run-tiledb-vectors
test-tensogram: run-package-tensogram $(call test_suites,messages frames metadata tensogramstatus) run-tensogram-vectors
