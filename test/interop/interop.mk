# `make interop`: the tool against the reference implementation itself, which is built here from its crate (about five
# minutes, once). By hand: `make test` has the reference's answers in golden files and needs no Rust.

INTEROP      := $(BUILD)/interop
REFERENCE    := $(INTEROP)/tet/bin/tet
INTEROP_RUNS ?= 300

$(REFERENCE): test/interop/interop.mk | $(BUILD)/setup/interop.ok
	@mkdir -p $(INTEROP)
	cargo install tetration --version =0.8.3 --locked --no-default-features --features tetration-cli --root $(INTEROP)/tet \
	    --target-dir $(INTEROP)/target

interop: $(BUILD)/utet $(REFERENCE)
	@TET_NO_QUERY_HISTORY=1 UTET=$(BUILD)/utet TET=$(REFERENCE) WORK=$(INTEROP)/work SHARED=$(SHARED) \
	    python3 test/interop/interop.py $(INTEROP_RUNS)
