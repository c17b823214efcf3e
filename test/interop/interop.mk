# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make interop`: the tool against the reference implementation itself, which is built here from its crate (about five
# minutes, once). By hand: `make test` has the reference's answers in golden files and needs no Rust.

INTEROP      := $(BUILD)/interop
REFERENCE    := $(INTEROP)/tet/bin/tet
INTEROP_RUNS ?= 300

REFERENCE_SHA256 := 19a327d686f1e4f808d4813edf424031baac11e879467d41438a0235ed10fba1

# --locked: the versions and hashes of everything below it are the crate's own; its own hash is compared here.
$(REFERENCE): test/interop/interop.mk | $(BUILD)/setup/interop.ok
	@mkdir -p $(INTEROP)
	cargo install tetration --version =0.8.3 --locked --no-default-features --features tetration-cli \
	    --root $(INTEROP)/fresh --target-dir $(INTEROP)/target
	@cat "$${CARGO_HOME:-$$HOME/.cargo}"/registry/cache/*/tetration-0.8.3.crate | sha256sum | \
	    grep -q '^$(REFERENCE_SHA256) ' || { echo 'interop: this is not the crate that was pinned' >&2; exit 1; }
	@rm -rf $(INTEROP)/tet $(INTEROP)/target && mv $(INTEROP)/fresh $(INTEROP)/tet

interop: $(BUILD)/utet $(REFERENCE)
	@TET_NO_QUERY_HISTORY=1 UTET=$(BUILD)/utet TET=$(REFERENCE) WORK=$(INTEROP)/work SHARED=$(SHARED) \
	    python3 test/interop/interop.py $(INTEROP_RUNS)
