# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Query documents: read and refused (document_test.py, under ASan), bound to files and answered (answer_test.py, under ASan), the reference's conformance pack (conformance_test.py; from
# SHARED, and skipped by name without it).

QUERY := $(T)/query

$(QUERY)/document: test/query/document.c $(BUILD)/libutet.a include/utet_query.h test/query/query.mk | $(BUILD)/setup/test.ok
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu99 $(WARN) -Iinclude -O2 -g $< $(BUILD)/libutet.a -o $@

$(QUERY)/document_asan: test/query/document.c $(BUILD)/lib/asan/libutet.a include/utet_query.h test/query/query.mk | $(BUILD)/setup/test.ok
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu99 $(WARN) -Iinclude $(TEST_ASAN) $< $(BUILD)/lib/asan/libutet.a -o $@

$(QUERY)/answer: test/query/answer.c $(BUILD)/libutet.a include/utet_query.h test/query/query.mk | $(BUILD)/setup/test.ok
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu99 $(WARN) -Iinclude -O2 -g $< $(BUILD)/libutet.a -o $@

$(QUERY)/answer_asan: test/query/answer.c $(BUILD)/lib/asan/libutet.a include/utet_query.h test/query/query.mk | $(BUILD)/setup/test.ok
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu99 $(WARN) -Iinclude $(TEST_ASAN) $< $(BUILD)/lib/asan/libutet.a -o $@

QUERY_RUN := BUILD=$(BUILD) PATH="$(TEST_PATH)" ASAN_OPTIONS=detect_leaks=0 test/tools/suite_run.sh
.PHONY: test-query check-query
test: test-query
check-full: check-query

test-query: $(QUERY)/document_asan $(QUERY)/answer_asan $(BUILD)/utet
	@$(QUERY_RUN) query-document python3 test/query/document_test.py $(QUERY)/document_asan
	@$(QUERY_RUN) query-answer python3 test/query/answer_test.py $(QUERY)/answer_asan
	@$(QUERY_RUN) conformance python3 test/query/conformance_test.py $(BUILD)/utet $(SHARED)/conformance

check-query: $(QUERY)/document $(QUERY)/answer
	@$(QUERY_RUN) query-answer-full python3 test/query/answer_test.py $(QUERY)/answer --seed 2 --cases 2400
	@$(QUERY_RUN) query-document-full python3 test/query/document_test.py $(QUERY)/document --seed 2 --cases 3000
