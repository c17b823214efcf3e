# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The suite of utet_inflate (test/inflate/README.md) compares it with Debian's zlib.

INF       := $(T)/inflate
INF_SRCS  := test/inflate/inf_run.c test/inflate/inf_made.c test/harness/guard.c
INF_FLAGS  = $(CFLAGS_STD) $(WARN) $(CFLAGS_DEP) -D_GNU_SOURCE -Iinclude -Isrc -Itest/inflate -Itest/harness
INF_SAN   := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
INF_LIB   := $(wildcard src/inflate/*.c)

# $(call inf_variant,NAME,COMPILER,FLAGS): the decoder, compiled with FLAGS, and its suite in $(INF)/NAME
define inf_variant
$(INF)/$1/%.o: %.c test/inflate/inflate.mk | $(BUILD)/setup/test.ok
	@mkdir -p $$(@D)
	$(Q)$2 $$(INF_FLAGS) $3 -c $$< -o $$@
INF_OBJS_$1 := $(patsubst %.c,$(INF)/$1/%.o,$(INF_SRCS) $(INF_LIB))
$(INF)/$1/suite_inflate: $(INF)/$1/test/inflate/suite_inflate.o $(INF)/$1/test/harness/suite.o $$(INF_OBJS_$1)
	$(Q)$2 $3 $$^ -lcmocka -lz -o $$@
-include $$(wildcard $(INF)/$1/*/*/*.d)
endef
$(eval $(call inf_variant,host,$(CC),-O2 -g))
$(eval $(call inf_variant,asan,$(CC),$(INF_SAN)))
# Without tables, every code is searched for; small tables are tried, too.
$(eval $(call inf_variant,rootless,$(CC),-O1 -g -DUTET_INFLATE_ROOT=0 -fsanitize=undefined -fno-sanitize-recover=all))
$(eval $(call inf_variant,small,$(CC),-O1 -g -DUTET_INFLATE_ROOT=5 -DUTET_INFLATE_ROOT_DISTANCE=2 -fsanitize=undefined -fno-sanitize-recover=all))
$(eval $(call inf_variant,cov,$(CC),-O0 -g --coverage))

INF_RUN := BUILD=$(BUILD) ASAN_OPTIONS=detect_leaks=0 test/tools/suite_run.sh
.PHONY: run-inflate check-inflate
test test-inflate: run-inflate
check-full: check-inflate

run-inflate: $(INF)/host/suite_inflate $(INF)/asan/suite_inflate $(INF)/rootless/suite_inflate $(INF)/small/suite_inflate
	@$(INF_RUN) inflate $(INF)/host/suite_inflate
	@SUITE_LIGHT=1 $(INF_RUN) inflate-asan $(INF)/asan/suite_inflate
	@SUITE_LIGHT=1 $(INF_RUN) inflate-rootless $(INF)/rootless/suite_inflate
	@SUITE_LIGHT=1 $(INF_RUN) inflate-small $(INF)/small/suite_inflate

check-inflate: $(INF)/host/suite_inflate
	@SUITE_FULL=1 $(INF_RUN) inflate-full $(INF)/host/suite_inflate

# The libFuzzer target compares with zlib; seeds are streams of the encoder in its settings.
$(T)/fuzz/inflate: test/inflate/fuzz_inflate.c $(INF_SRCS) $(INF_LIB) src/inflate/inflate.h include/utet_inflate.h \
    $(wildcard test/inflate/*.h) | $(BUILD)/setup/full.ok
	$(call say,FUZZ,inflate)
	@mkdir -p $(@D)
	$(Q)clang -w -std=c99 -D_GNU_SOURCE -Iinclude -Isrc -Itest/inflate -Itest/harness $(TEST_FUZZ) -fsanitize=fuzzer $(filter %.c,$^) \
	    -lz -o $@

.PHONY: fuzz-inflate
fuzz-inflate: $(T)/fuzz/inflate
	@BUILD=$(BUILD) test/tools/fuzz_run.sh inflate test/golden $(FUZZ_SECONDS)
fuzz: fuzz-inflate

# Every line and every branch is covered both ways.
.PHONY: coverage-inflate
coverage-inflate: $(INF)/cov/suite_inflate | $(BUILD)/setup/full.ok
	@find $(INF)/cov -name '*.gcda' -delete
	@SUITE_LIGHT=1 $(INF_RUN) inflate-cov $<
	@$(INF_RUN) coverage-inflate sh -c 'gcovr --root . --filter src/inflate/ $(INF)/cov --print-summary --fail-under-line 100 \
	    --fail-under-branch 100 && echo "1 passed, 0 failed"'
check-full: coverage-inflate


# Streams that the host wrote are decoded on a big-endian machine.
$(INF)/host/replay: $(INF)/host/test/inflate/inf_replay.o $(INF_OBJS_host)
	$(Q)$(CC) -O2 -g $^ -lz -o $@
$(INF)/ppc/replay: test/inflate/inf_replay.c test/inflate/inf_run.c test/harness/guard.c $(INF_LIB) $(wildcard test/inflate/*.h src/inflate/*.h) \
    include/utet_inflate.h | $(BUILD)/setup/full.ok
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)powerpc-linux-gnu-gcc -static -std=gnu99 -O2 -DINF_REPLAY -Iinclude -Isrc -Itest/inflate -Itest/harness $(filter %.c,$^) -o $@
.PHONY: ppc-inflate
ppc-inflate: $(INF)/host/replay $(INF)/ppc/replay
	@$(INF)/host/replay write $(INF)/streams 3000
	@$(INF_RUN) inflate-ppc qemu-ppc $(INF)/ppc/replay check $(INF)/streams
check-full: ppc-inflate
