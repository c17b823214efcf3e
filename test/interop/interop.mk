# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make interop`: the tool against the references themselves: interop-tet and interop-query (here), interop-writers,
# interop-tiledb, interop-tiledb-old and interop-tensogram. Tetration's own program is built from its crate (about five
# minutes, once). By hand: `make test` has the references' answers in golden files, and needs neither Rust nor their
# libraries.

INTEROP      := $(BUILD)/interop
REFERENCE    := $(INTEROP)/tet/bin/tet
INTEROP_RUNS ?= 300

REFERENCE_SHA256 := 19a327d686f1e4f808d4813edf424031baac11e879467d41438a0235ed10fba1

# --locked: the crate itself states the versions and hashes of its dependencies; its own hash is compared here.
$(REFERENCE): test/interop/interop.mk | $(BUILD)/setup/interop.ok
	@mkdir -p $(INTEROP)
	cargo install tetration --version =0.8.3 --locked --no-default-features --features tetration-cli \
	    --root $(INTEROP)/fresh --target-dir $(INTEROP)/target
	@cat "$${CARGO_HOME:-$$HOME/.cargo}"/registry/cache/*/tetration-0.8.3.crate | sha256sum | \
	    grep -q '^$(REFERENCE_SHA256) ' || { echo 'interop: this is not the crate that was pinned' >&2; exit 1; }
	@rm -rf $(INTEROP)/tet $(INTEROP)/target && mv $(INTEROP)/fresh $(INTEROP)/tet

# All of them with one copy of the tool (so that a build meanwhile does no harm), each to its end, and their sum.
INTEROP_PARTS := tet query writers tiledb tiledb-old tensogram

interop: $(BUILD)/utet $(REFERENCE)
	@cp $(BUILD)/utet $(INTEROP)/utet
	@rm -f $(INTEROP_PARTS:%=$(BUILD)/test/log/interop-%.log)
	@bad=0; for part in $(INTEROP_PARTS); do \
	        $(MAKE) --no-print-directory interop-$$part INTEROP_TOOL=$(INTEROP)/utet || bad=1; \
	    done; \
	    test/interop/sum.sh $(INTEROP_PARTS:%=$(BUILD)/test/log/interop-%.log) && [ $$bad -eq 0 ]

INTEROP_TOOL ?= $(BUILD)/utet

# The libraries of a part: test/interop/PART_packages.txt.
$(INTEROP)/%/done: test/interop/%_packages.txt | $(BUILD)/setup/build.ok
	@rm -rf $(@D); mkdir -p $(@D)
	$(Q)python3 -m pip --quiet --disable-pip-version-check install --root-user-action=ignore --require-hashes --no-deps --only-binary :all: --target $(@D) -r $<
	@touch $@

.PHONY: interop-tet
interop-tet: $(BUILD)/utet $(REFERENCE) | $(BUILD)/setup/interop.ok
	@TET_NO_QUERY_HISTORY=1 UTET=$(INTEROP_TOOL) TET=$(REFERENCE) WORK=$(INTEROP)/work SHARED=$(SHARED) BUILD=$(BUILD) \
	    test/tools/suite_run.sh interop-tet python3 test/interop/interop.py $(INTEROP_RUNS)

# QUERY_DOCUMENTS= is the number of documents, SEED= chooses them.
QUERY_DOCUMENTS ?= 3000

.PHONY: interop-query
interop-query: $(BUILD)/utet $(REFERENCE) | $(BUILD)/setup/interop.ok
	@TET_NO_QUERY_HISTORY=1 BUILD=$(BUILD) PATH="$(TEST_PATH)" test/tools/suite_run.sh interop-query \
	    python3 test/interop/query_interop.py $(abspath $(INTEROP_TOOL)) $(abspath $(REFERENCE)) $(abspath $(INTEROP))/query-work $(QUERY_DOCUMENTS)

# How fast queries are, compared with the reference and NumPy. By hand, on an idle machine.
.PHONY: bench-query
bench-query: $(BUILD)/utet $(REFERENCE) | $(BUILD)/setup/interop.ok
	@TET_NO_QUERY_HISTORY=1 PATH="$(TEST_PATH)" python3 test/interop/query_speed.py $(abspath $(BUILD)/utet) $(abspath $(REFERENCE)) \
	    $(abspath $(INTEROP))/query-speed
