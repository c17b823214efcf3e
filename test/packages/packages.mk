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

# A user's own project for each ecosystem, built from the release archive of the last commit, and run (ecosystems.sh).
ECOSYSTEMS := cmake meson pkgconfig conan cpp arduino platformio espidf zephyr
.PHONY: run-ecosystems $(ECOSYSTEMS:%=run-ecosystem-%)
$(ECOSYSTEMS:%=run-ecosystem-%): run-ecosystem-%: $(BUILD)/utet $(BUILD)/deps/conan.ok $(BUILD)/deps/embedded.ok | $(BUILD)/setup/ecosystem.ok
	@BUILD=$(BUILD) CC=$(CC) test/tools/suite_run.sh ecosystem-$* test/packages/ecosystems.sh $(BUILD)/test/ecosystem-$* $*
# All of them: about 70 s of processor time.
run-ecosystems: $(BUILD)/utet $(BUILD)/deps/conan.ok $(BUILD)/deps/embedded.ok | $(BUILD)/setup/ecosystem.ok
	@BUILD=$(BUILD) CC=$(CC) test/tools/suite_run.sh ecosystems test/packages/ecosystems.sh $(BUILD)/test/ecosystems $(ECOSYSTEMS)
check-full: run-ecosystems
$(BUILD)/deps/conan.ok: test/packages/conan_packages.txt
$(BUILD)/deps/embedded.ok: test/packages/embedded_packages.txt
