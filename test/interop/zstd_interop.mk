# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# `make interop-zstd`: frames that foreign zstd encoders write now, read by both decoders (SEED=, ZSTD_FRAMES=). By hand: it needs
# Go, Rust (cargo 1.92 or newer), Java with Maven and Python 3.11, and their registries. What is missing is named, and the frames
# of the other encoders are made nevertheless. `make zstd-corpus` chooses the frames of test/golden/foreign again.

ZI             := $(BUILD)/interop/zstd
ZI_WORK        := $(BUILD)/interop/zstd-work
ZSTD_FRAMES    ?= 10000
AIRCOMPRESSOR_SHA256 := fdbef3137a28f63bb0cb93487803080ede746a4ec3d421e36c6f0c305c35e5e4
ZI_SCRIPT       = PYTHONPATH=$(ZI) python3 test/interop/zstd_interop.py

.PHONY: interop-zstd zstd-corpus interop-zstd-encoders
interop-zstd: $(T)/host/zstd/suite_foreign interop-zstd-encoders
	@$(ZI_SCRIPT) $(ZI_WORK) $(ZSTD_FRAMES) $(ZI_ENCODERS)
	@FOREIGN=$(ZI_WORK) $(TEST_ENV) test/tools/suite_run.sh interop-zstd $(T)/host/zstd/suite_foreign

zstd-corpus: interop-zstd-encoders
	@$(ZI_SCRIPT) $(ZI_WORK) 5000 --corpus test/golden/foreign $(ZI_ENCODERS)

ZI_HAVE = $(shell command -v $1 2>/dev/null)
ZI_PARTS := libzstd $(if $(call ZI_HAVE,go),go) $(if $(call ZI_HAVE,cargo),rust) $(if $(and $(call ZI_HAVE,mvn),$(call ZI_HAVE,javac)),java)
ZI_RUST = $(foreach e,structured-zstd=0.2.6 ruzstd=0.9.1 oxiarc-zstd=0.4.2,'$e=$(ZI_WORK)/rust/release/encoders $(firstword $(subst =, ,$e))')
ZI_ENCODERS = 'libzstd=1.5.7=$(ZI_WORK)/libzstd' 'pyzstd=0.20.0=python3 test/interop/zstd/seekable.py' \
    $(if $(filter go,$(ZI_PARTS)),'klauspost/compress=1.20.3=$(ZI_WORK)/go') \
    $(if $(filter java,$(ZI_PARTS)),'aircompressor=0.27=java -cp $(ZI_WORK)/java/aircompressor-0.27.jar:$(ZI_WORK)/java Encoder') \
    $(if $(filter rust,$(ZI_PARTS)),$(ZI_RUST))

interop-zstd-encoders: $(ZI)/done $(ZI_PARTS:%=$(ZI_WORK)/%.ok)
	@for part in $(filter-out $(ZI_PARTS),go rust java); do echo "  skipped: interop-zstd: no $$part on this machine"; done

$(ZI_WORK)/libzstd.ok: test/interop/zstd/libzstd.c $(BUILD)/deps/zstd157.ok
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c99 -O2 -w -DZSTD_DISABLE_ASM=1 -DZSTD_MULTITHREAD -I$(BUILD)/deps/zstd157 -pthread $< $(BUILD)/deps/zstd157/zstd.c -o $(ZI_WORK)/libzstd
	@touch $@

# go.sum, Cargo.lock: versions and hashes of all packages.
$(ZI_WORK)/go.ok: $(wildcard test/interop/zstd/go/*)
	@mkdir -p $(@D)
	$(Q)cd test/interop/zstd/go && go build -mod=readonly -o $(abspath $(ZI_WORK)/go) .
	@touch $@

$(ZI_WORK)/rust.ok: $(wildcard test/interop/zstd/rust/* test/interop/zstd/rust/src/*)
	@mkdir -p $(@D)
	$(Q)cd test/interop/zstd/rust && cargo build --quiet --release --locked --target-dir $(abspath $(ZI_WORK)/rust)
	@touch $@

$(ZI_WORK)/java.ok: test/interop/zstd/java/Encoder.java
	@mkdir -p $(ZI_WORK)/java
	$(Q)mvn --quiet --batch-mode dependency:get -Dartifact=io.airlift:aircompressor:0.27 -Dtransitive=false
	$(Q)mvn --quiet --batch-mode dependency:copy -Dartifact=io.airlift:aircompressor:0.27 -DoutputDirectory=$(abspath $(ZI_WORK)/java)
	@echo '$(AIRCOMPRESSOR_SHA256)  $(ZI_WORK)/java/aircompressor-0.27.jar' | sha256sum --check --status || \
	    { echo 'interop-zstd: this is not the aircompressor that was pinned' >&2; exit 1; }
	$(Q)javac -cp $(ZI_WORK)/java/aircompressor-0.27.jar -d $(ZI_WORK)/java $<
	@touch $@
