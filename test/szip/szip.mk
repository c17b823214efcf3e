# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The szip decoder against libaec (test/szip/README.md). Included by test/test.mk.

SZ       := $(T)/szip
SZ_FLAGS  = $(filter-out -MMD -MP,$(TEST_FLAGS))

# $(call szip_variant,NAME,FLAGS)
define szip_variant
$(SZ)/$1/suite_szip: test/szip/suite_szip.c test/harness/suite.c test/harness/guard.c include/utet_szip.h test/szip/szip.mk \
    $(BUILD)/lib/$1/libutet.a | $(BUILD)/setup/test.ok
	@mkdir -p $$(@D)
	$(Q)$(CC) $(SZ_FLAGS) $2 $$(filter %.c %.a,$$^) -laec -lcmocka -o $$@
endef
$(eval $(call szip_variant,host,-O2 -g))
$(eval $(call szip_variant,asan,$(TEST_ASAN)))

.PHONY: test-szip check-szip
test: test-szip
check-more: check-szip

test-szip: $(SZ)/asan/suite_szip
	@$(TEST_ENV) ASAN_OPTIONS=detect_leaks=0 test/tools/suite_run.sh szip $<
check-szip: $(SZ)/asan/suite_szip $(SZ)/host/suite_szip
	@$(TEST_ENV) SUITE_FULL=1 test/tools/suite_run.sh szip-full $(SZ)/host/suite_szip
	@$(TEST_ENV) ASAN_OPTIONS=detect_leaks=0 SUITE_FULL=1 test/tools/suite_run.sh szip-asan $(SZ)/asan/suite_szip
