# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The joined sources (make amalgamation) compile with all warnings as errors and pass the suites. Those of the neighbouring folders are
# linked with a library in which utet.c replaces the sources that it joins, the decoder's with utet_zstd.c.

AM       := $(BUILD)/test/amalgam
AM_FLAGS := -std=c99 -O2 -g -Wall -Wextra -Wpedantic -Werror -fvisibility=hidden

$(AM)/utet.o: $(AMALGAMATION)/utet.c | $(BUILD)/setup/test.ok
	@mkdir -p $(@D)
	$(Q)$(CC) $(AM_FLAGS) -c $< -o $@

$(AM)/utet_zstd.o: $(AMALGAMATION)/utet.c | $(BUILD)/setup/test.ok
	@mkdir -p $(@D)
	$(Q)$(CC) $(AM_FLAGS) -c $(AMALGAMATION)/zstd/utet_zstd.c -o $@

$(AM)/libutet.a: $(AM)/utet.o $(BUILD)/lib/host/libutet.a
	$(Q)cp $(BUILD)/lib/host/libutet.a $@
	$(Q)ar d $@ $(notdir $(patsubst %.c,%.o,$(filter-out $(ZSTD_ADAPTER),$(call package_sources,tet) src/abi/sizes.c)))
	$(Q)ar r $@ $<

$(ZS_SUITES:%=$(AM)/%): $(AM)/%: $(ZS)/host/%.o $(filter-out $(patsubst src/zstd/%.c,$(ZS)/host/%.o,$(ZS_FILES_C)),$(ZS)/host/suite.o $(ZS_OBJS_host)) $(AM)/utet_zstd.o
	$(Q)$(CC) $^ -lcmocka -lpthread -o $@

# Without the suites of the other formats, which utet.c does not contain.
AM_SUITES := $(patsubst %,$(AM)/%,$(filter-out %/suite_tiledb %/suite_arrays %/suite_arrayitems %/suite_tensogram %/suite_tensogramcalls,$(TEST_SUITES)))
$(AM_SUITES): $(AM)/%: $(T)/host/%.o $(TEST_OBJS_host) $(AM)/libutet.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter %.o,$^) $(AM)/libutet.a -lcmocka -lm -o $@
$(AM)/base/suite_twice: $(T)/host/common/tiledb_walk.o
$(AM)/tet/suite_cache $(AM)/tet/suite_shared: $(T)/host/port/cache/utet_cache.o

.PHONY: run-amalgamation
run-amalgamation: $(AM_SUITES) $(ZS_SUITES:%=$(AM)/%)
	@for s in $(AM_SUITES) $(ZS_SUITES:%=$(AM)/%); do \
	    $(TEST_ENV) SUITE_LIGHT=1 SUITE_JOINED=1 QUIET_SKIPS=1 test/tools/suite_run.sh amalgamation-$${s##*suite_} $$s || bad=1; done; test -z "$$bad"
check-full: run-amalgamation
