# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# The statuses that the calls of the optional headers return while their suites run, compared with their `Returns:` lines
# (suite_status.py --log). The suites are linked once more with functions that record each status (status_wrap.py), and run in a
# reduced form.

SEEN         := $(T)/statuses
SEEN_HEADERS := $(addprefix include/utet_,cbor.h tensogram.h tensogram_data.h tiledb.h tiledb_folder.h inflate.h szip.h query.h)
SEEN_HOST    := base/suite_protocol base/suite_otherwise tiledb/suite_arrays tiledb/suite_arrayitems zstd/suite_frames tiledb/suite_tiles tiledb/suite_tilefaults tiledb/suite_groups tiledb/suite_groupmembers tensogram/suite_messages tensogram/suite_descriptors tensogram/suite_entries cbor/suite_cbor tensogram/suite_tensogramstatus query/suite_queryanswer tiledb/suite_tiledb tensogram/suite_tensogram tensogram/suite_tensogramcalls
SEEN_SUITES  := $(notdir $(SEEN_HOST)) suite_szip suite_inflate suite_tensordata suite_tensordamage suite_tensorslab suite_tensorstatus suite_tensorcodecs
SEEN_FLAGS    = $(filter-out -MMD -MP,$(TEST_FLAGS)) -D_GNU_SOURCE -O1 -Itest/inflate -Itest/tensogram
SEEN_LINK     = $(SEEN)/wrap.o @$(SEEN)/wrap.flags $(BUILD)/lib/host/libutet.a
SEEN_SMALL   := test/harness/suite.c test/harness/guard.c

$(SEEN)/wrap.o: test/tools/status_wrap.py $(SEEN_HEADERS) include/utet.h
	@mkdir -p $(@D)
	$(Q)python3 test/tools/status_wrap.py $(@:.o=.c) $(@:.o=.flags) $(SEEN_HEADERS)
	$(Q)$(CC) $(CFLAGS_STD) -Iinclude -O1 -c $(@:.o=.c) -o $@

$(foreach s,$(SEEN_HOST),$(eval $(SEEN)/$(notdir $s): $(T)/host/$s.o $(TEST_OBJS_host)))
$(SEEN)/suite_tiledb: $(T)/host/common/tiledb_walk.o
$(addprefix $(SEEN)/,$(notdir $(SEEN_HOST))): $(SEEN)/wrap.o $(BUILD)/lib/host/libutet.a
	$(Q)$(CC) $(filter-out $(SEEN)/wrap.o,$(filter %.o,$^)) $(SEEN_LINK) -lcmocka -o $@

$(SEEN)/suite_szip: test/szip/suite_szip.c $(SEEN_SMALL)
$(SEEN)/suite_inflate: test/inflate/suite_inflate.c test/inflate/inf_run.c test/inflate/inf_made.c $(SEEN_SMALL)
$(SEEN)/suite_tensordata $(SEEN)/suite_tensordamage $(SEEN)/suite_tensorslab $(SEEN)/suite_tensorstatus $(SEEN)/suite_tensorcodecs: $(SEEN)/%: test/tensogram/%.c $(TD_HARNESS)
$(SEEN)/suite_szip $(SEEN)/suite_inflate $(SEEN)/suite_tensordata $(SEEN)/suite_tensordamage $(SEEN)/suite_tensorslab $(SEEN)/suite_tensorstatus $(SEEN)/suite_tensorcodecs: $(SEEN)/wrap.o $(BUILD)/lib/host/libutet.a | $(BUILD)/setup/test.ok
	$(Q)$(CC) $(SEEN_FLAGS) $(filter %.c,$^) $(SEEN_LINK) -lcmocka -laec -lz -llz4 -lm -o $@

SEEN_QUERY := $(SEEN)/document $(SEEN)/answer
$(SEEN)/faults $(SEEN)/skipfaults: test/query/faultsworld.h
$(SEEN_QUERY) $(SEEN)/faults $(SEEN)/skipfaults: $(SEEN)/%: test/query/%.c $(SEEN)/wrap.o $(BUILD)/lib/host/libutet.a | $(BUILD)/setup/test.ok
	$(Q)$(CC) -std=gnu99 $(WARN) -Iinclude -O1 $< $(SEEN_LINK) -o $@

.PHONY: run-statuses-seen
run-statuses-seen: $(SEEN_SUITES:%=$(SEEN)/%) $(SEEN_QUERY) $(SEEN)/faults $(SEEN)/skipfaults
	@rm -f $(SEEN)/log
	@for s in $(SEEN_SUITES); do $(TEST_ENV) SUITE_LIGHT=1 STATUS_LOG=$(SEEN)/log TENSOR_LISTS="$(TD_LISTS)" \
	    $(SEEN)/$$s >$(SEEN)/$$s.out 2>&1 || { tail -n 5 $(SEEN)/$$s.out; exit 1; }; done
	@for s in $(SEEN_QUERY); do PATH="$(TEST_PATH)" STATUS_LOG=$(SEEN)/log python3 test/query/$${s##*/}_test.py $$s --cases 60 >$$s.out 2>&1 \
	    || { tail -n 5 $$s.out; exit 1; }; done
	@STATUS_LOG=$(SEEN)/log $(SEEN)/faults $(QUERY_FILE) >$(SEEN)/faults.out 2>&1 || { tail -n 5 $(SEEN)/faults.out; exit 1; }
	@STATUS_LOG=$(SEEN)/log $(SEEN)/skipfaults $(QUERY_FILE) test/tool/indexed.tet >$(SEEN)/skipfaults.out 2>&1 || { tail -n 5 $(SEEN)/skipfaults.out; exit 1; }
	@BUILD=$(BUILD) test/tools/suite_run.sh statuses-seen python3 test/tools/suite_status.py --log $(SEEN)/log test/tools/status_unseen.txt \
	    include/utet_io.h $(SEEN_HEADERS) include/utet_folder.h include/utet_lz4.h
test: run-statuses-seen
