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

# The tests of one package: it alone, and the suites of its folder. Fragments add what they run in ways of their own.
.PHONY: $(PACKAGES:%=test-%)
$(foreach p,$(PACKAGES),$(eval test-$p: run-package-$p $(patsubst $p/%,run-host-%,$(filter $p/%,$(TEST_SUITES)))))
test-tet: run-meta-vectors run-json
test-lz4: run-host-suite_anywhere
test-cbor: run-host-suite_messages run-host-suite_common
test-tiledb: run-tiledb-vectors run-tiledb-folder run-tiledb-arrays
test-tensogram: run-tensogram-vectors run-tensogram-where test-tensordata
