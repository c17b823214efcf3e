# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Query documents: read and refused (document_test.py, under ASan), bound to files and answered, or aligned (answer_test.py, under ASan), answers with
# the shape of the selection (dense_test.py) and chunks that are skipped (skip_test.py), through the tool, media that fail at each read, and every
# status of each call (faults.c, skipfaults.c), the reference's conformance pack (conformance_test.py, with every budget: budget_test.py; from SHARED,
# and skipped by name without it).

QUERY      := $(T)/query
QUERY_FILE := test/golden/tet/R6_station_log.tet

# $(call query_variant,NAME,FLAGS)
define query_variant
$(QUERY)/$1/faults $(QUERY)/$1/skipfaults: test/query/faultsworld.h
$(QUERY)/$1/%: test/query/%.c $(BUILD)/lib/$1/libutet.a include/utet_query.h test/query/query.mk | $(BUILD)/setup/test.ok
	@mkdir -p $$(@D)
	$(Q)$(CC) -std=gnu99 $(WARN) -Iinclude $2 $$< $(BUILD)/lib/$1/libutet.a -o $$@
endef
$(eval $(call query_variant,host,-O2 -g))
$(eval $(call query_variant,asan,$(TEST_ASAN)))
$(eval $(call query_variant,cov,-O0 -g --coverage))

QUERY_RUN := BUILD=$(BUILD) PATH="$(TEST_PATH)" ASAN_OPTIONS=detect_leaks=0 test/tools/suite_run.sh
.PHONY: run-query check-query
test test-query: run-query
check-full: check-query

run-query: $(QUERY)/asan/document $(QUERY)/asan/answer $(QUERY)/asan/faults $(QUERY)/asan/skipfaults $(BUILD)/utet
	@$(QUERY_RUN) query-document python3 test/query/document_test.py $(QUERY)/asan/document
	@$(QUERY_RUN) query-answer python3 test/query/answer_test.py $(QUERY)/asan/answer
	@$(QUERY_RUN) query-dense python3 test/query/dense_test.py $(BUILD)/utet
	@$(QUERY_RUN) query-skip python3 test/query/skip_test.py $(BUILD)/utet
	@$(QUERY_RUN) query-jobs python3 test/query/jobs_test.py $(BUILD)/utet $(SHARED)/conformance
	@$(QUERY_RUN) query-faults $(QUERY)/asan/faults $(QUERY_FILE)
	@$(QUERY_RUN) query-skipfaults $(QUERY)/asan/skipfaults $(QUERY_FILE) test/tool/indexed.tet
	@$(QUERY_RUN) conformance python3 test/query/conformance_test.py $(BUILD)/utet $(SHARED)/conformance
# Coverage of src/query, counted together with that of the other components (test.mk). For skip_test, the tool is linked with
# the same library.
$(QUERY)/cov/utet: $(TOOL_OBJS) $(BUILD)/tool/targets.o $(BUILD)/lib/cov/libutet.a test/query/query.mk
	@mkdir -p $(@D)
	$(Q)$(CC) $(TOOL_OBJS) $(BUILD)/tool/targets.o $(BUILD)/lib/cov/libutet.a --coverage $(TOOL_LIBS) -o $@
.PHONY: run-cov-query
run-cov: run-cov-query
run-cov-query: $(QUERY)/cov/document $(QUERY)/cov/answer $(QUERY)/cov/faults $(QUERY)/cov/skipfaults $(QUERY)/cov/utet
	@$(QUERY_RUN) cov-query-skip python3 test/query/skip_test.py $(QUERY)/cov/utet --cases 20
	@$(QUERY_RUN) cov-query-document python3 test/query/document_test.py $(QUERY)/cov/document
	@$(QUERY_RUN) cov-query-answer python3 test/query/answer_test.py $(QUERY)/cov/answer
	@$(QUERY_RUN) cov-query-faults $(QUERY)/cov/faults $(QUERY_FILE)
	@$(QUERY_RUN) cov-query-skipfaults $(QUERY)/cov/skipfaults $(QUERY_FILE) test/tool/indexed.tet

# By hand: ThreadSanitizer over the threads of `query -j`, `read -j` and `pack`; a report ends the tool with status 66, which jobs_test
# prints.
$(eval $(call utet_library,tsan,,,-O1 -g -fsanitize=thread))
$(QUERY)/tsan/utet: $(TOOL_SRCS) $(BUILD)/tool/targets.o $(BUILD)/lib/tsan/libutet.a test/query/query.mk
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_STD) $(TOOL_CPPFLAGS) -O1 -g -fsanitize=thread $(TOOL_SRCS) $(BUILD)/tool/targets.o $(BUILD)/lib/tsan/libutet.a $(TOOL_LIBS) -o $@
.PHONY: tsan-query
tsan-query: $(QUERY)/tsan/utet
	@TSAN_OPTIONS="halt_on_error=1 exitcode=66" $(QUERY_RUN) tsan-query python3 test/query/jobs_test.py $< $(SHARED)/conformance
	@TSAN_OPTIONS="halt_on_error=1 exitcode=66" $(TOOL_TEST_ENV) UTET=$< NO_LIMITS=1 test/tools/suite_run.sh tsan-read test/tool/readjobs_test.py
check-more: tsan-query

check-query: $(QUERY)/host/document $(QUERY)/host/answer $(QUERY)/asan/answer | $(BUILD)/setup/full.ok
	@$(QUERY_RUN) query-budgets python3 test/query/budget_test.py $(QUERY)/asan/answer $(SHARED)/conformance 1
	@$(QUERY_RUN) valgrind-query python3 test/query/budget_test.py $(QUERY)/host/answer $(SHARED)/conformance 97 $(VALGRIND)
	@$(QUERY_RUN) query-answer-full python3 test/query/answer_test.py $(QUERY)/host/answer --seed 2 --cases 2400
	@$(QUERY_RUN) query-document-full python3 test/query/document_test.py $(QUERY)/host/document --seed 2 --cases 3000
