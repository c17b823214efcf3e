# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The small zstd decoder's suites (test/zstd/README.md). `make test` runs the quick ones, `make check-full` the sweeps.
# The judge is zstd 1.5.7, as README.md explains; decodecorpus and the golden files come with the source of 1.5.4.

ZS         := $(BUILD)/test/zstd
ZS_FLAGS    = $(CFLAGS_STD) $(WARN) $(CFLAGS_DEP) -D_GNU_SOURCE -Iinclude -Isrc -Itest/zstd -Itest/harness
ZS_JUDGE   := -w -O2 -DHUF_DISABLE_FAST_DECODE=1 -DHUF_FORCE_DECOMPRESS_X1 -DZSTD_DISABLE_ASM=1
ZS_UPSTREAM := $(BUILD)/deps/zstd157
ZS_SOURCES := zs_run zs_oracle zs_data zs_made zs_struct
# The decoder without its adapters to streams.
ZS_FILES_C := $(wildcard src/zstd/zstd_*.c)
ZS_DECODER := $(ZS_FILES_C) $(wildcard src/zstd/*.h) include/utet_zstd.h include/utet_io.h
ZS_SAN     := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

# Huffman codes of 12 bits are upstream's own; the format ends at 11. An FSE table description that extends beyond its block
# is damaged; upstream wraps around there and reads the block's last bytes again. A description of weights may name any
# symbol; upstream's scratch memory ends before. A compressed block's own size is compared with 128 KiB (errata), not with
# the window.
$(ZS)/judge.c: test/zstd/zstd.mk $(BUILD)/deps/zstd157.ok
	@mkdir -p $(@D)
	$(Q)sed -e 's/^#define HUF_TABLELOG_MAX .*/#define HUF_TABLELOG_MAX 11/' \
	    -e 's/bitCount &= 31;/if (bitCount > 31) return ERROR(corruption_detected);/' \
	    -e 's/WKSP_SIZE_U32(6, HUF_TABLELOG_MAX-1)/WKSP_SIZE_U32(6, 255)/' \
	    -e 's/^    RETURN_ERROR_IF(srcSize > ZSTD_blockSizeMax(dctx), /    RETURN_ERROR_IF(srcSize > ZSTD_BLOCKSIZE_MAX, /' $(ZS_UPSTREAM)/zstd.c > $@
	$(Q)grep -q '^#define HUF_TABLELOG_MAX 11$$' $@ && grep -q 'WKSP_SIZE_U32(6, 255)' $@ && \
	    grep -q 'IF(srcSize > ZSTD_BLOCKSIZE_MAX, srcSize_wrong' $@ && test $$(grep -c 'if (bitCount > 31) return' $@) = 3

$(ZS)/judge.o: $(ZS)/judge.c
	$(call say,CC,$@)
	$(Q)$(CC) $(ZS_JUDGE) -I$(ZS_UPSTREAM) -c $< -o $@

$(ZS)/decodecorpus: $(DEPS_ZSTD154)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -O1 -w -DZSTD_DISABLE_ASM=1 -I$(ZSTD154_DIR)/lib -I$(ZSTD154_DIR)/lib/common -I$(ZSTD154_DIR)/programs \
	    $(ZSTD154_DIR)/tests/decodecorpus.c $(ZSTD154_DIR)/programs/util.c $(ZSTD154_DIR)/programs/timefn.c $(ZSTD154_DIR)/lib/common/*.c \
	    $$(ls $(ZSTD154_DIR)/lib/compress/*.c | grep -v /zstd_compress.c) $(ZSTD154_DIR)/lib/decompress/*.c \
	    $(ZSTD154_DIR)/lib/dictBuilder/*.c -lm -lpthread -o $@

# The suites of named cases.
ZS_SUITES  := suite_zstd suite_zstdcalls suite_zstdsource

# $(call zs_variant,NAME,FLAGS): these suites and zs_diff in $(ZS)/NAME
define zs_variant
$(ZS)/$1/%.o: test/zstd/%.c test/zstd/zstd.mk $(BUILD)/deps/zstd157.ok | $(BUILD)/setup/test.ok
	@mkdir -p $$(@D)
	$(Q)$(CC) $$(ZS_FLAGS) $2 $$(if $$(findstring $$*,zs_oracle zs_data),-isystem $(ZS_UPSTREAM)) -c $$< -o $$@
$(ZS)/$1/%.o: test/harness/%.c
	@mkdir -p $$(@D)
	$(Q)$(CC) $$(ZS_FLAGS) $2 -c $$< -o $$@
$(ZS)/$1/%.o: src/zstd/%.c
	@mkdir -p $$(@D)
	$(Q)$(CC) $$(ZS_FLAGS) $2 -c $$< -o $$@
ZS_OBJS_$1 := $(ZS_SOURCES:%=$(ZS)/$1/%.o) $(ZS)/$1/guard.o $(patsubst src/zstd/%.c,$(ZS)/$1/%.o,$(ZS_FILES_C)) $(ZS)/judge.o
$(ZS_SUITES:%=$(ZS)/$1/%): $(ZS)/$1/%: $(ZS)/$1/%.o $(ZS)/$1/suite.o $$(ZS_OBJS_$1)
	$(Q)$(CC) $2 $$^ -lcmocka -lpthread -o $$@
$(ZS)/$1/zs_diff: $(ZS)/$1/zs_diff.o $$(ZS_OBJS_$1)
	$(Q)$(CC) $2 $$^ -lpthread -o $$@
-include $(wildcard $(ZS)/$1/*.d)
endef
$(eval $(call zs_variant,host,-O2 -g))
$(eval $(call zs_variant,asan,$(ZS_SAN)))
# The code for cores without unaligned loads. A load of an aligned word never crosses a page: only the address sanitizer sees
# one outside of a map.
$(eval $(call zs_variant,aligned,$(ZS_SAN) -DUTET_ZSTD_ALIGNED=1))
$(eval $(call zs_variant,aligned-fixed,$(ZS_SAN) -DUTET_ZSTD_ALIGNED=1 -DUTET_ZSTD_TABLES=0 -DUTET_ZSTD_READ=0 -DUTET_ZSTD_SLICES=0))
$(eval $(call zs_variant,aligned-host,-O2 -g -DUTET_ZSTD_ALIGNED=1))

# Builds for one board: a mapped source, whole destinations and one layout; the other layout alone, with the code for an int of 16 bits.
$(eval $(call zs_variant,fixed,-O1 -g -DUTET_ZSTD_ROM_TABLES=0 -DUTET_ZSTD_PACKED=0 -DUTET_ZSTD_READ=0 -DUTET_ZSTD_SLICES=0 -fsanitize=undefined -fno-sanitize-recover=all))
$(eval $(call zs_variant,packed,-O1 -g -DUTET_ZSTD_ROM_TABLES=0 -DUTET_ZSTD_TABLES=0 -DUTET_ZSTD_INT16=1 -fsanitize=undefined -fno-sanitize-recover=all))

# A build without XXH64.
$(eval $(call zs_variant,unchecked,-DUTET_ZSTD_CHECKSUM=0 $(ZS_SAN)))

# Predefined tables are copied or built, by turns.
ZS_COV := -O0 -g --coverage '-DUTET_ZSTD_ROM_TABLES=(z->sequences & 1u)'
$(eval $(call zs_variant,cov,$(ZS_COV)))
$(eval $(call zs_variant,cov-aligned,$(ZS_COV) -DUTET_ZSTD_ALIGNED=1))
# Its lines are added to those of cov, which does not run the code for an int of 16 bits, nor that without XXH64.
$(eval $(call zs_variant,cov-int16,$(ZS_COV) -DUTET_ZSTD_INT16=1 -DUTET_ZSTD_CHECKSUM=0))

ZS_RUN   := BUILD=$(BUILD) ASAN_OPTIONS=detect_leaks=0 test/tools/suite_run.sh
ZS_EDGES := host asan aligned-host aligned aligned-fixed fixed packed
ZS_FILES  = $(wildcard $(ZSTD154_DIR)/tests/golden-decompression/*.zst) $(wildcard $(SHARED)/bench/payloads/*.zst)

.PHONY: run-zstd check-zstd
test test-zstd: run-zstd
check-full: check-zstd

run-zstd: $(ZS_SUITES:%=$(ZS)/asan/%) $(ZS)/unchecked/suite_zstdcalls $(ZS)/unchecked/zs_diff $(ZS_EDGES:%=$(ZS)/%/zs_diff) $(ZS)/decodecorpus | $(BUILD)/setup/arm.ok $(BUILD)/setup/demo.ok
	@DECODECORPUS=$(ZS)/decodecorpus test/zstd/corpus.sh $(ZS)/corpus 300
	@$(ZS_RUN) zstd-predefined test/zstd/predefined_test.py src/zstd/zstd_predefined.h
	@$(foreach s,$(ZS_SUITES),$(ZS_RUN) zstd-named-$(s:suite_%=%) $(ZS)/asan/$s &&) true
	@$(ZS_RUN) zstd-golden $(ZS)/asan/zs_diff files 60 $(ZS_FILES)
	@$(foreach v,$(ZS_EDGES),$(ZS_RUN) zstd-edges-$v $(ZS)/$v/zs_diff edges 150 $(ZS_FILES) $(ZS)/corpus/*[37].zst &&) true
	@$(ZS_RUN) zstd-corpus sh -c '$(ZS)/host/zs_diff files 12 $(ZS)/corpus/*.zst'
	@$(ZS_RUN) zstd-levels $(ZS)/host/zs_diff levels 200
	@$(ZS_RUN) zstd-streams $(ZS)/host/zs_diff streams 600
	@$(ZS_RUN) zstd-mutants sh -c '$(ZS)/host/zs_diff mutants 60000 1 $(ZS)/corpus/*.zst'
	@$(ZS_RUN) zstd-mutants-asan sh -c '$(ZS)/asan/zs_diff mutants 20000 2 $(ZS)/corpus/*.zst'
	@$(ZS_RUN) zstd-tables $(ZS)/host/zs_diff tables 200000 1
	@$(ZS_RUN) zstd-tables-asan $(ZS)/asan/zs_diff tables 20000 2
	@$(ZS_RUN) zstd-aligned sh -c '$(ZS)/aligned/zs_diff files 6 $(ZS)/corpus/*.zst'
	@$(ZS_RUN) zstd-aligned-mutants sh -c '$(ZS)/aligned/zs_diff mutants 20000 5 $(ZS)/corpus/*.zst'
	@$(ZS_RUN) zstd-aligned-tables $(ZS)/aligned/zs_diff tables 50000 3
	@$(ZS_RUN) zstd-struct sh -c '$(ZS)/asan/zs_diff struct 5000 1 $(ZS)/corpus/*.zst'
	@$(ZS_RUN) zstd-aligned-struct sh -c '$(ZS)/aligned/zs_diff struct 5000 2 $(ZS)/corpus/*.zst'
	@$(ZS_RUN) zstd-fixed sh -c '$(ZS)/fixed/zs_diff files 2 $(ZS)/corpus/*.zst'
	@$(ZS_RUN) zstd-fixed-mutants sh -c '$(ZS)/fixed/zs_diff mutants 10000 7 $(ZS)/corpus/*.zst'
	@$(ZS_RUN) zstd-fixed-tables $(ZS)/fixed/zs_diff tables 20000 5
	@$(ZS_RUN) zstd-packed sh -c '$(ZS)/packed/zs_diff files 2 $(ZS)/corpus/*.zst'
	@$(ZS_RUN) zstd-packed-mutants sh -c '$(ZS)/packed/zs_diff mutants 10000 8 $(ZS)/corpus/*.zst'
	@$(ZS_RUN) zstd-packed-tables $(ZS)/packed/zs_diff tables 20000 6
	@$(ZS_RUN) zstd-checksums sh -c '$(ZS)/host/zs_diff checksums 3 $(ZS_FILES) $(ZS)/corpus/*.zst'
	@$(ZS_RUN) zstd-unchecked sh -c '$(ZS)/unchecked/zs_diff checksums 1 $(ZS_FILES) $(ZS)/corpus/*.zst'
	@$(ZS_RUN) zstd-unchecked-files sh -c '$(ZS)/unchecked/zs_diff files 1 $(ZS)/corpus/*.zst'
	@$(ZS_RUN) zstd-unchecked-calls $(ZS)/unchecked/suite_zstdcalls
	@$(ZS_RUN) zstd-text test/zstd/text.sh
	@$(ZS_RUN) zstd-example test/zstd/example.sh $(ZS)/example $(CC) -w
	@$(ZS_RUN) zstd-flips sh -c '$(ZS)/host/zs_diff flips 20 $(ZS)/corpus/*.zst'

# Lines and branches that the named cases and small parts of the sweeps cover.
.PHONY: coverage-zstd
coverage-zstd: $(foreach v,cov cov-aligned,$(ZS_SUITES:%=$(ZS)/$v/%) $(ZS)/$v/zs_diff) $(ZS)/cov-int16/zs_diff $(ZS)/decodecorpus | $(BUILD)/setup/full.ok
	@DECODECORPUS=$(ZS)/decodecorpus test/zstd/corpus.sh $(ZS)/corpus 300
	@rm -f $(ZS)/cov/*.gcda $(ZS)/cov-aligned/*.gcda $(ZS)/cov-int16/*.gcda
	@$(ZS_RUN) zstd-cov-int16 sh -c "$(ZS)/cov-int16/zs_diff files 6 $(ZS)/corpus/*.zst"
	@for v in cov cov-aligned; do \
	    for s in $(ZS_SUITES); do $(ZS_RUN) zstd-$$v-$$s $(ZS)/$$v/$$s || bad=1; done; \
	    $(ZS_RUN) zstd-$$v-files sh -c "$(ZS)/$$v/zs_diff files 20 $(ZS)/corpus/*.zst" || bad=1; \
	    $(ZS_RUN) zstd-$$v-levels $(ZS)/$$v/zs_diff levels 100 || bad=1; \
	    $(ZS_RUN) zstd-$$v-mutants sh -c "$(ZS)/$$v/zs_diff mutants 30000 9 $(ZS)/corpus/*.zst" || bad=1; \
	    $(ZS_RUN) zstd-$$v test/zstd/coverage.sh $(ZS)/$$v 99.5 96.9 $$([ $$v != cov ] || echo $(ZS)/cov-int16) || bad=1; done; test -z "$$bad"
check-full: coverage-zstd

# Reads of the source by cache size, for src/zstd/INSIDE.md.
.PHONY: reads-zstd
reads-zstd: $(ZS)/host/zs_diff
	@for p in P1 P2 P3 P4 P6; do echo $$p; $(ZS)/host/zs_diff reads 0 $(SHARED)/bench/payloads/$${p}_*.zst; done

check-zstd: $(ZS_SUITES:%=$(ZS)/asan/%) $(ZS)/host/zs_diff $(ZS)/asan/zs_diff $(ZS)/aligned/zs_diff $(ZS)/decodecorpus
	@DECODECORPUS=$(ZS)/decodecorpus test/zstd/corpus.sh $(ZS)/corpus-small 10000 14
	@DECODECORPUS=$(ZS)/decodecorpus test/zstd/corpus.sh $(ZS)/corpus-large 500 20
	@$(ZS_RUN) zstd-full-corpus sh -c 'find $(ZS)/corpus-small $(ZS)/corpus-large -name "*.zst" | sort > $(ZS)/list; \
	    $(ZS)/host/zs_diff files 8 @$(ZS)/list'
	@$(ZS_RUN) zstd-full-levels $(ZS)/host/zs_diff levels 2000
	@$(ZS_RUN) zstd-full-streams $(ZS)/host/zs_diff streams 4200
	@$(ZS_RUN) zstd-full-mutants $(ZS)/host/zs_diff mutants 400000 3 @$(ZS)/list
	@$(ZS_RUN) zstd-full-mutants-asan $(ZS)/asan/zs_diff mutants 50000 4 @$(ZS)/list
	@$(ZS_RUN) zstd-full-tables $(ZS)/host/zs_diff tables 2000000 4
	@$(ZS_RUN) zstd-full-struct $(ZS)/asan/zs_diff struct 160000 3 @$(ZS)/list
	@$(ZS_RUN) zstd-full-aligned-struct $(ZS)/aligned/zs_diff struct 160000 4 @$(ZS)/list
	@$(ZS_RUN) zstd-full-flips $(ZS)/host/zs_diff flips 400 @$(ZS)/list

# The libFuzzer target, differential; seeds from decodecorpus.
$(T)/fuzz/zstd: test/zstd/fuzz_zstd.c test/zstd/zs_compare.h $(ZS_SOURCES:%=$(T)/fuzz/zstd_%.o) $(T)/fuzz/harness/guard.o \
    $(ZS_DECODER) $(ZS)/judge.c | $(BUILD)/setup/full.ok
	$(call say,FUZZ,zstd)
	@mkdir -p $(@D)
	$(Q)clang -w -O1 -g -fsanitize=fuzzer-no-link -DHUF_DISABLE_FAST_DECODE=1 -DHUF_FORCE_DECOMPRESS_X1 -DZSTD_DISABLE_ASM=1 \
	    -I$(ZS_UPSTREAM) -c $(ZS)/judge.c -o $(ZS)/judge_fuzz.o
	$(Q)clang $(filter-out $(CFLAGS_DEP),$(ZS_FLAGS)) $(TEST_FUZZ) -fsanitize=fuzzer \
	    $(filter %.c,$(filter-out $(ZS)/judge.c,$^)) $(filter %.o,$^) $(ZS)/judge_fuzz.o -lpthread -o $@
$(ZS_SOURCES:%=$(T)/fuzz/zstd_%.o): $(T)/fuzz/zstd_%.o: test/zstd/%.c test/zstd/zstd.mk $(BUILD)/deps/zstd157.ok | $(BUILD)/setup/full.ok
	@mkdir -p $(@D)
	$(Q)clang $(ZS_FLAGS) -isystem $(ZS_UPSTREAM) $(TEST_FUZZ) -c $< -o $@

.PHONY: fuzz-zstd
fuzz-zstd: $(T)/fuzz/zstd $(ZS)/decodecorpus
	@DECODECORPUS=$(ZS)/decodecorpus test/zstd/corpus.sh $(ZS)/corpus-fuzz 1000 12
	@BUILD=$(BUILD) test/tools/fuzz_run.sh zstd $(ZS)/corpus-fuzz $(FUZZ_SECONDS)
fuzz: fuzz-zstd

# The part of the sweeps that runs on a big-endian machine, under qemu-user.
$(ZS)/ppc/zs_diff: test/zstd/zs_diff.c test/zstd/zs_compare.h $(ZS_SOURCES:%=test/zstd/%.c) test/harness/guard.c $(ZS_DECODER) $(ZS)/judge.c | $(BUILD)/setup/full.ok
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)powerpc-linux-gnu-gcc -static -w -std=gnu99 $(ZS_JUDGE) -Iinclude -Isrc -Itest/zstd -Itest/harness -I$(ZS_UPSTREAM) $(filter %.c,$^) -lpthread -o $@
.PHONY: ppc-zstd
ppc-zstd: $(ZS)/ppc/zs_diff $(ZS)/decodecorpus
	@DECODECORPUS=$(ZS)/decodecorpus test/zstd/corpus.sh $(ZS)/corpus-ppc 1000 12
	@$(ZS_RUN) zstd-ppc sh -c 'qemu-ppc $< files 4 $(ZS)/corpus-ppc/*.zst'
	@$(ZS_RUN) zstd-ppc-tables qemu-ppc $< tables 20000 9
	@$(ZS_RUN) zstd-ppc-mutants sh -c 'qemu-ppc $< mutants 20000 6 $(ZS)/corpus-ppc/*.zst'
check-full: ppc-zstd
