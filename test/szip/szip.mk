# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The szip decoder against libaec (test/szip/README.md). Included by test/test.mk.

SZ       := $(T)/szip
SZ_FLAGS  = $(filter-out -MMD -MP,$(TEST_FLAGS))

# $(call szip_variant,NAME,FLAGS)
define szip_variant
$(SZ)/$1/suite_szip: test/szip/suite_szip.c test/harness/suite.c test/harness/guard.c test/szip/theirs.h include/utet_szip.h test/szip/szip.mk \
    $(BUILD)/lib/$1/libutet.a | $(BUILD)/setup/test.ok
	@mkdir -p $$(@D)
	$(Q)$(CC) $(SZ_FLAGS) $2 $$(filter %.c %.a,$$^) -laec -lcmocka -o $$@

# The same with the bit reservoir of 32-bit machines, built in addition to the library.
$(SZ)/$1/short/suite_szip: test/szip/suite_szip.c test/harness/suite.c test/harness/guard.c src/szip/szip.c src/szip/szip_hot.c \
    $(wildcard src/szip/*.h include/utet_szip.h) test/szip/theirs.h test/szip/szip.mk | $(BUILD)/setup/test.ok
	@mkdir -p $$(@D)
	$(Q)for f in $$(filter src/%.c,$$^); do \
	    $(CC) $(SZ_FLAGS) $2 -DUTET_SZIP_WORD=uint32_t -c $$$$f -o $$(@D)/$$$$(basename $$$$f .c).o || exit 1; done
	$(Q)$(CC) $(SZ_FLAGS) $2 $$(filter test/%.c,$$^) $$(@D)/*.o -laec -lcmocka -o $$@
endef
$(eval $(call szip_variant,host,-O2 -g))
$(eval $(call szip_variant,asan,$(TEST_ASAN)))
$(eval $(call szip_variant,cov,-O0 -g --coverage))

.PHONY: run-szip check-szip
test test-szip: run-szip
check-full: check-szip

run-szip: $(SZ)/asan/suite_szip $(SZ)/asan/short/suite_szip
	@$(TEST_ENV) ASAN_OPTIONS=detect_leaks=0 test/tools/suite_run.sh szip $<
	@$(TEST_ENV) ASAN_OPTIONS=detect_leaks=0 SUITE_LIGHT=1 test/tools/suite_run.sh szip-short $(SZ)/asan/short/suite_szip
# Counted together with the coverage of the other components (test.mk).
.PHONY: run-cov-szip
run-cov: run-cov-szip
COV_MORE += $(SZ)/cov/short
run-cov-szip: $(SZ)/cov/suite_szip $(SZ)/cov/short/suite_szip
	@$(TEST_ENV) SUITE_LIGHT=1 test/tools/suite_run.sh cov-szip $<
	@$(TEST_ENV) SUITE_LIGHT=1 test/tools/suite_run.sh cov-szip-short $(SZ)/cov/short/suite_szip
check-szip: $(SZ)/host/suite_szip $(SZ)/host/short/suite_szip
	@$(TEST_ENV) SUITE_FULL=1 test/tools/suite_run.sh szip-full $(SZ)/host/suite_szip
	@$(TEST_ENV) test/tools/suite_run.sh szip-short-full $(SZ)/host/short/suite_szip

# Throughput compared with libaec, by hand. It counts processor time, so other work hardly disturbs it.
.PHONY: bench-szip
bench-szip: test/szip/szip_speed.c $(BUILD)/lib/host/libutet.a | $(BUILD)/setup/test.ok
	@mkdir -p $(SZ)
	$(Q)$(CC) $(filter-out -MMD -MP,$(TEST_FLAGS)) -D_GNU_SOURCE -O2 $(filter %.c %.a,$^) -laec -o $(SZ)/szip_speed
	@$(SZ)/szip_speed
