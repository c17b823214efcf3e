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

# The tests of one package: the package by itself, and the suites of its folder. Fragments add what they run in other
# ways.
.PHONY: $(PACKAGES:%=test-%)
$(foreach p,$(PACKAGES),$(eval test-$p: run-package-$p $(patsubst $p/%,run-host-%,$(filter $p/%,$(TEST_SUITES)))))
test-tet: run-meta-vectors run-json
test-lz4: run-host-suite_anywhere
test-cbor: run-host-suite_messages run-host-suite_common
test-tiledb: run-tiledb-vectors run-tiledb-folder run-tiledb-arrays
test-tensogram: run-tensogram-vectors run-tensogram-where test-tensordata

# A user's own project for each ecosystem, built from the release archive of the last commit, and run (ecosystems.sh). check-full has
# those that take little processor time; run-ecosystems, which has all of them, runs by hand (results/ecosystems.md).
ECOSYSTEMS := cmake meson pkgconfig conan cpp arduino platformio espidf zephyr
ECOSYSTEMS_SHORT := cmake meson pkgconfig conan cpp arduino_short
.PHONY: run-ecosystems run-ecosystems-short $(ECOSYSTEMS:%=run-ecosystem-%)
run_ecosystems = @BUILD=$(BUILD) CC=$(CC) test/tools/suite_run.sh $1 test/packages/ecosystems.sh $(BUILD)/test/$1 $2
$(ECOSYSTEMS:%=run-ecosystem-%): run-ecosystem-%: $(BUILD)/utet
	$(call run_ecosystems,ecosystem-$*,$*)
run-ecosystems run-ecosystems-short: $(BUILD)/utet
	$(call run_ecosystems,$(@:run-%=%),$(if $(@:%short=),$(ECOSYSTEMS),$(ECOSYSTEMS_SHORT)))
$(addprefix run-ecosystem,s s-short -cmake -meson -pkgconfig -cpp -conan): | $(BUILD)/setup/ecosystem.ok
$(addprefix run-ecosystem,s s-short -conan): $(BUILD)/deps/conan.ok
$(addprefix run-ecosystem,s -arduino -platformio -espidf -zephyr): | $(BUILD)/setup/embedded.ok
$(addprefix run-ecosystem,s -platformio -espidf -zephyr): $(BUILD)/deps/embedded.ok
check-full: run-ecosystems-short
$(BUILD)/deps/conan.ok: test/packages/conan_packages.txt
$(BUILD)/deps/embedded.ok: test/packages/embedded_packages.txt

# Rust, by hand, because it installs a compiler of 500 MB and fetches crates (pinned in Cargo.lock): `make run-rust` tests the crate in the
# tree, also under valgrind; `make run-ecosystem-rust` builds and runs two projects of users from the packed crates, one on a Cortex-M0.
.PHONY: run-rust run-ecosystem-rust
run-rust: | $(BUILD)/setup/rust.ok
	@BUILD=$(BUILD) test/tools/suite_run.sh rust test/packages/rust.sh $(abspath $(BUILD))/rust
run-ecosystem-rust: $(BUILD)/utet | $(BUILD)/setup/rust.ok
	$(call run_ecosystems,ecosystem-rust,rust)
